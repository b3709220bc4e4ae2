#include <fmt/format.h>
#include <utility>
#include <vector>

#include <yoke/detail/region_pieces.hpp>
#include <yoke/detail/seat_holder.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/openmp.hpp>
#include <yoke/runtime_engine.hpp>

namespace yoke::flow {

namespace {

class holder : public detail::seat_holder {
 public:
  explicit holder(runtime& rt) : all{rt} {}
  void take_cpus() override { all.get().take_cpus(); }
  void give_cpus_back() override { all.get().give_cpus_back(); }

  runtime_engine all;
};

void refuse_in_region(const std::string& what) {
  if (!openmp::in_region()) return;
  throw usage_error{fmt::format(
      "{}: enqueued inside a parallel region, of a run or of the program; enqueue it outside of that", what)};
}

/// The regions of arguments, held while work on them is told.
struct held_arguments {
  held_arguments(runtime& rt, std::span<const placed_argument> arguments, space_id memory)
      : regions{rt.memory(), names_of(arguments), memory} {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const detail::regions_for_work::memory& of = regions.all()[i];
      uses.push_back({of.what, arguments[i].as});
      lent.push_back({of.what, of.bytes, of.addresses});
    }
  }

  detail::regions_for_work regions;
  std::vector<argument> uses{};
  std::vector<lent_piece> lent{};

 private:
  static std::vector<detail::region_name> names_of(std::span<const placed_argument> arguments) {
    std::vector<detail::region_name> names;
    for (const placed_argument& each : arguments) names.push_back(each.what);
    return names;
  }
};

}  // namespace

runtime_engine& runtime_engine::of(runtime& rt) {
  detail::refuse_in_forked_child();
  return static_cast<holder&>(detail::holder_access::of(rt, [&] { return std::make_unique<holder>(rt); }))
      .all;
}

engine_options runtime_engine::options_of(runtime& rt) {
  const compute_units& units = rt.units();
  engine_options made{.n_seats = units.shape().cpu_units,
                      .has_taken_cpus = openmp::in_region,
                      .queues_of_group = queues_of_unit,
                      .table = &detail::versions_of(rt.memory())};
  made.threads = [&rt](int n_seats, const std::function<void(int)>& sit) {
    detail::holder_access::each_unit(
        rt, [&](unit_id unit) { unit < n_seats ? sit(unit) : openmp::rest_behind_region(); });
  };
  for (const compute_unit& each : units.all())
    if (each.dev != nullptr) made.queues.push_back({each.dev, each.space});
  return made;
}

runtime_engine::runtime_engine(runtime& rt)
    : rt_{rt}, engine_{std::make_unique<engine>(rt.devices(), options_of(rt))} {}

lane_id runtime_engine::lane_of(unit_id unit, int number) const {
  const int n_cpu_units = rt_.units().shape().cpu_units;
  static_cast<void>(rt_.units().at(unit));
  return unit < n_cpu_units ? engine_->seat(unit) : engine_->queue_of_group(unit - n_cpu_units, number);
}

completion runtime_engine::enqueue(unit_id on, std::shared_ptr<const plan> what,
                                   std::span<const placed_argument> arguments,
                                   std::span<const completion> after) {
  refuse_in_region(what->name);
  completion made = tell(lane_of(on), memory_of(on), std::move(what), arguments, {.after = after});
  engine_->start();
  return made;
}

completion runtime_engine::tell(lane_id on, space_id memory, std::shared_ptr<const plan> what,
                                std::span<const placed_argument> arguments, const order& where,
                                std::function<void(const std::exception_ptr&)> when_over,
                                std::vector<void*>* at) {
  if (arguments.empty()) return engine_->tell(on, std::move(what), {}, where, {}, std::move(when_over));
  const held_arguments held{rt_, arguments, memory};
  if (at != nullptr)
    for (const lent_piece& each : held.lent)
      at->push_back(each.addresses[static_cast<std::size_t>(int{memory})]);
  return engine_->tell(on, std::move(what), held.uses, where, held.lent, std::move(when_over));
}

completion runtime_engine::tell_failure(std::string name, const std::exception_ptr& why,
                                        std::span<const placed_argument> arguments,
                                        std::span<const completion> behind,
                                        std::function<void(const std::exception_ptr&)> when_over) {
  const held_arguments held{rt_, arguments, host_space};
  return engine_->tell_failure(std::move(name), why, held.uses, behind, std::move(when_over));
}

// Objects that several pieces of work share.

struct shared_use::held : held_arguments {
  using held_arguments::held_arguments;
};

shared_use::shared_use(runtime_engine& of, std::span<const placed_argument> objects)
    : of_{of}, held_{new held{of.rt_, objects, host_space}} {}
shared_use::~shared_use() = default;

completion shared_use::begin(const std::string& name, std::vector<state>& states) {
  const auto nothing = std::make_shared<const plan>(plan{name, {}});
  std::vector<argument> read, written;
  for (const argument& each : held_->uses) {
    if (each.as != role::out) read.push_back({each.what, role::in});
    if (each.as != role::in) written.push_back({each.what, role::out});
  }
  engine& engine = of_.get();
  completion last = engine.tell(engine.host(), nothing, read, {}, held_->lent);
  {
    const auto table = detail::versions_of(of_.rt_.memory()).lock();
    for (std::size_t i = 0; i < held_->uses.size(); ++i) {
      const auto& [what, as, memory] = held_->uses[i];
      states.push_back({held_->lent[i].addresses[0]});
      if (as == role::out) continue;
      states.back().error = table->error_of(what);
      states.back().writer = table->writer_of(what, host_space);
    }
  }
  if (!written.empty()) last = engine.tell(engine.host(), nothing, written, {}, {});
  return last;
}

completion shared_use::end(lane_id on, std::size_t object, std::shared_ptr<const plan> what,
                           const order& where, std::function<void(const std::exception_ptr&)> when_over) {
  const argument& of = held_->uses[object];
  const argument use{of.what, of.as == role::in ? role::in : role::out};
  return of_.get().tell(on, std::move(what), {&use, 1}, where, {}, std::move(when_over));
}

}  // namespace yoke::flow
