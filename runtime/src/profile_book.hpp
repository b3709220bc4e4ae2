#pragma once
/// What a profile file holds: for each work on a machine, what its last runs have learnt.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <yoke/profile.hpp>

namespace yoke::detail {

/// What speeds depend on. Other machines, builds and work have entries of their own.
struct profile_key {
  std::string machine{};  ///< CPUs, GPUs, driver
  std::string build{};    ///< of the program
  std::string program{};
  std::string work{};  ///< its name, size and weights
  std::string schedule{};
  std::string cus{};
  friend bool operator==(const profile_key&, const profile_key&) = default;
};

/// One run, and when it ended: seconds since 1970.
struct kept_run {
  double when = 0;
  profile learnt;
};

struct profile_entry {
  profile_key key;
  std::vector<kept_run> runs;  ///< the newest first
};

class profile_book {
 public:
  static constexpr std::size_t most_runs = 9, most_entries = 256;

  const profile_entry* find(const profile_key& key) const;
  bool has_machine(std::string_view machine) const;
  bool is_empty() const { return entries_.empty(); }
  /// The oldest run of its entry and the entry that was used least recently go where there are too many.
  void add(const profile_key& key, kept_run run);

  std::string text() const;
  /// The book, or what is wrong with the text. Nothing at all is an empty book.
  static std::variant<profile_book, std::string> parse(std::string_view text);

 private:
  std::vector<profile_entry> entries_;  ///< the one that was used last first
};

}  // namespace yoke::detail
