#include "fma.hpp"

double kernels::fma_of_4(long rounds, double& sink) { return run_fma<4>(rounds, sink); }
