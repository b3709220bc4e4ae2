/// Random arrays and random sequences of what can be done with them, compared with a model to the bit.
#include "random_cuts.hpp"
#include "random_loops.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <support/catch.hpp>

namespace {

using namespace arrays_test;

edge_policy any_edge(dice& d) { return static_cast<edge_policy>(d.upto(2)); }

int any_width(dice& d, std::int64_t most, edge_policy at, std::int64_t extent) {
  if (at == edge_policy::periodic) most = std::min(most, extent);
  if (at == edge_policy::reflecting) most = std::min(most, extent - 1);
  return static_cast<int>(d.upto(std::max<std::int64_t>(most, 0)));
}

side any_side(dice& d, std::int64_t extent, std::int64_t widest) {
  side made{.extent = extent, .at_low = any_edge(d), .at_high = any_edge(d)};
  if (d.one_in(2)) made.at_low = made.at_high = edge_policy::none;
  made.low = any_width(d, widest, made.at_low, extent);
  made.high = any_width(d, widest, made.at_high, extent);
  if (extent == 0) made.at_low = made.at_high = edge_policy::none;
  return made;
}

yoke::distribution distribution_of(const side& of, const yoke::distribution& how) {
  return how.halo(of.low, of.high).edge(of.at_low, of.at_high);
}

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
    with_extents([&](extents n) {
      widest =
          widest_halos(rt_, with_distributions<float>(n, how_.dims, how_.grid(), no_memory<float>{}), how_);
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

  using extents = const yoke::detail::extent_of_dimension (&)[D];

  template <class Make>
  void with_extents(const Make& make) const {
    if constexpr (D == 1) {
      make({extents_[0]});
    } else if constexpr (D == 2) {
      make({extents_[0], extents_[1]});
    } else if constexpr (D == 3) {
      make({extents_[0], extents_[1], extents_[2]});
    } else {
      make({extents_[0], extents_[1], extents_[2], extents_[3]});
    }
  }

  template <class T>
  struct no_memory {};

  /// `memory`: attached, or no_memory.
  template <class T, class Memory>
  yoke::array<T, D> with_distributions(extents n, const std::vector<yoke::distribution>& dims,
                                       const yoke::dist::grid* on, const Memory& memory) const {
    using list = std::initializer_list<yoke::distribution>;
    const auto with = [&](list given) -> yoke::array<T, D> {
      if constexpr (std::is_same_v<Memory, no_memory<T>>) {
        if (on != nullptr) return {rt_, n, given, *on};
        return {rt_, n, given};
      } else {
        if (on != nullptr) return {rt_, n, given, *on, memory};
        return {rt_, n, given, memory};
      }
    };
    if constexpr (D == 1) return with({dims[0]});
    if constexpr (D == 2) return with({dims[0], dims[1]});
    if constexpr (D == 3) return with({dims[0], dims[1], dims[2]});
    if constexpr (D == 4) return with({dims[0], dims[1], dims[2], dims[3]});
  }

  yoke::array<double, D> made(pair<D>& of, extents n, bool as_a) {
    std::vector<yoke::distribution> dims;
    for (std::size_t d = 0; d < D; ++d) dims.push_back(distribution_of(of.is.sides[d], how_.dims[d]));
    const bool attached = !of.attached.empty();
    if (as_a && attached) return {rt_, n, yoke::dist::as(a_.array), yoke::attach(of.attached)};
    if (as_a) return {rt_, n, yoke::dist::as(a_.array)};
    if (attached) return with_distributions<double>(n, dims, how_.grid(), yoke::attach(of.attached));
    return with_distributions<double>(n, dims, how_.grid(), no_memory<double>{});
  }

  void make(pair<D>& of, bool as_a) {
    of.is.dimensions = D;
    of.is.values.assign(static_cast<std::size_t>(of.is.size()), 0);
    if (dice_.one_in(2)) {
      for (double& each : of.is.values) each = dice_.value();
      of.attached = of.is.values;
    }
    with_extents([&](extents n) { of.array = made(of, n, as_a); });
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
    const auto how = static_cast<reach>(dice_.upto(2));
    const side& rows = old.is.sides[0];
    const std::int64_t low = how == reach::interior ? 0
                             : how == reach::rows   ? dice_.upto(rows.low)
                                                    : rows.low;
    const std::int64_t high = how == reach::interior ? 0
                              : how == reach::rows   ? dice_.upto(rows.high)
                                                     : rows.high;
    const around reads = old.is.reads(how != reach::interior, low, high);
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
    const reduced found = loops_of<D>::reduce(rt_, over, of.array, given);
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

  bool have_room_for_halos() const {
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
    if (!have_room_for_halos()) {
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

TEST_CASE("reductions over trees of leaves that devices combine have the same bits", "[arrays][reduction]") {
  yoke::runtime rt;
  dice d{Catch::rngSeed()};
  INFO("--rng-seed " << Catch::rngSeed());
  const std::array<std::array<std::int64_t, 2>, 4> shapes{
      {{1500, 3}, {5, 300'000}, {700, 2100}, {256 * 4, 1024}}};
  for (const std::array<std::int64_t, 2>& n : shapes) {
    model is{.dimensions = 2, .sides = {side{.extent = n[0]}, side{.extent = n[1]}, {}, {}}, .values = {}};
    for (std::int64_t i = 0; i < n[0] * n[1]; ++i) is.values.push_back(d.value());
    std::vector<double> host = is.values;
    const yoke::array<double, 2> x{rt, {n[0], n[1]}, yoke::attach(host)};
    const std::int64_t from = d.upto(3);
    const any_box over{yoke::bound{from, n[0] - d.upto(1)}, yoke::bound{from % 2, n[1]}, yoke::bound{1},
                       yoke::bound{1}};
    CHECK(loops_of<2>::reduce(rt, over, x, {1, 2, 3}) == reduce_of(2, over, is, {1, 2, 3}));
  }
}

TEST_CASE("reductions along a cut dimension have the same bits", "[arrays][reduction]") {
  yoke::runtime rt;
  dice d{Catch::rngSeed()};
  INFO("--rng-seed " << Catch::rngSeed());
  for (const std::int64_t n : {1'000'003, 786'432}) {
    model is{.dimensions = 1, .sides = {side{.extent = n}, {}, {}, {}}, .values = {}};
    for (std::int64_t i = 0; i < n; ++i) is.values.push_back(d.value());
    std::vector<double> host = is.values;
    const yoke::array<double, 1> x{rt, {n}, yoke::attach(host)};
    const any_box over{yoke::bound{d.upto(2000), n - d.upto(2000)}, yoke::bound{1}, yoke::bound{1},
                       yoke::bound{1}};
    CHECK(loops_of<1>::reduce(rt, over, x, {1, 2, 3}) == reduce_of(1, over, is, {1, 2, 3}));
  }
}

TEST_CASE("many random loops give what a serial model gives, to the bit", "[.][full]") { run_cases(20'000); }
