#include "field_memory.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <sys/mman.h>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/runtime.hpp>

namespace yoke::detail {

namespace {

/// Zones begin on lines of their own, of any cache and any GPU.
constexpr std::size_t line = 128;

std::size_t rounded_up(std::size_t bytes) { return (bytes + line - 1) / line * line; }

std::shared_ptr<const flow::plan> nothing(std::string name) {
  return std::make_shared<flow::plan>(flow::plan{std::move(name), {}});
}

}  // namespace

zone_layout::zone_layout(std::vector<unit_id> of, int n_units, std::vector<unit_id> all_sharing)
    : map{of},
      dealt{std::move(of)},
      sharing{std::move(all_sharing)},
      zones_of(static_cast<std::size_t>(n_units)) {
  for (unit_id& each : map)
    if (member(each) >= 0) each = sharing.front();
  for (int zone = 0; zone < std::ssize(map); ++zone)
    if (is_here(zone)) zones_of[static_cast<std::size_t>(unit_of(zone))].push_back(zone);
}

int zone_layout::member(unit_id unit) const {
  const auto found = std::ranges::find(sharing, unit);
  return found == sharing.end() ? -1 : static_cast<int>(found - sharing.begin());
}

device_slab::device_slab(device_memory& dev, std::size_t bytes, const std::string& purpose)
    : at_{dev.allocate(bytes), {&dev}} {
  if (at_ != nullptr) return;
  const std::size_t free = dev.memory_free();
  throw out_of_memory{
      fmt::format("{}: {} bytes are wanted for {}, {} are free", dev.info().name, bytes, purpose, free),
      bytes, free};
}

host_slab::host_slab(std::size_t bytes, const std::string& purpose) {
  void* const made =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED)
    throw out_of_memory{fmt::format("{} bytes of host memory are wanted for {}", bytes, purpose), bytes, 0};
  at_ = {static_cast<std::byte*>(made), give_back{bytes}};
}

void host_slab::give_back::operator()(std::byte* address) const noexcept { munmap(address, bytes); }

void wait_for_all(std::span<flow::completion> all) {
  std::exception_ptr first;
  for (flow::completion& each : all) {
    try {
      std::exchange(each, {}).wait();
    } catch (...) {
      if (first == nullptr) first = std::current_exception();
    }
  }
  if (first != nullptr) std::rethrow_exception(first);
}

field_memory::field_memory(runtime& rt, std::string name, const field_form& form,
                           std::span<const zone_box> zones, const zone_layout& layout)
    : rt_{rt}, engine_{flow::runtime_engine::of(rt)}, name_{std::move(name)}, layout_{layout} {
  for (const zone_box& each : zones)
    bytes_.push_back(static_cast<std::size_t>(form.elements(each)) * form.element.bytes);
  lay_out();
  for (const compute_unit& each : rt_.units().all())
    if (!layout_.of(each.id).empty()) fill_with_zeros(each.id);
}

field_memory::field_memory(runtime& rt, const field_memory& before, const zone_layout& layout)
    : rt_{rt},
      engine_{before.engine_},
      name_{before.name_},
      layout_{layout},
      bytes_{before.bytes_},
      of_cpus_{before.of_cpus_} {
  lay_out();
  std::vector<flow::completion> all;
  for (const compute_unit& each : rt_.units().all()) {
    if (before.layout_.of(each.id).empty()) continue;
    if (each.dev == nullptr)
      before.bring_to_host(each.id, false);
    else
      all.push_back(before.send_leaving(each.id, *this));
  }
  wait_for_all(all);
  all.clear();
  for (const compute_unit& each : rt_.units().all())
    if (!layout_.of(each.id).empty()) all.push_back(take_over(each.id, before));
  wait_for_all(all);
}

device* field_memory::device_of(unit_id unit) const { return rt_.units().at(unit).dev; }

/// All memory before any work, which would outlive what is given back when there is too little.
void field_memory::lay_out() {
  const std::size_t n_units = layout_.zones_of.size();
  offsets_.resize(bytes_.size());
  slabs_.resize(n_units);
  pieces_.resize(n_units);
  std::size_t of_all = 0;
  for (const std::size_t each : bytes_) places_.push_back(std::exchange(of_all, of_all + rounded_up(each)));
  std::vector<std::size_t> sizes(n_units);
  for (std::size_t u = 0; u < n_units; ++u)
    for (const int zone : layout_.zones_of[u]) {
      offsets_[static_cast<std::size_t>(zone)] = sizes[u];
      sizes[u] += rounded_up(bytes_of(zone));
    }
  for (const compute_unit& each : rt_.units().all()) {
    const std::size_t size = sizes[static_cast<std::size_t>(int{each.id})];
    if (size == 0) continue;
    if (each.dev != nullptr)
      allocate(each, size);
    else if (of_cpus_ == nullptr)
      of_cpus_ = std::make_shared<const host_slab>(of_all, name_);
  }
  for (const compute_unit& each : rt_.units().all())
    if (const std::size_t size = sizes[static_cast<std::size_t>(int{each.id})]; size > 0)
      add_piece(each, size);
}

void field_memory::allocate(const compute_unit& unit, std::size_t bytes) {
  slab& made = slabs_[static_cast<std::size_t>(int{unit.id})];
  made.host = host_slab{bytes, name_};
  made.device = device_slab{*unit.dev, bytes, name_};
}

void field_memory::add_piece(const compute_unit& unit, std::size_t bytes) {
  const slab& of = slabs_[static_cast<std::size_t>(int{unit.id})];
  std::vector<void*> addresses(rt_.devices().size() + 1);
  addresses[0] = unit.dev == nullptr ? of_cpus_->data() : of.host.data();
  if (unit.dev != nullptr) addresses[static_cast<std::size_t>(unit.space)] = of.device.data();
  pieces_[static_cast<std::size_t>(int{unit.id})] =
      owned_piece{engine_.get(), name_, bytes, std::move(addresses)};
}

/// By CPU CUs themselves, so that pages are near them; else the host's, which are zeros.
void field_memory::fill_with_zeros(unit_id unit) const {
  const flow::argument all[] = {{piece_of(unit), flow::role::out}};
  if (is_on_device(unit)) {
    engine_.get().enqueue(engine_.get().host(), nothing("zeros"), all);
    return;
  }
  for (const int zone : layout_.of(unit)) {
    auto run = [at = at_unit(zone), n = bytes_of(zone)](const flow::site&) { std::memset(at, 0, n); };
    engine_.get().enqueue(engine_.lane_of(layout_.dealt_to(zone)),
                          std::make_shared<flow::plan>(flow::plan{"zeros", std::move(run)}), all);
  }
}

namespace {

struct copy {
  void* to;
  const void* from;
  std::size_t bytes;
  copy_kind kind;
};

flow::completion enqueue(flow::runtime_engine& on, unit_id unit, std::vector<copy> copies,
                         const flow::argument& of) {
  auto run = [all = std::move(copies)](const flow::site& at) {
    for (const copy& each : all) at.dev->copy(at.stream, each.to, each.from, each.bytes, each.kind);
  };
  return on.get().enqueue(on.lane_of(unit),
                          std::make_shared<flow::plan>(flow::plan{"zones that move", std::move(run)}),
                          {&of, 1});
}

}  // namespace

flow::completion field_memory::send_leaving(unit_id unit, const field_memory& next) const {
  std::vector<copy> copies;
  for (const int zone : layout_.of(unit)) {
    if (next.layout_.unit_of(zone) == unit) continue;
    const field_memory& to = next.is_on_device(zone) ? *this : next;
    copies.push_back({to.on_host(zone), at_unit(zone), bytes_of(zone), copy_kind::device_to_host});
  }
  return enqueue(engine_, unit, std::move(copies), {piece_of(unit), flow::role::in});
}

flow::completion field_memory::take_over(unit_id unit, const field_memory& before) const {
  if (!is_on_device(unit)) {
    const flow::argument all[] = {{piece_of(unit), flow::role::out}};
    return engine_.get().enqueue(engine_.get().host(), nothing("zones that stay"), all);
  }
  std::vector<copy> copies;
  for (const int zone : layout_.of(unit)) {
    const bool stays = before.layout_.unit_of(zone) == unit;
    copies.push_back({at_unit(zone), stays ? before.at_unit(zone) : before.on_host(zone), bytes_of(zone),
                      stays ? copy_kind::device_to_device : copy_kind::host_to_device});
  }
  return enqueue(engine_, unit, std::move(copies), {piece_of(unit), flow::role::out});
}

owned_piece::~owned_piece() {
  if (of_ == nullptr) return;
  try {
    of_->remove(what_);
  } catch (...) {  // NOLINT(bugprone-empty-catch)
    // In a forked child, which has none of the threads that use it.
  }
}

void owned_piece::bring_to_host(bool writes) const {
  const flow::argument all[] = {{what_, writes ? flow::role::inout : flow::role::in}};
  of_->enqueue(of_->host(), nothing("host"), all).wait();
}

void* field_memory::at_unit(int zone) const {
  if (!is_on_device(zone)) return on_host(zone);
  return slabs_[static_cast<std::size_t>(layout_.unit_of(zone))].device.data() +
         offsets_[static_cast<std::size_t>(zone)];
}

void* field_memory::on_host(int zone) const {
  if (!is_on_device(zone)) return of_cpus_->data() + places_[static_cast<std::size_t>(zone)];
  return slabs_[static_cast<std::size_t>(layout_.unit_of(zone))].host.data() +
         offsets_[static_cast<std::size_t>(zone)];
}

}  // namespace yoke::detail
