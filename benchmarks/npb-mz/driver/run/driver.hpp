#pragma once
/// The main program of every benchmark.

#include "common/solver.hpp"

#include <memory>

namespace npb {

/// Runs the benchmark as the command line asks. Returns the exit status: 0 verified, or nothing to verify
/// against; 1 failed verification, run-time failure or a result that could not be written; 2 wrong usage. The
/// calling function must not contain an OpenMP construct, so that --cus can still choose the places.
int run_program(int argc, const char* const* argv, benchmark_kind kind,
                std::unique_ptr<benchmark> (*make)(problem));

}  // namespace npb
