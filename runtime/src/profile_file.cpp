#include "profile_file.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <variant>

#include <yoke/descriptor.hpp>
#include <yoke/error.hpp>
#include <yoke/output_file.hpp>
#include <yoke/text.hpp>

namespace yoke::detail {

namespace {

namespace fs = std::filesystem;

/// As long as a process needs that holds the lock; one that was stopped must not stop others.
constexpr auto between_looks = std::chrono::milliseconds{1};
constexpr std::size_t largest = std::size_t{64} << 20;

class open_file {
 public:
  /// Never waits: whatever lies there may be a FIFO that nobody writes.
  open_file(const std::string& path, int flags)
      : descriptor_{
            above_standard_streams(open(path.c_str(), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666))} {}
  ~open_file() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw config_error{fmt::format("profile: {} {}", printable(path), why)};
}

/// The same for what the system has just told.
[[noreturn]] void fail(const std::string& path, const char* what) {
  refuse(path, fmt::format("{}: {}", what, std::strerror(errno)));
}

/// What is no regular file (/dev/null, a folder) would be replaced by one.
bool is_there(const std::string& path) {
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (status.type() == fs::file_type::not_found) return false;
  if (fs::is_regular_file(status)) return true;
  refuse(path, problem ? problem.message() : "is no regular file");
}

/// The file that links lead to, which is the one to be locked and replaced; it need not be there.
std::string behind_links(const std::string& path) {
  constexpr int most_links = 40;  // as the system has it
  std::error_code problem;
  fs::path at{path};
  for (int links = 0; fs::is_symlink(at, problem); ++links) {
    if (links == most_links) refuse(path, "is a symbolic link that leads nowhere");
    const fs::path to = fs::read_symlink(at, problem);
    if (problem) refuse(path, problem.message());
    at = at.parent_path() / to;  // an absolute one stands for itself
  }
  return at.string();
}

std::string contents(const std::string& path) {
  const open_file file{path, O_RDONLY};
  if (!file.is_open()) fail(path, "cannot be read");
  std::string text;
  char buffer[1 << 16];
  for (ssize_t n = 1; n != 0;) {
    n = read(file.descriptor(), buffer, sizeof buffer);
    if (n < 0 && errno != EINTR) fail(path, "cannot be read");
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
    if (text.size() > largest) refuse(path, "is too large for a profile");
  }
  return text;
}

/// With the rights of the file that it is to replace, as far as this user may give them.
void take_rights(const open_file& next, const std::string& of) {
  struct stat found{};
  if (stat(of.c_str(), &found) != 0) return;
  static_cast<void>(
      !fchown(next.descriptor(), found.st_uid, found.st_gid));  // of another user's, to whom root leaves it
  static_cast<void>(!fchmod(next.descriptor(), found.st_mode & 07777));
}

/// A new file: what a process that was killed has left, or anything else of this name, is not written to.
void write_next(const std::string& path, const std::string& of, std::string_view text) {
  unlink(path.c_str());
  const open_file file{path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW};
  if (!file.is_open()) fail(path, "cannot be written");
  take_rights(file, of);
  errno = write_all(file.descriptor(), text);
  if (errno != 0) fail(path, "cannot be written");
}

/// Held until `lock` is closed; also against other runtimes of this process.
void take(const open_file& lock, const std::string& path, int looks) {
  if (!lock.is_open()) fail(path, "cannot be written");
  while (flock(lock.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    const bool is_taken = errno == EWOULDBLOCK || errno == EINTR;
    if (!is_taken || --looks <= 0) fail(path, "cannot be locked");
    std::this_thread::sleep_for(between_looks);
  }
}

void make_folder(const std::string& path) {
  std::error_code problem;
  const fs::path folder = fs::path{path}.parent_path();
  if (folder.empty() || fs::exists(folder, problem)) return;
  fs::create_directories(folder, problem);
  if (!problem) fs::permissions(folder, fs::perms::owner_all, problem);  // as the rules for caches want it
  if (problem) refuse(folder.string(), "cannot be made: " + problem.message());
}

profile_book book_to_change(const profile_path& file) {
  try {
    return read_book(file.path);
  } catch (const config_error&) {
    if (!file.is_own || !is_there(file.path)) throw;
    return {};
  }
}

void replace(const std::string& path, const profile_book& book) {
  const std::string next = path + ".next";
  try {
    write_next(next, path, book.text());
    if (rename(next.c_str(), path.c_str()) != 0) fail(path, "cannot be replaced");
  } catch (const config_error&) {
    unlink(next.c_str());
    throw;
  }
}

/// `change` says whether it has changed the book.
void change_file(profile_path file, const std::function<bool(profile_book&)>& change) {
  file.path = behind_links(file.path);
  static_cast<void>(is_there(file.path));  // or refused, before anything is made beside it
  const std::string lock_path = file.path + ".lock";
  const open_file lock{lock_path, O_RDWR | O_CREAT | O_NOFOLLOW};
  take(lock, lock_path, file.looks);
  profile_book book = book_to_change(file);
  if (change(book)) replace(file.path, book);
}

}  // namespace

profile_book read_book(const std::string& path) {
  if (!is_there(path)) return {};
  std::variant<profile_book, std::string> found = profile_book::parse(contents(path));
  if (auto* const problem = std::get_if<std::string>(&found)) refuse(path, *problem);
  return std::get<profile_book>(std::move(found));
}

void add_to_file(const profile_path& file, std::vector<std::pair<profile_key, kept_run>> learnt) {
  if (file.is_own) make_folder(file.path);
  change_file(file, [&](profile_book& book) {
    for (auto& [key, run] : learnt) book.add(key, std::move(run));
    return true;
  });
}

std::size_t remove_from_file(const std::string& path, const std::function<bool(const profile_entry&)>& goes) {
  if (!is_there(path)) return 0;
  std::size_t removed = 0;
  change_file({.path = path}, [&](profile_book& book) {
    removed = book.remove(goes);
    return removed > 0;
  });
  return removed;
}

}  // namespace yoke::detail
