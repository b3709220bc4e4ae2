#include "sampling.hpp"

#include "commands.hpp"
#include "system_texts.hpp"
#include "why_not_run.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <yoke/environment_mark.hpp>
#include <yoke/error.hpp>
#include <yoke/settings.hpp>
#include <yoke/text.hpp>

namespace tools {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// By majority: OpenMP gives the first thread its mask back when the program ends.
void vote(thread_seen& seen, std::string allowed) {
  if (allowed.empty()) return;
  if (seen.lead == 0) seen.allowed = allowed;
  seen.lead += seen.allowed == allowed ? 1 : -1;
}

void look_at(const fs::path& task, std::map<int, thread_seen>& threads) {
  const std::optional<thread_stat> now = thread_stat_in(contents_of(task / "stat"));
  if (!now) return;
  thread_seen& seen = threads[pid_in(task.filename())];
  seen.name = yoke::detail::printable(now->name);
  vote(seen, allowed_list_in(contents_of(task / "status")));
  if (!now->is_running) return;
  ++seen.on[now->cpu];
  ++seen.seen;
}

pid_t refused(const std::vector<std::string>& program, int why) {
  fmt::print(stderr, "yoke: {}: {}\n", yoke::detail::printable(program[0]),
             yoke::detail::printable(why_not_run(program[0], why)));
  return 0;
}

/// In the child; comes back only where the program cannot be run.
int become(std::vector<char*> words, output to) {
  if (to == output::to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
  execvp(words[0], words.data());
  return errno;
}

/// The child of a process with one thread; 0 where it could not become the program, which has been told.
pid_t start(const std::vector<std::string>& program, output to) {
  std::vector<char*> words;
  for (const std::string& word : program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  std::array<int, 2> ends{};  // closed by what the child becomes
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return refused(program, errno);
  int failure = 0;
  const pid_t child = fork();
  if (child == 0) {
    failure = become(words, to);
    const bool told = write(ends[1], &failure, sizeof failure) > 0;
    _exit(told ? cannot_run : found_wrong);
  }
  if (child < 0) failure = errno;
  close(ends[1]);
  if (child > 0 && read(ends[0], &failure, sizeof failure) > 0) waitpid(child, nullptr, 0);
  close(ends[0]);
  return failure == 0 ? child : refused(program, failure);
}

/// A new folder that is this user's alone, whatever others have put beside it.
fs::path own_folder() {
  const std::optional<std::string> given = yoke::detail::get_environment("TMPDIR");
  if (given && given->empty())
    throw yoke::config_error{"TMPDIR=: is empty; set it to a folder that can be written, or unset it"};
  std::string name = (fs::absolute(given.value_or("/tmp")) / "yoke-check-XXXXXX").string();
  if (mkdtemp(name.data()) != nullptr) return name;
  throw yoke::config_error{
      fmt::format("{}: no folder can be made there: {}; set TMPDIR to a folder that can be written",
                  given ? yoke::sourced{*given, "TMPDIR"}.quoted() : "/tmp", std::strerror(errno))};
}

/// A file for what the program's runtimes tell, gone with this object.
class told_lines {
 public:
  told_lines() : folder_{own_folder()}, file_{folder_ / "told"} {
    const int descriptor = open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor >= 0) close(descriptor);
    yoke::detail::listen_to_children(file_);
  }
  ~told_lines() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  told_lines(const told_lines&) = delete;
  told_lines& operator=(const told_lines&) = delete;

  std::vector<std::string> all() const {
    std::vector<std::string> lines;
    std::ifstream in{file_};
    for (std::string line; std::getline(in, line);) lines.push_back(yoke::detail::printable(line));
    return lines;
  }

 private:
  fs::path folder_, file_;
};

}  // namespace

program_seen run_and_sample(const std::vector<std::string>& program, output to) {
  program_seen seen{.status = cannot_run};
  const told_lines told;
  const pid_t child = start(program, to);
  if (child == 0) return seen;
  const fs::path tasks = fs::path{"/proc"} / std::to_string(child) / "task";
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    std::error_code ignored;
    for (fs::directory_iterator at{tasks, ignored}, end; !ignored && at != end; at.increment(ignored))
      look_at(at->path(), seen.threads);
    std::this_thread::sleep_for(1ms);
  }
  seen.said = told.all();
  seen.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return seen;
}

}  // namespace tools
