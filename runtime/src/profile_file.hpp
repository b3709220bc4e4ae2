#pragma once
/// The file of a profile: read as a whole, changed under a lock, replaced at once.

#include "profile_book.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace yoke::detail {

struct profile_path {
  std::string path;
  bool is_own = false;  ///< in the cache folder, where Yoke may replace what it cannot read
  int looks = 1000;     ///< at a lock that another process keeps, a millisecond apart
};

/// Errors (of all here): config_error, "profile: " and a sentence about the file. No file, and an empty one,
/// is an empty book.
profile_book read_book(const std::string& path);

/// Adds what was learnt to the book that the file holds by then. Whoever reads meanwhile has the old book or
/// the new one. When it throws the file is as it was. A link stays one: what it leads to is locked and
/// changed, and keeps its rights.
void add_to_file(const profile_path& file, std::vector<std::pair<profile_key, kept_run>> learnt);

/// Removes entries from the book in the same way and says how many. Refuses a file that is no profile
/// in any folder.
std::size_t remove_from_file(const std::string& path, const std::function<bool(const profile_entry&)>& goes);

}  // namespace yoke::detail
