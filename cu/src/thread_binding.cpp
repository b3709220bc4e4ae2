#include <fmt/format.h>

#include <yoke/affinity.hpp>
#include <yoke/error.hpp>
#include <yoke/openmp.hpp>
#include <yoke/thread_binding.hpp>

namespace yoke {

namespace {

/// Regions after which an inner team that keeps its threads has none left to bind.
constexpr int tries = 3;

constinit std::atomic<bool> one_has_bound{false};
constinit std::atomic<int> bindings_made{0};
/// Grows whenever another binding than before has threads of the process.
constinit std::atomic<int> turns{0};
constinit std::atomic<int> binding_of_turn{0};
/// The turn in which this thread of an outer team was put where it belongs.
constinit thread_local int served_in = 0;

/// 1 where the calling thread had to be put there.
template <class Test>
int put_here(const place& cpus, const Test& is_right) noexcept {
  if (is_right(cpus)) return 0;
  static_cast<void>(bind_this_thread(cpus));
  return 1;
}

}  // namespace

bool thread_binding::has_bound() noexcept { return one_has_bound.load(std::memory_order_relaxed); }

thread_binding::thread_binding(const configuration& shape, bound_places where)
    : shape_{shape}, where_{std::move(where)}, number_{++bindings_made} {}

int thread_binding::inner_threads(int unit) const {
  return unit < shape_.cpu_units ? shape_.cpus_per_unit : 1;
}

template <class Test>
int thread_binding::put(int unit, const Test& is_right) const noexcept {
  const place& cpus = where_.places[static_cast<std::size_t>(unit)];
  int moved = put_here(cpus, is_right);
  if (inner_threads(unit) == 1 || (moved == 0 && !has_bound())) return moved;
#pragma omp parallel num_threads(inner_threads(unit)) reduction(+ : moved)
  moved += put_here(cpus, is_right);
  return moved;
}

int thread_binding::put_all() const {
  int moved = 0;
#pragma omp parallel num_threads(shape_.units()) reduction(+ : moved)
  // A team that is too small is refused by the first run, with the reason.
  moved += put(openmp::outer_thread(), is_bound_to);
  return moved;
}

void thread_binding::take_turn() noexcept {
  if (binding_of_turn.exchange(number_) != number_) ++turns;
}

void thread_binding::bind(const sourced& origin) {
  if (where_.by == bound_by::openmp) return;
  take_turn();
  one_has_bound = true;
  if (shape_.cpus_per_unit > 1) openmp::allow_levels(2);  // as OMP_PROC_BIND=close,master does
  const openmp::exact_teams exact{1};
  for (int i = 0; i < tries; ++i) put_all();
  if (put_all() == 0) return;
  throw config_error{
      fmt::format("{}: inner teams change their threads from one parallel region to the next, so that these "
                  "cannot be kept on the CPUs of their compute unit: OpenMP had started, and opened a "
                  "parallel region, before Yoke was loaded, or KMP_HOT_TEAMS_MAX_LEVEL is set to less than "
                  "2; set KMP_HOT_TEAMS_MAX_LEVEL=2 in the environment of the program",
                  origin.quoted())};
}

void thread_binding::check(int unit) noexcept {
  if (const int turn = turns.load(std::memory_order_relaxed); served_in != turn) {
    served_in = turn;
    static_cast<void>(put(unit, is_bound_to));
    return;
  }
  const int moved = put(unit, is_on);
  if (moved > 0) mended_.fetch_add(moved, std::memory_order_relaxed);
}

}  // namespace yoke
