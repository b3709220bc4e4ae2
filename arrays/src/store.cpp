#include "store.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// Zeros that cost nothing until they are touched; where a cache line begins. Nothing where there is no
/// memory.
void make_zeros(store& in, bound room, std::size_t row_bytes) {
  constexpr std::size_t line = 64;
  const std::size_t bytes = row_bytes * static_cast<std::size_t>(room.size());
  in.room = room;
  if (bytes == 0) return;
  in.memory.reset(static_cast<std::byte*>(std::calloc(bytes + line, 1)));
  if (in.memory == nullptr) return;
  void* first = in.memory.get();
  std::size_t left = bytes + line;
  in.first = static_cast<std::byte*>(std::align(line, bytes, first, left));
}

}  // namespace

std::size_t bytes_of(const layout& shape, bound rows) {
  return shape.row_bytes() * static_cast<std::size_t>(rows.size());
}

bound room_for(const layout& shape, bound own) {
  if (own.size() == 0) return {own.begin, own.begin};
  const dimension& rows = shape[0];
  return {std::max(own.begin - rows.low, -rows.pad_low()),
          std::min(own.end + rows.high, rows.extent + rows.pad_high())};
}

bound host_rows(const array_context& context, const layout& shape) {
  const int n = context.n_cpu_units;
  return n == 0 ? bound{} : bound{shape.rows_of(0).begin, shape.rows_of(n - 1).end};
}

store make_gpu_store(array_context& context, const layout& shape, const gpu_unit& gpu) {
  store part;
  part.gpu = &gpu;
  part.own = shape.rows_of(gpu.unit);
  part.room = room_for(shape, part.own);
  part.loaded = false;
  const std::size_t bytes = bytes_of(shape, part.room);
  if (bytes == 0) return part;
  region_table& memory = context.rt().memory();
  part.region = memory.reserve(bytes);
  try {
    memory.migrate(part.region, gpu.space);
    part.first = static_cast<std::byte*>(memory.mem_addr(part.region, gpu.space));
  } catch (...) {
    free_stores(context, {&part, 1});
    throw;
  }
  return part;
}

// Where cuts move, the host has room for all rows if it can: what is not touched takes no memory.
store make_host_store(const array_context& context, const layout& shape) {
  store host;
  if (context.n_cpu_units == 0) return host;
  host.own = host_rows(context, shape);
  if (shape.balanced) make_zeros(host, room_for(shape, {0, shape[0].extent}), shape.row_bytes());
  if (host.first == nullptr) make_zeros(host, room_for(shape, host.own), shape.row_bytes());
  if (const std::size_t bytes = bytes_of(shape, host.room); host.first == nullptr && bytes > 0)
    throw out_of_memory{fmt::format("an array needs {} bytes of host memory, which there are not", bytes),
                        bytes, 0};
  return host;
}

void free_stores(array_context& context, std::span<store> stores) noexcept {
  for (store& part : stores) {
    if (part.region == nullptr) continue;
    try {
      context.rt().memory().unregister_mem(part.region);
    } catch (...) {  // NOLINT(bugprone-empty-catch): the memory ends with the runtime
    }
    part.region = nullptr;
  }
}

}  // namespace yoke::detail
