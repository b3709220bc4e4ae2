#include "checkpoint_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <yoke/descriptor.hpp>
#include <yoke/detail/errors_not_signals.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30;  ///< bytes; Linux takes no more than 2^31

int flags_of(checkpoint_file::mode how) {
  switch (how) {
    case checkpoint_file::mode::reading:
      return O_RDONLY | O_CLOEXEC;
    case checkpoint_file::mode::writing:
      return O_WRONLY | O_DIRECT | O_CLOEXEC;
    case checkpoint_file::mode::creating:
      break;
  }
  return O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
}

/// Some file systems have a cache only.
int opened(const std::string& path, checkpoint_file::mode how) {
  const int flags = flags_of(how);
  const int found = ::open(path.c_str(), flags, 0666);
  if (found >= 0 || errno != EINVAL || (flags & O_DIRECT) == 0) return found;
  return ::open(path.c_str(), flags & ~O_DIRECT, 0666);
}

/// False where it does already.
bool goes_through_cache(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_DIRECT) != 0 && ::fcntl(descriptor, F_SETFL, flags & ~O_DIRECT) == 0;
}

}  // namespace

checkpoint_file::checkpoint_file(std::string path, mode how)
    : path_{std::move(path)}, descriptor_{above_standard_streams(opened(path_, how))} {
  if (descriptor_ < 0) fail(how == mode::reading ? "opened" : "opened for writing", errno);
}

checkpoint_file::~checkpoint_file() { ::close(descriptor_); }

void checkpoint_file::fail(const char* what, int problem) const {
  throw error{fmt::format("{}: cannot be {}: {}", path_, what, std::strerror(problem))};
}

void checkpoint_file::write(std::size_t at, std::span<const std::byte> bytes) const {
  const errors_not_signals told;
  while (!bytes.empty()) {
    const ssize_t done =
        ::pwrite(descriptor_, bytes.data(), std::min(bytes.size(), most_at_once), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EINVAL && goes_through_cache(descriptor_)) continue;  // other pages, say
    if (done <= 0) fail("written", done == 0 ? ENOSPC : errno);
    at += static_cast<std::size_t>(done);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

void checkpoint_file::read(std::size_t at, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t done =
        ::pread(descriptor_, bytes.data(), std::min(bytes.size(), most_at_once), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("read", errno);
    if (done == 0) throw error{fmt::format("{}: ends at byte {}; it is no complete checkpoint", path_, at)};
    at += static_cast<std::size_t>(done);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

std::size_t checkpoint_file::size() const {
  struct stat found{};
  if (::fstat(descriptor_, &found) != 0) fail("looked at", errno);
  return static_cast<std::size_t>(found.st_size);
}

void checkpoint_file::flush() const {
  if (::fsync(descriptor_) != 0) fail("written", errno);
}

void replace_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    throw error{fmt::format("{}: cannot take the place of {}: {}", from, to, std::strerror(errno))};
  const std::filesystem::path folder = std::filesystem::path{to}.parent_path();
  const int there = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (there < 0) return;  // the name is as safe as the file system makes it
  ::fsync(there);
  ::close(there);
}

}  // namespace yoke::detail
