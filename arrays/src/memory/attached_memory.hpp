#pragma once
/// Memory of the host to which arrays are attached, of all runtimes: each element belongs to one of them, or
/// to several that only read it.

#include "../context.hpp"
#include "host_section.hpp"

#include <cstddef>
#include <string>

#include <yoke/host_users.hpp>

namespace yoke::detail {

/// While it lives nobody else gets the elements: no array, and no region. Thread-safe.
class attached_memory {
 public:
  /// Errors: usage_error where an array of any runtime has some of the elements, or a region their bytes.
  /// `called`: the array, for messages.
  attached_memory(const host_section& section, const array_context& context, bool is_const,
                  std::string called);
  ~attached_memory();
  attached_memory(const attached_memory&) = delete;
  attached_memory& operator=(const attached_memory&) = delete;

 private:
  friend bool is_attached(const void* start, std::size_t bytes, bool to_read);
  void refuse_shared() const;

  const host_section section_;
  const bool is_const_;
  const std::string called_;
  const array_context& context_;
  host_user no_region_;
};

/// Whether an array, of any runtime, is attached to memory around some of these bytes, gaps of sections
/// included. Who will only read them shares them with arrays that only read, too.
bool is_attached(const void* start, std::size_t bytes, bool to_read);

}  // namespace yoke::detail
