// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Who uses memory of the host, of all runtimes: a piece is a region or belongs to one array. What is in two
/// hands loses one of two updates.

#include <cstddef>
#include <functional>
#include <string>

#include <yoke/cpp20.hpp>

namespace yoke::detail {

/// Whether somebody uses bytes of [start, start + bytes): exact, as a section of an array may have gaps.
using shares_bytes = std::function<bool(const void* start, std::size_t bytes)>;

/// The name of a region, of any runtime that lives, with bytes of which `shares` is true; empty where there
/// is none.
std::string region_that_shares(const shares_bytes& shares);

/// While it lives, regions of its memory are refused, with its name.
class host_user {
 public:
  host_user(std::string name, shares_bytes shares);
  ~host_user();
  host_user(const host_user&) = delete;
  host_user& operator=(const host_user&) = delete;

 private:
  friend std::string name_of_host_user(const void* start, std::size_t bytes);
  const std::string name_;
  const shares_bytes shares_;
  host_user* next_ = nullptr;
};

/// Of one that uses bytes of the range; empty where there is none.
std::string name_of_host_user(const void* start, std::size_t bytes);

}  // namespace yoke::detail
