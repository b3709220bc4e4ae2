#include "kernels.hpp"

#include <vector>

#include <yoke/launch.hpp>

namespace zone_tests {

namespace {

struct smooth_body {
  template <int D>
  YOKE_HD void operator()(const yoke::zone_index<D>& at, yoke::view<const number, D> u,
                          yoke::view<number, D> v, reach far) const {
    number sum = u(at);
    for (int d = 0; d < D; ++d)
      for (std::int64_t by = 1; by <= far.of[d]; ++by) sum += moved(at, u, d, by) + 2 * moved(at, u, d, -by);
    if (far.has_corners) sum += 7 * diagonal(at, u, far, 1) + 11 * diagonal(at, u, far, -1);
    v(at) = 3 * v(at) + sum;
  }

 private:
  template <int D>
  YOKE_HD static number diagonal(yoke::loop_index<D> at, const yoke::view<const number, D>& u,
                                 const reach& far, std::int64_t way) {
    at.i += way * far.of[0];
    if constexpr (D > 1) at.j += way * far.of[1];
    if constexpr (D > 2) at.k -= way * far.of[2];
    return u(at);
  }
  template <int D>
  YOKE_HD static number moved(yoke::loop_index<D> at, const yoke::view<const number, D>& u, int d,
                              std::int64_t by) {
    if (d == 0) at.i += by;
    if constexpr (D > 1)
      if (d == 1) at.j += by;
    if constexpr (D > 2)
      if (d == 2) at.k += by;
    return u(at);
  }
};

struct change_body {
  template <int D>
  YOKE_HD void operator()(const yoke::zone_index<D>& at, yoke::view<number, D> u, number factor) const {
    u(at) = 5 * u(at) + factor * static_cast<number>(at.zone + 1) + static_cast<number>(at[D - 1]);
  }
};

struct inverse {
  template <int D>
  YOKE_HD double operator()(const yoke::loop_index<D>& at, yoke::view<const number, D> u) const {
    return 1 / (1 + static_cast<double>(u(at)));
  }
};
struct value {
  template <int D>
  YOKE_HD double operator()(const yoke::loop_index<D>& at, yoke::view<const number, D> u) const {
    return static_cast<double>(u(at));
  }
};

template <class View>
YOKE_HD number with_neighbours(const View& u, std::int64_t j, std::int64_t i) {
  return u(j, i) + u(j - 1, i) + u(j + 1, i) + u(j, i - 1) + u(j, i + 1);
}
struct add_neighbours_of_one {
  YOKE_HD void operator()(const yoke::loop_index<2>& at, yoke::view<const number, 2> u,
                          yoke::view<number, 2> v) const {
    v(at) = 3 * v(at) + with_neighbours(u, at.i, at.j);
  }
};
struct add_neighbours_of_each {
  YOKE_HD void operator()(const yoke::loop_index<2>& at, yoke::view<const number, 3> u,
                          yoke::view<number, 3> v) const {
    for (int m = 0; m < 3; ++m) {
      const auto of_one = [&](std::int64_t j, std::int64_t i) { return u(m, j, i); };
      v(m, at.i, at.j) = 3 * v(m, at.i, at.j) + with_neighbours(of_one, at.i, at.j);
    }
  }
};
struct last_component {
  YOKE_HD double operator()(const yoke::loop_index<2>& at, yoke::view<const number, 3> u) const {
    return static_cast<double>(u(2, at.i, at.j));
  }
};

struct shift_points {
  YOKE_HD void operator()(yoke::item at, yoke::view<const number, 1> from, yoke::view<number, 1> to) const {
    to(at.x) = from(at.x - 1);
  }
};

/// Points of a box of up to three dimensions, by one number.
struct box {
  std::int64_t n[3] = {1, 1, 1};
  std::int64_t points() const { return n[0] * n[1] * n[2]; }
  template <int D>
  YOKE_HD yoke::loop_index<D> at(std::int64_t point, const std::int64_t (&first)[3]) const {
    std::int64_t where[3];
    for (int d = D - 1; d >= 0; --d) {
      where[d] = first[d] + point % n[d];
      point /= n[d];
    }
    return loop_index_of<D>(where);
  }
};
template <int D>
struct change_of_zone {
  YOKE_HD void operator()(yoke::item at, yoke::view<number, D> u, box of, number add) const {
    const yoke::loop_index<D> here = of.at<D>(at.x, {0, 0, 0});
    u(here) = 5 * u(here) + add + static_cast<number>(here[D - 1]);
  }
};
struct face_firsts {
  std::int64_t from[3] = {0, 0, 0}, to[3] = {0, 0, 0};
};
template <int D>
struct copy_face {
  YOKE_HD void operator()(yoke::item at, yoke::view<number, D> from, yoke::view<number, D> to, box of,
                          face_firsts firsts) const {
    to(of.at<D>(at.x, firsts.to)) = from(of.at<D>(at.x, firsts.from));
  }
};
template <class Body, class... Args>
void launch_on(const yoke::zone_batch& at, std::int64_t n, const char* name, const Args&... args) {
  const yoke::extent over{.x = n};
  if (at.is_gpu())
    yoke::launch<Body>(*at.dev, at.stream, over, name, args...);
  else
    yoke::launch_here<Body>(over, name, args...);
}

struct too_far {
  YOKE_HD void operator()(const yoke::loop_index<1>& at, yoke::view<const number, 1> u,
                          yoke::view<number, 1> v) const {
    v(at) = u(at.i + 2);
  }
};

}  // namespace

template <int D>
void smooth(yoke::zone_step& s, const yoke::zoned<number, D>& u, yoke::zoned<number, D>& v,
            const reach& far) {
  s.launch<smooth_body>("smooth", in(u), inout(v, yoke::interior), far);
}
template <int D>
void change(yoke::zone_step& s, yoke::zoned<number, D>& u, number factor) {
  s.launch<change_body>("change", inout(u, yoke::interior), factor);
}
template <int D>
void change_and_send(yoke::zone_step& s, yoke::zoned<number, D>& u, number factor,
                     const std::array<std::int64_t, 3>& halo) {
  const auto body = [halo](const yoke::zone_batch& at, std::span<const yoke::view<number, D>> all,
                           number by) {
    const auto box_of = [&](std::size_t i) {
      box made;
      for (int d = 0; d < D; ++d) made.n[d] = all[i].extent(d) - 2 * halo[static_cast<std::size_t>(d)];
      return made;
    };
    for (std::size_t i = 0; i < all.size(); ++i)
      launch_on<change_of_zone<D>>(at, box_of(i).points(), "change", all[i], box_of(i),
                                   by * static_cast<number>(at.zones[i] + 1));
    for (std::size_t i = 0; i < all.size(); ++i)
      for (int side = 0; side < 2 * D; ++side) {
        const int d = side / 2;
        const bool is_high = side % 2 == 1;
        const int other = at.neighbour(i, is_high ? yoke::side::high(d) : yoke::side::low(d));
        if (other < 0) continue;
        const auto to = static_cast<std::size_t>(other);
        box face = box_of(i);
        face_firsts firsts;
        const std::int64_t layers = halo[static_cast<std::size_t>(d)];
        firsts.from[d] = is_high ? face.n[d] - layers : 0;
        firsts.to[d] = is_high ? -layers : box_of(to).n[d];
        face.n[d] = layers;
        launch_on<copy_face<D>>(at, face.points(), "send a face", all[i], all[to], face, firsts);
      }
  };
  s.call_batch("change and send", body, inout(u, yoke::sends_faces), factor);
}
void add_neighbours(yoke::zone_step& s, const yoke::zoned<number, 2>& u, yoke::zoned<number, 2>& v) {
  s.launch<add_neighbours_of_one>("add neighbours", in(u), inout(v, yoke::interior));
}
void add_neighbours(yoke::zone_step& s, const yoke::zoned<number[3], 2>& u, yoke::zoned<number[3], 2>& v) {
  s.launch<add_neighbours_of_each>("add neighbours", in(u), inout(v, yoke::interior));
}
double sum_of_components(yoke::zones& of, const yoke::zoned<number[3], 2>& u) {
  return yoke::zone_sum<last_component>(of, "last", in(u, yoke::interior));
}
void look_too_far(yoke::zone_step& s, const yoke::zoned<number, 1>& u, yoke::zoned<number, 1>& v) {
  s.launch<too_far>("look too far", in(u), out(v));
}

std::function<void(yoke::stream_handle)> shifting(yoke::device* dev,
                                                  std::span<const yoke::view<const number, 1>> from,
                                                  std::span<const yoke::view<number, 1>> to) {
  return [dev, sources = std::vector(from.begin(), from.end()),
          targets = std::vector(to.begin(), to.end())](yoke::stream_handle stream) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const yoke::extent over{.x = targets[i].extent(0) - 2};
      if (dev == nullptr)
        yoke::launch_here<shift_points>(over, "shift", sources[i], targets[i]);
      else
        yoke::launch<shift_points>(*dev, stream, over, "shift", sources[i], targets[i]);
    }
  };
}

template <int D>
double sum_of_inverses(yoke::zones& of, const yoke::zoned<number, D>& u) {
  return yoke::zone_sum<inverse>(of, "inverses", in(u, yoke::interior));
}
template <int D>
double largest(yoke::zones& of, const yoke::zoned<number, D>& u) {
  return yoke::zone_max<value>(of, "largest", in(u, yoke::interior));
}
double sum_with_halo(yoke::zones& of, const yoke::zoned<number, 1>& u) {
  return yoke::zone_sum<value>(of, "with halo", in(u));
}

template double sum_of_inverses<1>(yoke::zones&, const yoke::zoned<number, 1>&);
template double sum_of_inverses<2>(yoke::zones&, const yoke::zoned<number, 2>&);
template double sum_of_inverses<3>(yoke::zones&, const yoke::zoned<number, 3>&);
template double largest<1>(yoke::zones&, const yoke::zoned<number, 1>&);
template double largest<2>(yoke::zones&, const yoke::zoned<number, 2>&);
template double largest<3>(yoke::zones&, const yoke::zoned<number, 3>&);
template void smooth<1>(yoke::zone_step&, const yoke::zoned<number, 1>&, yoke::zoned<number, 1>&,
                        const reach&);
template void smooth<2>(yoke::zone_step&, const yoke::zoned<number, 2>&, yoke::zoned<number, 2>&,
                        const reach&);
template void smooth<3>(yoke::zone_step&, const yoke::zoned<number, 3>&, yoke::zoned<number, 3>&,
                        const reach&);
template void change_and_send<1>(yoke::zone_step&, yoke::zoned<number, 1>&, number,
                                 const std::array<std::int64_t, 3>&);
template void change_and_send<2>(yoke::zone_step&, yoke::zoned<number, 2>&, number,
                                 const std::array<std::int64_t, 3>&);
template void change_and_send<3>(yoke::zone_step&, yoke::zoned<number, 3>&, number,
                                 const std::array<std::int64_t, 3>&);
template void change<1>(yoke::zone_step&, yoke::zoned<number, 1>&, number);
template void change<2>(yoke::zone_step&, yoke::zoned<number, 2>&, number);
template void change<3>(yoke::zone_step&, yoke::zoned<number, 3>&, number);

}  // namespace zone_tests
