#pragma once
/// The file of a profile: read as a whole, changed under a lock, replaced at once.

#include "profile_book.hpp"

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace yoke::detail {

struct profile_path {
  std::string path;
  bool is_own = false;  ///< in the cache folder, where Yoke may replace what it cannot read
};

/// A sentence about the file that begins with its path.
struct profile_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Errors: profile_error. No file, and an empty one, is an empty book.
profile_book read_book(const std::string& path);

/// Adds what was learnt to the book that the file holds by then. Whoever reads meanwhile has the old book or
/// the new one. Errors: profile_error; the file is then as it was.
void add_to_file(const profile_path& file, std::vector<std::pair<profile_key, kept_run>> learnt);

/// Removes entries from the book in the same way and says how many. Errors: as add_to_file, for a file of any
/// folder that is no profile, too.
std::size_t remove_from_file(const std::string& path, const std::function<bool(const profile_entry&)>& goes);

}  // namespace yoke::detail
