#pragma once
/// Runs a program as a process of its own: OpenMP reads its environment once, so every other configuration is
/// another process.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <utility>
#include <vector>

namespace support {

struct process_result {
  int status = -1;     ///< exit status; 128 + the number of the signal that ended it
  std::string output;  ///< stdout and stderr together
};

inline std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return out + "'";
}

/// Runs `command` (program and arguments) with exactly `environment` ("NAME=value"), besides what programs
/// and sanitizers need to start.
inline process_result run_process(const std::vector<std::string>& command,
                                  const std::vector<std::string>& environment = {}) {
  std::string line = "env -i";
  for (const char* name : {"PATH", "LD_LIBRARY_PATH", "TMPDIR", "ASAN_OPTIONS", "LSAN_OPTIONS",
                           "UBSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE"}) {
    if (const char* value = std::getenv(name)) line += " " + shell_quoted(std::string{name} + "=" + value);
  }
  for (const std::string& variable : environment) line += " " + shell_quoted(variable);
  for (const std::string& word : command) line += " " + shell_quoted(word);
  std::FILE* pipe = popen((line + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {};
  process_result result;
  char buffer[4096];
  while (const std::size_t bytes = std::fread(buffer, 1, sizeof buffer, pipe))
    result.output.append(buffer, bytes);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace support
