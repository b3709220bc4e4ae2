// Kernels whose mathematics is in functions of their own, and the same loops over pointers. Not run: what the
// compiler makes of both is compared by kernel_functions.py. `Values` is a pointer, a device_ptr or a view.
#include "../../benchmarks/user-kernels/points.hpp"

#include <cstdint>
#include <utility>

#include <yoke/kernel.hpp>
#include <yoke/view.hpp>

namespace helpers {

/// A stencil of 60 operations.
template <class Values>
inline double ring(const Values x, std::int64_t i, std::int64_t w, double beside, double corner) {
  return beside * ((x[i - 1] + x[i + 1]) + (x[i - w] + x[i + w])) +
         corner * ((x[i - w - 1] + x[i - w + 1]) + (x[i + w - 1] + x[i + w + 1]));
}
template <class Values>
inline double stencil(const Values x, std::int64_t i, std::int64_t w) {
  const double near = ring(x, i, w, 0.11, 0.05), far = ring(x, i, 2 * w, 0.07, 0.03);
  const double below = ring(x, i - 4 * w, w, 0.04, 0.02), above = ring(x, i + 4 * w, w, 0.04, 0.02);
  return 0.5 * x[i] + ((near + far) + (below + above));
}

/// Three deep.
template <class Values>
inline double slope(const Values x, std::int64_t i, std::int64_t step) {
  const double back = x[i] - x[i - step], ahead = x[i + step] - x[i];
  return 0.5 * (back + ahead) + 0.25 * (back * ahead) / (1.0 + back * back + ahead * ahead);
}
template <class Values>
inline double flux(const Values x, std::int64_t i, std::int64_t w) {
  return slope(x, i, 1) * slope(x, i, w) + 0.3 * slope(x, i - 1, 1);
}
template <class Values>
inline double deep(const Values x, std::int64_t i, std::int64_t w) {
  return x[i] + 0.1 * (flux(x, i, w) - flux(x, i - w, w));
}

/// A function object that has the values.
template <class Values>
struct weighed {
  const Values x;
  std::int64_t w;
  inline double operator()(std::int64_t i) const { return stencil(x, i, w) - 0.25 * x[i + 1]; }
};

/// Of another type than what is read, so that a store may change whatever is in memory.
template <class Bytes>
inline void invert(const Bytes counts, std::int64_t i) {
  counts[i] = static_cast<unsigned char>(counts[i] ^ 0xff);
  counts[i] = static_cast<unsigned char>(counts[i] + 1);
}

/// A function of N accesses, for the size from which on a compiler does not compile it into the loop.
template <class Values, std::int64_t... Steps>
[[gnu::always_inline]] inline double terms_of(const Values x, std::int64_t i,
                                              std::integer_sequence<std::int64_t, Steps...>) {
  return ((x[i + Steps * Steps] * (1.5 + Steps)) + ...);
}
template <int N, class Values>
inline double terms(const Values x, std::int64_t i) {
  return terms_of(x, i, std::make_integer_sequence<std::int64_t, N>{});
}

/// By two indices: rows of a pointer, and a view.
struct rows {
  const double* first;
  std::int64_t width;
  double operator()(std::int64_t j, std::int64_t i) const { return first[j * width + i]; }
};
template <class Values>
inline double cross(const Values& x, std::int64_t j, std::int64_t i) {
  return (x(j, i - 1) + x(j, i + 1)) + (x(j - 1, i) + x(j + 1, i));
}
template <class Values>
inline double crosses(const Values x, std::int64_t j, std::int64_t i) {
  return 0.5 * x(j, i) + 0.1 * cross(x, j, i) + 0.05 * (cross(x, j - 1, i - 1) + cross(x, j + 1, i + 1));
}

}  // namespace helpers

using yoke::detail::make_pack;
using input = yoke::device_ptr<const double>;
using output = yoke::device_ptr<double>;
using flat_pack = decltype(make_pack(std::int64_t{}, input{}, output{}));

#define KERNEL(name, statement)                                                   \
  struct name {                                                                   \
    template <class In, class Out>                                                \
    void operator()(yoke::item at, std::int64_t w, In x, Out y) const {           \
      const std::int64_t i = at.x;                                                \
      statement;                                                                  \
    }                                                                             \
  };                                                                              \
  void plain_##name(std::int64_t n, std::int64_t w, const double* x, double* y) { \
    for (std::int64_t i = 0; i < n; ++i) statement;                               \
  }                                                                               \
  template void yoke::detail::run_on_host<name, yoke::item, flat_pack>(const void*, const yoke::item_range&);

KERNEL(stencil, y[i] = helpers::stencil(x, i, w))
KERNEL(deep, y[i] = helpers::deep(x, i, w))
KERNEL(object, y[i] = (helpers::weighed<decltype(x)>{x, w}(i)))
KERNEL(lambda, y[i] = ([&](std::int64_t k) { return helpers::stencil(x, k, w) + 0.1 * x[k - 1]; }(i)))
KERNEL(table, y[i] = user_kernels::look_up(x, w, y[i]))

struct bytes {
  template <class Counts>
  void operator()(yoke::item at, Counts counts) const {
    helpers::invert(counts, at.x);
  }
};
void plain_bytes(std::int64_t n, unsigned char* counts) {
  for (std::int64_t i = 0; i < n; ++i) helpers::invert(counts, i);
}
using bytes_pack = decltype(make_pack(yoke::device_ptr<unsigned char>{}));
template void yoke::detail::run_on_host<bytes, yoke::item, bytes_pack>(const void*, const yoke::item_range&);

struct views {
  void operator()(yoke::item at, yoke::view<const double, 2> x, yoke::view<double, 2> y) const {
    y.with_contiguous_rows()(at.y, at.x) = helpers::crosses(x.with_contiguous_rows(), at.y, at.x);
  }
};
void plain_views(std::int64_t height, std::int64_t width, const double* x, double* y) {
  for (std::int64_t j = 0; j < height; ++j)
    for (std::int64_t i = 0; i < width; ++i)
      y[j * width + i] = helpers::crosses(helpers::rows{x, width}, j, i);
}
using view_pack = decltype(make_pack(yoke::view<const double, 2>{}, yoke::view<double, 2>{}));
template void yoke::detail::run_on_host<views, yoke::item, view_pack>(const void*, const yoke::item_range&);

/// Sizes of `terms`, all of them in one function for each kind of pointer.
template <class Values, int... Sizes>
double all_terms(const Values x, std::int64_t i, std::integer_sequence<int, Sizes...>) {
  return (helpers::terms<Sizes + 1>(x + Sizes, i) + ...);
}
using sizes = std::make_integer_sequence<int, 64>;
template double all_terms(const double*, std::int64_t, sizes);
template double all_terms(input, std::int64_t, sizes);
