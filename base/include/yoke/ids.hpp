// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Identifiers of compute units, memory spaces and tasks. Each is a type of its own: built from an int only
/// explicitly, read as an int implicitly, and never turned into another kind of identifier.

#include <compare>
#include <cstdint>
#include <functional>

#include <yoke/cpp20.hpp>

namespace yoke {

/// An int with a kind. The default, -1, is no unit, space or task. Ordered and hashed as its number.
template <class Tag>
class id {
 public:
  constexpr id() = default;
  constexpr explicit id(int value) : value_{value} {}
  template <class Other>
  id(id<Other>) = delete;

  constexpr operator int() const { return value_; }
  friend constexpr bool operator==(id a, id b) { return a.value_ == b.value_; }
  friend constexpr auto operator<=>(id a, id b) { return a.value_ <=> b.value_; }

 private:
  int value_ = -1;
};

/// A compute unit: 0..N-1 are the CPU CUs, N..N+G-1 the GPU CUs; equal to the OpenMP thread number of the
/// outer team.
using unit_id = id<struct unit_tag>;
/// A memory space: 0 is the host, 1 + position of the device among those of YOKE_DEVICES a device memory,
/// which slices of the device share.
using space_id = id<struct space_tag>;
/// A task of a loop, 0..n-1.
using task_id = id<struct task_tag>;

/// What a CU gets that has no more to do in a pass.
inline constexpr task_id no_task{-1};
/// The host's memory, which all CPU CUs use.
inline constexpr space_id host_space{0};

/// Number of a pass over all tasks, counted from 0 by each loop.
using pass_id = std::int64_t;

/// A time span in seconds.
using seconds = double;

/// What a compute unit computes with: its CPUs, or a device that one of them manages.
enum class unit_kind { cpu, gpu };

}  // namespace yoke

template <class Tag>
struct std::hash<yoke::id<Tag>> {
  std::size_t operator()(yoke::id<Tag> value) const noexcept {
    return std::hash<int>{}(static_cast<int>(value));
  }
};
