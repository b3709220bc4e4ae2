#include "zones_core.hpp"

#include "face_moves.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include <yoke/detail/error_text.hpp>
#include <yoke/error.hpp>
#include <yoke/openmp.hpp>

namespace yoke::detail {

namespace {

void check_boxes(const zone_list& all) {
  if (all.boxes.empty()) throw usage_error{"zones: 0 of them; 1 or more are accepted"};
  for (std::size_t zone = 0; zone < all.boxes.size(); ++zone) {
    const zone_box& box = all.boxes[zone];
    double points = 1;
    for (int d = 3 - all.dimensions; d < 3; ++d) {
      const std::int64_t n = box.n[static_cast<std::size_t>(d)];
      if (n < 1)
        throw usage_error{fmt::format("zone {}: {} points in dimension {}; 1 or more are accepted", zone, n,
                                      d - 3 + all.dimensions)};
      points *= static_cast<double>(n);
    }
    if (points > std::numeric_limits<std::int32_t>::max())
      throw usage_error{fmt::format("zone {}: {} points; at most 2^31 - 1 are accepted", zone, points)};
  }
}

std::vector<double> weights_of(const zone_list& all, const zone_options& options) {
  if (options.weights.empty()) {
    std::vector<double> points;
    for (const zone_box& each : all.boxes) points.push_back(static_cast<double>(each.points()));
    return points;
  }
  if (options.weights.size() != all.boxes.size())
    throw usage_error{
        fmt::format("zones: {} weights for {} zones", options.weights.size(), all.boxes.size())};
  for (std::size_t zone = 0; zone < options.weights.size(); ++zone)
    if (!(options.weights[zone] >= 1e-200 && options.weights[zone] <= 1e200))
      throw usage_error{
          fmt::format("zone {}: a weight of {}; 1e-200 to 1e200 are accepted", zone, options.weights[zone])};
  return options.weights;
}

std::vector<std::size_t> gpu_bytes_of(const zone_list& all, const zone_options& options) {
  if (!options.gpu_bytes.empty() && options.gpu_bytes.size() != all.boxes.size())
    throw usage_error{fmt::format("zones: bytes for GPU CUs of {} zones, there are {}",
                                  options.gpu_bytes.size(), all.boxes.size())};
  return options.gpu_bytes;
}

}  // namespace

zones_core::zones_core(runtime& rt, ranks* among, zone_list all, const zone_options& options)
    : rt_{rt},
      among_{among != nullptr && among->size() > 1 ? among : nullptr},
      engine_{flow::runtime_engine::of(rt)},
      dimensions_{all.dimensions},
      schedule_{options.schedule},
      warms_up_{options.warms_up},
      passes_{options.steps} {
  check_boxes(all);
  weights_ = weights_of(all, options);
  gpu_bytes_ = gpu_bytes_of(all, options);
  boxes_ = std::move(all.boxes);
  times_ = guessed_times(rt.schedule_units());
  last_.resize(times_.size() + 1);
  if (passes_ < 0)
    throw usage_error{fmt::format("zones: {} steps that count; 0 or more are accepted", passes_)};
  if (!schedule_.empty()) check_schedule({schedule_, "zone_options::schedule"});
}

zones_core::~zones_core() = default;

// Joins.

void zones_core::check_zone(int zone, const std::string& of) const {
  if (zone < 0 || zone >= std::ssize(boxes_))
    throw usage_error{fmt::format("{}: zone {}; there are 0 to {}", of, zone, boxes_.size() - 1)};
}

void zones_core::join(zone_end a, zone_end b, const zone_transform& turn) {
  for (const zone_end& each : {a, b}) {
    check_zone(each.zone, "join");
    if (each.at.dimension < 0 || each.at.dimension >= dimensions_)
      throw usage_error{fmt::format("join: dimension {} of zone {}; zones have 0 to {}", each.at.dimension,
                                    each.zone, dimensions_ - 1)};
  }
  if (!fields_.empty()) throw usage_error{"join: a field has been made; join all zones before"};
  const auto key_of = [&](const zone_end& end) {
    return std::pair{end.zone, 2 * end.at.dimension + (end.at.is_high ? 1 : 0)};
  };
  if (key_of(a) == key_of(b)) throw usage_error{fmt::format("join: {} with itself", name_of(a))};
  for (const zone_end& each : {a, b})
    if (const auto there = taken_.find(key_of(each)); there != taken_.end())
      throw usage_error{
          fmt::format("join: {} is joined already, with zone {}", name_of(each), there->second)};
  joins_.push_back(join_of(boxes_, dimensions_, a, b, turn));
  taken_[key_of(a)] = b.zone;
  taken_[key_of(b)] = a.zone;
}

// Fields.

/// Errors: usage_error for a zone thinner than the halo that it fills, and for corners of turned zones.
void zones_core::check_joins(const field_form& form, const std::string& name) const {
  for (const zone_join& each : joins_) {
    if (form.has_corners && !each.turn.is_none())
      throw usage_error{
          fmt::format("{}: a halo with corners, where zone {} is turned against zone {}; one without "
                      "is accepted",
                      name, each.b.zone, each.a.zone)};
    for (const face_ends& way : ends_of(each)) {
      const auto taken = static_cast<std::size_t>(way.taker.at.dimension),
                 given = static_cast<std::size_t>(way.giver.at.dimension);
      const std::int64_t n = boxes_[static_cast<std::size_t>(way.giver.zone)].n[given];
      if (n < form.halo[taken])
        throw usage_error{fmt::format(
            "{}: a halo of {} in dimension {}, where zone {}, which is joined there, has {} points", name,
            form.halo[taken], taken - 3 + static_cast<std::size_t>(dimensions_), way.giver.zone, n)};
    }
  }
}

int zones_core::add_field(const field_form& form, std::string name) {
  refuse_in_region("a field is made");
  if (form.dimensions != dimensions_)
    throw usage_error{
        fmt::format("{}: {} dimensions, the zones have {}", name, form.dimensions, dimensions_)};
  check_joins(form, name);
  for (std::size_t zone = 0; zone < boxes_.size(); ++zone) {
    const double bytes =
        static_cast<double>(form.elements(boxes_[zone])) * static_cast<double>(form.element.bytes);
    if (const double most = std::numeric_limits<std::int32_t>::max() * static_cast<double>(word_bytes(form));
        bytes > most)
      throw usage_error{fmt::format("{}: {:.0f} bytes in zone {} with its halo; at most {:.0f} are accepted",
                                    name, bytes, zone, most)};
  }
  if (layout_.map.empty()) lay_out();
  storages_.push_back({form, memory_or_retreat(form, name)});
  fields_.push_back({std::move(name), static_cast<int>(storages_.size()) - 1});
  return static_cast<int>(fields_.size()) - 1;
}

std::unique_ptr<field_memory> zones_core::memory_or_retreat(const field_form& form, const std::string& name) {
  try {
    return memory_for(form, name);
  } catch (const out_of_memory& problem) {
    if (!retreat(problem)) throw;
  }
  return memory_for(form, name);
}

void zones_core::remove_field(int number) noexcept {
  zone_field& of = fields_[static_cast<std::size_t>(number)];
  storages_[static_cast<std::size_t>(of.storage)].memory.reset();
  of.storage = -1;
}

void zones_core::swap_storages(int a, int b) {
  std::swap(fields_[static_cast<std::size_t>(a)].storage, fields_[static_cast<std::size_t>(b)].storage);
}

ordered_uses ordered(const zone_use& use) {
  return {{use.of->field(use.field).order.get(), use.reads, use.writes}, {&use.of->order(), false, true}};
}

void* zones_core::host(int number, int zone, bool writes) {
  const zone_field& of = field(number);
  check_zone(zone, of.name);
  if (!is_here(zone))
    throw usage_error{fmt::format("{}: zone {} is on rank {}, this is {}; ask where zones::is_here says so",
                                  of.name, zone, rank_of(zone), among_->rank())};
  refuse_in_region("a field is asked for");
  zone_storage& there = storage(of.storage);
  there.memory->bring_to_host(layout_.unit_of(zone), writes);
  if (writes) ++there.writes;
  return there.memory->on_host(zone);
}

// Work.

void zones_core::refuse_in_region(const char* what) const {
  if (openmp::in_region())
    throw usage_error{fmt::format("zones: {} inside a parallel region; do it outside", what)};
}

flow::completion zones_core::enqueue(unit_id unit, const flow::step& next, int queue,
                                     std::span<const flow::completion> after) {
  if (!layout_.leads(unit))
    return last_[static_cast<std::size_t>(unit)] =
               engine_.get().enqueue(engine_.lane_of(unit, queue), next.what, next.arguments, after);
  auto for_team = std::make_shared<flow::plan>(*next.what);
  for_team->run = [pool = shared_->pool, job = ++told_, what = next.what](const flow::site& at) {
    flow::site there = at;
    there.over = [pool, job, over = at.over](const std::exception_ptr& error) {
      over(error);
      pool->note_over(job);
    };
    what->run(there);
  };
  return last_.back() = engine_.get().enqueue(engine_.get().team(), std::move(for_team), next.arguments);
}

void zones_core::send_help() {
  if (shared_ == nullptr || helped_ == told_) return;
  helped_ = told_;
  const cpu_pool::waiting how{.is_over = [last = last_.back()] { return last.is_over(); },
                              .for_next = [&all = engine_.get()] { return all.wait_for_team(); }};
  for (std::size_t member = 0; member < layout_.sharing.size(); ++member) {
    auto run = [pool = shared_->pool, job = told_, member, how](const flow::site&) {
      pool->help(member, job, how);
    };
    const unit_id unit = layout_.sharing[member];
    last_[static_cast<std::size_t>(unit)] = engine_.get().enqueue(
        engine_.lane_of(unit), std::make_shared<flow::plan>(flow::plan{"zones of CPU CUs", std::move(run)}),
        {});
  }
}

void zones_core::exchange(const flow::step& next) {
  const auto when_over = [among = among_](const std::exception_ptr& error) {
    if (error != nullptr) among->end_all(text_of(error));
  };
  engine_.get().tell(engine_.get().host(), next.what, next.arguments, {}, {}, when_over);
  engine_.get().start();
}

void zones_core::wait() {
  refuse_in_region("waited for");
  wait_for_all(last_);
}

}  // namespace yoke::detail
