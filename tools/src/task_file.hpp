#pragma once
/// Tasks that `yoke simulate` deals out: of a class of NPB-MZ, of a file, or of a run.

#include "json_fields.hpp"

#include <string>

#include <yoke/schedule.hpp>
#include <yoke/zone_grid.hpp>

namespace tools {

/// "SP:D", "bt:a". Errors: config_error naming what there is.
yoke::workload tasks_of_class(const std::string& text);
/// What they are zones of. Errors: the same.
yoke::zone_grid grid_of_class(const std::string& text);
/// A file "yoke-tasks/1", or the JSON of an NPB-MZ run ("yoke-npb/1"). Errors: config_error naming the file
/// and the place.
yoke::workload read_tasks(const std::string& path);
/// The zones of such a run.
yoke::workload tasks_of_run(const json& run, const std::string& path);

}  // namespace tools
