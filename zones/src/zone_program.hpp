#pragma once
/// What a recording lists, and its replays.

#include "compiled_steps.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <yoke/clock.hpp>

namespace yoke::detail {

class zone_program {
 public:
  explicit zone_program(std::shared_ptr<zones_core> of) : core_{std::move(of)} {}
  ~zone_program() { core_->leader().forget(this); }
  zone_program(const zone_program&) = delete;
  zone_program& operator=(const zone_program&) = delete;

  void add(zone_operation next);
  void add_swap(const zone_use& a, const zone_use& b);
  void replay(std::int64_t steps);
  std::int64_t warm_up(std::int64_t steps);
  std::string explain();

 private:
  /// An operation by its number, or a swap of two fields.
  struct entry {
    int operation = -1;
    int a = 0, b = 0;
  };
  /// Steps of which the dealer has not been told yet.
  struct told_steps {
    std::int64_t steps = 0, timed = 0;
    bool is_whole = false;  ///< nothing else ran between them
    ticks begin = 0;
  };
  void check_own(const zone_use& use, const std::string& what) const;
  void check_sending(const zone_use& use, const zone_operation& by) const;
  void check_alive() const;
  void compile();
  void make_compiled();
  /// The step of the period in which fields have the storages that they have now; -1: in none.
  int step_now() const;
  std::vector<int> storages_now() const;
  /// `may_be_first`: others may have written what it reads, or be about to learn.
  void one_step(bool is_timed, bool may_be_first, bool is_last);
  void run(std::int64_t steps);
  std::uint64_t listed() const;
  void check_alike(std::int64_t steps) const;
  std::int64_t most_of_ranks(std::int64_t mine) const;
  bool leads() const;
  std::int64_t steps_until_look();
  void run_told(std::int64_t steps);
  std::vector<seconds> take_times(const told_steps& done);
  void tell(zone_dealer& dealer);
  void rehearse(zone_dealer* dealer);
  void add_shared(std::int64_t steps, std::vector<seconds>& times);

  std::shared_ptr<zones_core> core_;
  std::vector<zone_operation> operations_;
  std::vector<entry> entries_;
  std::vector<int> fields_;  ///< that it names
  std::unique_ptr<compiled_steps> compiled_;
  std::vector<std::vector<int>> storages_at_;  ///< by step of the period, as storages_now
  std::vector<seconds> measured_;              ///< of a step, by unit
  bool may_look_ = true;                       ///< on some rank
  std::int64_t steps_done_ = 0;
  told_steps group_;
};

}  // namespace yoke::detail
