#pragma once
/// Ranks of a node that see the same devices take them in turn. Pure.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <yoke/device_list.hpp>
#include <yoke/rank_of_process.hpp>
#include <yoke/settings.hpp>

namespace yoke::detail {

/// Positions in a list, which begins again behind its end.
struct device_run {
  int first = 0, n = 0;
};
/// What rank `me` of them takes of so many devices. `wanted`: GPU CUs of each rank; nullopt where nobody has
/// said. Behind each other as many as they want, where all have said; else equal parts, or one for several
/// ranks where there are fewer devices.
device_run run_of_devices(int n_devices, const std::vector<std::optional<int>>& wanted, std::size_t me);

/// The ranks that take devices beside this one.
class device_turns {
 public:
  /// Nobody else does.
  device_turns() = default;
  /// Those of `of.beside` that see the same. `cus` and `devices`: what this process was given in place of its
  /// variables, as all ranks then; null: nothing. Errors: config_error of parse_configuration for `cus`.
  device_turns(const rank_of_process& of, const sourced* cus, const sourced* devices);

  bool are_alone() const { return ranks_.size() < 2; }
  /// Those for this rank, in order.
  std::vector<device_request> taken(const std::vector<device_request>& all) const;
  /// What to say of that; empty but on rank 0, where nobody else takes any, and where there is one for each.
  std::string note(const std::vector<device_request>& all) const;

 private:
  device_run run(std::size_t n_devices, std::size_t place) const;
  bool are_too_few(const std::vector<device_request>& all) const;

  std::string node_;
  std::vector<int> ranks_;  ///< of the job
  std::vector<std::optional<int>> wanted_;
  std::size_t me_ = 0;
};

}  // namespace yoke::detail
