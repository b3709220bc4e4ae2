// Random calls on a few objects, by units that share devices and whose kernels are slow, against vectors.
#include "kernels.hpp"
#include "parts.hpp"

#include <array>
#include <cstdint>
#include <random>
#include <support/catch.hpp>
#include <utility>

namespace {

using kernels::over;
using kernels::value;
using kernels::values;
using spaces::first;
using spaces::parts;
using spaces::second;
using yoke::placed;

constexpr std::size_t n_random = 200;
constexpr int n_units = 4;  // 0: a CPU's; 1 and 3 share a device; 2 has one
constexpr int n_objects = 4;

std::uint32_t seed() {
#if __has_include(<catch2/catch_all.hpp>)
  return Catch::getSeed();
#else
  return Catch::rngSeed() != 0 ? Catch::rngSeed() : std::random_device{}();
#endif
}

class session {
 public:
  explicit session(std::uint32_t seed) : random_{seed} {
    for (int i = 0; i < n_objects; ++i) {
      data_[at(i)] = values(n_random, 0);
      if (i % 2 == 0) objects_[at(i)] = placed<value>{runtime_, std::span{data_[at(i)]}};
      if (i % 2 != 0) objects_[at(i)] = placed<value>{runtime_, n_random};
      model_[at(i)] = values(n_random, i);
      std::ranges::fill(objects_[at(i)].host(), i);
    }
  }

  /// One random call. False when an object was found to differ from its model.
  bool step() {
    const int unit = draw(n_units), i = draw(n_objects), j = (i + 1 + draw(n_objects - 1)) % n_objects;
    switch (draw(12)) {
      case 0:
      case 1:
        return scale(unit, i, true), true;
      case 2:
        return scale(unit, i, false), true;
      case 3:
      case 4:
        return add(unit, i, j, true), true;
      case 5:
        return add(unit, i, j, false), true;
      case 6:
        return yoke::placement::migrate(objects_[at(i)].key(), yoke::space_id{draw(3)}), true;
      case 7:
        return prefetch(i), true;
      case 8:
        parts::as(unit, [&] { yoke::bring_here(objects_[at(i)], std::as_const(objects_[at(j)])); });
        return true;
      case 9:
        return runtime_.finish(unit), true;
      case 10:
        return write_on_host(i), true;
      default:
        return is_right(i);
    }
  }
  bool is_right(int i) {
    const std::span<const value> now = std::as_const(objects_[at(i)]).host();
    return values(now.begin(), now.end()) == model_[at(i)];
  }
  bool are_all_right() {
    for (int i = 0; i < n_objects; ++i)
      if (!is_right(i)) return false;
    return true;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int draw(int below) { return static_cast<int>(random_() % static_cast<std::uint32_t>(below)); }

  void scale(int unit, int i, bool with_object) {
    placed<value>& x = objects_[at(i)];
    const value a = 1 + draw(2), b = draw(5);
    parts::as(unit, [&] {
      if (with_object) yoke::launch_here<kernels::scale>(over(n_random), "scale", x, a, b);
      if (!with_object) yoke::launch_here<kernels::scale>(over(n_random), "scale", x.here(), a, b);
    });
    // Kept small, so that nothing overflows.
    for (value& each : model_[at(i)]) each = a * each + b;
    if (model_[at(i)][0] > (value{1} << 40)) write_on_host(i);
  }
  void add(int unit, int from, int to, bool with_objects) {
    const placed<value>& x = objects_[at(from)];
    placed<value>& y = objects_[at(to)];
    parts::as(unit, [&] {
      if (with_objects) yoke::launch_here<kernels::add>(over(n_random), "add", x, y);
      if (!with_objects) yoke::launch_here<kernels::add>(over(n_random), "add", x.here(), y.here());
    });
    for (std::size_t k = 0; k < n_random; ++k) model_[at(to)][k] += model_[at(from)][k];
    if (model_[at(to)][0] > (value{1} << 40)) write_on_host(to);
  }
  void prefetch(int i) {
    const yoke::unit_id unit{draw(n_units)};
    if (draw(2) == 0) return yoke::prefetch(objects_[at(i)], unit);
    yoke::prefetch(std::as_const(objects_[at(i)]), unit);
  }
  void write_on_host(int i) {
    const auto k = static_cast<std::size_t>(draw(static_cast<int>(n_random)));
    std::ranges::fill(objects_[at(i)].host(), static_cast<value>(k));
    std::ranges::fill(model_[at(i)], static_cast<value>(k));
  }

  std::mt19937 random_;
  std::unique_ptr<yoke::emulated_device> a_ =
      yoke::make_emulated_device(0, {.memory = 1 << 20, .slowdown = 20});
  std::unique_ptr<yoke::emulated_device> b_ =
      yoke::make_emulated_device(1, {.memory = 1 << 20, .slowdown = 5});
  parts runtime_{1, {a_.get(), b_.get()}, {a_.get(), b_.get(), a_.get()}, {first, second, first}};
  std::array<values, n_objects> data_;
  std::array<placed<value>, n_objects> objects_;
  std::array<values, n_objects> model_;
};

}  // namespace

TEST_CASE("the bytes of placed objects are those of the last write, whatever was asked of whom",
          "[placement]") {
  const std::uint32_t first_seed = seed();
  for (std::uint32_t seed = first_seed; seed < first_seed + 20; ++seed) {
    session of{seed};
    bool right = true;
    int steps = 0;
    for (; right && steps < 300; ++steps) right = of.step();
    CAPTURE(seed, steps);
    CHECK(right);
    CHECK(of.are_all_right());
  }
}
