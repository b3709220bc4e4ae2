// Random graphs of tasks, beside what they do one after the other.
#include "kernels.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>
#include <random>
#include <support/catch.hpp>

namespace {

using namespace task_tests;  // NOLINT(google-build-using-namespace)
using yoke::task;
using yoke::task_context;
using yoke::task_group;

class graph {
 public:
  graph(yoke::runtime& rt, std::uint64_t seed) : rt_{rt}, random_{seed}, g_{rt} {
    fails_of_100_ = below(3) == 0 ? 3 : 0;
    const int n_objects = 2 + below(6);
    for (int i = 0; i < n_objects; ++i) objects_.emplace_back(rt, n, fmt::format("object {}", i));
    tiles_ = yoke::tiles<number, 2>{rt, {.rows = 3, .columns = n, .tile_rows = 1, .tile_columns = n}};
    model_.resize(objects_.size() + 3);
  }

  std::string run(int n_tasks) {
    for (int i = 0; i < n_tasks; ++i) {
      tell();
      if (below(100) == 0) {
        if (std::string wrong = look(below(std::ssize(model_))); !wrong.empty()) return wrong;
      }
    }
    return end();
  }

 private:
  struct value {
    number at_0 = 0;
    bool is_there = false, is_broken = false;
  };
  int below(std::int64_t most) { return static_cast<int>(random_() % static_cast<std::uint64_t>(most)); }
  /// Some of them are tiles of one matrix.
  numbers& object(int i) {
    if (i < std::ssize(objects_)) return objects_[static_cast<std::size_t>(i)];
    return tiles_.tile(i - std::ssize(objects_), 0);
  }
  value& model(int i) { return model_[static_cast<std::size_t>(i)]; }

  yoke::task_options any_options() {
    yoke::task_options options{.priority = below(5) - 2};
    for (int unit = 0; unit < rt_.units().size(); ++unit)
      if (below(3) == 0) options.on.push_back(yoke::unit_id{unit});
    return options;
  }
  void tell() {
    const int x = below(std::ssize(model_)), y = below(std::ssize(model_));
    yoke::task_options options = any_options();
    const bool throws = below(100) < fails_of_100_;
    bool fails = throws;
    if (below(10) == 0 && !told_.empty()) {
      const auto& [before, has_failed] = told_[static_cast<std::size_t>(below(std::ssize(told_)))];
      options.after = {before};
      fails = fails || has_failed;
    }
    if (!model(x).is_there || !model(y).is_there || below(4) == 0)
      return overwrite(y, options, fails, throws);
    switch (below(8)) {
      case 0:
        return x == y ? change(x, y, options, fails, throws) : spawn(x, y, options, fails, throws);
      case 1:
        // Others that commute, told before, may come behind one that fails, and fail with it.
        return fails ? change(x, y, options, fails, throws) : commute_on(y, options);
      case 2:
        return reduce_into(y, options, fails, throws);
      default:
        return change(x, y, options, fails, throws);
    }
  }
  /// An agent that changes one object on the host, and has tasks do it.
  void spawn(int x, int y, const yoke::task_options& options, bool fails, bool throws) {
    const int n_tasks = below(4), n_hosts = below(3);
    const bool waits = below(2) == 0;
    const auto body = [=, this](yoke::agent_context& me, std::span<const number> from, std::span<number> to) {
      for (std::size_t i = 0; i < n; ++i) to[i] = (7 * to[i] + from[i]) & 0xffffffff;
      for (int i = 0; i < n_tasks; ++i) add(me, object(x), object(y), i);
      if (waits) me.wait_all();
      for (int i = 0; i < n_hosts; ++i)
        for (number& each : me.host(inout(object(y)))) each = (each + 1) & 0xffffffff;
      if (throws) throw bad_luck{};
      add(me, object(x), object(y), 5);
    };
    const yoke::agent_options own{.on = options.on, .priority = options.priority, .after = options.after};
    fails = fails || model(x).is_broken || model(y).is_broken;
    told_.emplace_back(g_.spawn("agent", own, in(std::as_const(object(x))), inout(object(y)), body), fails);
    number at = (7 * model(y).at_0 + model(x).at_0) & 0xffffffff;
    for (int i = 0; i < n_tasks; ++i) at = (31 * at + i * model(x).at_0) & 0xffffffff;
    at = (at + n_hosts) & 0xffffffff;
    model(y).at_0 = (31 * at + 5 * model(x).at_0) & 0xffffffff;
    model(y).is_broken = fails;
  }
  void commute_on(int y, const yoke::task_options& options) {
    const number more = below(100);
    told_.emplace_back(g_.run("commute", options, commute(object(y)),
                              [more](task_context& me, auto at) { add_one(me, at, more); }),
                       model(y).is_broken);
    model(y).at_0 += more;
  }
  void reduce_into(int y, const yoke::task_options& options, bool fails, bool throws) {
    const number more = below(100);
    fails = fails || model(y).is_broken;
    told_.emplace_back(g_.run("reduce", options, adds_to(object(y)),
                              [more, throws](task_context& me, auto own) {
                                if (throws) throw bad_luck{};
                                add_one(me, own, more);
                              }),
                       fails);
    model(y).at_0 += more;
    model(y).is_broken = fails;
  }
  void overwrite(int y, const yoke::task_options& options, bool fails, bool throws) {
    const number value = below(1000);
    told_.emplace_back(g_.run("fill", options, out(object(y)),
                              [value, throws](task_context& me, auto at) {
                                if (throws) throw bad_luck{};
                                fill_in(me, at, value);
                              }),
                       fails);
    model(y) = {value, true, fails};
  }
  void change(int x, int y, const yoke::task_options& options, bool fails, bool throws) {
    const number factor = below(100);
    fails = fails || model(x).is_broken || model(y).is_broken;
    told_.emplace_back(g_.run("add", options, in(std::as_const(object(x))), inout(object(y)),
                              [factor, throws](task_context& me, auto from, auto to) {
                                if (throws) throw bad_luck{};
                                add_in(me, from, to, factor);
                              }),
                       fails);
    model(y).at_0 = (31 * model(y).at_0 + factor * model(x).at_0) & 0xffffffff;
    model(y).is_broken = fails;
  }

  /// Between tasks, when those that use it are over.
  std::string look(int i) {
    if (!model(i).is_there) return "";
    for (const auto& [each, fails] : told_) {
      bool has_failed = false;
      try {
        each.wait();
      } catch (const bad_luck&) {
        has_failed = true;
      }
      if (has_failed != fails) return fails ? "a task has not failed" : "a task has failed";
    }
    try {
      const auto seen = std::as_const(object(i)).host();
      if (model(i).is_broken) return fmt::format("object {} is not broken", i);
      if (seen[0] != model(i).at_0 || seen[n - 1] != model(i).at_0)
        return fmt::format("object {} is not as in the model", i);
    } catch (const bad_luck&) {
      if (!model(i).is_broken) return fmt::format("object {} is broken", i);
      model(i) = {};
    }
    return "";
  }

  std::string end() {
    try {
      g_.wait();
    } catch (const bad_luck&) {
      if (fails_of_100_ == 0) return "a task has failed";
    }
    for (int i = 0; i < std::ssize(model_); ++i)
      if (std::string wrong = look(i); !wrong.empty()) return wrong;
    return "";
  }

  yoke::runtime& rt_;
  std::mt19937_64 random_;
  std::vector<numbers> objects_;
  yoke::tiles<number, 2> tiles_;
  std::vector<value> model_;
  task_group g_;
  std::vector<std::pair<task, bool>> told_;
  int fails_of_100_ = 0;
};

void try_many(int n_graphs, int n_tasks) {
  const std::uint64_t seed = Catch::rngSeed();
  yoke::runtime rt;
  for (int i = 0; i < n_graphs; ++i) {
    INFO("seed " << seed + static_cast<std::uint64_t>(i));
    const std::uint64_t of_graph = seed + static_cast<std::uint64_t>(i);
    graph one{rt, of_graph};
    CHECK(one.run(1 + static_cast<int>(of_graph * 7919 % static_cast<std::uint64_t>(n_tasks))) == "");
  }
}

}  // namespace

TEST_CASE("random graphs of tasks give what they give one after the other", "[random]") {
  try_many(100, 200);
}
TEST_CASE("so do many", "[.][many-graphs]") { try_many(2500, 400); }
