#include "memory_speeds.hpp"

#include "contents.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include <yoke/clock.hpp>
#include <yoke/launch.hpp>

namespace yoke::detail {

namespace {

using scheduling::measured_time;
using scheduling::performance_function;
using scheduling::performance_point;

constexpr std::int64_t sizes[]{64 << 10, 1 << 20, 16 << 20};
constexpr std::int64_t largest = 16 << 20;
constexpr std::int64_t piece = 4096;
constexpr int least_samples = 3, most_samples = 12;

/// Half of it is copied into the other half.
struct memory_of_unit {
  std::unique_ptr<std::byte, free_memory> host;
  std::byte* device = nullptr;
};

struct copy_arguments {
  std::byte* to;
  const std::byte* from;
};

/// Items are pieces.
void copy_pieces(const void* arguments, const item_range& pieces) {
  const auto& of = *static_cast<const copy_arguments*>(arguments);
  const std::int64_t first = pieces.first_x * piece, bytes = (pieces.last_x - pieces.first_x) * piece;
  if (bytes > 0) std::memcpy(of.to + first, of.from + first, static_cast<std::size_t>(bytes));
}

/// Counts as `bytes` read or written.
void copy_on_cpus(const memory_of_unit& memory, std::int64_t bytes) {
  const copy_arguments halves{memory.host.get() + largest / 2, memory.host.get()};
  kernel_call call{.name = "copy", .items = {.x = bytes / 2 / piece}};
  call.host_entry = &copy_pieces;
  call.arguments = &halves;
  call.argument_bytes = sizeof halves;
  run_on_calling_unit(call);
}

void copy_on_gpu(const gpu_unit& gpu, const memory_of_unit& memory, std::int64_t bytes) {
  queue_copy(&gpu, &gpu,
             {.to = memory.device + largest / 2,
              .from = memory.device,
              .bytes = static_cast<std::size_t>(bytes / 2)});
  gpu.dev->synchronize(gpu.stream);
}

/// All units at once.
std::vector<seconds> sample(array_context& context, const std::vector<memory_of_unit>& memory,
                            std::int64_t bytes) {
  std::vector<seconds> times(memory.size());
  context.rt().each_unit([&](unit_id unit) {
    const auto u = static_cast<std::size_t>(int{unit});
    const ticks from = now();
    if (unit < context.n_cpu_units) {
      copy_on_cpus(memory[u], bytes);
    } else {
      copy_on_gpu(context.gpus[u - static_cast<std::size_t>(context.n_cpu_units)], memory[u], bytes);
    }
    times[u] = elapsed(from, now());
  });
  return times;
}

std::vector<measured_time> measure(array_context& context, const std::vector<memory_of_unit>& memory,
                                   std::int64_t bytes) {
  std::vector<measured_time> all(memory.size());
  static_cast<void>(sample(context, memory, bytes));  // touches the memory
  for (int n = 0; n < most_samples; ++n) {
    if (n >= least_samples && std::ranges::all_of(all, &measured_time::is_precise)) break;
    const std::vector<seconds> times = sample(context, memory, bytes);
    for (std::size_t u = 0; u < all.size(); ++u) all[u].add(times[u]);
  }
  return all;
}

std::vector<memory_of_unit> memory_for(array_context& context) {
  std::vector<memory_of_unit> all(static_cast<std::size_t>(context.n_units()));
  const auto n_cpus = static_cast<std::size_t>(context.n_cpu_units);
  for (std::size_t u = 0; u < all.size(); ++u) {
    if (u < n_cpus) {
      all[u].host.reset(static_cast<std::byte*>(std::calloc(static_cast<std::size_t>(largest), 1)));
      if (all[u].host == nullptr) throw std::bad_alloc{};
    } else {
      all[u].device = static_cast<std::byte*>(context.scratch(u - n_cpus, static_cast<std::size_t>(largest)));
    }
  }
  return all;
}

}  // namespace

std::vector<performance_function> measure_memory(array_context& context) {
  const std::vector<memory_of_unit> memory = memory_for(context);
  std::vector<std::vector<performance_point>> points(memory.size());
  for (const std::int64_t bytes : sizes) {
    const std::vector<measured_time> times = measure(context, memory, bytes);
    for (std::size_t u = 0; u < times.size(); ++u) points[u].push_back({bytes, times[u].mean()});
  }
  std::vector<performance_function> functions;
  for (std::vector<performance_point>& each : points) functions.emplace_back(std::move(each));
  return functions;
}

}  // namespace yoke::detail
