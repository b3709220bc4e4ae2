#include "field_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
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

host_slab::host_slab(std::size_t bytes, const std::string& purpose)
    : at_{static_cast<std::byte*>(std::calloc(bytes / line + 1, line))} {
  if (at_ == nullptr)
    throw out_of_memory{fmt::format("{} bytes of host memory are wanted for {}", bytes, purpose), bytes, 0};
}

void host_slab::give_back::operator()(std::byte* address) const noexcept { std::free(address); }

field_memory::field_memory(runtime& rt, std::string name, const field_form& form,
                           std::span<const zone_box> zones, const zone_layout& layout)
    : engine_{flow::runtime_engine::of(rt)},
      layout_{layout},
      offsets_(zones.size()),
      slabs_(layout.zones_of.size()) {
  for (const zone_box& each : zones)
    bytes_.push_back(static_cast<std::size_t>(form.elements(each)) * form.element.bytes);
  std::vector<std::size_t> sizes(slabs_.size());
  for (std::size_t u = 0; u < slabs_.size(); ++u)
    for (const int zone : layout_.zones_of[u]) {
      offsets_[static_cast<std::size_t>(zone)] = sizes[u];
      sizes[u] += rounded_up(bytes_of(zone));
    }
  // All memory before any work, which would outlive what is given back when there is too little.
  for (std::size_t u = 0; u < slabs_.size(); ++u)
    if (sizes[u] > 0) allocate(rt.units().at(unit_id{static_cast<int>(u)}), sizes[u], name);
  for (std::size_t u = 0; u < slabs_.size(); ++u) {
    if (sizes[u] == 0) continue;
    const compute_unit& unit = rt.units().at(unit_id{static_cast<int>(u)});
    std::vector<void*> addresses(rt.devices().size() + 1);
    addresses[0] = slabs_[u].host.data();
    addresses[static_cast<std::size_t>(unit.space)] = slabs_[u].at;
    slabs_[u].piece = owned_piece{engine_.get(), name, sizes[u], std::move(addresses)};
    fill_with_zeros(unit.id, sizes[u]);
  }
}

void field_memory::allocate(const compute_unit& unit, std::size_t bytes, const std::string& name) {
  slab& made = slabs_[static_cast<std::size_t>(int{unit.id})];
  made.host = host_slab{bytes, name};
  made.at = made.host.data();
  if (unit.dev == nullptr) return;
  made.device = device_slab{*unit.dev, bytes, name};
  made.at = made.device.data();
}

/// By the unit itself on a CPU CU, so that pages are near it; else the host's, which are zeros.
void field_memory::fill_with_zeros(unit_id unit, std::size_t bytes) const {
  const slab& of = slabs_[static_cast<std::size_t>(unit)];
  const flow::argument all[] = {{of.piece.what(), flow::role::out}};
  if (of.at != of.host.data()) {
    engine_.get().enqueue(engine_.get().host(), nothing("zeros"), all);
    return;
  }
  const auto clear = [&](unit_id by, std::byte* from, std::size_t n) {
    auto run = [from, n](const flow::site&) { std::memset(from, 0, n); };
    engine_.get().enqueue(engine_.lane_of(by),
                          std::make_shared<flow::plan>(flow::plan{"zeros", std::move(run)}), all);
  };
  if (!layout_.leads(unit)) return clear(unit, of.at, bytes);
  for (const int zone : layout_.of(unit))
    clear(layout_.dealt[static_cast<std::size_t>(zone)], of.at + offsets_[static_cast<std::size_t>(zone)],
          rounded_up(bytes_of(zone)));
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
  return slabs_[static_cast<std::size_t>(layout_.unit_of(zone))].at +
         offsets_[static_cast<std::size_t>(zone)];
}

void* field_memory::on_host(int zone) const {
  return slabs_[static_cast<std::size_t>(layout_.unit_of(zone))].host.data() +
         offsets_[static_cast<std::size_t>(zone)];
}

}  // namespace yoke::detail
