#pragma once
/// Ranks that a launcher of MPI has started on this node, where each of them runs the same command of `yoke`:
/// they tell each other what they have.

#include "surroundings.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <yoke/clock.hpp>

namespace tools {

/// What a launcher says of this process.
struct launch {
  int rank = 0;
  int place = 0;      ///< among the ranks of the node
  int n_of_node = 1;  ///< as many are there
  std::string job{};  ///< the same for all of them, and for no others of the node
};
/// `parent`: of this process, and of no other. Nothing where no launcher has started several ranks here.
std::optional<launch> launch_in(const std::map<std::string, std::string>& variables,
                                const std::string& parent);

/// All of the node, by place, when each has called it with the same folder; none of them where one has not
/// come within `patience`. Leaves nothing behind.
std::vector<rank_mate> meet(const launch& of, const rank_mate& mine, const std::filesystem::path& folder,
                            yoke::seconds patience);

/// Puts `mates` and `place` into `around`, in `command`, by a configuration and devices as options, or as the
/// environment has them.
void meet_ranks(surroundings& around, const char* command, const std::string& cus,
                const std::string& devices);

/// One line each of what ranks do to each other, for the first of the node; empty for the others.
std::vector<std::string> notes_on_ranks(const char* command, const std::string& cus,
                                        const std::string& devices, std::optional<launch>& me);

}  // namespace tools
