#pragma once
/// Memory of the host to which arrays are attached, of all runtimes: each element belongs to one of them.

#include "../context.hpp"
#include "host_section.hpp"

#include <cstddef>

#include <yoke/host_users.hpp>

namespace yoke::detail {

/// While it lives nobody else gets the elements: no array, and no region. Thread-safe.
class attached_memory {
 public:
  /// Errors: usage_error where an array of any runtime has some of the elements, or a region their bytes.
  attached_memory(const host_section& section, const array_context& context);
  ~attached_memory();
  attached_memory(const attached_memory&) = delete;
  attached_memory& operator=(const attached_memory&) = delete;

 private:
  friend bool is_attached(const void* start, std::size_t bytes);
  void refuse_shared() const;

  const host_section section_;
  const array_context& context_;
  host_user no_region_;
};

/// Whether an array, of any runtime, is attached to memory around some of these bytes, gaps of sections
/// included.
bool is_attached(const void* start, std::size_t bytes);

}  // namespace yoke::detail
