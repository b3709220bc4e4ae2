#include "driver/gpu/face_message.hpp"

#include <algorithm>
#include <numeric>
#include <support/catch.hpp>
#include <vector>

#include <yoke/emulated.hpp>
#include <yoke/runtime.hpp>

namespace {

/// Slots in host memory and a device between which a message travels.
struct travel {
  yoke::runtime rt{
      {.cus = yoke::sourced{"1x1+1", "a test"}, .devices = yoke::sourced{"emulated:1", "a test"}}};
  yoke::emulated_device& dev = dynamic_cast<yoke::emulated_device&>(*rt.devices().front());
  npb::device_buffer memory{dev, npb::device_buffer::kind::pinned};
  yoke::stream_handle stream = dev.create_stream();
  npb::face_message message{dev};

  travel() { memory.reserve(100 * sizeof(double), "a test"); }
  ~travel() { dev.destroy_stream(stream); }
  double* slot(int i) { return reinterpret_cast<double*>(memory.data()) + i; }

  /// The slots after they were numbered, sent to the device, wiped out and sent back.
  std::vector<double> there_and_back() {
    std::iota(slot(0), slot(100), 0.0);
    message.gather();
    message.enqueue_in(stream);
    dev.synchronize(stream);
    std::fill(slot(0), slot(100), -1.0);
    message.enqueue_out(stream);
    dev.synchronize(stream);
    message.scatter();
    return {slot(0), slot(100)};
  }
};

std::vector<double> numbers_of(const std::vector<npb::face_slot>& faces, double* first) {
  std::vector<double> expected(100, -1.0);
  for (const npb::face_slot& f : faces)
    for (std::size_t i = 0; i < f.size; ++i)
      expected[static_cast<std::size_t>(f.address - first) + i] =
          static_cast<double>(f.address - first) + static_cast<double>(i);
  return expected;
}

}  // namespace

TEST_CASE("faces that follow each other in host memory are one copy, in whatever order they are named",
          "[npb]") {
  travel under;
  const std::vector<npb::face_slot> faces{{under.slot(30), 7}, {under.slot(10), 20}, {under.slot(37), 3}};
  const std::vector<double*> places = under.message.lay_out(faces, "a test");
  CHECK(places[0] == places[1] + 20);
  CHECK(places[2] == places[0] + 7);
  CHECK(under.message.bytes() == 30 * sizeof(double));
  const std::size_t before = under.dev.statistics().copies;
  CHECK(under.there_and_back() == numbers_of(faces, under.slot(0)));
  CHECK(under.dev.statistics().copies - before == 2);  // one in, one out
}

TEST_CASE("a few pieces are copied one by one, many as one that the host puts together", "[npb]") {
  travel under;
  for (const int n : {4, 5, 20}) {
    INFO(n << " pieces");
    std::vector<npb::face_slot> faces;
    for (int i = 0; i < n; ++i) faces.push_back({under.slot(5 * i), static_cast<std::size_t>(i % 3) + 1});
    under.message.lay_out(faces, "a test");
    const std::size_t before = under.dev.statistics().copies;
    CHECK(under.there_and_back() == numbers_of(faces, under.slot(0)));
    CHECK(under.dev.statistics().copies - before == (n <= 4 ? 2 * static_cast<std::size_t>(n) : 2));
  }
  under.message.lay_out({}, "a test");
  CHECK(under.message.bytes() == 0);
  CHECK(under.there_and_back() == std::vector<double>(100, -1.0));
}
