#pragma once
/// A standard stream that is closed for a while, as a program meets it that is started with >&-.

#include <fcntl.h>
#include <unistd.h>

namespace support {

class closed_stream {
 public:
  explicit closed_stream(int number) : number_{number}, kept_{fcntl(number, F_DUPFD_CLOEXEC, 10)} {
    close(number);
  }
  ~closed_stream() {
    dup2(kept_, number_);
    close(kept_);
  }
  closed_stream(const closed_stream&) = delete;
  closed_stream& operator=(const closed_stream&) = delete;

  /// Whether its number belongs to no file.
  bool is_free() const { return fcntl(number_, F_GETFD) == -1; }

 private:
  int number_;
  int kept_;
};

}  // namespace support
