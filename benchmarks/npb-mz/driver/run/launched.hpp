#pragma once
/// The other processes of a launcher.

#include <memory>

#include <yoke/ranks.hpp>

namespace npb {

/// Those of MPI where a launcher has started several; null where there is no other. Errors: config_error
/// where a launcher has started several and this build has no MPI; those of yoke::mpi_ranks.
std::unique_ptr<yoke::ranks> launched_ranks();

}  // namespace npb
