#include "driver/faces/face_store.hpp"

#include <algorithm>
#include <memory>
#include <support/catch.hpp>
#include <vector>

#include <yoke/emulated.hpp>

using npb::face_of;
using npb::face_route;
using npb::face_routes;
using npb::side;
using npb::way;

namespace {

using map = std::vector<yoke::unit_id>;

constexpr yoke::space_id device_1{1}, device_2{2};
constexpr yoke::unit_id host_end{-1};
/// Two CPU CUs and two GPU CUs, each on a device of its own.
constexpr yoke::unit_id cpu_0{0}, cpu_1{1}, gpu_2{2}, gpu_3{3};
const std::vector<yoke::unit> units = {{.kind = yoke::unit_kind::cpu, .space = yoke::host_space},
                                       {.kind = yoke::unit_kind::cpu, .space = yoke::host_space},
                                       {.kind = yoke::unit_kind::gpu, .space = device_1},
                                       {.kind = yoke::unit_kind::gpu, .space = device_2}};

/// Six zones in a torus of 3x2: 0 1 2 and, to the north and to the south of them, 3 4 5.
npb::problem six() { return npb::make_custom_problem(npb::benchmark_kind::sp, 'S', {29, 23, 9, 3, 2}); }

std::vector<int> takers() {
  std::vector<int> zones;
  for (const npb::zone& z : six().zones)
    for (const side s : npb::all_sides) zones.push_back(npb::neighbour(z, s));
  return zones;
}

face_routes routes_of(map of) { return {takers(), units, std::move(of)}; }

/// Two emulated devices, each in a group of so many that reach one another.
struct two_devices {
  explicit two_devices(int peers) {
    for (int i = 0; i < 2; ++i)
      devices.push_back(yoke::make_emulated_device(i, {.memory = std::size_t{1} << 24, .peers = peers}));
    for (const auto& each : devices) pointers.push_back(each.get());
  }
  face_routes routes_of(map of, npb::peer_faces ways = npb::peer_faces::direct) const {
    return {takers(), units, std::move(of), {yoke::link_table{pointers}, ways}};
  }
  std::vector<std::unique_ptr<yoke::emulated_device>> devices;
  std::vector<yoke::device*> pointers;
};

/// The routes of all 24 faces that differ.
std::vector<face_route> all_of(const face_routes& routes) {
  std::vector<face_route> found;
  for (int face = 0; face < std::ssize(takers()); ++face)
    if (std::ranges::find(found, routes.of(face)) == found.end()) found.push_back(routes.of(face));
  return found;
}

}  // namespace

TEST_CASE("faces between zones of CPU CUs lie in host memory, whichever of a pool runs them", "[routes]") {
  const std::vector<face_route> in_host{{.by = way::inside, .to = yoke::host_space}};
  CHECK(all_of(routes_of(map(6, cpu_0))) == in_host);
  CHECK(all_of(routes_of({cpu_0, cpu_1, cpu_0, cpu_1, cpu_0, cpu_1})) == in_host);
}

TEST_CASE("faces between zones of one GPU CU are sent, and lie on its device where batches divide them",
          "[routes]") {
  const face_routes routes = routes_of(map(6, gpu_2));
  CHECK(all_of(routes) == std::vector<face_route>{{.by = way::sent, .to = device_1}});
  CHECK(between_batches(routes.of(0)) == face_route{.by = way::inside, .to = device_1});
  CHECK(!routes.of(0).is_read_outside(device_1));
  CHECK(routes.of(0).is_read_outside(yoke::host_space));  // from a zone that has yet to come to the device
}

TEST_CASE("faces between devices that reach each other go directly, unless that is not wanted", "[routes]") {
  const two_devices near{0}, far{1};
  const map of{gpu_2, gpu_2, gpu_2, gpu_3, gpu_3, cpu_0};
  const int face = face_of(0, side::north);  // to zone 3
  const face_routes routes = near.routes_of(of);
  CHECK(routes.of(face) == face_route{way::direct, device_2, gpu_2, gpu_3});
  CHECK(between_batches(routes.of(face)) == routes.of(face));
  CHECK(routes.goes_directly(routes.of(face), device_1));
  CHECK(!routes.goes_through_host(routes.of(face), device_1));
  CHECK(!routes.goes_directly(routes.of(face), device_2));
  CHECK(routes.goes_through_host(routes.of(face), yoke::host_space));  // of a zone that has yet to come
  CHECK(routes.of(face_of(2, side::north)).by == way::message);        // to a CPU CU
  for (const face_routes& by_host : {far.routes_of(of), near.routes_of(of, npb::peer_faces::host)}) {
    CHECK(by_host.of(face) == face_route{way::message, device_2, gpu_2, gpu_3});
    CHECK(by_host.goes_through_host(by_host.of(face), device_1));
    CHECK(!by_host.goes_directly(by_host.of(face), device_1));
  }
}

TEST_CASE("frozen faces between devices are made for nobody, and others go their way", "[routes]") {
  const face_routes routes =
      two_devices{0}.routes_of({gpu_2, gpu_2, gpu_2, gpu_3, gpu_3, cpu_0}, npb::peer_faces::frozen);
  const face_route& frozen = routes.of(face_of(0, side::north));
  CHECK(frozen.by == way::frozen);
  CHECK(frozen.needs_no_slot());
  CHECK(!frozen.is_read_in(device_1));
  CHECK(!frozen.is_read_outside(device_1));
  CHECK(routes.of(face_of(0, side::east)) == face_route{.by = way::sent, .to = device_1});
  CHECK(routes.of(face_of(2, side::north)).by == way::message);
}

TEST_CASE("faces between two devices are one message for each direction", "[routes]") {
  const face_routes routes = routes_of({gpu_2, gpu_2, gpu_2, gpu_3, gpu_3, gpu_3});
  const face_route to_3{way::message, device_2, gpu_2, gpu_3}, to_2{way::message, device_1, gpu_3, gpu_2};
  for (const int zone : {0, 1, 2}) {
    for (const side s : {side::west, side::east})
      CHECK(routes.of(face_of(zone, s)) == face_route{.by = way::sent, .to = device_1});
    for (const side s : {side::south, side::north}) {
      CHECK(routes.of(face_of(zone, s)) == to_3);
      CHECK(routes.of(face_of(zone + 3, s)) == to_2);
    }
  }
  CHECK(between_batches(to_3) == to_3);
  CHECK(to_3.is_read_in(device_2));
  CHECK(to_3.is_read_outside(device_1));
  CHECK(!to_3.is_read_in(device_1));
}

TEST_CASE("a message from or to the host has all CPU CUs together at one end", "[routes]") {
  const face_routes routes = routes_of({cpu_0, cpu_1, gpu_2, gpu_2, gpu_2, gpu_3});
  CHECK(routes.of(face_of(0, side::east)) == face_route{.by = way::inside, .to = yoke::host_space});
  CHECK(routes.of(face_of(0, side::west)) == face_route{way::message, device_1, host_end, gpu_2});
  CHECK(routes.of(face_of(1, side::east)) == face_route{way::message, device_1, host_end, gpu_2});
  CHECK(routes.of(face_of(2, side::east)) == face_route{way::message, yoke::host_space, gpu_2, host_end});
  CHECK(routes.of(face_of(3, side::east)) == face_route{.by = way::sent, .to = device_1});
  CHECK(routes.of(face_of(2, side::north)) == face_route{way::message, device_2, gpu_2, gpu_3});
  CHECK(routes.of(face_of(5, side::west)) == face_route{way::message, device_1, gpu_3, gpu_2});
}

TEST_CASE("where nobody knows the map a face may be read in any space, unless there is but one", "[routes]") {
  const face_routes open = routes_of({});
  CHECK(!open.are_known());
  CHECK(all_of(open) == std::vector<face_route>{{.by = way::anywhere}});
  for (const yoke::space_id space : {yoke::host_space, device_1, device_2}) {
    CHECK(open.of(0).is_read_in(space));
    CHECK(open.of(0).is_read_outside(space));
  }
  const auto only = [](std::size_t first, std::size_t n) {
    return face_routes{takers(), std::span{units}.subspan(first, n), {}}.of(0);
  };
  CHECK(only(0, 2) == face_route{.by = way::inside, .to = yoke::host_space});
  CHECK(only(2, 1) == face_route{.by = way::inside, .to = device_1});
}

TEST_CASE("a share is all that the map gives to a unit, and nothing else", "[routes]") {
  const face_routes routes = routes_of({cpu_0, gpu_2, gpu_2, cpu_0, gpu_2, cpu_1});
  const auto is_share = [&](std::vector<yoke::task_id> zones) { return routes.are_share(zones, gpu_2); };
  CHECK(is_share({yoke::task_id{4}, yoke::task_id{1}, yoke::task_id{2}}));
  CHECK(!is_share({yoke::task_id{1}, yoke::task_id{2}}));
  CHECK(!is_share({yoke::task_id{1}, yoke::task_id{2}, yoke::task_id{3}}));
  CHECK(!routes_of({}).are_share({}, gpu_2));
}

TEST_CASE("faces of a message follow each other in host memory, and no two faces share any", "[routes]") {
  const npb::problem what = six();
  npb::face_store faces{what, {}, units};
  faces.plan({gpu_2, cpu_0, gpu_2, cpu_1, gpu_3, gpu_2});
  std::vector<int> order;
  for (int face = 0; face < std::ssize(takers()); ++face) order.push_back(face);
  std::ranges::sort(order, {}, [&](int face) { return faces.host_slot(face, {0, 0}); });
  std::vector<face_route> met;
  const double* next = faces.host_slot(order.front(), {0, 0});
  for (const int face : order) {
    CHECK(faces.host_slot(face, {0, 0}) == next);
    next += faces.size(face);
    const face_route& route = faces.route_of(face);
    if (route.by != way::message || (!met.empty() && met.back() == route)) continue;
    CHECK(std::ranges::find(met, route) == met.end());
    met.push_back(route);
  }
  CHECK(faces.host_slot(order.front(), {0, 1}) == next);
  CHECK(met.size() == 6);  // each of the host, gpu_2 and gpu_3 to both others
}

TEST_CASE("faces that one device gives another lie side by side in its memory", "[routes]") {
  const two_devices both{0};
  npb::problem what = six();
  npb::face_store faces{
      what, both.pointers, units, {yoke::link_table{both.pointers}, npb::peer_faces::direct}};
  faces.plan({gpu_2, gpu_2, gpu_2, gpu_3, gpu_3, gpu_3});
  std::vector<int> to_3;
  for (int face = 0; face < std::ssize(takers()); ++face)
    if (faces.route_of(face) == face_route{way::direct, device_2, gpu_2, gpu_3}) to_3.push_back(face);
  REQUIRE(to_3.size() == 6);
  const double* next = faces.device_slot(device_2, to_3.front(), {0, 1});
  for (const int face : to_3) {
    CHECK(faces.device_slot(device_2, face, {0, 1}) == next);
    next += faces.size(face);
  }
}
