#pragma once

#include <span>

/// Doubles each of x on a unit of a runtime, by a kernel.
void double_all(std::span<double> x);

/// x + 1, by a function object of host and GPU.
double next(double x);

/// How many threads a team of two has in a file with kernels.
int threads_of_a_team();

/// Whether the file was compiled for the processor that the project names.
bool has_avx2();
