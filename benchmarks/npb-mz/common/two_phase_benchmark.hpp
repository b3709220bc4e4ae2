#pragma once
/// SP and BT for the driver. They differ in numbers and types only, which a `Method` (sp::method, bt::method)
/// names:
///   static constexpr benchmark_kind kind;
///   static const step_functions step_of_4;    packs of 4: AVX2 and fma, which all host code needs
///   static const step_functions step_of_8;    packs of 8: AVX-512, where the CPU has it
///   static std::unique_ptr<device_solver> make_device_solver(const constants&);

#include "pack_width.hpp"
#include "two_phase.hpp"
#include "zone_benchmark.hpp"

#include <memory>

namespace npb {

template <class Method>
const step_functions& step_of(pack_width width) {
  return use_packs_of_eight(width) ? Method::step_of_8 : Method::step_of_4;
}

/// Errors: yoke::config_error when packs of eight are asked for and the CPU has no AVX-512.
template <class Method>
std::unique_ptr<phased_solver> make_host_solver(const constants& c, int n_threads, const zone_shape& largest,
                                                pack_width width = pack_width::widest) {
  return make_two_phase_solver(c, n_threads, largest, step_of<Method>(width));
}

template <class Method>
class two_phase_benchmark final : public zone_benchmark {
 public:
  using zone_benchmark::zone_benchmark;

  std::unique_ptr<host_solver> make_host_solver(int n_threads, const zone_shape& largest) const override {
    return npb::make_host_solver<Method>(coefficients(), n_threads, largest);
  }
  std::size_t host_scratch_bytes(int n_threads, const zone_shape& largest) const override {
    return two_phase_scratch_bytes(n_threads, largest, step_of<Method>(pack_width::widest));
  }
  std::unique_ptr<device_solver> make_device_solver() const override {
    return Method::make_device_solver(coefficients());
  }
};

}  // namespace npb
