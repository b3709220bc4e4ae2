#include "record/record.hpp"

#include <yoke/device.hpp>
#include <yoke/runtime.hpp>
#include <yoke/text.hpp>

namespace record {

namespace {

ordered_json of_device(const yoke::device_info& info) {
  return {{"name", info.name},   {"model", info.model},   {"processors", info.processors},
          {"share", info.share}, {"memory", info.memory}, {"emulated", info.emulated}};
}

}  // namespace

ordered_json of_run(const yoke::runtime& rt) {
  ordered_json out = of_program();
  out["devices"] = ordered_json::array();
  for (const yoke::compute_unit& each : rt.units().all())
    if (each.dev != nullptr) out["devices"].push_back(of_device(each.dev->info()));
  out["settings"] = ordered_json::object();
  for (const yoke::setting_in_force& s : rt.settings_in_force())
    out["settings"][s.name] = {{"value", yoke::detail::valid_text(s.value)}, {"from", s.origin}};
  return out;
}

}  // namespace record
