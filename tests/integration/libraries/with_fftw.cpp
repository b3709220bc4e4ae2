// A program that transforms by FFTW in the tasks of a run.
//   with_fftw CUS PLANNED THREADS [team]    PLANNED: threads of its plan; THREADS: of each unit in the end;
//                                           team: the library has those of the unit's own team
#include "census.hpp"

#include <atomic>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <fftw3.h>
#include <numbers>
#include <string_view>

namespace {

constexpr int size = 128;

using grid = std::vector<std::complex<double>>;

fftw_complex* raw(grid& of) { return reinterpret_cast<fftw_complex*>(of.data()); }

/// Of a single one at (row, 1) the transform is a wave.
bool is_wave(const grid& of, int row) {
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const auto wanted = std::polar(1.0, -2 * std::numbers::pi * (row * y + x) / size);
      if (std::abs(of[static_cast<std::size_t>(y * size + x)] - wanted) > 1e-12) return false;
    }
  return true;
}

bool transform(const fftw_plan& plan, int task) {
  grid in(size * size), out(size * size);
  in[static_cast<std::size_t>(task * size + 1)] = 1;
  fftw_execute_dft(plan, raw(in), raw(out));
  return is_wave(out, task);
}

void on_team_of_unit(void* (*work)(char*), char* jobs, std::size_t bytes, int n_jobs, void* /*data*/) {
  const int threads = yoke::cu::n_inner_cpus();
#pragma omp parallel for num_threads(threads)
  for (int job = 0; job < n_jobs; ++job) work(jobs + static_cast<std::size_t>(job) * bytes);
}

}  // namespace

int main(int argc, char** argv) {
  yoke::runtime rt{argv[1]};
  fftw_init_threads();
  if (argc > 4 && argv[4] == std::string_view{"team"}) fftw_threads_set_callback(on_team_of_unit, nullptr);
  fftw_plan_with_nthreads(std::atoi(argv[2]));
  grid in(size * size), out(size * size);
  fftw_plan plan =
      fftw_plan_dft_2d(size, size, raw(in), raw(out), FFTW_FORWARD, FFTW_ESTIMATE | FFTW_UNALIGNED);
  auto loop = rt.make_loop("static", {.n_tasks = 8});
  std::atomic<int> wrong{0};
  rt.run(loop, [&](std::span<const yoke::task_id> batch) {
    for (const yoke::task_id task : batch)
      if (!transform(plan, task)) ++wrong;
  });
  std::printf("%d of 8 transforms are wrong\n", wrong.load());
  const bool right = census::all_in_units(rt.units(), std::atoi(argv[3])) && wrong == 0;
  fftw_destroy_plan(plan);
  fftw_cleanup_threads();
  return right ? 0 : 1;
}
