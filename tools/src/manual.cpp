#include "command_line.hpp"

#include <fmt/format.h>

#include <yoke/version.hpp>

namespace tools {

namespace {

/// Text as it stands: '\' and a leading '.' or ''' mean something to troff.
std::string plain(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins_line = i == 0 || text[i - 1] == '\n';
    if (begins_line && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    out += text[i] == '\\' ? std::string{"\\e"} : text[i] == '-' ? std::string{"\\-"} : std::string{text[i]};
  }
  return out;
}

std::string section_of(const CLI::App& command) {
  return fmt::format(".SS yoke {}\n.nf\n{}.fi\n", plain(command.get_name()), plain(command.help("yoke")));
}

}  // namespace

std::string manual_of(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH YOKE 1 \"\" \"yoke {}\"\n.SH NAME\nyoke \\- {}\n.SH SYNOPSIS\n.B yoke\nCOMMAND [OPTION]... "
      "[\\-\\- PROGRAM "
      "[ARGUMENT]...]\n.SH COMMANDS\n",
      yoke::version(), plain(app.get_description()));
  for (const CLI::App* command : app.get_subcommands({})) text += section_of(*command);
  return text +
         ".SH EXIT STATUS\n0 all is well; 1 something is wrong; 2 wrong usage; 127 a program that cannot be "
         "run.\n";
}

}  // namespace tools
