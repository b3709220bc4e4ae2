#pragma once
/// What zones, their fields and recordings share.

#include "field_memory.hpp"
#include "step_leader.hpp"
#include "unit_work.hpp"
#include "zone_dealer.hpp"
#include "zone_joins.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <yoke/detail/order_slot.hpp>
#include <yoke/error.hpp>
#include <yoke/runtime.hpp>
#include <yoke/zones.hpp>

namespace yoke::detail {

/// Memory that a field has at a time; swaps exchange it.
struct zone_storage {
  field_form form;
  std::unique_ptr<field_memory> memory;
  long writes = 0;  ///< grows whenever something else may find halos stale
};
struct zone_field {
  std::string name;
  int storage = -1;  ///< -1: ended
  std::unique_ptr<order_slot> order = std::make_unique<order_slot>();
};

class zones_core {
 public:
  /// `among`: null where there are no other ranks.
  zones_core(runtime& rt, ranks* among, zone_list all, const zone_options& options);
  ~zones_core();
  zones_core(const zones_core&) = delete;
  zones_core& operator=(const zones_core&) = delete;

  runtime& rt() const { return rt_; }
  flow::runtime_engine& engine() const { return engine_; }
  int dimensions() const { return dimensions_; }
  std::span<const zone_box> boxes() const { return boxes_; }
  std::span<const zone_join> joins() const { return joins_; }
  void join(zone_end a, zone_end b, const zone_transform& turn);

  int add_field(const field_form& form, std::string name);
  void remove_field(int field) noexcept;
  const zone_field& field(int number) const { return fields_[static_cast<std::size_t>(number)]; }
  void swap_storages(int a, int b);
  order_slot& order() const { return *order_; }
  zone_storage& storage(int number) { return storages_[static_cast<std::size_t>(number)]; }
  void* host(int field, int zone, bool writes);

  /// Null where there are no other ranks.
  ranks* among() const { return among_; }
  /// Whether faces for other ranks leave from the memory of the unit that packs them. Where there is a
  /// layout.
  bool sends_from_devices() const { return sends_from_devices_; }
  int rank_of(int zone) const;
  /// Of messages that are no faces, whose tags count from 0.
  int take_checkpoint_tag() { return 32767 - checkpoints_++; }
  /// Whether another unit waits for its faces. Where there is a layout.
  bool is_border(int zone) const { return is_border_[static_cast<std::size_t>(zone)] != 0; }
  /// Zones of one unit with equal numbers are in one batch, where a stage sends faces.
  int batch_of(int zone) const;
  /// Null where the unit does not lead others.
  std::shared_ptr<const shared_zones> shared(unit_id unit) const {
    return layout_.leads(unit) ? shared_ : nullptr;
  }
  bool is_here(int zone) const { return among_ == nullptr || rank_of(zone) == among_->rank(); }

  const zone_layout& layout() const { return layout_; }
  /// Grows with each new layout.
  long layout_number() const { return layout_number_; }
  std::span<const double> weights() const { return weights_; }
  /// Null where there is no choice. The first call makes it, when there are all fields.
  zone_dealer* dealer();
  /// Moves all that is there to where the dealer wants it. Waits.
  void follow();
  /// Where there is too little memory for the layout: all zones go to CPU CUs, as long as the dealer knows
  /// nothing better. False where that is no way out.
  bool retreat(const out_of_memory& why);
  /// Why they have; empty: they have not.
  const std::string& given_up() const { return given_up_; }
  /// The dealer goes by one recording: the one that was warmed up, else the one that has done most steps.
  step_leader& leader() { return leader_; }

  /// Of units that share, since it was last asked; empty where none do. When nothing runs.
  std::vector<cpu_pool::account> take_accounts() const {
    return shared_ == nullptr ? std::vector<cpu_pool::account>{} : shared_->pool->take_accounts();
  }
  /// `queue`: of a GPU CU, which does what is on unlike ones side by side. `after`: it fails where one of
  /// these has.
  flow::completion enqueue(unit_id unit, const flow::step& next, int queue = 0,
                           std::span<const flow::completion> after = {});
  /// Units that share do what was enqueued for the one that leads: call it after each step.
  void send_help();
  /// With other ranks, which cannot go on without it: where it fails, all end.
  void exchange(const flow::step& next);
  void wait();
  /// Errors: usage_error in a parallel region.
  void refuse_in_region(const char* what) const;

 private:
  void lay_out();
  zone_layout on_cpus() const;
  std::vector<std::size_t> rooms() const;
  void set_layout(zone_layout next);
  zone_layout layout_for(const zone_dealer& dealer) const;
  std::vector<unit_id> cpu_units() const;
  shared_order order_of(std::span<const int> member_of) const;
  void check_alike() const;
  std::unique_ptr<field_memory> memory_for(const field_form& form, const std::string& name) const;
  std::unique_ptr<field_memory> memory_or_retreat(const field_form& form, const std::string& name);
  void deal_to_ranks();
  bool has_choice() const { return times_.size() > 1 && zones_here().size() > 1; }
  std::unique_ptr<zone_dealer> make_dealer() const;
  std::vector<unit_id> of_all(std::span<const unit_id> map_of_here) const;
  void move_to(zone_layout next);
  void check_zone(int zone, const std::string& of) const;
  void check_joins(const field_form& form, const std::string& name) const;
  workload work(const std::vector<int>& zones) const;
  std::vector<int> zones_here() const;

  runtime& rt_;
  ranks* among_;
  bool sends_from_devices_ = false;
  flow::runtime_engine& engine_;
  int dimensions_;
  std::vector<zone_box> boxes_;
  std::string schedule_;
  std::vector<double> weights_;
  std::vector<std::size_t> gpu_bytes_;  ///< by zone, beside its fields; empty: 0
  std::vector<zone_join> joins_;
  std::vector<int> ranks_;  ///< by zone; empty where there are no others, and before there is a field
  std::map<std::pair<int, int>, int> taken_;  ///< (zone, side) that is joined, with the zone there
  std::vector<zone_field> fields_;
  const std::unique_ptr<order_slot> order_ = std::make_unique<order_slot>();
  std::deque<zone_storage> storages_;  ///< stay where they are
  std::vector<seconds> times_;         ///< of each unit for weight 1, a guess
  std::string given_up_;
  bool warms_up_;
  std::int64_t passes_;
  std::unique_ptr<zone_dealer> dealer_;
  step_leader leader_;
  int checkpoints_ = 0;
  zone_layout layout_;
  std::vector<char> is_border_;                 ///< by zone
  std::shared_ptr<const shared_zones> shared_;  ///< null: no units share
  cpu_pool::number told_ = 0, helped_ = 0;      ///< jobs of the pool, and those that members were sent to
  long layout_number_ = 0;
  std::vector<flow::completion> last_;  ///< by unit, and of the team
};

}  // namespace yoke::detail
