/// Chunk sizes compared with those that libomp itself hands out.

#include "driver.hpp"

#include <omp.h>

// libomp's entry points for the loops that the compiler generates.
extern "C" {
struct ident_t;
int kmp_thread_num(ident_t*) asm("__kmpc_global_thread_num");
void kmp_dispatch_init(ident_t*, int thread, int schedule, int lower, int upper, int stride,
                       int chunk) asm("__kmpc_dispatch_init_4");
int kmp_dispatch_next(ident_t*, int thread, int* last, int* lower, int* upper,
                      int* stride) asm("__kmpc_dispatch_next_4");
}

using namespace driver;

namespace {

// Monotonic: libomp's plain "dynamic" deals the loop out beforehand and steals, in an order of its own.
constexpr int kmp_dynamic_chunked = 35 | 1 << 29;
constexpr int kmp_guided_chunked = 36;

/// Sizes of the batches in task order. Who takes a chunk does not change its size, so one thread takes all.
std::vector<int> sizes_by_libomp(int schedule, int n, int team, int chunk) {
  std::vector<int> sizes;
#pragma omp parallel num_threads(team)
  {
    const int thread = kmp_thread_num(nullptr);
    kmp_dispatch_init(nullptr, thread, schedule, 0, n - 1, 1, chunk);
    int last = 0, lower = 0, upper = 0, stride = 0;
#pragma omp critical(collect)
    while (kmp_dispatch_next(nullptr, thread, &last, &lower, &upper, &stride))
      sizes.push_back(upper - lower + 1);
  }
  return sizes;
}

std::vector<int> sizes_by_yoke(const std::string& spec, int n, const std::vector<unit>& units) {
  const auto plan = scheduling::make(spec, workload{.n_tasks = n}, units);
  std::vector<int> sizes;
  for (;;) {
    const auto batch = plan->next(unit_id{static_cast<int>(sizes.size() % units.size())}, 0);
    if (batch.empty()) return sizes;
    sizes.push_back(static_cast<int>(batch.size()));
  }
}

void compare(const std::string& name, int kmp_schedule, std::initializer_list<int> teams) {
  for (const int team : teams)
    for (const int chunk : {1, 2, 5})
      for (const int n : {1, 2, 9, 10, 24, 63, 64, 100, 1000, 4096}) {
        const std::string spec = name + ",chunk=" + std::to_string(chunk);
        CAPTURE(spec, n, team);
        const std::vector<int> expected = sizes_by_libomp(kmp_schedule, n, team, chunk);
        const bool same_on_cpus = sizes_by_yoke(spec, n, make_units(team, 0)) == expected;
        CHECK(same_on_cpus);
        const bool same_with_gpu =
            sizes_by_yoke(spec + ",gpu_chunk=chunk", n, make_units(team - 1, 1)) == expected;
        CHECK(same_with_gpu);
      }
}

}  // namespace

TEST_CASE("guided hands out the batches of libomp's schedule(guided, chunk)", "[scheduling][openmp]") {
  compare("guided", kmp_guided_chunked, {1, 2, 3, 4, 7});
}

TEST_CASE("dynamic hands out the batches of libomp's schedule(monotonic: dynamic, chunk)",
          "[scheduling][openmp]") {
  // In a team of one libomp gives the whole loop at once; then nobody is there to share it with.
  compare("dynamic", kmp_dynamic_chunked, {2, 3, 4, 7});
}

TEST_CASE("static gives each unit the tasks that libomp's schedule(static) gives that thread",
          "[scheduling][openmp]") {
  for (const int team : {1, 2, 3, 5, 8})
    for (const int n : {0, 1, 2, 3, 7, 8, 9, 16, 31, 100, 257}) {
      std::vector<int> by_libomp(static_cast<std::size_t>(n), -1);
      int team_size = 0;
#pragma omp parallel num_threads(team)
      {
#pragma omp single
        team_size = omp_get_num_threads();
#pragma omp for schedule(static)
        for (int i = 0; i < n; ++i) by_libomp[static_cast<std::size_t>(i)] = omp_get_thread_num();
      }
      REQUIRE(team_size == team);
      const std::vector<unit_id> map =
          settled_map(*scheduling::make("static", workload{.n_tasks = n}, make_units(team, 0)));
      CAPTURE(n, team);
      CHECK(std::equal(map.begin(), map.end(), by_libomp.begin(), by_libomp.end()));
    }
}
