#include "command_line.hpp"

#include "program.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

#include <yoke/number_range.hpp>

namespace bench {

struct command_line::parser {
  std::string program;
  CLI::App app;
};

command_line::command_line(std::string program, const std::string& what)
    : parser_{new parser{std::move(program), CLI::App{what}}} {}

command_line::~command_line() = default;

namespace {

/// CLI::Range takes what is no number.
CLI::Validator in_range(const accepted& values) {
  const yoke::detail::number_range range{.least = values.least, .most = values.most};
  const std::string ends = fmt::format("{} to {}", values.least, values.most);
  return {[range, ends](std::string& text) {
            return range.read(text) ? std::string{} : fmt::format("Value {} not in range {}", text, ends);
          },
          fmt::format("from {}", ends)};
}

}  // namespace

template <class T>
void command_line::add(const std::string& name, T& value, const std::string& what, const accepted& values) {
  CLI::Option* const option = parser_->app.add_option(name, value, what);
  if (value != T{}) option->capture_default_str();
  if (!values.words.empty()) option->check(CLI::IsMember(values.words));
  if (!values.is_any_number()) option->check(in_range(values));
}
template void command_line::add(const std::string&, int&, const std::string&, const accepted&);
template void command_line::add(const std::string&, std::int64_t&, const std::string&, const accepted&);
template void command_line::add(const std::string&, double&, const std::string&, const accepted&);
template void command_line::add(const std::string&, std::string&, const std::string&, const accepted&);
template void command_line::add(const std::string&, std::vector<std::int64_t>&, const std::string&,
                                const accepted&);
template void command_line::add(const std::string&, std::vector<std::string>&, const std::string&,
                                const accepted&);

void command_line::add_flag(const std::string& name, const std::string& what, std::function<void()> given) {
  parser_->app.add_flag_callback(name, std::move(given), what);
}

void command_line::add_flag(const std::string& name, bool& is_given, const std::string& what) {
  parser_->app.add_flag(name, is_given, what);
}

void command_line::exclude(const std::string& one, const std::string& other) {
  parser_->app.get_option(one)->excludes(parser_->app.get_option(other));
}

int command_line::run(int argc, char** argv, const std::function<int()>& work) {
  return run_main(parser_->program, [&](result_printer&) {
    try {
      parser_->app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
      return parser_->app.exit(problem) == 0 ? 0 : 2;
    }
    return work();
  });
}

}  // namespace bench
