#include "host_section.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include <yoke/array.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

host_section::host_section(const array_shape& shape, const user_memory& memory)
    : first_{static_cast<std::byte*>(memory.first)}, run_{static_cast<std::int64_t>(shape.element)} {
  int d = 3;
  for (; d >= 0; --d) {
    const auto at = static_cast<std::size_t>(d);
    const std::int64_t stride = memory.strides[at] * static_cast<std::int64_t>(shape.element);
    if (shape.extents[at] != 1 && stride != run_) break;
    run_ *= shape.extents[at];
  }
  outer_ = d + 1;
  for (d = 0; d < outer_; ++d) {
    const auto at = static_cast<std::size_t>(d);
    extents_[d] = shape.extents[at];
    strides_[d] = memory.strides[at] * static_cast<std::int64_t>(shape.element);
  }
  if (std::ranges::count(shape.extents, 0) > 0) run_ = 0;
}

std::size_t host_section::span() const {
  std::int64_t last = run_;
  for (int d = 0; d < outer_ && !empty(); ++d) last += (extents_[d] - 1) * strides_[d];
  return static_cast<std::size_t>(last);
}

std::size_t host_section::bytes() const {
  std::int64_t all = run_;
  for (int d = 0; d < outer_; ++d) all *= extents_[d];
  return static_cast<std::size_t>(all);
}

template <class Visit>
void host_section::for_each_run(const Visit& visit) const {
  if (empty()) return;
  std::int64_t at[4]{};
  for (;;) {
    std::int64_t offset = 0;
    for (int d = 0; d < outer_; ++d) offset += at[d] * strides_[d];
    visit(first_ + offset);
    int d = outer_ - 1;
    while (d >= 0 && ++at[d] == extents_[d]) at[d--] = 0;
    if (d < 0) return;
  }
}

void host_section::pack(std::byte* to) const {
  const auto bytes = static_cast<std::size_t>(run_);
  for_each_run([&](const std::byte* run) {
    std::memcpy(to, run, bytes);
    to += bytes;
  });
}

void host_section::unpack(const std::byte* from) const {
  const auto bytes = static_cast<std::size_t>(run_);
  for_each_run([&](std::byte* run) {
    std::memcpy(run, from, bytes);
    from += bytes;
  });
}

std::uint64_t host_section::checksum() const {
  // Odd, so that no word is lost in a product; the shift takes high bits, signs among them, to the low ones.
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
  std::uint64_t sum = 0;
  const auto add = [&](const std::byte* word, std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, word, bytes);
    sum = (sum ^ value) * factor;
    sum ^= sum >> 32;
  };
  const auto bytes = static_cast<std::size_t>(run_);
  for_each_run([&](const std::byte* run) {
    std::size_t at = 0;
    for (; at + sizeof sum <= bytes; at += sizeof sum) add(run + at, sizeof sum);
    if (at < bytes) add(run + at, bytes - at);
  });
  return sum;
}

std::optional<std::int64_t> host_section::run_behind(std::int64_t offset, int d) const {
  if (d == outer_) return run_ > offset ? std::optional<std::int64_t>{0} : std::nullopt;
  const std::int64_t i = std::clamp<std::int64_t>(offset / strides_[d], 0, extents_[d] - 1);
  if (const auto within = run_behind(offset - i * strides_[d], d + 1)) return i * strides_[d] + *within;
  if (i + 1 == extents_[d]) return std::nullopt;
  return (i + 1) * strides_[d];
}

std::optional<std::uintptr_t> host_section::run_behind(std::uintptr_t address) const {
  const auto first = reinterpret_cast<std::uintptr_t>(first_);
  const std::int64_t offset = address > first ? static_cast<std::int64_t>(address - first) : 0;
  const auto found = run_behind(offset, 0);
  if (!found) return std::nullopt;
  return first + static_cast<std::uintptr_t>(*found);
}

// Run after run of either, each the first that ends behind where the other one begins.
bool host_section::shares_elements_with(const host_section& other) const {
  if (empty() || other.empty()) return false;
  std::uintptr_t from = 0;
  for (;;) {
    const auto mine = run_behind(from);
    const auto others = mine ? other.run_behind(*mine) : std::nullopt;
    if (!others) return false;
    if (*others < *mine + static_cast<std::uintptr_t>(run_)) return true;
    from = *others;
  }
}

bool host_section::has_bytes_of(const void* start, std::size_t bytes) const {
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  const auto found = empty() ? std::nullopt : run_behind(first);
  return found && *found < first + bytes;
}

memory_section section_of(std::size_t elements, std::size_t element, int dimensions,
                          const std::int64_t* extents, const bound* sides, const std::int64_t* steps) {
  memory_section made{.dimensions = dimensions};
  const std::span all{extents, static_cast<std::size_t>(dimensions)};
  const std::size_t wanted = elements_of("attach: memory", all, element);
  std::int64_t stride = 1;
  for (int d = dimensions - 1; d >= 0; --d) {
    const auto at = static_cast<std::size_t>(d);
    if (extents[d] < 0 || sides[d].begin < 0 || sides[d].end > extents[d])
      throw usage_error{fmt::format(
          "attach: the section has the indices [{}, {}) in dimension {} of memory that has [0, {}) there",
          sides[d].begin, sides[d].end, d, extents[d])};
    const std::int64_t step = steps == nullptr ? 1 : steps[d];
    if (step < 1) throw usage_error{fmt::format("attach: a step of {} in dimension {}; 1 or more", step, d)};
    made.extents[at] = sides[d].size() == 0 ? 0 : (sides[d].size() - 1) / step + 1;
    made.strides[at] = made.extents[at] > 1 ? stride * step : stride;  // a step may lead far out
    made.first += sides[d].begin * stride;
    stride *= extents[d];
  }
  check_attached(elements, wanted);
  return made;
}

void check_section(const memory_section& of, const array_shape& shape) {
  if (of.dimensions != shape.dimensions)
    throw usage_error{fmt::format("attach: a section of {} dimensions for an array of {}", of.dimensions,
                                  shape.dimensions)};
  for (int d = 0; d < of.dimensions; ++d) {
    const auto at = static_cast<std::size_t>(d);
    if (of.extents[at] == shape.extents[at]) continue;
    throw usage_error{fmt::format(
        "attach: a section with {} elements in dimension {} for an array with {}; both have the same number",
        of.extents[at], d, shape.extents[at])};
  }
}

}  // namespace yoke::detail
