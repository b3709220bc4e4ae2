#include <yoke/cu.hpp>
#include <yoke/error.hpp>

namespace yoke::cu {

namespace {

const compute_units& units() {
  if (const compute_units* current = detail::current_units().get()) return *current;
  throw usage_error{"no compute units: make a yoke::runtime before asking for them"};
}

const compute_unit& calling() { return units().calling(); }

}  // namespace

int n_cus() { return units().size(); }
int n_gpus() { return units().shape().gpu_units; }
int n_cpus() { return units().shape().cpu_units; }
int n_inner_cpus() { return is_cpu() ? units().shape().cpus_per_unit : 0; }
bool is_gpu() { return calling().kind == unit_kind::gpu; }
bool is_cpu() { return calling().kind == unit_kind::cpu; }
int gpu_id() { return is_gpu() ? calling().dev->info().ordinal : -1; }
int cpu_id() { return is_cpu() ? int{calling().id} : -1; }
unit_id cu_id() { return calling().id; }

void synchronize() {
  const compute_unit& unit = calling();
  if (unit.kind == unit_kind::cpu) return;
  units().finish(unit);
  unit.dev->synchronize();
}

void* stream() { return calling().stream.native; }

}  // namespace yoke::cu
