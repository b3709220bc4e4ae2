// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which of several ranks this process is, and which others are on its node: they share CPUs and devices.

#include <string>
#include <vector>

#include <yoke/cpp20.hpp>

namespace yoke {

/// What a rank of this node says of itself.
struct rank_beside {
  int rank = 0;
  std::string cus{};      ///< its YOKE_CUS
  std::string devices{};  ///< its YOKE_DEVICES
  std::string visible{};  ///< what its drivers show it: equal texts are equal devices
};

struct rank_of_process {
  int rank = 0, size = 1;
  std::string node{};                 ///< its name
  std::vector<rank_beside> beside{};  ///< all ranks of the node, this one too, by rank; empty where alone
};

/// Alone, where nobody has said otherwise.
const rank_of_process& this_rank();
/// Before there is a runtime.
void set_this_rank(rank_of_process to);

}  // namespace yoke
