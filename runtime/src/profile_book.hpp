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
  bool is_empty() const { return entries_.empty(); }
  const std::vector<profile_entry>& entries() const { return entries_; }
  /// The oldest run of its entry and the entry that was used least recently go where there are too many.
  void add(const profile_key& key, kept_run run);
  /// Says how many were removed.
  std::size_t remove(const std::function<bool(const profile_entry&)>& goes) {
    return std::erase_if(entries_, goes);
  }

  std::string text() const;
  /// The book, or what is wrong with the text. Nothing at all is an empty book.
  static std::variant<profile_book, std::string> parse(std::string_view text);

 private:
  std::vector<profile_entry> entries_;  ///< the one that was used last first
};

}  // namespace yoke::detail
