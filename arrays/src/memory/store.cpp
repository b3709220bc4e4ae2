#include "store.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// Zeros that cost nothing until they are touched; where a cache line begins. Nothing where there is no
/// memory.
void make_zeros(store& in, const layout& shape, const any_box& held) {
  constexpr std::size_t line = 64;
  const std::size_t bytes = bytes_of(shape, held);
  in.held = held;
  in.at = frame_of(nullptr, held);
  if (bytes == 0) return;
  in.memory.reset(static_cast<std::byte*>(std::calloc(bytes + line, 1)));
  if (in.memory == nullptr) return;
  void* first = in.memory.get();
  std::size_t left = bytes + line;
  in.at.first = static_cast<std::byte*>(std::align(line, bytes, first, left));
}

bool is_a_box(std::span<const index_set> own) { return own.empty() || (own.size() == 1 && own[0].is_box()); }

}  // namespace

any_box hull_of(std::span<const index_set> own) {
  any_box hull;
  for (bound& side : hull.sides) side = {};
  if (own.empty()) return hull;
  hull = own[0].hull();
  for (const index_set& each : own)
    for (int d = 0; d < 4; ++d) {
      const bound side = each[d].hull();
      hull[d] = {std::min(hull[d].begin, side.begin), std::max(hull[d].end, side.end)};
    }
  return hull;
}

std::size_t bytes_of(const layout& shape, const any_box& held) {
  std::size_t bytes = shape.element;
  for (const bound& side : held.sides) bytes *= static_cast<std::size_t>(side.size());
  return bytes;
}

store elements_of(const layout& shape, const gpu_unit& gpu) {
  store part{.gpu = &gpu};
  if (!shape.has_elements(gpu.unit)) return part;
  part.own = {shape.part_of(gpu.unit)};
  part.is_home = shape.home_of(gpu.unit) == gpu.unit;
  return part;
}

store make_gpu_store(array_context& context, const layout& shape, const gpu_unit& gpu,
                     const std::string& array, bool everywhere) {
  store part = elements_of(shape, gpu);
  part.held = box_held_for(shape, everywhere ? shape.all() : hull_of(part.own));
  part.at = frame_of(nullptr, part.held);
  part.loaded = false;
  const std::size_t bytes = bytes_of(shape, part.held);
  if (bytes == 0) return part;
  region_table& memory = context.rt().memory();
  part.region = memory.reserve(
      bytes, {.purpose = fmt::format("what unit {} has of {}{}", gpu.unit, array,
                                     everywhere ? ", which is read everywhere" : ""),
              .advice = everywhere ? "end arrays that are not needed"
                                   : "give the unit fewer rows (dist::weighted), or end arrays that are not "
                                     "needed"});
  try {
    memory.migrate(part.region, gpu.space);
    part.at.first = static_cast<std::byte*>(memory.mem_addr(part.region, gpu.space));
  } catch (...) {
    free_stores(context, {&part, 1});
    throw;
  }
  return part;
}

// Where cuts move, or the host has elements here and there, it has room for all if it can: what is not
// touched takes no memory.
store make_host_store(const array_context& context, const layout& shape, const std::string& array,
                      bool everywhere) {
  store host;
  if (context.n_cpu_units == 0) return host;
  host.own = host_elements(shape);
  const any_box least = box_held_for(shape, everywhere ? shape.all() : hull_of(host.own));
  if (shape.balanced >= 0 || !is_a_box(host.own)) make_zeros(host, shape, box_held_for(shape, shape.all()));
  if (host.at.first == nullptr) make_zeros(host, shape, least);
  if (const std::size_t bytes = bytes_of(shape, host.held); host.at.first == nullptr && bytes > 0)
    throw out_of_memory{
        fmt::format(
            "{} needs {} bytes of host memory, which are not available; give GPU CUs more of its rows "
            "(dist::weighted), or end arrays that are not needed",
            array, bytes),
        bytes, 0};
  return host;
}

void free_stores(array_context& context, std::span<store> stores) noexcept {
  for (store& part : stores) context.give_back(std::exchange(part.region, nullptr));
}

}  // namespace yoke::detail
