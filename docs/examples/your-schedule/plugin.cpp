/// The schedule for programs that were built without it:
/// YOKE_SCHEDULE=./weighted_factoring.so:weighted-factoring
#include "weighted_factoring.hpp"

#include <memory>

#include <yoke/schedule_plugin.hpp>

YOKE_SCHEDULE_PLUGIN({.name = "weighted-factoring",
                      .rule = "half of what is left, by the speeds that were seen"},
                     [](const auto&, const yoke::workload& work, std::span<const yoke::unit> units) {
                       return std::make_unique<weighted_factoring>(work, units);
                     });
