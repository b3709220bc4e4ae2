#include "device_plan.hpp"

#include <algorithm>

namespace npb {

device_plan::device_plan(const yoke::compute_unit& unit)
    : unit_{unit},
      tables_{*unit.dev, device_buffer::kind::device},
      upload_{*unit.dev, device_buffer::kind::pinned} {}

device_plan::~device_plan() { drop_graph(); }

void device_plan::drop_graph() noexcept {
  if (graph.native != nullptr) unit_.dev->destroy_graph(graph);
  graph = {};
}

bool device_plan::is_current(const stepping& s, long work_generation) const {
  return moves_ == s.zones.moves() && epoch_ == s.faces.epoch() && work_generation_ == work_generation;
}

void device_plan::begin(const stepping& s, std::span<const yoke::task_id> zones) {
  drop_graph();
  uses = 0;
  moves_ = -1;  // never current
  shapes_.clear();
  for (const int zone : zones) shapes_.push_back(s.zones.shape(zone));
}

void device_plan::complete(const stepping& s, long work_generation) {
  moves_ = s.zones.moves();
  epoch_ = s.faces.epoch();
  work_generation_ = work_generation;
}

yoke::device_ptr<const face_job> device_plan::upload(const stepping& s, std::span<const yoke::task_id> zones,
                                                     std::byte* work, std::span<const std::size_t> work_bytes,
                                                     std::span<const face_job> faces) {
  std::vector<device_zone> table;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    table.push_back(s.zones.on_device(zones[i], unit_.space));
    table.back().work = yoke::device_ptr<double>{reinterpret_cast<double*>(work)};
    work += work_bytes[i];
  }
  const std::span<const device_zone> entries{table};
  const std::size_t faces_at = aligned(entries.size_bytes()), total = faces_at + faces.size_bytes();
  if (total == 0) return {};
  tables_.reserve(total, "the tables of a batch");
  upload_.reserve(total, "the tables of a batch, in pinned memory");
  std::ranges::copy(std::as_bytes(entries), upload_.data());
  std::ranges::copy(std::as_bytes(faces), upload_.data() + faces_at);
  unit_.dev->copy(unit_.stream, tables_.data(), upload_.data(), total, yoke::copy_kind::host_to_device);
  unit_.dev->synchronize(unit_.stream);  // any stream may read the tables now
  return yoke::device_ptr<const face_job>{reinterpret_cast<const face_job*>(tables_.data() + faces_at)};
}

yoke::device_ptr<const device_zone> device_plan::zones() const {
  return yoke::device_ptr<const device_zone>{reinterpret_cast<const device_zone*>(tables_.data())};
}

}  // namespace npb
