#pragma once
/// Marching all zones through the time steps over yoke::zones, in one process or in several.

#include "common/solver.hpp"
#include "device_zones.hpp"
#include "host_team.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <yoke/ranks.hpp>
#include <yoke/runtime.hpp>
#include <yoke/zone_checkpoint.hpp>
#include <yoke/zone_step.hpp>

namespace npb {

/// The zones of one problem. Call from the thread that made it, outside of parallel regions; on all ranks the
/// same. Errors: those of yoke::zones, the runtime and the devices; the first of any CU.
class zoned_march {
 public:
  /// `among`: null where there are no other ranks; `steps`: how many will count.
  zoned_march(yoke::runtime& rt, yoke::ranks* among, const benchmark& what, int steps);

  /// The initial state of all zones, and the first time their forcing.
  void initialize();
  void run(int steps);
  /// As zone_recording::warm_up.
  void warm_up(int steps);
  void wait() { blocks_.wait(); }
  /// Of all zones, those of other ranks too. They wait.
  std::vector<zone_norms> norms();
  /// The same of xcr alone, from the residual that the last step left; only where there is one.
  std::vector<zone_norms> residual_norms();

  /// Which unit has which zones, and what travels in a step.
  std::string explain() const { return steps_.explain(); }
  /// What changes from step to step, in a file.
  std::unique_ptr<yoke::zone_checkpoint> checkpoint(const std::string& path, const std::string& what);

 private:
  using field = yoke::zoned<double[n_components], 3>;
  /// Calls `work` with the zones of a batch, and returns what that returns.
  template <class Work>
  auto of_batch(Work work);
  yoke::zone_recording record_steps(bool send);
  yoke::zone_recording record_start();
  yoke::zone_recording record_norms(const char* name, bool all);
  std::function<void(yoke::stream_handle)> steps_of(const yoke::zone_batch& at, const zones_on_host& zones);
  void start(const yoke::zone_batch& at, const zones_on_host& zones);
  void sum(const yoke::zone_batch& at, const zones_on_host& zones, bool all);
  std::vector<zone_norms> summed(yoke::zone_recording& by);
  host_team& host(const yoke::compute_unit& unit);

  yoke::runtime& rt_;
  yoke::ranks* among_;
  const benchmark& what_;
  yoke::zones blocks_;
  field u_, forcing_;
  std::unique_ptr<field> residual_;
  bool sends_;                                    ///< the solver's last kernel does, of a state's faces
  std::vector<std::unique_ptr<host_team>> host_;  ///< by unit; made by its first batch
  kept_work work_;
  std::vector<char> has_forcing_;  ///< by zone
  std::vector<zone_norms> norms_;  ///< of zones of this rank
  yoke::zone_recording steps_;
  /// The last of a run leaves boundaries as it found them, which count in the norms (SPEC.md §13); null: all
  /// do.
  std::unique_ptr<yoke::zone_recording> last_;
  yoke::zone_recording start_, all_norms_, xcr_norms_;
};

}  // namespace npb
