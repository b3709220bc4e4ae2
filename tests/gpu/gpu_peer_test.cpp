#include "gpu_fixture.hpp"
#include "gpu_kernels.hpp"

#include <yoke/links.hpp>

using namespace gpu_tests;

TEST_CASE("values pass from one GPU to another, in the order that an event gives", "[gpu]") {
  const auto first = open_or_skip(0);
  const auto second = open_or_skip(1);
  if (!first || !second) return;
  const own_stream from{*first};
  const own_stream to{*second};
  const device_array<double> source{*first, 1000};
  const device_array<double> target{*second, 1000};

  launch_fill(*first, from, {.x = 1000}, source.pointer(), 3);
  const yoke::event_handle filled = first->create_event();
  first->record(filled, from);
  second->wait(to, filled);
  second->copy(to, target.data(), source.data(), 1000 * sizeof(double), yoke::copy_kind::device_to_device);
  launch_scale(*second, to, 1000, target.pointer(), 1, 1);
  const auto values = target.read(to);
  first->destroy_event(filled);

  int wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) wrong += values[i] != 3.0 * double(i) + 1;
  CHECK(wrong == 0);
}

TEST_CASE("a kernel reaches the memory of a peer", "[gpu]") {
  const auto first = open_or_skip(0);
  const auto second = open_or_skip(1);
  if (!first || !second) return;
  int possible = 0;
  yoke::gpu::check(yoke::gpu::device_can_access_peer(&possible, 1, 0), "asking for peer access");
  if (possible == 0)
    return support::skip(second->info().name + " cannot reach the memory of " + first->info().name);
  const own_stream stream{*second};
  const own_stream reader{*first};
  device_array<double> values{*first, 100};
  values.write(reader, std::vector<double>(100, 2.0));
  launch_scale(*second, stream, 100, values.pointer(), 2, 1);
  second->synchronize(stream);
  CHECK(values.read(reader) == std::vector<double>(100, 5.0));
}

TEST_CASE("one GPU may be opened twice", "[gpu]") {
  const auto first = open_or_skip(0);
  if (!first) return;
  const auto again = open_or_skip(0);
  const own_stream stream{*again};
  const device_array<double> values{*first, 3};
  launch_fill(*again, stream, {.x = 3}, values.pointer(), 1);
  CHECK(values.read(stream) == std::vector<double>{0, 1, 2});
}

TEST_CASE("links between GPUs are known without a copy, and are measured on request", "[gpu]") {
  const auto first = open_or_skip(0);
  const auto second = open_or_skip(1);
  if (!first || !second) return;
  const std::vector<yoke::device*> both{first.get(), second.get()};
  yoke::link_table links{both};
  const yoke::space_id one{1}, other{2};
  int possible = 0;
  yoke::gpu::check(yoke::gpu::device_can_access_peer(&possible, 0, 1), "asking for peer access");
  CHECK(links.is_direct(one, other) == (possible != 0));
  CHECK(links.is_direct(other, one) == links.is_direct(one, other));
  CHECK(links.between(yoke::host_space, one).kind == yoke::link_kind::pcie);
  links.measure(both);
  for (const yoke::memory_link& each : links.all()) CHECK(each.bandwidth > 0);
}
