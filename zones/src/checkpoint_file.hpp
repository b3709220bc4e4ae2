#pragma once
/// A file that is read and written at any place.

#include <cstddef>
#include <span>
#include <string>

namespace yoke::detail {

/// Closed with the object. Errors of all: error that names the path, what was done and why it failed.
class checkpoint_file {
 public:
  enum class mode { reading, writing, creating };
  checkpoint_file(std::string path, mode how);
  ~checkpoint_file();
  checkpoint_file(const checkpoint_file&) = delete;
  checkpoint_file& operator=(const checkpoint_file&) = delete;

  /// Whole pages at whole pages go to the disk past the cache of the system where `mode` is writing and it
  /// can do that: a copy there, and giving it up again, takes CPUs away from those who compute.
  void write(std::size_t at, std::span<const std::byte> bytes) const;
  void read(std::size_t at, std::span<std::byte> bytes) const;
  std::size_t size() const;
  /// Everything is on the disk when it returns.
  void flush() const;

 private:
  [[noreturn]] void fail(const char* what, int problem) const;

  std::string path_;
  int descriptor_;
};

/// `from` takes the place of `to`, which survives a crash of the machine.
void replace_file(const std::string& from, const std::string& to);

}  // namespace yoke::detail
