// Kernels: compiled by a GPU's compiler where there is one.
#include "array_kernels.hpp"

#include <stdexcept>

namespace attack {

namespace {

using namespace yoke::loops;

struct place {
  std::int64_t at[4];
};

YOKE_HD double by_index(const std::int64_t* at, int dimensions, double value) {
  for (int d = 0; d < dimensions; ++d) value = 0.5 * value + static_cast<double>(at[d]);
  return value;
}

template <int D>
struct assign_kernel {
  YOKE_HD void operator()(yoke::loop_index<D> at, yoke::view<double, D> to, double value) const {
    std::int64_t place[D];
    for (int d = 0; d < D; ++d) place[d] = at[d];
    to(at) = by_index(place, D, value);
  }
};

template <int D>
YOKE_HD void throw_at([[maybe_unused]] const yoke::loop_index<D>& at, [[maybe_unused]] const place& where) {
#if !YOKE_DEVICE_PASS
  for (int d = 0; d < D; ++d)
    if (at[d] != where.at[d]) return;
  throw std::runtime_error{thrown_text};
#endif
}

template <int D>
struct throwing_kernel {
  YOKE_HD void operator()(yoke::loop_index<D> at, yoke::view<double, D> to, place where) const {
    throw_at<D>(at, where);
    to(at) = 1;
  }
};
template <int D>
struct throwing_reader {
  YOKE_HD void operator()(yoke::loop_index<D> at, yoke::view<const double, D> from, yoke::view<double, D> to,
                          place where) const {
    throw_at<D>(at, where);
    to(at) = from(at);
  }
};

template <int D>
yoke::box<D> box_of(const arrays_test::any_box& over) {
  yoke::bound sides[D];
  for (std::size_t d = 0; d < D; ++d) sides[d] = over[d];
  return yoke::box<D>{sides};
}

}  // namespace

template <int D>
void more_loops_of<D>::assign(yoke::runtime& rt, const arrays_test::any_box& over, array& to, double value) {
  yoke::for_each<assign_kernel<D>>(rt, box_of<D>(over), out(to), value);
}

template <int D>
void more_loops_of<D>::throwing(yoke::runtime& rt, const arrays_test::any_box& over, const array* from,
                                array& to, const std::int64_t (&where)[4]) {
  const place at{{where[0], where[1], where[2], where[3]}};
  if (from != nullptr)
    yoke::for_each<throwing_reader<D>>(rt, box_of<D>(over), in(*from), out(to), at);
  else
    yoke::for_each<throwing_kernel<D>>(rt, box_of<D>(over), out(to), at);
}

template struct more_loops_of<1>;
template struct more_loops_of<2>;
template struct more_loops_of<3>;

void transpose_of(const yoke::array<double, 2>& a, yoke::array<double, 2>& b) { yoke::transpose(a, b); }

double assigned(int dimensions, const std::int64_t (&at)[4], double value) {
  return by_index(at, dimensions, value);
}

}  // namespace attack
