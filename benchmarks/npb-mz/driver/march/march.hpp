#pragma once
/// Marching all zones through the time steps on the CUs of a runtime.

#include "assigned_schedule.hpp"
#include "driver/gpu/device_setup.hpp"
#include "driver/gpu/device_stepper.hpp"
#include "driver/host/host_stepper.hpp"
#include "driver/step/stepping.hpp"
#include "memory_plan.hpp"
#include "placing.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <yoke/runtime.hpp>

namespace npb {

/// A zone in host memory, and how many threads may work on it.
using zone_body = std::function<void(int zone, int n_threads)>;

/// The zones of one problem on one runtime. Call from the thread that made it, outside of parallel regions.
/// Errors: those of the runtime, the devices and placement; the first of any CU. After one only restart()
/// may follow.
class march {
 public:
  /// `links`: those of the runtime's devices.
  struct choices {
    exchange_mode exchange = exchange_mode::dataflow;
    bool graphs = true;
    peer_faces between_devices = peer_faces::direct;
  };
  march(yoke::runtime& rt, const benchmark& what, const choices& how, yoke::link_table links);
  march(yoke::runtime& rt, const benchmark& what, exchange_mode exchange, bool graphs)
      : march{rt, what, {.exchange = exchange, .graphs = graphs}, yoke::link_table{rt.devices()}} {}

  /// What there is, and what the zones need of it. The constructor refuses what fits nowhere, and allocates
  /// nothing.
  const memory_plan& memory() const { return memory_; }
  /// Weight, bytes and neighbours of every zone, and the room that there is.
  yoke::workload work() const;

  /// Places every zone and makes its forcing, unless it has one. Where `first` is the map of the first pass,
  /// each zone's CU does it, in its memory; where it is empty, in that of `homes`. Where both are, the CUs do
  /// it in equal shares: on their devices where there are GPU CUs only, in host memory where there are
  /// others, which take part in that. Errors: out_of_memory, before anything is allocated.
  void set_up(const std::vector<yoke::unit_id>& first, const std::vector<yoke::unit_id>& homes = {});
  /// The initial state again where the zones are now; the next step is 0. `steps` bounds the steps that
  /// follow.
  void restart(int steps);
  /// Every CU runs its kernels once, on one of its zones where there is a map, so that no first call falls
  /// into the first pass, by which schedules learn; CPU CUs once more where the schedule of `loop` wants to
  /// be told how long it takes. `migrate`: each GPU CU also fetches a zone from host memory, which takes some
  /// 50 ms the first time. Needs restart() before and after.
  void rehearse(yoke::task_loop& loop, const std::vector<yoke::unit_id>& first, bool migrate);
  /// The same before set_up where the schedule wants to be told, with one zone of each CU: where a rehearsal
  /// shows that a GPU cannot help, nothing need be set up there. False, and nothing has happened, where it
  /// does not, or not every CU has zones in `first`. Errors: out_of_memory, before anything is allocated.
  bool rehearse_first(yoke::task_loop& loop, const std::vector<yoke::unit_id>& first, bool migrate);
  /// Has every zone where the next pass of `loop` wants it, where that is known; whether any had to move.
  /// Their state is lost: needs restart() after.
  bool place(yoke::task_loop& loop);
  /// `steps` more steps under `loop`, as many in one parallel region as its schedule keeps a map. Where it
  /// tells of one pass at a time only, passes are run one by one for the first few, then all in one region.
  /// `progress` is called by CU 0 with the step it begins.
  void run(yoke::task_loop& loop, int steps, const std::function<void(int)>& progress = {});
  /// Norms of the state as it is, zone by zone.
  std::vector<zone_norms> norms();
  /// The same of xcr alone, from the residual that the last step left; only where there is one.
  std::vector<zone_norms> residual_norms();

  std::span<const unit_account> accounts() const { return accounts_; }
  /// Seconds since restart in which nothing ran, for the schedule searched for a map, or faces moved to suit
  /// a new one.
  double deciding_s() const { return yoke::elapsed(0, deciding_); }
  const zone_store& zones() const { return zones_; }
  const yoke::link_table& links() const { return links_; }
  /// Of each zone.
  std::vector<yoke::space_id> places() const;
  yoke::runtime& runtime() { return rt_; }
  std::vector<yoke::unit_id> all_units() const { return placing_.all_units(); }
  bool is_cpu(yoke::unit_id unit) const { return rt_.units().at(unit).dev == nullptr; }
  yoke::task_loop assigned(std::vector<yoke::unit_id> map);

 private:
  using share_body = std::function<void(std::span<const yoke::task_id>, const yoke::compute_unit&)>;
  /// Runs `body` once on every unit that has zones in `map`, with all of them.
  void for_shares(const std::vector<yoke::unit_id>& map, const share_body& body);
  using device_body = std::function<void(device_setup&, std::span<const yoke::task_id>)>;
  /// Runs `on_host` for every zone that is in host memory, and `on_device` for those on devices, many at a
  /// time, by units of their spaces.
  void where_they_are(const zone_body& on_host, const device_body& on_device);
  void plan_for(std::vector<yoke::unit_id> map);
  void bring_one_by_one(const std::vector<yoke::unit_id>& map);
  bool may_change_while_running(const yoke::pass_plan& next) const;
  void follow(std::vector<yoke::unit_id> map, bool is_fixed);
  void show_faces();
  void pack_on_host(int zone);
  void run_passes(yoke::task_loop& loop, int passes, int end, const std::function<void(int)>& progress);
  int further_steps(yoke::task_loop& loop, yoke::pass_id next, int end);
  void run_batch(std::span<const yoke::task_id> batch, int step);
  host_stepper& host(const yoke::compute_unit& unit);
  device_stepper& device(const yoke::compute_unit& unit);
  device_setup& setup(const yoke::compute_unit& unit);
  /// Forcing of zones that are in the unit's memory, or in the host's.
  void make_forcing(std::span<const yoke::task_id> zones, const yoke::compute_unit& unit);
  void set_up_on_host(int zone, int n_threads);
  bool has_forcing(int zone) const { return has_forcing_[static_cast<std::size_t>(zone)] != 0; }
  std::vector<int> zones_to_rehearse(const std::vector<yoke::unit_id>& first) const;
  using one_body = std::function<void(yoke::task_id, const yoke::compute_unit&)>;
  /// Runs `body` once on every unit that has a zone, by unit.
  void for_one_each(const std::vector<int>& zone_of, const one_body& body);
  void show_own_boundary(int zone);
  void rehearse_zones(yoke::task_loop& loop, const std::vector<int>& zone_of, bool migrate);
  void rehearse(yoke::task_loop& loop, yoke::task_id zone, const yoke::compute_unit& unit, bool migrate);

  yoke::runtime& rt_;
  const benchmark& what_;
  memory_plan memory_;
  zone_store zones_;
  yoke::link_table links_;
  peer_faces between_devices_;
  face_store faces_;
  publication order_;
  departures departed_;
  std::vector<double> weights_;
  placing placing_;
  stepping shared_;
  std::vector<unit_account> accounts_;
  std::vector<std::unique_ptr<host_stepper>> host_;      ///< by unit; made by the unit's first batch
  std::vector<std::unique_ptr<device_stepper>> device_;  ///< by unit
  std::vector<std::unique_ptr<device_setup>> setups_;    ///< by unit
  std::vector<yoke::unit_id> map_;                       ///< of the pass; empty where it decides itself
  std::vector<char> has_forcing_;                        ///< by zone; of those that were rehearsed first
  int step_ = 0;
  yoke::ticks deciding_ = 0;
};

}  // namespace npb
