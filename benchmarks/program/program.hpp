#pragma once
/// What the main programs of the benchmarks share: honest exits.

#include <functional>
#include <string>
#include <string_view>

namespace bench {

/// Prints to stdout at once. What cannot be written fails the program at its end, when all else is done.
class result_printer {
 public:
  void print(std::string_view text) noexcept;
  /// Errors: yoke::error where anything printed to stdout, by whomever, is lost; it names the first cause met
  /// here.
  void check() const;

 private:
  int problem_ = 0;  ///< errno of the first failure
};

/// Runs `body` and returns the program's exit status: that of `body`; 2 after a config_error, 1 after any
/// other exception, with one message on stderr that begins with `program`; 1 also where what was printed to
/// stdout could not be written. No file takes the number of a standard stream that was closed, and a reader
/// that has gone is an error like any other, not a signal.
int run_main(const std::string& program, const std::function<int(result_printer&)>& body) noexcept;

}  // namespace bench
