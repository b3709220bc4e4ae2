/// The schedule of user_schedule.hpp for programs that were built without it:
///
///   YOKE_SCHEDULE=./heavy_to_gpus.so:heavy-to-gpus sp-mz --class S
#include "user_schedule.hpp"

#include <memory>
#include <span>
#include <vector>

#include <yoke/schedule_plugin.hpp>

YOKE_SCHEDULE_PLUGIN({.name = "heavy-to-gpus", .rule = "GPU CUs take the heaviest tasks that are left"},
                     [](const auto&, const yoke::workload& work, std::span<const yoke::unit> units) {
                       return std::make_unique<heavy_to_gpus>(
                           work, std::vector<yoke::unit>{units.begin(), units.end()});
                     });
