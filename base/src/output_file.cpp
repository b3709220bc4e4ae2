#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <yoke/descriptor.hpp>
#include <yoke/detail/errors_not_signals.hpp>
#include <yoke/output_file.hpp>

namespace yoke::detail {

namespace {

int opened(const std::string& path, int flags) {
  int descriptor = -1;
  do {
    descriptor = above_standard_streams(open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666));
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

int write_and_close(int descriptor, std::string_view text) {
  const int problem = write_all(descriptor, text);
  return close(descriptor) != 0 && problem == 0 ? errno : problem;
}

}  // namespace

int write_all(int descriptor, std::string_view text) {
  const errors_not_signals told;
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) return errno;
  }
  return 0;
}

bool is_stream(const std::string& path) {
  struct stat found{};
  if (stat(path.c_str(), &found) != 0) return false;
  if (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode)) return true;
  if (!S_ISCHR(found.st_mode)) return false;
  const int descriptor = opened(path, O_NOCTTY | O_NONBLOCK);
  const bool is_terminal = descriptor >= 0 && isatty(descriptor) == 1;
  if (descriptor >= 0) close(descriptor);
  return is_terminal;
}

int try_to_open(const std::string& path) {
  const int descriptor = opened(path, O_CREAT | O_APPEND);
  if (descriptor < 0) return errno;
  close(descriptor);
  return 0;
}

output_file::output_file(std::string path) : path_{std::move(path)}, is_stream_{detail::is_stream(path_)} {
  if (!is_stream_) return;
  stream_ = opened(path_, O_NOCTTY);
  if (stream_ < 0) problem_ = errno;
}

output_file::~output_file() {
  if (stream_ >= 0) close(stream_);
}

int output_file::write(std::string_view text) {
  if (is_stream_) return stream_ < 0 ? problem_ : write_and_close(std::exchange(stream_, -1), text);
  const int descriptor = opened(path_, O_CREAT | O_TRUNC);
  return descriptor < 0 ? errno : write_and_close(descriptor, text);
}

}  // namespace yoke::detail
