// Files that users write or that may be damaged: the first character ('0' to '2') chooses the reader, the
// rest is the file.

#include "../../runtime/src/profile_book.hpp"
#include "machine_file.hpp"
#include "task_file.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

#include <yoke/error.hpp>

namespace {

/// A file in memory, which ends with the object.
class scratch_file {
 public:
  explicit scratch_file(std::string_view text) : descriptor_{memfd_create("fuzz", MFD_CLOEXEC)} {
    if (write(descriptor_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
  }
  ~scratch_file() { close(descriptor_); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// What was read of a profile is written as a profile.
void read_profile(std::string_view text) {
  using yoke::detail::profile_book;
  const auto found = profile_book::parse(text);
  if (const auto* book = std::get_if<profile_book>(&found))
    if (!std::holds_alternative<profile_book>(profile_book::parse(book->text()))) std::abort();
}

constexpr std::array<void (*)(std::string_view), 3> readers{
    read_profile, [](std::string_view text) { (void)tools::read_machine(scratch_file{text}.path()); },
    [](std::string_view text) { (void)tools::read_tasks(scratch_file{text}.path()); }};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || data[0] < '0') return -1;
  const std::string_view text{reinterpret_cast<const char*>(data) + 1, size - 1};
  try {
    readers[(data[0] - '0') % readers.size()](text);
  } catch (const yoke::config_error&) {  // a mistake in the file
  }
  return 0;
}
