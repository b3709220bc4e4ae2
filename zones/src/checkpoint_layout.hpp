#pragma once
/// What a checkpoint has where.
///
/// A header, then a chunk for each zone of each field, field by field, zones in order: a checksum of 8 bytes,
/// and the zone with its halos as it is in memory. Numbers are those of the machine, whose order of bytes the
/// header has.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <yoke/detail/zone_calls.hpp>

namespace yoke::detail {

struct checkpoint_field {
  std::string name;
  field_form form;
};

/// What a file is for.
struct checkpoint_contents {
  std::string what;
  std::vector<zone_box> zones;
  std::vector<checkpoint_field> fields;
};

/// Of words; any change within one word changes it, and of others all but one in 2^64.
std::uint64_t checksum_of(std::span<const std::byte> bytes);

class checkpoint_layout {
 public:
  /// Chunks begin at multiples of it, so that disks take them from memory as they are.
  static constexpr std::size_t alignment = 4096;
  static constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  explicit checkpoint_layout(checkpoint_contents of);

  std::vector<std::byte> header(std::int64_t step) const;
  std::size_t header_bytes() const { return header_bytes_; }
  /// The step of a header. Errors: error that names `path` and what it has other than these contents.
  std::int64_t step_in(std::span<const std::byte> header, const std::string& path) const;

  std::size_t offset(std::size_t field, std::size_t zone) const {
    return offsets_[field * of_.zones.size() + zone];
  }
  /// Of the zone itself.
  std::size_t bytes(std::size_t field, std::size_t zone) const;
  std::size_t file_bytes() const { return file_bytes_; }

 private:
  checkpoint_contents of_;
  std::size_t header_bytes_ = 0, file_bytes_ = 0;
  std::vector<std::size_t> offsets_;
};

}  // namespace yoke::detail
