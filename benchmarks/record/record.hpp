#pragma once
/// Under which conditions a figure was measured: goes into every JSON that a program of this folder writes,
/// as "record". A figure without it can be neither repeated nor compared.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace yoke {
class runtime;
}
namespace yoke::detail {
class output_file;
}

namespace record {

using nlohmann::ordered_json;

/// Of a program without a runtime: version, commit, compiler, command, start (UTC), host (CPU model, CPUs
/// allowed and online, load of the 1, 5 and 15 minutes before the start) and all variables YOKE_, OMP_, KMP_,
/// CUDA_, HIP_ and ROCR_ of the environment.
ordered_json of_program();

/// The same with what the runtime has in force: its devices with their models, and every setting with where
/// it came from. In the library record_run.
ordered_json of_run(const yoke::runtime& rt);

/// What --json FILE of such a program writes. Errors: yoke::error naming the option and the path.
void write_json(const std::string& path, const ordered_json& what);
/// The same to a file that was looked at before the work.
void write_json(yoke::detail::output_file& file, std::string_view text);

}  // namespace record
