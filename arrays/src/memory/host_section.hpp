#pragma once
/// Elements of the host's memory to which an array is attached: all of it, or a section with gaps.

#include <cstddef>
#include <cstdint>
#include <optional>

#include <yoke/detail/array_handle.hpp>

namespace yoke::detail {

/// A section as runs of bytes without gaps. Each dimension's stride is longer than what lies within it.
class host_section {
 public:
  /// No elements.
  host_section() = default;
  host_section(const array_shape& shape, const user_memory& memory);

  bool has_gaps() const { return outer_ > 0 && !empty(); }
  bool empty() const { return run_ == 0; }
  std::byte* first() const { return first_; }
  /// From the first element to the last one.
  std::size_t span() const;
  std::size_t bytes() const;  ///< of its elements

  void pack(std::byte* to) const;
  void unpack(const std::byte* from) const;
  bool shares_elements_with(const host_section& other) const;
  /// Whether bytes of elements lie in [start, start + bytes).
  bool has_bytes_of(const void* start, std::size_t bytes) const;
  /// Of the bytes of its elements: another one when one of them has changed, for all that chance allows.
  std::uint64_t checksum() const;

 private:
  /// The first run that ends behind an address, which may lie before the section.
  std::optional<std::uintptr_t> run_behind(std::uintptr_t address) const;
  std::optional<std::int64_t> run_behind(std::int64_t offset, int dimension) const;
  template <class Visit>
  void for_each_run(const Visit& visit) const;

  std::byte* first_ = nullptr;
  std::int64_t run_ = 0;  ///< bytes
  int outer_ = 0;         ///< dimensions of runs
  std::int64_t extents_[4]{};
  std::int64_t strides_[4]{};  ///< bytes
};

}  // namespace yoke::detail
