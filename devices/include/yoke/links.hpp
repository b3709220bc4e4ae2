// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What lies between the memories of a program: how copies go from each to each, and how fast they are.

#include <span>
#include <string_view>
#include <vector>

#include <yoke/device.hpp>
#include <yoke/ids.hpp>

namespace yoke {

/// "NVLink", "PCIe", "through host memory", ….
std::string_view name_of(link_kind kind);
/// What copies over such a link usually get; a first guess where nothing was measured. 0: none.
double usual_bandwidth(link_kind kind);

/// From one memory space to another. What both ways have in common is measured each way.
struct memory_link {
  space_id from = host_space;
  space_id to = host_space;
  link_kind kind = link_kind::through_host;
  double bandwidth = 0;  ///< bytes a second, measured; 0: was not asked for
};

/// All links of the memory spaces of some devices: 0 is the host, s the s-th of them.
class link_table {
 public:
  link_table() = default;
  /// Asks drivers; copies nothing.
  explicit link_table(std::span<device* const> devices);

  /// Every ordered pair of two spaces, by `from`, then `to`.
  std::span<const memory_link> all() const { return links_; }
  int n_spaces() const { return n_spaces_; }
  const memory_link& between(space_id from, space_id to) const;
  /// Whether copies go from the memory of one device into that of another without passing through the host.
  bool is_direct(space_id from, space_id to) const;
  /// What was measured, or else is usual.
  double bandwidth(space_id from, space_id to) const;

  /// Measures every link by a few copies, one link after the other, some milliseconds for each. `devices`: as
  /// the constructor got them; nothing else should run on them. Errors: device_error; out_of_memory where a
  /// device has no room for the copies.
  void measure(std::span<device* const> devices);

 private:
  int n_spaces_ = 1;
  std::vector<memory_link> links_;
};

}  // namespace yoke
