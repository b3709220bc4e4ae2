/// Random arrays and random sequences of what can be done with them, compared with a model to the bit.
#include "overlapping_from.hpp"
#include "random_arrays.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <support/catch.hpp>

namespace {

using namespace arrays_test;

/// An array beside its model.
template <int D>
struct pair {
  model is;
  std::vector<double> attached{};  ///< empty: internal
  yoke::array<double, D> array{};
};

template <int D>
class random_case {
 public:
  random_case(yoke::runtime& rt, dice& d) : rt_{rt}, dice_{d} {
    for (std::size_t i = 0; i < D; ++i) extents_[i] = any_extent(static_cast<int>(i));
    how_ = any_cuts();
    shape(a_.is);
    make(a_, false);
    b_.is.sides = a_.is.sides;
    make(b_, true);
    shape(c_.is);
    make(c_, false);
  }

  /// Empty where all is equal.
  std::string run() {
    const std::int64_t steps = dice_.between(1, 8);
    for (std::int64_t i = 0; i < steps; ++i) {
      step();
      if (!wrong_.empty()) return wrong_;
    }
    finish(a_, "a");
    finish(b_, "b");
    finish(c_, "c");
    return wrong_;
  }

 private:
  std::int64_t any_extent(int d) {
    if (dice_.one_in(25)) return dice_.upto(1);
    if (d == D - 1 && D < 3 && dice_.one_in(4)) return dice_.between(1000, 3000);
    return dice_.between(1, D == 1 ? 120 : d == 0 ? 24 : D < 4 ? 12 : 5);
  }

  cuts any_cuts() { return random_cuts{rt_, dice_, std::span{extents_}.first(D)}.any(); }

  std::vector<std::int64_t> widest() const {
    std::vector<std::int64_t> widest;
    with_extents<D>(extents_, [&](extents_of<D> n) {
      widest =
          widest_halos(rt_, cut_array<float, D>(rt_, n, how_.dims, how_.grid(), no_memory<float>{}), how_);
    });
    return widest;
  }

  void shape(model& of) {
    of.dimensions = D;
    for (std::size_t d = 0; d < 4; ++d) of.sides[d] = {};
    const std::vector<std::int64_t> most = widest();
    for (std::size_t d = 0; d < D; ++d)
      of.sides[d] = any_side(dice_, extents_[d], std::min<std::int64_t>(most[d], d == 0 ? 4 : 3));
  }

  yoke::array<double, D> made(pair<D>& of, extents_of<D> n, bool as_a) {
    std::vector<yoke::distribution> dims;
    for (std::size_t d = 0; d < D; ++d) dims.push_back(distribution_of(of.is.sides[d], how_.dims[d]));
    const bool attached = !of.attached.empty();
    if (as_a && attached) return {rt_, n, yoke::dist::as(a_.array), yoke::attach(of.attached)};
    if (as_a) return {rt_, n, yoke::dist::as(a_.array)};
    if (attached) return cut_array<double, D>(rt_, n, dims, how_.grid(), yoke::attach(of.attached));
    return cut_array<double, D>(rt_, n, dims, how_.grid(), no_memory<double>{});
  }

  void make(pair<D>& of, bool as_a) {
    of.is.dimensions = D;
    of.is.values.assign(static_cast<std::size_t>(of.is.size()), 0);
    if (dice_.one_in(2)) {
      for (double& each : of.is.values) each = dice_.value();
      of.attached = of.is.values;
    }
    with_extents<D>(extents_, [&](extents_of<D> n) { of.array = made(of, n, as_a); });
  }

  any_box any_part() {
    any_box over{yoke::bound{1}, yoke::bound{1}, yoke::bound{1}, yoke::bound{1}};
    for (std::size_t d = 0; d < D; ++d) {
      over[d] = yoke::bound{extents_[d]};
      if (dice_.one_in(2) || extents_[d] == 0) continue;
      const std::int64_t from = dice_.upto(extents_[d]);
      over[d] = {from, dice_.between(from, extents_[d])};
    }
    return over;
  }

  void stencil(pair<D>& old, pair<D>& other, pair<D>& to) {
    using reach = typename loops_of<D>::reach;
    const auto how = static_cast<reach>(dice_.upto(3));
    const side& rows = old.is.sides[0];
    const std::int64_t low = how == reach::interior ? 0
                             : how == reach::rows   ? dice_.upto(rows.low)
                                                    : rows.low;
    const std::int64_t high = how == reach::interior ? 0
                              : how == reach::rows   ? dice_.upto(rows.high)
                                                     : rows.high;
    const around reads = how == reach::everywhere ? old.is.reads_everywhere(dice_)
                                                  : old.is.reads(how != reach::interior, low, high);
    const any_box over = any_part();
    loops_of<D>::stencil(rt_, over, old.array, reads, how, {low, high}, other.array, to.array);
    stencil_of(over, old.is, reads, other.is, to.is);
  }

  void add(pair<D>& to) {
    const double value = dice_.value();
    const any_box over = any_part();
    loops_of<D>::add(rt_, over, to.array, value);
    add_of(over, to.is, value);
  }
  static void add_of(const any_box& over, model& to, double value) {
    std::int64_t at[4];
    for (at[0] = over[0].begin; at[0] < over[0].end; ++at[0])
      for (at[1] = over[1].begin; at[1] < over[1].end; ++at[1])
        for (at[2] = over[2].begin; at[2] < over[2].end; ++at[2])
          for (at[3] = over[3].begin; at[3] < over[3].end; ++at[3]) to.at(at) = mixed(to.read(at), value);
  }

  void reduce(const pair<D>& of) {
    const any_box over = any_part();
    const reduced given{dice_.value(), dice_.value(), dice_.value()};
    const reduced found = dice_.one_in(3) ? loops_of<D>::reduce_into_arrays(rt_, over, of.array, given)
                                          : loops_of<D>::reduce(rt_, over, of.array, given);
    const reduced wanted = reduce_of(D, over, of.is, given);
    if (found == wanted) return;
    wrong_ = fmt::format("reduced over [{}, {}) …: {} {} {} where the model has {} {} {}", over[0].begin,
                         over[0].end, found.sum, found.smallest, found.largest, wanted.sum, wanted.smallest,
                         wanted.largest);
  }

  void step() {
    pair<D>* const all[]{&a_, &b_, &c_};
    std::array<std::size_t, 3> order{0, 1, 2};
    for (std::size_t i = 2; i > 0; --i)
      std::swap(order[i], order[static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(i)))]);
    pair<D>&x = *all[order[0]], &y = *all[order[1]], &z = *all[order[2]];
    switch (dice_.upto(12)) {
      case 10:
        return cut_anew();
      case 11:
      case 12:
        return redistribute();
      case 0:
        swap(a_.array, b_.array);
        return std::swap(a_.is.values, b_.is.values);
      case 1:
        yoke::copy(x.array, y.array);
        y.is.values = x.is.values;
        return;
      case 2:
        return yoke::exchange(x.array, y.array);
      case 3:
        return compare(x, x.array.gather(), "gathered");
      case 4:
      case 5:
        return reduce(x);
      case 6:
        return add(x);
      default:
        return stencil(x, y, z);
    }
  }

  bool are_wide_enough_for_halos() const {
    const std::vector<std::int64_t> most = widest();
    for (const pair<D>* each : {&a_, &b_, &c_})
      for (std::size_t d = 0; d < D; ++d)
        if (how_.dims[d].is_distributed() &&
            std::max(each->is.sides[d].low, each->is.sides[d].high) > most[d])
          return false;
    return true;
  }

  /// All alike, so that they still go together; where parts would be shorter than halos, nothing.
  void redistribute() {
    const cuts before = how_;
    how_ = any_cuts();
    if (!are_wide_enough_for_halos()) {
      how_ = before;
      return;
    }
    a_.array.handle().redistribute(how_.dims, how_.grid());
    b_.array.handle().redistribute(how_.dims, how_.grid());
    yoke::redistribute(c_.array, yoke::dist::as(b_.array));
  }

  /// What is balanced moves when an array with a wider halo comes.
  void cut_anew() {
    const int wide = static_cast<int>(dice_.upto(std::max<std::int64_t>(extents_[0], 0)));
    const yoke::array<float, 1> other{rt_, {extents_[0]}, {yoke::dist::balanced.halo(wide, 0)}};
  }

  void compare(const pair<D>& of, const std::vector<double>& found, const char* what) {
    if (found.empty() && of.is.values.empty()) return;
    if (found.size() == of.is.values.size() &&
        std::memcmp(found.data(), of.is.values.data(), found.size() * sizeof(double)) == 0)
      return;
    const auto at = std::ranges::mismatch(found, of.is.values).in1 - found.begin();
    wrong_ = fmt::format("{}: element {} of {} is {} where the model has {}", what, at, found.size(),
                         found[static_cast<std::size_t>(at)], of.is.values[static_cast<std::size_t>(at)]);
  }

  void finish(pair<D>& of, const char* name) {
    if (!wrong_.empty()) return;
    compare(of, of.array.gather(), name);
    if (of.attached.empty()) return;
    of.array.detach();
    compare(of, of.attached, name);
  }

  yoke::runtime& rt_;
  dice& dice_;
  cuts how_;
  std::array<std::int64_t, 4> extents_{1, 1, 1, 1};
  pair<D> a_, b_, c_;
  std::string wrong_;
};

std::string run_case(yoke::runtime& rt, std::uint64_t seed) {
  dice d{seed};
  const overlapping_from some{d.one_in(2) ? 1 : 1 << 24};
  switch (d.upto(3)) {
    case 0:
      return random_case<1>{rt, d}.run();
    case 1:
      return random_case<2>{rt, d}.run();
    case 2:
      return random_case<3>{rt, d}.run();
    default:
      return random_case<4>{rt, d}.run();
  }
}

void run_cases(int n) {
  yoke::runtime rt;
  const std::uint64_t first = std::uint64_t{Catch::rngSeed()} * 1'000'003;
  for (int i = 0; i < n; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    std::string wrong;
    try {
      wrong = run_case(rt, seed);
    } catch (const std::exception& problem) {
      wrong = problem.what();
    }
    INFO("--rng-seed " << Catch::rngSeed() << ", case " << i);
    REQUIRE(wrong == "");
  }
}

}  // namespace

TEST_CASE("random loops give what a serial model gives, to the bit", "[arrays][random]") { run_cases(1000); }

TEST_CASE("many random loops give what a serial model gives, to the bit", "[.][full]") { run_cases(20'000); }
