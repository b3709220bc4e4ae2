// Finding a region by its key.
#include "bench.hpp"

#include <cstddef>
#include <memory>
#include <random>
#include <vector>

namespace {

/// Regions of 4 kB, asked for in an order that no prefetcher guesses.
class some_regions {
 public:
  explicit some_regions(int n) : memory_(static_cast<std::size_t>(n) * bytes) {
    for (int i = 0; i < n; ++i) {
      keys_.push_back(memory_.data() + static_cast<std::size_t>(i) * bytes);
      yoke::placement::register_mem(keys_.back(), bytes);
    }
    std::shuffle(keys_.begin(), keys_.end(), std::mt19937{1});
  }
  ~some_regions() {
    for (const yoke::key key : keys_) yoke::placement::unregister_mem(key);
  }
  some_regions(const some_regions&) = delete;
  some_regions& operator=(const some_regions&) = delete;

  yoke::key next() {
    if (++at_ == keys_.size()) at_ = 0;
    return keys_[at_];
  }

 private:
  static constexpr std::size_t bytes = 4096;
  std::vector<std::byte> memory_;
  std::vector<yoke::key> keys_;
  std::size_t at_ = 0;
};

void placement_of(benchmark::State& state, yoke::runtime& rt) {
  rt.make_current();
  some_regions regions{static_cast<int>(state.range(0))};
  for (auto _ : state) benchmark::DoNotOptimize(yoke::placement::placement_of(regions.next()));
}

void mem_addr(benchmark::State& state, yoke::runtime& rt) {
  rt.make_current();
  some_regions regions{static_cast<int>(state.range(0))};
  for (auto _ : state) benchmark::DoNotOptimize(yoke::placement::mem_addr(regions.next(), yoke::host_space));
}

void migrate_where_it_is(benchmark::State& state, yoke::runtime& rt) {
  rt.make_current();
  some_regions regions{static_cast<int>(state.range(0))};
  for (auto _ : state) yoke::placement::migrate(regions.next(), yoke::host_space);
}

void calling_cu(benchmark::State& state, yoke::runtime& rt) {
  rt.make_current();
  for (auto _ : state) benchmark::DoNotOptimize(yoke::cu::cu_id());
}

}  // namespace

void bench::add_lookup_costs(yoke::runtime& rt) {
  const auto add = [&rt](const char* name, void (*work)(benchmark::State&, yoke::runtime&)) {
    return benchmark::RegisterBenchmark(name, [=, &rt](benchmark::State& state) { work(state, rt); });
  };
  add("placement_of", placement_of)->ArgName("regions")->Arg(16)->Arg(256)->Arg(4096);
  add("mem_addr", mem_addr)->ArgName("regions")->Arg(16)->Arg(256)->Arg(4096);
  add("migrate_where_it_is", migrate_where_it_is)->ArgName("regions")->Arg(256);
  add("calling_cu", calling_cu);
}
