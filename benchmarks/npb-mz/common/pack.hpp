#pragma once
/// W doubles in a vector register: the number type of host solvers. Not for files compiled for a GPU.
///
/// Files compiled for a wider instruction set than the rest of the program must keep all their code in an
/// unnamed namespace or templated on their own pack width, so that the linker cannot take it for others.

#include "number.hpp"

#include <cstring>

namespace npb {

template <int W>
struct pack {
  using vector = double __attribute__((ext_vector_type(W)));
  static constexpr int width = W;
  vector v;

  pack() = default;
  NPB_HD pack(double x) : v(x) {}
  NPB_HD explicit pack(vector x) : v(x) {}

  NPB_HD static pack load(const double* from) {
    pack p;
    std::memcpy(&p.v, from, sizeof(vector));
    return p;
  }
  NPB_HD void store(double* to) const { std::memcpy(to, &v, sizeof(vector)); }
  /// Stores the first `count` lanes.
  NPB_HD void store(double* to, int count) const {
    if (count >= W) return store(to);
    for (int lane = 0; lane < count; ++lane) to[lane] = v[lane];
  }

  friend NPB_HD pack operator+(pack a, pack b) { return pack(a.v + b.v); }
  friend NPB_HD pack operator-(pack a, pack b) { return pack(a.v - b.v); }
  friend NPB_HD pack operator*(pack a, pack b) { return pack(a.v * b.v); }
  friend NPB_HD pack operator/(pack a, pack b) { return pack(a.v / b.v); }
  friend NPB_HD pack operator-(pack a) { return pack(-a.v); }
  friend NPB_HD pack fma(pack a, pack b, pack c) { return pack(__builtin_elementwise_fma(a.v, b.v, c.v)); }
  friend NPB_HD pack sqrt(pack a) { return pack(__builtin_elementwise_sqrt(a.v)); }
};

/// Every lane takes the value of the one before it, the first one `first`.
NPB_HD pack<4> shift_up(pack<4> a, double first) {
  return pack<4>(__builtin_shufflevector(pack<4>(first).v, a.v, 0, 4, 5, 6));
}
NPB_HD pack<8> shift_up(pack<8> a, double first) {
  return pack<8>(__builtin_shufflevector(pack<8>(first).v, a.v, 0, 8, 9, 10, 11, 12, 13, 14));
}
/// Every lane takes the value of the one after it, the last one `last`.
NPB_HD pack<4> shift_down(pack<4> a, double last) {
  return pack<4>(__builtin_shufflevector(a.v, pack<4>(last).v, 1, 2, 3, 4));
}
NPB_HD pack<8> shift_down(pack<8> a, double last) {
  return pack<8>(__builtin_shufflevector(a.v, pack<8>(last).v, 1, 2, 3, 4, 5, 6, 7, 8));
}

/// Transposes a tile of W packs in place.
NPB_HD void transpose(pack<4> (&t)[4]) {
  const auto a0 = __builtin_shufflevector(t[0].v, t[1].v, 0, 4, 2, 6);
  const auto a1 = __builtin_shufflevector(t[0].v, t[1].v, 1, 5, 3, 7);
  const auto a2 = __builtin_shufflevector(t[2].v, t[3].v, 0, 4, 2, 6);
  const auto a3 = __builtin_shufflevector(t[2].v, t[3].v, 1, 5, 3, 7);
  t[0].v = __builtin_shufflevector(a0, a2, 0, 1, 4, 5);
  t[1].v = __builtin_shufflevector(a1, a3, 0, 1, 4, 5);
  t[2].v = __builtin_shufflevector(a0, a2, 2, 3, 6, 7);
  t[3].v = __builtin_shufflevector(a1, a3, 2, 3, 6, 7);
}

NPB_HD void transpose(pack<8> (&t)[8]) {
  pack<8>::vector a[8], b[8];
  for (int p = 0; p < 8; p += 2) {
    a[p] = __builtin_shufflevector(t[p].v, t[p + 1].v, 0, 8, 2, 10, 4, 12, 6, 14);
    a[p + 1] = __builtin_shufflevector(t[p].v, t[p + 1].v, 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int p = 0; p < 8; p += 4)
    for (int q = 0; q < 2; ++q) {
      b[p + q] = __builtin_shufflevector(a[p + q], a[p + q + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[p + q + 2] = __builtin_shufflevector(a[p + q], a[p + q + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int q = 0; q < 4; ++q) {
    t[q].v = __builtin_shufflevector(b[q], b[q + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    t[q + 4].v = __builtin_shufflevector(b[q], b[q + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

}  // namespace npb
