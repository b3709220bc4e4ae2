// All that CLI11 is needed for: it takes longer to compile than what most programs measure.
#include "command_line.hpp"

#include "option_texts.hpp"
#include "program.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>
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

struct option_texts::parser {
  CLI::App app;
};

option_texts::option_texts(const std::string& program, const std::string& what, const std::string& footer)
    : parser_{new parser{CLI::App{what, program}}} {
  CLI::App& app = parser_->app;
  app.footer(footer);
  app.allow_extras();
  app.set_help_flag("--help,-h", "print this text");
  app.set_version_flag("--version", program, "print the version");
}

option_texts::~option_texts() = default;

void option_texts::add(const std::string& name, std::string& value, const std::string& what,
                       const std::string& kind) {
  parser_->app.add_option(name, value, what)->type_name(kind);
}

void option_texts::add_flag(const std::string& name, bool& is_given, const std::string& what) {
  parser_->app.add_flag(name, is_given, what);
}

void option_texts::add_flag(const std::string& name, const std::string& what, std::function<void()> given) {
  parser_->app.add_flag_callback(name, std::move(given), what);
}

option_texts::asked option_texts::parse(int argc, const char* const* argv) {
  try {
    parser_->app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return asked::help;
  } catch (const CLI::CallForVersion&) {
    return asked::version;
  } catch (const CLI::ParseError& failure) {
    throw yoke::config_error{fmt::format("{}; --help lists the options", failure.what())};
  }
  return asked::work;
}

bool option_texts::has(const std::string& name) const { return parser_->app.count(name) > 0; }

std::vector<std::string> option_texts::others() const { return parser_->app.remaining(); }

std::string option_texts::help() const { return parser_->app.help(); }

}  // namespace bench
