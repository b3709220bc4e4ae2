#include "zone_table.hpp"

namespace npb {

std::vector<device_zone> zone_table(const stepping& s, std::span<const yoke::task_id> zones,
                                    yoke::space_id space, std::byte* work,
                                    std::span<const std::size_t> work_bytes) {
  std::vector<device_zone> table;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    table.push_back(s.zones.on_device(zones[i], space));
    table.back().work = yoke::device_ptr<double>{reinterpret_cast<double*>(work)};
    work += work_bytes[i];
  }
  return table;
}

}  // namespace npb
