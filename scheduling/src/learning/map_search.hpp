#pragma once
/// The maps that `auto` compares at a look.

#include "alternatives.hpp"

#include <optional>
#include <span>
#include <vector>

namespace yoke::scheduling {

/// In which what the kinds of units cost each other may be most of what one of them takes.
inline bool is_short(seconds pass) { return pass <= 1e-3; }

/// Every way of using the machine, searched for anew where the speeds say something new and a search is cheap
/// beside what passes took since the last one: it takes up to milliseconds, in which GPUs have nothing to do.
class map_search {
 public:
  /// Keeps references.
  map_search(const workload& work, std::span<const unit> units);

  /// Those that may be compared with `present`, after so many passes; with what was `measured` already, and
  /// nothing else where no map may be tried. Before anything was timed, no more GPU CUs are taken than there
  /// were: nobody knows what they cost each other. And where GPUs bind the passes, they are not given more of
  /// the work: that CPU CUs look slow then is noise, and so is a GPU that was faster for a while.
  std::vector<alternative> ways(const alternative& present, const forecast& model,
                                const std::optional<measured_pass>& now, pass_id passes,
                                const alternatives& measured, bool may_try);

  /// Where passes are so short that a few of them cost nothing, what no prediction tells: one GPU CU, for
  /// what several send to each other may be most of a pass, and the CPU CUs, for most of it may be the
  /// launch. Those that fit into the memories.
  std::vector<alternative> unpredicted(const alternative& present, pass_time now) const;

 private:
  void search(const alternative& present, const forecast& model, const std::optional<measured_pass>& now,
              pass_id passes);
  bool is_too_soon(const std::optional<measured_pass>& now, pass_id passes) const;

  const workload& work_;
  std::span<const unit> units_;
  std::vector<alternative> ways_;
  std::optional<unit_speeds> searched_with_;
  seconds takes_;  ///< a search, as it is expected
  pass_id searched_at_ = 0;
  int searches_ = 0;
};

}  // namespace yoke::scheduling
