#pragma once
/// Options of the programs of this folder, and how they end.

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// What an option takes. Numbers: from `least` to `most`, both included, and nothing that is no number.
struct accepted {
  std::vector<std::string> words{};
  double least = 0;
  double most = -1;  ///< less than `least`: any

  bool is_any_number() const { return most < least; }
};

inline accepted between(double least, double most) { return {.least = least, .most = most}; }
inline accepted one_of(std::vector<std::string> words) { return {.words = std::move(words)}; }

/// A command line, which this compiles once for all programs. The value that a variable has before parsing is
/// shown as the default.
class command_line {
 public:
  /// `program` as a user calls it, `what` it does in a few words.
  command_line(std::string program, const std::string& what);
  command_line(const command_line&) = delete;
  command_line& operator=(const command_line&) = delete;
  ~command_line();

  /// An option with a value: T is int, std::int64_t, double, std::string, or a vector of std::int64_t or
  /// std::string.
  template <class T>
  void add(const std::string& name, T& value, const std::string& what, const accepted& = {});
  void add_flag(const std::string& name, const std::string& what, std::function<void()> given);
  void add_flag(const std::string& name, bool& is_given, const std::string& what);
  /// Where `one` is given, `other` is refused.
  void exclude(const std::string& one, const std::string& other);

  /// Parses, and calls `work`, whose value is the program's exit status, by run_main(). 0 where help was
  /// asked for, 2 where the command line is wrong, which stderr says.
  int run(int argc, char** argv, const std::function<int()>& work);

 private:
  struct parser;
  std::unique_ptr<parser> parser_;
};

}  // namespace bench
