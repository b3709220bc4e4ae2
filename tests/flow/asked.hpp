#pragma once
/// A dispatcher with lanes of all kinds, asked step by step.

#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <yoke/dispatcher.hpp>

namespace flow_tests {

using yoke::space_id;
using yoke::flow::argument;
using yoke::flow::dispatcher;
using yoke::flow::lane;
using yoke::flow::lane_id;
using yoke::flow::role;
using yoke::flow::work_ptr;
using yoke::versions::piece;
using yoke::versions::state;

inline constexpr lane_id seat{0}, gpu{1}, beside{2}, other_gpu{3}, foreign{4};

/// A host with a seat; a GPU with two queues, another one with one, and one of another backend. What is
/// brought goes on the first lane of the GPU that it goes to or comes from; between backends it goes through
/// the host.
struct node {
  yoke::versions::table table{4};
  dispatcher all{table,
                 {{lane::kind::seat, space_id{0}},
                  {lane::kind::queue, space_id{1}},
                  {lane::kind::queue, space_id{1}},
                  {lane::kind::queue, space_id{2}},
                  {lane::kind::queue, space_id{3}, 1}},
                 [](space_id from, space_id to) {
                   if (from != 0 && to != 0 && (from == 3 || to == 3)) return lane_id{};
                   constexpr lane_id first[] = {seat, gpu, other_gpu, foreign};
                   return first[to == 0 ? int{from} : int{to}];
                 }};
  piece x = table.add("x"), y = table.add("y"), z = table.add("z");

  work_ptr tell(lane_id on, std::vector<argument> arguments, std::vector<work_ptr> after = {}) {
    return all.enqueue({.name = "work", .on = on, .arguments = arguments, .after = after});
  }
  /// Begun now, in this order.
  std::vector<dispatcher::start> begun() {
    std::vector<dispatcher::start> starts;
    while (auto next = all.begin_next()) starts.push_back(std::move(*next));
    return starts;
  }
  void run_all() {
    for (auto starts = begun(); !starts.empty(); starts = begun())
      for (const auto& each : starts) all.end(each.what);
  }
};

/// Does work by itself.
struct someone_else : yoke::versions::worker {
  void await(const yoke::versions::mark_ptr&) override {}
  yoke::versions::mark_ptr work() {
    return std::make_shared<yoke::versions::mark>(yoke::versions::stream{this}, ++n_told, this);
  }
  std::uint64_t n_told = 0;
};

inline std::exception_ptr an_error() { return std::make_exception_ptr(std::runtime_error{"broken"}); }

}  // namespace flow_tests
