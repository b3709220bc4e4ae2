#include "sampling.hpp"

#include "commands.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <yoke/error.hpp>

namespace tools {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::string contents(const fs::path& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::string allowed_list(const fs::path& task) {
  const std::string status = contents(task / "status");
  const std::string name = "Cpus_allowed_list:\t";
  const std::size_t start = status.find(name);
  if (start == std::string::npos) return "";
  return status.substr(start + name.size(), status.find('\n', start) - start - name.size());
}

/// By majority: OpenMP gives the first thread its mask back when the program ends.
void vote(thread_seen& seen, std::string allowed) {
  if (allowed.empty()) return;
  if (seen.lead == 0) seen.allowed = allowed;
  seen.lead += seen.allowed == allowed ? 1 : -1;
}

/// State and CPU are the third and the 39th field; the second, a name in brackets, may hold anything.
void look_at(const fs::path& task, std::map<int, thread_seen>& threads) {
  const std::string stat = contents(task / "stat");
  const std::size_t open = stat.find('(');
  const std::size_t close = stat.rfind(')');
  if (open == std::string::npos || close == std::string::npos) return;
  thread_seen& seen = threads[std::stoi(task.filename())];
  seen.name = stat.substr(open + 1, close - open - 1);
  std::istringstream fields{stat.substr(close + 1)};
  const std::vector<std::string> words{std::istream_iterator<std::string>{fields}, {}};
  constexpr std::size_t processor = 36;  // counted from the state
  if (words.size() <= processor) return;
  vote(seen, allowed_list(task));
  if (words[0] != "R") return;
  ++seen.on[std::stoi(words[processor])];
  ++seen.seen;
}

/// The child of a process with one thread.
pid_t start(const std::vector<std::string>& program) {
  std::vector<char*> words;
  for (const std::string& word : program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw yoke::config_error{fmt::format("{}: {}", program[0], std::strerror(errno))};
  if (child > 0) return child;
  execvp(words[0], words.data());
  fmt::print(stderr, "yoke: {}: {}\n", program[0], std::strerror(errno));
  _exit(cannot_run);
}

}  // namespace

program_seen run_and_sample(const std::vector<std::string>& program) {
  program_seen seen;
  const pid_t child = start(program);
  const fs::path tasks = fs::path{"/proc"} / std::to_string(child) / "task";
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    std::error_code ignored;
    for (fs::directory_iterator at{tasks, ignored}, end; !ignored && at != end; at.increment(ignored))
      look_at(at->path(), seen.threads);
    std::this_thread::sleep_for(1ms);
  }
  seen.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return seen;
}

}  // namespace tools
