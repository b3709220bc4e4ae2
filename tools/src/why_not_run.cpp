#include "why_not_run.hpp"

#include <cerrno>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include <yoke/settings.hpp>

namespace tools {

namespace {

namespace fs = std::filesystem;

/// Linux looks no further into a chain of scripts.
constexpr int most_interpreters = 5;

bool is_file(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem);
}

/// Where execvp looks; empty where it finds nothing.
fs::path file_of(const std::string& program) {
  if (program.find('/') != std::string::npos) return is_file(program) ? fs::path{program} : fs::path{};
  const std::string folders = yoke::detail::get_environment("PATH").value_or("/bin:/usr/bin");
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const fs::path path = fs::path{folders.substr(begin, end - begin)} / program;
    if (is_file(path)) return path;
    begin = end + 1;
  }
  return {};
}

std::string beginning_of(const fs::path& path) {
  std::string text(4096, '\0');
  std::ifstream file{path, std::ios::binary};
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::string of_script(std::string_view beginning) {
  std::string_view line = beginning.substr(2, beginning.find('\n') - 2);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return std::string{line.substr(0, line.find_first_of(" \t"))};
}

/// A structure of the file; zeros where the beginning ends before.
template <class Part>
Part part_at(std::string_view beginning, std::size_t at) {
  Part part{};
  if (at <= beginning.size() && beginning.size() - at >= sizeof part)
    std::memcpy(&part, beginning.data() + at, sizeof part);
  return part;
}

std::string of_program(std::string_view beginning) {
  const auto header = part_at<Elf64_Ehdr>(beginning, 0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return "";
  for (std::size_t n = 0; n < header.e_phnum; ++n) {
    const auto segment = part_at<Elf64_Phdr>(beginning, header.e_phoff + n * sizeof(Elf64_Phdr));
    if (segment.p_type != PT_INTERP || segment.p_offset >= beginning.size()) continue;
    const std::string_view name = beginning.substr(segment.p_offset, segment.p_filesz);
    return std::string{name.substr(0, name.find('\0'))};
  }
  return "";
}

std::string told(const fs::path& file, const std::string& interpreter, const char* what) {
  const bool has_return = interpreter.ends_with('\r');
  const std::string name = interpreter.substr(0, interpreter.size() - (has_return ? 1 : 0));
  return fmt::format("{} is run by {}{}, which {}", file.string(), name,
                     has_return ? " and a carriage return, as lines of Windows end" : "", what);
}

}  // namespace

std::string interpreter_in(std::string_view beginning) {
  if (beginning.starts_with("#!")) return of_script(beginning);
  return beginning.starts_with(ELFMAG) ? of_program(beginning) : "";
}

std::string why_not_run(const std::string& program, int error) {
  fs::path file = error == ENOENT || error == EACCES ? file_of(program) : fs::path{};
  for (int n = 0; n < most_interpreters && !file.empty() && access(file.c_str(), X_OK) == 0; ++n) {
    const std::string by = interpreter_in(beginning_of(file));
    if (by.empty()) break;
    if (!is_file(by)) return told(file, by, "is missing");
    if (access(by.c_str(), X_OK) != 0) return told(file, by, "may not be run");
    file = by;
  }
  return std::strerror(error);
}

}  // namespace tools
