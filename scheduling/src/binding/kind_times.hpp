#pragma once
/// What tasks of each kind take on each class of units: measured, told or guessed.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <yoke/ids.hpp>

namespace yoke::scheduling {

/// Seconds for work 1; 0: nothing is known.
struct time_guess {
  seconds time = 0;
  bool is_measured = false;  ///< or told
};

class kind_times {
 public:
  /// `promised`: of each class, what the hardware says that work takes, in any unit.
  explicit kind_times(std::vector<double> promised) : promised_{std::move(promised)} {}

  /// The number of a kind on so many CPU CUs as one.
  std::uint32_t number_of(int kind, int cpus);
  void expect(std::uint32_t of, std::size_t on, seconds time);
  /// Ignored unless the time is from 1e-40 to 1e40.
  void add(std::uint32_t of, std::size_t on, seconds time);
  time_guess get(std::uint32_t of, std::size_t on) const { return at(of, on).known; }

  /// A task of a kind tries a class of which nothing was measured; `by` 1 when it begins, -1 when it is over.
  void trying(std::uint32_t of, std::size_t on, int by) { at(of, on).tries += by; }
  bool is_tried(std::uint32_t of, std::size_t on) const { return at(of, on).tries > 0; }
  /// On any class.
  bool is_tried(std::uint32_t of) const {
    for (std::size_t on = 0; on < n_classes(); ++on)
      if (is_tried(of, on)) return true;
    return false;
  }

 private:
  /// Times that are kept: so many that two odd ones do not count, and that a change is seen soon.
  static constexpr std::size_t kept = 8;
  struct entry {
    std::array<seconds, kept> newest{}, sorted{};  ///< the same
    std::uint32_t added = 0;
    int tries = 0;
    time_guess known{};
  };
  struct profile {
    int kind = 0, cpus = 1;
  };

  std::size_t n_classes() const { return promised_.size(); }
  entry& at(std::uint32_t of, std::size_t on) { return entries_[of * n_classes() + on]; }
  const entry& at(std::uint32_t of, std::size_t on) const { return entries_[of * n_classes() + on]; }
  std::uint32_t looked_up(int kind, int cpus);
  static void keep(entry& in, seconds time);
  static seconds middle(const entry& of);
  double ratio(std::size_t on, std::size_t known) const;
  seconds guess(std::uint32_t of, std::size_t on) const;
  void guess_again(std::uint32_t of);
  void set(std::uint32_t of, std::size_t on, seconds time);

  std::vector<double> promised_;
  std::map<std::pair<int, int>, std::uint32_t> numbers_;
  std::vector<profile> profiles_;
  std::uint32_t last_ = 0;  ///< of these, that was asked for
  std::vector<entry> entries_;
};

}  // namespace yoke::scheduling
