#pragma once
/// Memory of an array's parts.

#include "../context.hpp"
#include "../shapes/layout.hpp"
#include "copy_boxes.hpp"

#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace yoke::detail {

struct free_memory {
  void operator()(std::byte* memory) const noexcept { std::free(memory); }
};

/// Elements in one memory: those of the units that use it, and beside them those of halos and edges.
struct store {
  std::vector<index_set> own{};   ///< elements of its units; no element is in two
  any_box held{};                 ///< indices that it has memory for, own ones among them
  frame at{};                     ///< first is null where there is no memory
  const gpu_unit* gpu = nullptr;  ///< null for the host
  bool is_const = false;          ///< of the host: all elements in memory that nobody writes
  bool is_home = true;            ///< false: others take these elements from another memory
  bool loaded = true;             ///< false: own elements are still where the contents come from
  key region = nullptr;           ///< of device memory
  /// Of the host, where it is not memory that an array is attached to.
  std::unique_ptr<std::byte, free_memory> memory{};

  bool has_elements() const { return !own.empty(); }
};

/// Of own elements; empty where there are none.
any_box hull_of(std::span<const index_set> own);
std::size_t bytes_of(const layout& shape, const any_box& held);
/// What a GPU CU has, as a store without memory.
store elements_of(const layout& shape, const gpu_unit& gpu);
/// Memory for the elements of a unit and what lies around them. Errors: out_of_memory.
/// `array`: what messages call the array, here and below. `everywhere`: for all elements.
store make_gpu_store(array_context& context, const layout& shape, const gpu_unit& gpu,
                     const std::string& array, bool everywhere = false);
/// Zeros. Errors: out_of_memory.
store make_host_store(const array_context& context, const layout& shape, const std::string& array,
                      bool everywhere = false);
void free_stores(array_context& context, std::span<store> stores) noexcept;

}  // namespace yoke::detail
