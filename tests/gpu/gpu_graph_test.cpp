#include "gpu_fixture.hpp"
#include "gpu_kernels.hpp"

using namespace gpu_tests;

TEST_CASE("captured work does not run until it is replayed, and then as often", "[gpu]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const own_stream stream{*dev};
  device_array<double> values{*dev, 5};
  values.write(stream, std::vector<double>(5, 1.0));

  dev->begin_capture(stream);
  launch_scale(*dev, stream, 5, values.pointer(), 2, 0);
  launch_scale(*dev, stream, 5, values.pointer(), 1, 1);
  const yoke::graph_handle graph = dev->end_capture(stream);
  CHECK(values.read(stream) == std::vector<double>(5, 1.0));
  dev->replay(graph, stream);
  CHECK(values.read(stream) == std::vector<double>(5, 3.0));
  dev->replay(graph, stream);
  dev->replay(graph, stream);
  CHECK(values.read(stream) == std::vector<double>(5, 15.0));
  dev->destroy_graph(graph);
}

TEST_CASE("a captured copy reads its source when it is replayed", "[gpu]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const own_stream stream{*dev};
  const own_stream other{*dev};
  const pinned_array<double> in{*dev, 3};
  const pinned_array<double> out{*dev, 3};
  const device_array<double> values{*dev, 3};

  dev->begin_capture(stream);
  dev->copy(stream, values.data(), in.data(), 3 * sizeof(double), yoke::copy_kind::host_to_device);
  launch_scale(*dev, stream, 3, values.pointer(), 10, 0);
  dev->copy(stream, out.data(), values.data(), 3 * sizeof(double), yoke::copy_kind::device_to_host);
  const yoke::graph_handle graph = dev->end_capture(stream);
  for (const double value : {4.0, 5.0}) {
    for (int i = 0; i < 3; ++i) in.data()[i] = value + i;
    dev->replay(graph, other);
    dev->synchronize(other);
    for (int i = 0; i < 3; ++i) CHECK(out.data()[i] == 10 * (value + i));
  }
  dev->destroy_graph(graph);
}

TEST_CASE("memory may be allocated while a stream is captured", "[gpu]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const own_stream stream{*dev};
  dev->begin_capture(stream);
  const device_array<double> values{*dev, 3};
  launch_fill(*dev, stream, {.x = 3}, values.pointer(), 2);
  const yoke::graph_handle graph = dev->end_capture(stream);
  dev->replay(graph, stream);
  CHECK(values.read(stream) == std::vector<double>{0, 2, 4});
  dev->destroy_graph(graph);
}

TEST_CASE("a capture that was broken is an error, and the stream works again afterwards", "[gpu]") {
  const auto dev = open_or_skip();
  if (!dev) return;
  const own_stream stream{*dev};
  const device_array<double> values{*dev, 3};
  CHECK_FALSE(device_error_of([&] { (void)dev->end_capture(stream); }).empty());

  dev->begin_capture(stream);
  launch_fill(*dev, stream, {.x = 3}, values.pointer(), 2);
  CHECK_FALSE(device_error_of([&] { dev->synchronize(stream); }).empty());
  CHECK(mentions(device_error_of([&] { (void)dev->end_capture(stream); }), "ending the capture"));

  launch_fill(*dev, stream, {.x = 3}, values.pointer(), 3);
  CHECK(values.read(stream) == std::vector<double>{0, 3, 6});
}
