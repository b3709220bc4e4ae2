#pragma once
/// What a profile file holds: for each work on a machine, what its last runs have learnt.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <yoke/kept_profiles.hpp>

namespace yoke::detail {

using yoke::kept_run;
using yoke::profile_entry;
using yoke::profile_key;

class profile_book {
 public:
  static constexpr std::size_t most_runs = 9, most_entries = 256;

  const profile_entry* find(const profile_key& key) const;
  bool has_machine(std::string_view machine) const;
  bool is_empty() const { return entries_.empty() && unread_.empty(); }
  const std::vector<profile_entry>& entries() const { return entries_; }
  /// Without what could not be read again: at the ends of weights and times speeds are numbers that JSON does
  /// not have, or that no reader accepts.
  static profile readable(profile learnt);
  /// The oldest run of its entry and the entry that was used least recently go where there are too many. Of
  /// the run what is readable.
  void add(const profile_key& key, kept_run run);
  /// Says how many were removed. An entry that cannot be read is asked for with what of its key can, and no
  /// runs.
  std::size_t remove(const std::function<bool(const profile_entry&)>& goes);
  /// A sentence about the entries that cannot be read, which stay as they are behind the others; empty: none.
  std::string damage() const;

  std::string text() const;
  /// The book, or what is wrong with the whole text. Nothing at all is an empty book.
  static std::variant<profile_book, std::string> parse(std::string_view text);

 private:
  struct unread_entry {
    profile_key key;
    std::string why;
    std::string text;  ///< JSON
  };

  /// An entry, or what is kept for who can read it.
  template <class Json>
  void read(const Json& entry, const std::string& place);

  std::vector<profile_entry> entries_;  ///< the one that was used last first
  std::vector<unread_entry> unread_;
};

}  // namespace yoke::detail
