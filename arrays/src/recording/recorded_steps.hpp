#pragma once
/// What a recording has to do, and how it is done again and again.

#include "../halos/exchange.hpp"
#include "../loops/loop_parts.hpp"
#include "../memory/recorded_memory.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <yoke/detail/recorder.hpp>

namespace yoke::detail {

/// Halos that become current before a step, which something inside the recording has made stale.
struct planned_exchange {
  contents* of = nullptr;
  halo_state wanted{};
  halo_state before{}, after{};  ///< what is current
};

struct recorded_step {
  std::optional<planned_exchange> by_hand{};  ///< that the program asks for
  std::vector<planned_exchange> exchanges{};  ///< that are needed
  std::unique_ptr<loop> all{};                ///< null: an exchange alone
  std::unique_ptr<loop_body> body{};
  scheduling::balancer* learner = nullptr;  ///< from the loop; null from one that is like an earlier one
  std::vector<loop_parts*> alike{};         ///< those, and itself
  std::vector<halo_exchange> made{};        ///< of the last time, or of the graph
};

/// Results that the host has to bring where the next step may read them.
bool leaves_results_for_next(const recorded_step& step);

/// An array as it was when it was recorded.
struct bound_array {
  array_state* state = nullptr;
  std::string called{};  ///< for when it has ended
  contents* elements = nullptr;
  std::uint64_t number = 0;  ///< of the contents
  std::shared_ptr<const layout> shape{};
};

/// Steps [first, last) between which no rows travel from memory to memory.
struct replayed_stage {
  std::size_t first = 0, last = 0;
  std::vector<graph_handle> graphs{};  ///< one for each GPU; empty: queued one by one
};

class meeting_point;

class recorded_steps {
 public:
  recorded_steps(std::shared_ptr<array_context> context, std::vector<recorded_step> steps,
                 std::vector<bound_array> arrays);
  /// Requires: the lock.
  ~recorded_steps();
  recorded_steps(const recorded_steps&) = delete;
  recorded_steps& operator=(const recorded_steps&) = delete;

  const std::shared_ptr<array_context>& shared_context() const { return context_; }
  void replay();

 private:
  void plan_halos();
  void plan_stages();
  bool travels(const recorded_step& step) const;
  bool is_worth_a_graph(const replayed_stage& of) const;
  void check_arrays() const;
  bool are_cut_anew() const;
  void plan_learning();
  void plan_again();
  /// Looks at what the loops have taken, where it is time.
  void balance();
  /// Counts the loops. Whether one of them is to be timed.
  bool count();
  /// As outside of a recording, which is how loops are timed.
  void run_one_by_one();
  void prepare();
  void capture(replayed_stage& of);
  void end_capture(replayed_stage& of, std::size_t n_gpus);
  void drop_graphs() noexcept;
  void queue_exchanges(recorded_step& step, ordered_copies& copies);
  void queue(std::size_t step);
  void start(replayed_stage& of);
  void come_to(std::size_t step);
  void run();
  void run_stages();
  void run_on_unit(int unit, meeting_point& at);
  void finish_before(std::size_t step);
  void forget_halos();

  std::shared_ptr<array_context> context_;
  std::vector<recorded_step> steps_;
  std::vector<bound_array> arrays_;
  std::vector<replayed_stage> stages_;
  std::map<contents*, halo_state> at_start_;  ///< what must be current before the first step
  std::map<contents*, halo_state> at_end_;    ///< what is, of contents that are written
  recorded_memory memory_;
  bool is_captured_ = false;
  bool is_planned_ = true;      ///< for the indices at which arrays and loops are cut
  std::size_t n_finished_ = 0;  ///< steps whose results are where they belong, in this replay
};

}  // namespace yoke::detail
