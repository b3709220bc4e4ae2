#pragma once
/// A command line whose values are texts: the program reads them itself, and says in its own words what is
/// wrong with them.

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

class option_texts {
 public:
  /// `program` as a user calls it, `what` it is; `footer` ends the text of --help.
  option_texts(const std::string& program, const std::string& what, const std::string& footer);
  option_texts(const option_texts&) = delete;
  option_texts& operator=(const option_texts&) = delete;
  ~option_texts();

  /// `kind`: of the value, as --help shows it.
  void add(const std::string& name, std::string& value, const std::string& what, const std::string& kind);
  void add_flag(const std::string& name, bool& is_given, const std::string& what);
  void add_flag(const std::string& name, const std::string& what, std::function<void()> given);

  /// What is asked for: the program's work, or one of two texts instead.
  enum class asked { work, help, version };
  /// Throws config_error where an option lacks its value or stands twice.
  asked parse(int argc, const char* const* argv);
  bool has(const std::string& name) const;
  /// Arguments that belong to no option.
  std::vector<std::string> others() const;
  std::string help() const;

 private:
  struct parser;
  std::unique_ptr<parser> parser_;
};

}  // namespace bench
