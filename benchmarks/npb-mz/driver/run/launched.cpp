#include "launched.hpp"

#ifdef NPB_WITH_MPI

#include <yoke/mpi_ranks.hpp>

namespace npb {

std::unique_ptr<yoke::ranks> launched_ranks() {
  auto all = std::make_unique<yoke::mpi_ranks>();
  if (all->size() == 1) return nullptr;
  return all;
}

}  // namespace npb

#else

#include <cstdlib>
#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/settings.hpp>

namespace npb {

std::unique_ptr<yoke::ranks> launched_ranks() {
  for (const char* const each : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}) {
    const std::optional<std::string> value = yoke::detail::get_environment(each);
    if (!value || std::atoi(value->c_str()) < 2) continue;
    throw yoke::config_error{
        fmt::format("{}={}: a launcher has started {} processes, and this build has no MPI; configure with "
                    "-DYOKE_MPI=ON, or start one process",
                    each, *value, *value)};
  }
  return nullptr;
}

}  // namespace npb

#endif
