// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The file of a result: looked at before the work, written after it.

#include <string>
#include <string_view>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// Whether what is at `path` can be written only once, for somebody reads it as it comes: a pipe, a FIFO, a
/// terminal.
bool is_stream(const std::string& path);

/// Whether a file can be written, before there is something to write: 0, or why not, as an errno. It is made
/// where it is not there, and what it holds stays.
[[nodiscard]] int try_to_open(const std::string& path);

/// All of `text` to an open file; 0, or why not, as an errno. A reader that has gone is EPIPE here and a file
/// over the limit of its size EFBIG, and neither is a signal.
[[nodiscard]] int write_all(int descriptor, std::string_view text);

/// A stream is opened once, when this is made, and written once: a second document behind the first would be
/// none of either. Any other file is opened for each writing, so that it may be moved or removed meanwhile.
/// What fails is told as an errno. Not thread-safe.
class output_file {
 public:
  explicit output_file(std::string path);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  const std::string& path() const noexcept { return path_; }
  bool is_stream() const noexcept { return is_stream_; }
  /// Why it could not be opened; 0: it could, or will be opened later.
  int problem() const noexcept { return problem_; }
  /// The whole content; 0, or why it could not be written. A stream is closed by it, and takes no further
  /// one. A reader that has gone is EPIPE here and no signal.
  [[nodiscard]] int write(std::string_view text);

 private:
  std::string path_;
  bool is_stream_;
  int problem_ = 0;
  int stream_ = -1;
};

}  // namespace yoke::detail
