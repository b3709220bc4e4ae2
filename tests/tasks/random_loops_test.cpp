// Agents that call loops over arrays and steps over zones, beside what they do one after the other.
#include "loops.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <support/catch.hpp>
#include <utility>
#include <vector>

namespace {

using namespace task_loops;  // NOLINT(google-build-using-namespace)
using yoke::agent_context;

/// What an array, a field or an object is to have.
struct value {
  numbers at;
  bool is_broken = false;
};

class program {
 public:
  program(yoke::runtime& rt, std::uint64_t seed)
      : rt_{rt}, random_{seed}, fails_of_100_{below(3) == 0 ? 5 : 0} {
    for (int z = 0; z < n_zones; ++z)
      ring_.join({z, yoke::side::high(0)}, {(z + 1) % n_zones, yoke::side::low(0)});
    for (int i = 0; i < 2; ++i) {
      fields_.push_back(std::make_unique<field>(ring_, yoke::halo{1}, fmt::format("field {}", i)));
      objects_.emplace_back(rt, static_cast<std::size_t>(n), fmt::format("object {}", i));
      rows_.push_back(row_of(rt));
    }
    for (std::size_t i = 0; i < 2; ++i) told_.emplace_back(task_loops::fill(g_, objects_[i], i), false);
    objects_model_ = {value{numbers(n, 0)}, value{numbers(n, 1)}};
  }

  /// What is wrong; empty: nothing.
  std::string run(int n_agents) {
    for (int i = 0; i < n_agents; ++i) tell(below(7));
    for (const auto& [task, fails] : told_)
      if (has_failed(task) != fails) return fails ? "a task has not failed" : "a task has failed";
    for (std::size_t i = 0; i < 2; ++i) {
      if (!rows_model_[i].is_broken && rows_[i].gather() != rows_model_[i].at)
        return fmt::format("row {}", i);
      if (!fields_model_[i].is_broken && points_of(*fields_[i]) != fields_model_[i].at)
        return fmt::format("field {}", i);
      if (!objects_model_[i].is_broken &&
          !std::ranges::equal(std::as_const(objects_[i]).host(), objects_model_[i].at))
        return fmt::format("object {}", i);
    }
    return "";
  }

 private:
  int below(int most) { return static_cast<int>(random_() % static_cast<std::uint64_t>(most)); }
  static bool has_failed(const yoke::task& one) {
    try {
      one.wait();
    } catch (const bad_luck&) {
      return true;
    }
    return false;
  }
  static void smooth_in_turn(const numbers& old, numbers& to, bool is_ring, number value) {
    const std::size_t all = to.size();
    for (std::size_t i = is_ring ? 0 : 1; i < all - (is_ring ? 0 : 1); ++i)
      to[i] = 3 * to[i] + old[(i + all - 1) % all] + old[(i + 1) % all] + value;
  }
  /// An agent that writes `to`, by `change` where it is to have worked, and does not where it throws.
  template <class Change, class... Roles>
  void spawn(value& to, const value& from, const Change& change, const auto& body, const Roles&... roles) {
    const bool throws = below(100) < fails_of_100_;
    const bool fails = throws || from.is_broken;
    const auto all = [throws, body](agent_context&, auto... spans) {
      if (throws) throw bad_luck{};
      body(spans...);
    };
    told_.emplace_back(g_.spawn("agent", roles..., all), fails);
    if (!fails) change();
    to.is_broken = fails;
  }
  void tell(int what) {
    const auto x = static_cast<std::size_t>(below(2)), y = 1 - x;
    const number k = random_() % 1000;
    value &row_x = rows_model_[x], &row_y = rows_model_[y], &field_x = fields_model_[x],
          &field_y = fields_model_[y], &object_x = objects_model_[x];
    value both{{}, row_x.is_broken || row_y.is_broken};
    switch (what) {
      case 0:
        return spawn(
            row_y, both, [&] { smooth_in_turn(row_x.at, row_y.at, false, 0); },
            [this, x, y] { smooth(rt_, rows_[x], rows_[y]); }, in(rows_[x]), inout(rows_[y]));
      case 1:
        return spawn(
            row_y, {}, [&] { row_y.at.assign(n, k); }, [this, y, k] { task_loops::fill(rt_, rows_[y], k); },
            out(rows_[y]));
      case 2:
        both.is_broken = field_x.is_broken || field_y.is_broken;
        return spawn(
            field_y, both, [&] { smooth_in_turn(field_x.at, field_y.at, true, k); },
            [this, x, y, k] { smooth(ring_, *fields_[x], *fields_[y], k); }, in(std::as_const(*fields_[x])),
            inout(*fields_[y], yoke::interior));
      case 3:
        return spawn(
            field_y, {}, [&] { field_y.at.assign(n, k); },
            [this, y, k] { task_loops::fill(ring_, *fields_[y], k); }, out(*fields_[y]));
      default:
        return move(what, x, row_x, field_x, object_x);
    }
  }
  /// Between rows, fields and objects.
  void move(int what, std::size_t x, value& row_x, value& field_x, value& object_x) {
    value both{{}, row_x.is_broken || object_x.is_broken};
    switch (what) {
      case 4:
        return spawn(
            object_x, both,
            [&] { std::ranges::transform(object_x.at, row_x.at, object_x.at.begin(), std::plus{}); },
            [this, x](std::span<number> to) {
              std::ranges::transform(to, rows_[x].gather(), to.begin(), std::plus{});
            },
            in(rows_[x], yoke::everywhere), inout(objects_[x]));
      case 5:
        both.is_broken = field_x.is_broken || object_x.is_broken;
        return spawn(
            object_x, both,
            [&] { std::ranges::transform(object_x.at, field_x.at, object_x.at.begin(), std::minus{}); },
            [this, x](std::span<number> to) {
              std::ranges::transform(to, points_of(*fields_[x]), to.begin(), std::minus{});
            },
            inout(objects_[x]), in(std::as_const(*fields_[x]), yoke::interior));
      default:
        value& other = objects_model_[1 - x];
        other.is_broken = other.is_broken || object_x.is_broken;
        told_.emplace_back(add(g_, std::as_const(objects_[x]), objects_[1 - x]), other.is_broken);
        if (other.is_broken) return;
        for (std::size_t i = 0; i < other.at.size(); ++i) other.at[i] = 3 * other.at[i] + object_x.at[i];
    }
  }

  yoke::runtime& rt_;
  std::mt19937_64 random_;
  int fails_of_100_;
  yoke::zones ring_ = ring_of(rt_);
  std::vector<std::unique_ptr<field>> fields_{};
  std::vector<row> rows_{};
  std::vector<yoke::placed<number>> objects_{};
  std::array<value, 2> fields_model_{value{numbers(n)}, value{numbers(n)}}, objects_model_{},
      rows_model_{value{numbers(n)}, value{numbers(n)}};
  std::vector<std::pair<yoke::task, bool>> told_{};
  yoke::task_group g_{rt_};
};

}  // namespace

TEST_CASE("agents with roles of arrays, fields and objects leave what they do one after the other",
          "[agents]") {
  yoke::runtime rt;
  const std::uint64_t first = Catch::rngSeed();
  for (std::uint64_t i = 0; i < 12; ++i) {
    program next{rt, first + i};
    INFO("seed " << first + i);
    REQUIRE(next.run(40) == "");
  }
}
