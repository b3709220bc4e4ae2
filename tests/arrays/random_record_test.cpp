/// Recordings beside the same calls on a serial model.
#include "random_cuts.hpp"
#include "random_loops.hpp"

#include <cstring>
#include <functional>
#include <string>
#include <support/catch.hpp>

namespace {

using namespace arrays_test;
using namespace yoke::loops;
namespace dist = yoke::dist;

struct sum_squares {
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<const double, 2> x,
                          yoke::partial<double>& sum) const {
    sum += x(at) * x(at);
  }
};

struct mix_in {
  YOKE_HD static double of(double value, double sum) { return mixed(value, sum / (1 + sum)); }
  YOKE_HD void operator()(yoke::loop_index<2> at, yoke::view<double, 2> x,
                          yoke::view<const double, 1> sum) const {
    x(at) = of(x(at), sum(0));
  }
};
struct halve {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::view<double, 1> x) const { x(0) *= 0.5; }
};

/// Three arrays of one shape, each beside its model, and a list of calls.
class recorded_case {
 public:
  recorded_case(yoke::runtime& rt, std::uint64_t seed) : rt_{rt}, dice_{seed} {
    const std::int64_t n = 2 + dice_.upto(30), m = dice_.upto(9) == 0 ? 1500 : 2 + dice_.upto(12);
    const std::array<std::int64_t, 2> extents{n, m};
    how_ = random_cuts{rt_, dice_, extents}.any();
    sides_ = {any_side(n, how_.dims[0]), any_side(m, how_.dims[1]), {}, {}};
    for (std::size_t i = 0; i < 3; ++i) make(i, n, m);
    element_ = {rt_, {1}, {dist::duplicate}};
  }

  /// Empty where everything is equal.
  std::string run() {
    for (std::int64_t calls = dice_.upto(6); calls > 0; --calls) add_call();
    yoke::recording step = yoke::record(rt_, [&] {
      for (const call& each : calls_) each.on_arrays();
      for (auto swap = swaps_.rbegin(); swap != swaps_.rend(); ++swap) swap->on_arrays();
    });
    for (int round = 0; round < 4; ++round) {
      step.replay();
      replay_on_models();
      if (sums_ != sums_of_models_) return "sums";
      if (round == 2) continue;
      if (dice_.upto(1) == 0) call_now(any_add());
      if (dice_.upto(1) == 0) call_now(any_exchange());
      for (std::size_t i = 0; i < 3; ++i)
        if (!is_equal(i) || element_.gather()[0] != element_of_model_)
          return "array " + std::to_string(i) + " after replay " + std::to_string(round);
    }
    return "";
  }

 private:
  struct call {
    std::function<void()> on_arrays, on_models;
  };

  side any_side(std::int64_t extent, const yoke::distribution& how) {
    side made{.extent = extent};
    if (how.of() == yoke::distribution::kind::cyclic) return made;
    made.low = static_cast<int>(dice_.upto(1));
    made.high = static_cast<int>(dice_.upto(1));
    made.at_low = static_cast<yoke::edge_policy>(dice_.upto(2));
    made.at_high = static_cast<yoke::edge_policy>(dice_.upto(2));
    return made;
  }

  static yoke::distribution distribution_of(const side& of, const yoke::distribution& how) {
    return how.halo(of.low, of.high).edge(of.at_low, of.at_high);
  }

  void make(std::size_t i, std::int64_t n, std::int64_t m) {
    model& is = models_[i];
    is = {.dimensions = 2, .sides = sides_, .values = {}};
    for (std::int64_t k = 0; k < n * m; ++k) is.values.push_back(i == 2 ? 0 : dice_.value());
    hosts_[i] = is.values;
    const auto attached = yoke::attach(hosts_[i]);
    if (i == 0) {
      const std::initializer_list<yoke::distribution> dims{distribution_of(sides_[0], how_.dims[0]),
                                                           distribution_of(sides_[1], how_.dims[1])};
      using array = yoke::array<double, 2>;
      arrays_[0] =
          how_.on ? array{rt_, {n, m}, dims, *how_.on, attached} : array{rt_, {n, m}, dims, attached};
    } else if (i == 1) {
      arrays_[1] = {rt_, {n, m}, dist::as(arrays_[0]), attached};
    } else {
      arrays_[2] = {rt_, {n, m}, dist::as(arrays_[0])};
    }
  }

  any_box any_part() {
    any_box over{yoke::bound{1}, yoke::bound{1}, yoke::bound{1}, yoke::bound{1}};
    for (std::size_t d = 0; d < 2; ++d) {
      const std::int64_t from = dice_.upto(2) == 0 ? dice_.upto(sides_[d].extent) : 0;
      over[d] = {from, dice_.upto(2) == 0 ? from + dice_.upto(sides_[d].extent - from) : sides_[d].extent};
    }
    return over;
  }

  std::array<std::size_t, 3> any_order() {
    std::array<std::size_t, 3> order{0, 1, 2};
    for (std::size_t i = 2; i > 0; --i)
      std::swap(order[i], order[static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(i)))]);
    return order;
  }

  call any_stencil() {
    const std::array<std::size_t, 3> order = any_order();
    const std::size_t x = order[0], y = order[1], z = order[2];
    const any_box over = any_part();
    using reach = loops_of<2>::reach;
    const reach how = dice_.one_in(3) ? reach::everywhere : reach::all;
    const around reads = how == reach::everywhere ? models_[x].reads_everywhere(dice_)
                                                  : models_[x].reads(true, sides_[0].low, sides_[0].high);
    return {[this, x, y, z, over, reads, how] {
              loops_of<2>::stencil(rt_, over, arrays_[x], reads, how, {}, arrays_[y], arrays_[z]);
            },
            [this, x, y, z, over, reads] { stencil_of(over, models_[x], reads, models_[y], models_[z]); }};
  }

  call any_add() {
    const std::size_t x = any_order()[0];
    const any_box over = any_part();
    const double value = dice_.value();
    return {[this, x, over, value] { loops_of<2>::add(rt_, over, arrays_[x], value); },
            [this, x, over, value] {
              for (std::int64_t i = over[0].begin; i < over[0].end; ++i)
                for (std::int64_t j = over[1].begin; j < over[1].end; ++j) {
                  double& element = models_[x].at({i, j, 0, 0});
                  element = mixed(element, value);
                }
            }};
  }

  call any_sum() {
    const std::size_t x = any_order()[0], slot = calls_.size();
    const any_box over = any_part();
    return {[this, x, over, slot] {
              yoke::for_each<sum_squares>(rt_, yoke::box<2>{{over[0], over[1]}},
                                          in(arrays_[x], yoke::interior), sum(sums_[slot]));
            },
            [this, x, over, slot] {
              double& given = sums_of_models_[slot];
              given = reduce_of(2, over, models_[x], {given, 0, 0}).sum;
            }};
  }

  /// A sum that stays on the units, and loops that use it.
  call any_element() {
    const std::array<std::size_t, 3> order = any_order();
    const std::size_t x = order[0], y = order[1];
    const any_box over = any_part();
    const yoke::box<2> box{{over[0], over[1]}};
    return {[this, x, y, box] {
              yoke::for_each<sum_squares>(rt_, box, in(arrays_[x], yoke::interior), sum(element_));
              yoke::for_each<halve>(rt_, {1}, inout(element_));
              yoke::for_each<mix_in>(rt_, box, inout(arrays_[y]), in(element_));
            },
            [this, x, y, over] {
              // Recordings leave out loops without indices, which would change no sum of squares.
              const reduced sum = reduce_of(2, over, models_[x], {element_of_model_, 0, 0});
              element_of_model_ = 0.5 * sum.sum;
              for (std::int64_t i = over[0].begin; i < over[0].end; ++i)
                for (std::int64_t j = over[1].begin; j < over[1].end; ++j) {
                  double& value = models_[y].at({i, j, 0, 0});
                  value = mix_in::of(value, element_of_model_);
                }
            }};
  }

  call any_exchange() {
    const std::size_t x = any_order()[0];
    const yoke::side some{static_cast<int>(dice_.upto(1)), dice_.upto(1) == 0};
    if (dice_.upto(1) == 0) return {[this, x, some] { yoke::exchange(arrays_[x], some); }, [] {}};
    return {[this, x] { yoke::exchange(arrays_[x]); }, [] {}};
  }

  call any_swap() {
    const auto order = any_order();
    const std::size_t x = order[0], y = order[1];
    return {[this, x, y] { swap(arrays_[x], arrays_[y]); },
            [this, x, y] { std::swap(models_[x].values, models_[y].values); }};
  }

  void add_call() {
    switch (dice_.upto(8)) {
      case 7:
      case 8:
        return calls_.push_back(any_element());
      case 0:
        return calls_.push_back(any_sum());
      case 1:
        return calls_.push_back(any_add());
      case 2:
        return calls_.push_back(any_exchange());
      case 3:
        swaps_.push_back(any_swap());
        return calls_.push_back(swaps_.back());
      default:
        return calls_.push_back(any_stencil());
    }
  }

  static void call_now(const call& what) {
    what.on_arrays();
    what.on_models();
  }

  void replay_on_models() {
    for (const call& each : calls_) each.on_models();
    for (auto swap = swaps_.rbegin(); swap != swaps_.rend(); ++swap) swap->on_models();
  }

  bool is_equal(std::size_t i) const {
    const std::vector<double> found = arrays_[i].gather();
    return found.size() == models_[i].values.size() &&
           std::memcmp(found.data(), models_[i].values.data(), found.size() * sizeof(double)) == 0;
  }

  yoke::runtime& rt_;
  dice dice_;
  cuts how_;
  std::array<side, 4> sides_{};
  std::array<std::vector<double>, 3> hosts_;
  std::array<model, 3> models_;
  std::array<yoke::array<double, 2>, 3> arrays_;
  std::vector<call> calls_, swaps_;
  yoke::array<double, 1> element_;
  double element_of_model_ = 0;
  std::array<double, 8> sums_{1, 2, 3}, sums_of_models_{1, 2, 3};
};

void run_record_cases(std::uint64_t n) {
  yoke::runtime rt;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::string wrong = recorded_case{rt, std::uint64_t{Catch::rngSeed()} * 1'000'003 + i}.run();
    INFO("--rng-seed " << Catch::rngSeed() << ", case " << i);
    REQUIRE(wrong == "");
  }
}

}  // namespace

TEST_CASE("random recordings give what a serial model gives, to the bit", "[arrays][record]") {
  run_record_cases(40);
}

TEST_CASE("many random recordings give what a serial model gives, to the bit", "[.][full]") {
  run_record_cases(3000);
}
