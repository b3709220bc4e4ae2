#pragma once
/// A recording for one layout: for each step of its period and each unit the work that is enqueued.

#include "step_stages.hpp"
#include "storage_faces.hpp"
#include "unit_clock.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace yoke::detail {

/// In which order a step is told: halos of a stage before anything of it changes, then zones with neighbours
/// elsewhere and their faces, then the others.
class compiled_steps {
 public:
  /// `steps[k]`: operations of step k with the storages of their fields. Errors: out_of_memory; device_error.
  compiled_steps(zones_core& of, std::span<const zone_operation> operations,
                 std::span<const std::vector<stage_operation>> steps);

  int period() const { return stages_.period(); }
  long layout_number() const { return layout_number_; }
  /// Storages, by number, whose halos step `k` must not find as they are: others have written them.
  std::vector<char> stale_before(int k);
  /// Before step `k`: fills their halos or sends their faces. On all ranks those of one of them.
  void prepare(int k, std::span<const char> stale);
  /// Tells step `k`, in graphs where a device has them; of units that share all that there is, when the last
  /// of some steps is told.
  void enqueue(int k, bool is_timed, bool is_last);
  void start_clocks();
  /// Seconds of each unit, when all is over.
  std::vector<seconds> take_clocks();
  /// Marks all that it has written, for other recordings and the host.
  void note_written();

  const step_stages& stages() const { return stages_; }
  const std::map<int, storage_faces>& faces() const { return faces_; }
  /// Launches of a step on the unit, in all its stages.
  std::size_t launches(int k, unit_id unit) const;

 private:
  struct part {
    std::vector<std::vector<unit_work>> works;   ///< of each unit, none or one
    std::vector<const flow::step*> exchanges{};  ///< with other ranks, told behind all of these
    /// Of each unit whose work runs beside that of the next part, or of the one before: what writes all that
    /// both write.
    std::vector<flow::step> before_both{}, after_both{};
  };

  void make_stage(const stage& from);
  bool is_border(int zone, const stage& of) const;
  void add_neighbours(std::vector<zone_memory>& batch) const;
  std::vector<zone_memory> batch(const stage_operation& what, unit_id unit, bool of_border,
                                 const stage& of) const;
  void add_zones(unit_work& to, const stage& of, unit_id unit, bool of_border) const;
  /// Made by `add(work, unit)` of each unit.
  template <class Add>
  part part_of(const std::string& name, const Add& add) const;
  /// All parts of a step, in the order in which they are told.
  const std::vector<const part*>& parts_of(int k) const { return parts_[static_cast<std::size_t>(k)]; }
  void list_parts();
  void tell(const part& all);
  void add_exchanges(part& to, std::span<const int> storages, int round) const;
  using what_of = std::function<storage_faces::what(int storage)>;
  part filling(std::span<const int> storages, int round, const what_of& of_storage) const;
  part sending(std::span<const int> storages, int round) const;
  int rounds_of(std::span<const int> storages) const;
  void run_beside(part& border, part& inner) const;
  const flow::step& recorded(const unit_work& of, unit_id unit, int queue);
  const flow::step& recorded_beside(const unit_work& of, unit_id unit, int queue);
  void tell(const part& of, unit_id unit, bool is_timed);
  const flow::step& whole(int k, unit_id unit);
  void tell(unit_id unit, const flow::step& next, bool is_timed);
  void tell_beside(const part& of, unit_id unit, bool is_timed);
  void put_off(int k, unit_id unit);
  void tell_put_off(unit_id unit);
  bool is_alone(unit_id unit) const { return is_alone_[static_cast<std::size_t>(unit)] != 0; }

  zones_core& core_;
  std::span<const zone_operation> operations_;
  long layout_number_;
  step_stages stages_;
  std::map<int, storage_faces> faces_;  ///< by storage, of those whose halos are read
  std::vector<std::shared_ptr<unit_clock>> clocks_;
  std::vector<int> written_;                             ///< storages
  std::vector<std::vector<const part*>> parts_;          ///< by step
  std::deque<std::vector<part>> works_;                  ///< by stage, in the order in which they are told
  std::vector<char> is_alone_;                           ///< by unit: it exchanges nothing with others
  std::map<const unit_work*, flow::step> recorded_;      ///< as a graph
  std::map<const unit_work*, flow::step> beside_;        ///< as it is told to run beside others
  std::vector<flow::completion> first_;                  ///< of each unit, of two that run side by side
  std::map<std::pair<int, unit_id>, flow::step> whole_;  ///< of units alone, by step
  /// Of units that share and exchange nothing with others: steps that are told together, so that zones need
  /// not meet between them.
  struct put_off_steps {
    int n = 0;
    std::vector<const shared_launch*> launches{};
    std::vector<flow::argument> arguments{};
  };
  put_off_steps put_off_;
  int next_ = 0;              ///< the step that would follow
  std::map<int, long> seen_;  ///< writes of storages when halos were last right
};

}  // namespace yoke::detail
