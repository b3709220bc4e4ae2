#include "device_plan.hpp"

#include <algorithm>

namespace npb {

device_plan::device_plan(const yoke::compute_unit& unit)
    : unit_{unit}, zone_table_{*unit.dev}, sending_table_{*unit.dev}, face_table_{*unit.dev} {}

device_plan::~device_plan() { drop_graphs(); }

void device_plan::drop_graphs() noexcept {
  for (const yoke::graph_handle graph : {captured.begin, captured.finish})
    if (graph.native != nullptr) unit_.dev->destroy_graph(graph);
  captured = {};
}

bool device_plan::is_current(const stepping& s, long work_generation) const {
  return moves_ == s.zones.moves(unit_.space) && is_of_map(s) && work_generation_ == work_generation;
}

void device_plan::begin(const stepping& s, std::span<const yoke::task_id> zones) {
  drop_graphs();
  uses = 0;
  moves_ = -1;  // never current
  shapes_.clear();
  for (const int zone : zones) shapes_.push_back(s.zones.shape(zone));
}

void device_plan::complete(const stepping& s, long work_generation) {
  unit_.dev->synchronize(unit_.stream);
  moves_ = s.zones.moves(unit_.space);
  routes_ = s.faces.routes();
  work_generation_ = work_generation;
}

void device_plan::upload_zones(const stepping& s, std::span<const yoke::task_id> zones, std::byte* work,
                               std::span<const std::size_t> work_bytes, bool can_send) {
  std::vector<device_zone> table;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    table.push_back(s.zones.on_device(zones[i], unit_.space));
    table.back().work = yoke::device_ptr<double>{reinterpret_cast<double*>(work)};
    work += work_bytes[i];
  }
  zones_ = zone_table_.upload(unit_.stream, table);
  sending_ = {};
  if (!can_send) return;
  add_takers(s, zones, table);
  sending_ = sending_table_.upload(unit_.stream, table);
}

/// Those of `zones` whose neighbours are among them.
void device_plan::add_takers(const stepping& s, std::span<const yoke::task_id> zones,
                             std::vector<device_zone>& table) {
  std::vector<const device_zone*> here(static_cast<std::size_t>(s.zones.n_zones()));
  for (std::size_t i = 0; i < zones.size(); ++i) here[static_cast<std::size_t>(zones[i])] = &table[i];
  for (std::size_t i = 0; i < zones.size(); ++i) {
    for (const side at : all_sides) {
      const int taker = s.faces.receiver(face_of(zones[i], at));
      const device_zone* const to = here[static_cast<std::size_t>(taker)];
      if (to == nullptr) continue;
      const plane p = outer_plane(s.zones.shape(taker), opposite(at));
      table[i].to[static_cast<std::size_t>(at)] = {to->u + p.first, p.component, p.line_stride, p.k_stride};
    }
  }
}

}  // namespace npb
