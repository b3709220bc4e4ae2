// Compiled for x86-64-v4; nothing in here may be called before the CPU was asked.
#include "fma.hpp"

double kernels::fma_of_8(long rounds, double& sink) { return run_fma<8>(rounds, sink); }
