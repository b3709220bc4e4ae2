#pragma once
/// A checkpoint as the ranks write and read it together.

#include "checkpoint_layout.hpp"
#include "field_memory.hpp"
#include "zones_core.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace yoke::detail {

/// Rank 0 makes the file, each rank writes its zones on a thread of its own and tells rank 0, whose thread
/// gives the file its name when all have.
class checkpoint_writer {
 public:
  checkpoint_writer(std::shared_ptr<zones_core> of, std::string path, std::string what);
  ~checkpoint_writer();
  checkpoint_writer(const checkpoint_writer&) = delete;
  checkpoint_writer& operator=(const checkpoint_writer&) = delete;

  void add(const zone_use& use);
  void save(std::int64_t step);
  void wait();
  bool exists() const;
  std::int64_t load();

 private:
  /// A zone of a field that is here.
  struct part {
    std::size_t field, zone;
  };
  bool is_first() const;
  std::string part_path() const { return path_ + ".part"; }
  /// Runs it, and returns when all ranks have. Errors: its own; error with that of the first rank whose did
  /// not succeed.
  template <class Work>
  void together(const Work& work) const;
  const checkpoint_layout& layout();
  void* host(const part& of, bool writes) const;
  void check_writable() const;
  void make_exchange();
  std::size_t chunk_bytes(const part& of) const;
  /// Chunks, one behind the other as in the file.
  std::byte* staged() const;
  void stage();
  void create(std::int64_t step) const;
  void write_staged();
  void tell_and_name();
  void check_file(std::int64_t& step);

  std::shared_ptr<zones_core> core_;
  std::string path_, what_;
  std::vector<int> fields_;
  std::vector<part> parts_;  ///< here, in the order of the file
  std::optional<checkpoint_layout> layout_;
  host_slab staged_;  ///< room for them
  std::size_t staged_bytes_ = 0;
  std::vector<std::byte> done_;  ///< by rank: 1 where its zones are written
  std::unique_ptr<ranks::exchange> tell_;
  std::string problem_;  ///< of the last one, here
  std::thread writing_;
};

}  // namespace yoke::detail
