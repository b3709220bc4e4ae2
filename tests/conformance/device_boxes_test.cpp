#include "bench.hpp"
#include "device_kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/event.hpp>

// Copies of boxes, beside plain loops over bytes.

namespace {

using Catch::Matchers::Contains;
using conformance::bench;
using conformance::blocker;
using yoke::box_copy;
using yoke::copy_kind;
using bytes = std::vector<std::uint8_t>;

constexpr std::size_t n_bytes = 5000;
constexpr std::size_t first_to = 40, first_from = 17;

bytes random_bytes(unsigned seed) {
  std::mt19937 random{seed};
  bytes made(n_bytes);
  for (auto& each : made) each = static_cast<std::uint8_t>(random());
  return made;
}

/// The shapes that backends tell apart: rows and planes with and without gaps, planes that begin at whole
/// rows and not, one row, one plane, one byte.
box_copy shape() {
  return GENERATE(
      box_copy{.bytes = 1}, box_copy{.bytes = 300},
      box_copy{.bytes = 8, .rows = 20, .to_pitch = {.row = 8}, .from_pitch = {.row = 72}},
      box_copy{.bytes = 8, .rows = 20, .to_pitch = {.row = 72}, .from_pitch = {.row = 8}},
      box_copy{.bytes = 16, .rows = 20, .to_pitch = {.row = 16}, .from_pitch = {.row = 16}},
      box_copy{.bytes = 24, .rows = 5, .planes = 4, .to_pitch = {40, 280}, .from_pitch = {32, 320}},
      box_copy{.bytes = 24, .rows = 5, .planes = 4, .to_pitch = {40, 207}, .from_pitch = {32, 321}},
      box_copy{.bytes = 10, .rows = 3, .planes = 7, .to_pitch = {10, 30}, .from_pitch = {10, 100}},
      box_copy{.bytes = 9, .rows = 1, .planes = 6, .to_pitch = {0, 11}, .from_pitch = {0, 700}});
}

/// `to` after the copy.
bytes copied(box_copy what, const bytes& from, bytes to) {
  for (std::size_t k = 0; k < what.planes; ++k)
    for (std::size_t j = 0; j < what.rows; ++j)
      for (std::size_t i = 0; i < what.bytes; ++i)
        to[first_to + k * what.to_pitch.plane + j * what.to_pitch.row + i] =
            from[first_from + k * what.from_pitch.plane + j * what.from_pitch.row + i];
  return to;
}

/// Bytes in the memory of a device.
class device_bytes {
 public:
  device_bytes(yoke::device& dev, const bytes& values)
      : device_{dev}, address_{static_cast<std::uint8_t*>(dev.allocate(values.size()))} {
    REQUIRE(address_ != nullptr);
    const yoke::stream_handle stream = dev.create_stream();
    dev.copy(stream, address_, values.data(), values.size(), copy_kind::host_to_device);
    dev.synchronize(stream);
    dev.destroy_stream(stream);
  }
  ~device_bytes() { device_.deallocate(address_); }
  device_bytes(const device_bytes&) = delete;
  device_bytes& operator=(const device_bytes&) = delete;

  std::uint8_t* get() const { return address_; }
  bytes read(yoke::stream_handle stream) const {
    bytes values(n_bytes);
    device_.copy(stream, values.data(), address_, values.size(), copy_kind::device_to_host);
    device_.synchronize(stream);
    return values;
  }

 private:
  yoke::device& device_;
  std::uint8_t* address_;
};

}  // namespace

TEST_CASE("a box goes to a device, and nothing beside it changes", "[device][box]") {
  bench on;
  box_copy what = shape();
  const bytes from = random_bytes(1), before = random_bytes(2);
  const device_bytes to{*on.device, before};
  what.to = to.get() + first_to;
  what.from = from.data() + first_from;
  what.kind = copy_kind::host_to_device;
  on.device->copy_box(on.stream, what);
  CHECK(to.read(on.stream) == copied(what, from, before));
}

TEST_CASE("a box comes from a device, and nothing beside it changes", "[device][box]") {
  bench on;
  box_copy what = shape();
  const bytes values = random_bytes(1), before = random_bytes(2);
  const device_bytes from{*on.device, values};
  bytes to = before;
  what.to = to.data() + first_to;
  what.from = from.get() + first_from;
  what.kind = copy_kind::device_to_host;
  on.device->copy_box(on.stream, what);
  on.device->synchronize(on.stream);
  CHECK(to == copied(what, values, before));
}

TEST_CASE("a box moves inside a device, and nothing beside it changes", "[device][box]") {
  bench on;
  box_copy what = shape();
  const bytes values = random_bytes(1), before = random_bytes(2);
  const device_bytes from{*on.device, values}, to{*on.device, before};
  what.to = to.get() + first_to;
  what.from = from.get() + first_from;
  on.device->copy_box(on.stream, what);
  CHECK(to.read(on.stream) == copied(what, values, before));
}

TEST_CASE("a box goes from one device to another, asked of either", "[device][box]") {
  bench on;
  const auto other = conformance::open_second_device(on.backend);
  if (!other) return;
  const bool by_source = GENERATE(true, false);
  box_copy what = shape();
  const bytes values = random_bytes(1), before = random_bytes(2);
  const device_bytes from{*on.device, values}, to{*other, before};
  what.to = to.get() + first_to;
  what.from = from.get() + first_from;
  yoke::device& asked = by_source ? *on.device : *other;
  const yoke::stream_handle stream = asked.create_stream();
  asked.copy_box(stream, what);
  asked.synchronize(stream);
  asked.destroy_stream(stream);
  const yoke::stream_handle reading = other->create_stream();
  CHECK(to.read(reading) == copied(what, values, before));
  other->destroy_stream(reading);
}

TEST_CASE("a box comes in the order of its stream, and a graph keeps it", "[device][box]") {
  bench on;
  double* x = on.holding({1, 2, 3, 4, 5, 6});
  double* y = on.holding({0, 0});
  const box_copy every_third{.to = y,
                             .from = x,
                             .bytes = sizeof(double),
                             .rows = 2,
                             .to_pitch = {.row = sizeof(double)},
                             .from_pitch = {.row = 3 * sizeof(double)}};
  blocker hold{*on.device, on.stream};
  conformance::launch_add(*on.device, on.stream, {6}, yoke::device_ptr{x}, 6, 10);
  on.device->copy_box(on.stream, every_third);
  const yoke::event copied{*on.device, on.stream};
  CHECK_FALSE(copied.done());
  hold.release();
  CHECK(on.read(y, 2) == std::vector<double>{11, 14});
  on.device->begin_capture(on.stream);
  conformance::launch_add(*on.device, on.stream, {6}, yoke::device_ptr{x}, 6, 10);
  on.device->copy_box(on.stream, every_third);
  const yoke::graph_handle graph = on.device->end_capture(on.stream);
  CHECK(on.read(y, 2) == std::vector<double>{11, 14});
  on.device->replay(graph, on.stream);
  CHECK(on.read(y, 2) == std::vector<double>{21, 24});
  on.device->destroy_graph(graph);
  on.device->deallocate(x);
  on.device->deallocate(y);
}

TEST_CASE("a box without bytes is nothing to copy", "[device][box]") {
  bench on;
  double* x = on.holding({7});
  const double other = 1;
  box_copy what{.to = x, .from = &other, .bytes = sizeof other, .kind = copy_kind::host_to_device};
  for (std::size_t box_copy::* count : {&box_copy::bytes, &box_copy::rows, &box_copy::planes}) {
    box_copy nothing = what;
    nothing.*count = 0;
    on.device->copy_box(on.stream, nothing);
  }
  CHECK(on.read(x, 1) == std::vector<double>{7});
  on.device->deallocate(x);
}

TEST_CASE("a box whose rows or planes overlap is refused with device, box and what is accepted",
          "[device][box]") {
  bench on;
  const bytes before = random_bytes(2);
  const device_bytes to{*on.device, before};
  bytes from = random_bytes(1);
  const box_copy good{.to = to.get(),
                      .from = from.data(),
                      .bytes = 24,
                      .rows = 5,
                      .planes = 4,
                      .to_pitch = {40, 280},
                      .from_pitch = {32, 320},
                      .kind = copy_kind::host_to_device};
  const auto refused = [&](const box_copy& what, const std::string& reason) {
    CHECK_THROWS_WITH(on.device->copy_box(on.stream, what),
                      Contains(on.name()) &&
                          Contains("copying 4 x 5 rows of 24 bytes from the host to the device") &&
                          Contains(reason));
    CHECK_THROWS_AS(on.device->copy_box(on.stream, what), yoke::device_error);
  };
  box_copy bad = good;
  bad.to_pitch.row = 23;
  refused(bad, "the rows of the destination are 23 bytes apart; they must be 24 at least");
  bad = good;
  bad.from_pitch.plane = 151;
  refused(bad, "the planes of the source are 151 bytes apart; they must be 152 at least");
  bad = good;
  bad.from_pitch.row = std::numeric_limits<std::size_t>::max() / 4;
  refused(bad, "the source would be larger than all memory");
  CHECK(to.read(on.stream) == before);
}
