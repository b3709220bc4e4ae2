// Kernels: compiled by a GPU's compiler where there is one.
#include "random_loops.hpp"

namespace arrays_test {

namespace {

using namespace yoke::loops;

template <int D>
YOKE_HD yoke::loop_index<D> moved(const yoke::loop_index<D>& at, const std::int64_t* by) {
  if constexpr (D == 1) {
    return {at.i + by[0]};
  } else if constexpr (D == 2) {
    return {at.i + by[0], at.j + by[1]};
  } else if constexpr (D == 3) {
    return {at.i + by[0], at.j + by[1], at.k + by[2]};
  } else {
    return {at.i + by[0], at.j + by[1], at.k + by[2], at.l + by[3]};
  }
}

/// read(by) for what lies `low` and `high` away in each dimension, then for the corners.
template <int D, class Index, class Read>
YOKE_HD double mix(double value, const Index& at, const around& reads, const Read& read) {
  std::int64_t lowest[4]{}, highest[4]{};
  for (int d = 0; d < D; ++d) {
    std::int64_t by[4]{};
    by[d] = at[d] - reads.low[d] < reads.first[d] ? 0 : -reads.low[d];
    lowest[d] = by[d];
    value = mixed(value, read(by));
    by[d] = at[d] + reads.high[d] >= reads.last[d] ? 0 : reads.high[d];
    highest[d] = by[d];
    value = mixed(value, read(by));
  }
  value = mixed(value, read(lowest));
  return mixed(value, read(highest));
}

template <int D>
struct stencil_kernel {
  YOKE_HD void operator()(yoke::loop_index<D> at, yoke::view<const double, D> old, const around& reads,
                          yoke::view<const double, D> other, yoke::view<double, D> to) const {
    to(at) = mix<D>(other(at), at, reads, [&](const std::int64_t* by) { return old(moved<D>(at, by)); });
  }
};

template <int D>
struct add_kernel {
  YOKE_HD void operator()(yoke::loop_index<D> at, yoke::view<double, D> to, double value) const {
    to(at) = mixed(to(at), value);
  }
};

template <int D>
struct reduce_kernel {
  YOKE_HD void operator()(yoke::loop_index<D> at, yoke::view<const double, D> of, yoke::partial<double>& sum,
                          yoke::partial<double, yoke::smallest>& smallest,
                          yoke::partial<double, yoke::largest>& largest) const {
    sum += of(at) * of(at);
    smallest.take(of(at));
    largest.take(of(at));
  }
};

struct put_together {
  YOKE_HD void operator()(yoke::loop_index<1>, yoke::view<const double, 1> sum,
                          yoke::view<const double, 1> smallest, yoke::view<const double, 1> largest,
                          yoke::view<double, 2> all) const {
    all(0, 0) = sum(0);
    all(0, 1) = smallest(0);
    all(0, 2) = largest(0);
  }
};

template <int D>
yoke::box<D> box_of(const any_box& over) {
  yoke::bound sides[D];
  for (std::size_t d = 0; d < D; ++d) sides[d] = over[d];
  return yoke::box<D>{sides};
}

/// body(index) for each, the last dimension fastest.
template <class Body>
void for_all(const any_box& over, const Body& body) {
  std::int64_t at[4];
  for (at[0] = over[0].begin; at[0] < over[0].end; ++at[0])
    for (at[1] = over[1].begin; at[1] < over[1].end; ++at[1])
      for (at[2] = over[2].begin; at[2] < over[2].end; ++at[2])
        for (at[3] = over[3].begin; at[3] < over[3].end; ++at[3]) body(at);
}

double mix_of(int dimensions, double value, const std::int64_t (&at)[4], const around& reads,
              const model& old) {
  const auto read = [&](const std::int64_t* by) {
    const std::int64_t there[4]{at[0] + by[0], at[1] + by[1], at[2] + by[2], at[3] + by[3]};
    return old.read(there);
  };
  switch (dimensions) {
    case 1:
      return mix<1>(value, at, reads, read);
    case 2:
      return mix<2>(value, at, reads, read);
    case 3:
      return mix<3>(value, at, reads, read);
    default:
      return mix<4>(value, at, reads, read);
  }
}

}  // namespace

std::int64_t model::place_of(const std::int64_t (&index)[4]) const {
  std::int64_t place = 0;
  for (std::size_t d = 0; d < 4; ++d) place = place * sides[d].extent + sides[d].inside(index[d]);
  return place;
}

around model::reads(bool all, std::int64_t low, std::int64_t high) const {
  around made;
  for (std::size_t d = 0; d < 4; ++d) {
    const side& of = sides[d];
    made.low[d] = d == 0 ? low : all ? of.low : 0;
    made.high[d] = d == 0 ? high : all ? of.high : 0;
    made.first[d] = all ? of.first() : 0;
    made.last[d] = all ? of.last() : of.extent;
  }
  return made;
}

around model::reads_everywhere(dice& d) const {
  around made = reads(false, 0, 0);
  for (std::size_t at = 0; at < 4; ++at) {
    made.low[at] = d.upto(sides[at].extent);
    made.high[at] = d.upto(sides[at].extent);
  }
  return made;
}

void stencil_of(const any_box& over, const model& old, const around& reads, const model& other, model& to) {
  for_all(over, [&](const std::int64_t(&at)[4]) {
    to.at(at) = mix_of(to.dimensions, other.read(at), at, reads, old);
  });
}

template <int D>
void loops_of<D>::stencil(yoke::runtime& rt, const any_box& over, const array& old, const around& reads,
                          reach how, yoke::reach rows, const array& other, array& to) {
  const auto run = [&](const auto& role) {
    yoke::for_each<stencil_kernel<D>>(rt, box_of<D>(over), role, reads, in(other, yoke::interior), out(to));
  };
  if (how == reach::all) run(in(old));
  if (how == reach::rows) run(in(old, rows));
  if (how == reach::interior) run(in(old, yoke::interior));
  if (how == reach::everywhere) run(in(old, yoke::everywhere));
}

template <int D>
void loops_of<D>::add(yoke::runtime& rt, const any_box& over, array& to, double value) {
  yoke::for_each<add_kernel<D>>(rt, box_of<D>(over), inout(to), value);
}

template <int D>
reduced loops_of<D>::reduce(yoke::runtime& rt, const any_box& over, const array& of, reduced given) {
  yoke::for_each<reduce_kernel<D>>(rt, box_of<D>(over), in(of, yoke::interior), sum(given.sum),
                                   min(given.smallest), max(given.largest));
  return given;
}

template <int D>
reduced loops_of<D>::reduce_into_arrays(yoke::runtime& rt, const any_box& over, const array& of,
                                        reduced given) {
  const auto one = [&](double& value) {
    return yoke::array<double, 1>{rt, {1}, {yoke::dist::duplicate}, yoke::attach(std::span{&value, 1})};
  };
  auto of_sum = one(given.sum), of_smallest = one(given.smallest), of_largest = one(given.largest);
  yoke::array<double, 2> all{rt, {1, 3}, {yoke::dist::duplicate, yoke::dist::duplicate}};
  yoke::for_each<reduce_kernel<D>>(rt, box_of<D>(over), in(of, yoke::interior), sum(of_sum), min(of_smallest),
                                   max(of_largest));
  yoke::for_each<put_together>(rt, {1}, in(of_sum), in(of_smallest), in(of_largest), out(all));
  const std::vector<double> found = all.gather();
  of_sum.detach();
  return found == std::vector{given.sum, of_smallest.gather()[0], of_largest.gather()[0]}
             ? reduced{found[0], found[1], found[2]}
             : reduced{};
}

template struct loops_of<1>;
template struct loops_of<2>;
template struct loops_of<3>;
template struct loops_of<4>;

// ---- The rule of reductions once more, as plainly as can be.

namespace {

/// Values of a list: neighbours are combined until one is left.
template <class Combine>
double tree(std::vector<double> values, const Combine& combine) {
  while (values.size() > 1) {
    std::vector<double> next;
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) next.push_back(combine(values[i], values[i + 1]));
    if (values.size() % 2 == 1) next.push_back(values.back());
    values = next;
  }
  return values.front();
}

/// Lane l is combined with lane l + 16, then with l + 8, ….
template <class Combine>
double halves(std::vector<double> lanes, const Combine& combine) {
  while (lanes.size() > 1) {
    const std::size_t half = lanes.size() / 2;
    for (std::size_t i = 0; i < half; ++i) lanes[i] = combine(lanes[i], lanes[i + half]);
    lanes.resize(half);
  }
  return lanes.front();
}

template <class Value, class Combine>
double reduce_by(int dimensions, const any_box& over, const model& of, double none, double given,
                 const Value& value, const Combine& combine) {
  std::vector<double> leaves, lanes;
  const auto last = static_cast<std::size_t>(dimensions - 1);
  for_all(over, [&](const std::int64_t(&at)[4]) {
    const std::int64_t along = at[last];
    if (along == over[last].begin || along % 1024 == 0) {
      if (!lanes.empty()) leaves.push_back(halves(lanes, combine));
      lanes.assign(32, none);
    }
    double& lane = lanes[static_cast<std::size_t>(along % 32)];
    lane = combine(lane, value(of.read(at)));
  });
  if (lanes.empty()) return combine(none, given);
  leaves.push_back(halves(lanes, combine));
  return combine(tree(leaves, combine), given);
}

}  // namespace

reduced reduce_of(int dimensions, const any_box& over, const model& of, reduced given) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto itself = [](double v) { return v; };
  return {reduce_by(
              dimensions, over, of, 0, given.sum, [](double v) { return v * v; },
              [](double a, double b) { return a + b; }),
          reduce_by(dimensions, over, of, infinity, given.smallest, itself,
                    [](double a, double b) { return b < a ? b : a; }),
          reduce_by(dimensions, over, of, -infinity, given.largest, itself,
                    [](double a, double b) { return a < b ? b : a; })};
}

}  // namespace arrays_test
