// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Shares of units that follow what loops over them are measured to take: when they move, and how far.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/ids.hpp>
#include <yoke/loop_times.hpp>

namespace yoke::scheduling {

/// A unit that has consecutive indices, in the order of units.
struct sharing_unit {
  space_id memory = host_space;  ///< where its indices are
  double weight = 1;             ///< its speed beside others', as long as nothing is measured
  friend bool operator==(const sharing_unit&, const sharing_unit&) = default;
};

/// Keeps the shares of [0, n), at first by weights. In turns: count says whether a loop is to be timed; add
/// takes its times; where is_time_to_look, look proposes other shares; move_to tells that they are had,
/// refuse that they are not.
///
///   if (sharing.count("relax")) sharing.add("relax", time_of([&] { relax(sharing.shares()); }));
///   if (sharing.is_time_to_look())
///     if (const auto shares = sharing.look(bytes_of_index)) sharing.move_to(*shares);
///
/// They move where a better distribution gains more than noise and the move itself; what was tried and was
/// slower is left again, and not tried once more while times are the same. Pure; not thread-safe.
class balancer {
 public:
  /// `units`: one at least, weights from 1e-200 to 1e200.
  balancer(std::int64_t n, std::vector<sharing_unit> units);

  std::span<const std::int64_t> shares() const { return shares_; }
  /// A share is nothing, or this at least. Returns the present shares as nearly as that admits; where these
  /// are others, move_to them comes next.
  std::vector<std::int64_t> shares_of_at_least(std::int64_t least);

  /// Counts a loop of that kind, or some that run together. Whether it is to be timed.
  bool count(std::string_view kind, int loops = 1);
  void add(std::string_view kind, const timed_loop& loop) { times_.add(kind, loop); }

  /// How much must be known, and gained, before shares move.
  enum class haste { none, early, now };
  /// Shares to move to; nullopt: not now. `bytes`: of an index, which travel where it changes memory.
  /// `early`: with few times, where a move is obvious; `now`: with few times, and whatever the move takes.
  /// move_to or refuse comes next.
  std::optional<std::vector<std::int64_t>> look(double bytes, haste how = haste::none);
  /// Whether look may find anything, without haste.
  bool is_time_to_look() const;
  void move_to(std::vector<std::int64_t> shares);
  /// They cannot be had: `why` is told.
  void refuse(std::vector<std::int64_t> shares, std::string_view why);

  /// How often move_to was called, those back too.
  int moves() const { return moves_; }
  /// Whether anything is known that a new one would not know.
  bool has_measured() const { return has_measured_; }
  /// Lines for a person: what loops take, and what the last look found.
  std::string explain() const;

 private:
  using share_list = std::vector<std::int64_t>;
  struct proposal {
    share_list shares;
    seconds time = 0;  ///< of a loop
  };

  /// Why shares move.
  enum class reason { promise, trial, way_back };

  void take_units_as_usual(const usual_loop& now);
  bool has_changed(const usual_loop& now) const;
  void measure_anew(const usual_loop& now);
  std::optional<share_list> way_back(const usual_loop& now, double bytes);
  std::optional<share_list> better(const usual_loop& now, double bytes, haste how);
  double needed_gain(const proposal& best, const usual_loop& now, double bytes, haste how) const;
  bool is_worth_a_trial(const proposal& best, const usual_loop& now, double bytes) const;
  std::optional<proposal> best_proposal(const usual_loop& now) const;
  std::optional<proposal> among(const std::vector<bool>& units, const usual_loop& now) const;
  /// Whether units of several memories have indices.
  bool is_company(const share_list& shares) const;
  double price_of(const share_list& to, const usual_loop& now, double bytes) const;
  bool is_refused(const share_list& shares) const;
  void remember(seconds time);
  /// What was measured with these: then no line need tell.
  std::optional<seconds> measured_with(const share_list& shares) const;
  double reluctance() const;
  void wait(std::int64_t loops);

  std::int64_t n_, least_ = 1;
  std::vector<sharing_unit> units_;
  share_list shares_;
  loop_times times_;
  share_times known_;
  std::int64_t loops_ = 0, quiet_ = 0;  ///< all so far; those to come of which none is timed
  std::int64_t period_ = 0;
  int moves_ = 0;
  rest_times rests_;                  ///< of loops in several memories
  std::optional<usual_loop> last_{};  ///< with the present shares
  std::optional<proposal> before_{};  ///< what the present shares must not be worse than
  reason next_ = reason::promise, newest_ = reason::promise;  ///< of the move to come, and of the last one
  bool has_measured_ = false, has_looked_ = false;
  std::vector<share_list> refused_;
  std::vector<proposal> measured_;  ///< as the machine is now
  std::string found_ = "nothing is measured yet";
};

}  // namespace yoke::scheduling
