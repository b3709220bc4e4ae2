#pragma once
/// Memory of an array's parts.

#include "context.hpp"
#include "layout.hpp"

#include <cstdlib>
#include <memory>
#include <span>

namespace yoke::detail {

struct free_memory {
  void operator()(std::byte* memory) const noexcept { std::free(memory); }
};

/// Rows in one memory: those of the units that use it, and beside them room for halos and edges.
struct store {
  bound own{};                    ///< rows whose home this is
  bound room{};                   ///< rows that fit, own ones among them
  std::byte* first = nullptr;     ///< of room.begin, pads included; null where there is no room
  const gpu_unit* gpu = nullptr;  ///< null for the host
  bool loaded = true;             ///< false: own rows are still where the contents come from
  key region = nullptr;           ///< of device memory
  /// Of the host, where it is not memory that an array is attached to.
  std::unique_ptr<std::byte, free_memory> memory{};

  bool has_rows() const { return own.size() > 0; }
};

std::size_t bytes_of(const layout& shape, bound rows);
/// Memory for the rows of a unit and what lies around them. Errors: out_of_memory.
store make_gpu_store(array_context& context, const layout& shape, const gpu_unit& gpu);
/// Zeros. Errors: out_of_memory.
store make_host_store(const array_context& context, const layout& shape);
/// Rows of the host's units.
bound host_rows(const array_context& context, const layout& shape);
/// Rows of a memory whose own rows are `own`: those that have elements or an edge's value.
bound room_for(const layout& shape, bound own);
void free_stores(array_context& context, std::span<store> stores) noexcept;

}  // namespace yoke::detail
