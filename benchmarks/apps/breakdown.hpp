#pragma once
/// Where the time of an application goes that brings its data, computes and takes them back.
/// Source: HOMP (Yan et al.), the breakdowns of AXPY and Jacobi's method.

#include <cstdint>
#include <string>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/runtime.hpp>

namespace apps {

/// Seconds; each part has finished before the next one begins.
struct breakdown {
  std::string name;
  yoke::seconds copy_in = 0;   ///< to the memories of GPUs
  yoke::seconds exchange = 0;  ///< of halos; 0 for AXPY
  yoke::seconds compute = 0;
  yoke::seconds copy_out = 0;  ///< to the memory of the program
  bool agree = false;          ///< with a serial loop, to the bit

  yoke::seconds all() const { return copy_in + exchange + compute + copy_out; }
};

/// y += a x, once.
breakdown axpy_breakdown(yoke::runtime& rt, std::int64_t elements);
/// `steps` of Jacobi's method on n x n.
breakdown jacobi_breakdown(yoke::runtime& rt, std::int64_t n, int steps);

}  // namespace apps
