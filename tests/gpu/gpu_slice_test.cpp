#include "gpu_fixture.hpp"
#include "gpu_kernels.hpp"
#include "slice_kernels.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>
#include <set>
#include <support/errors.hpp>
#include <utility>

#include <yoke/device_list.hpp>
#include <yoke/error.hpp>

using namespace gpu_tests;

namespace {

using Catch::Matchers::Contains;
using devices = std::vector<std::unique_ptr<yoke::device>>;
using sm_set = std::set<int>;

std::vector<yoke::device_request> requests_of(const std::string& list) {
  return yoke::parse_device_list({list, "test"}).requests;
}

/// A whole GPU and slices of it.
struct sliced_gpu {
  explicit sliced_gpu(const std::string& list)
      : whole{open_or_skip()}, slices{whole ? built_backend().split(*whole, requests_of(list)) : devices{}} {}
  std::unique_ptr<yoke::device> whole;
  devices slices;
};

/// The SMs on which `work` puts blocks, which gets the marks.
template <class Work>
sm_set sms_of(yoke::device& dev, yoke::stream_handle stream, const Work& work) {
  device_array<int> marks{dev, most_sms};
  marks.write(stream, std::vector<int>(most_sms, 0));
  work(marks.pointer());
  const std::vector<int> seen = marks.read(stream);
  sm_set sms;
  for (int sm = 0; sm < most_sms; ++sm)
    if (seen[static_cast<std::size_t>(sm)] != 0) sms.insert(sm);
  return sms;
}

std::int64_t enough_blocks(const yoke::device& whole) { return std::int64_t{64} * whole.info().processors; }

sm_set launched(yoke::device& dev, std::int64_t blocks) {
  const own_stream stream{dev};
  return sms_of(dev, stream, [&](auto marks) { launch_mark_sms(dev, stream, blocks, marks); });
}

/// Captured from one stream of the device, replayed on another one.
sm_set replayed(yoke::device& dev, std::int64_t blocks) {
  const own_stream captured{dev}, stream{dev, dev.create_urgent_stream()};
  return sms_of(dev, stream, [&](auto marks) {
    dev.begin_capture(captured);
    launch_mark_sms(dev, captured, blocks, marks);
    const yoke::graph_handle graph = dev.end_capture(captured);
    dev.replay(graph, stream);
    dev.synchronize(stream);
    dev.destroy_graph(graph);
  });
}

bool are_disjoint(const sm_set& a, const sm_set& b) {
  return std::ranges::none_of(a, [&](int sm) { return b.contains(sm); });
}

}  // namespace

TEST_CASE("kernels of a slice, launched or replayed, run on its SMs and on no other slice's",
          "[gpu][slices]") {
  const sliced_gpu gpu{"cuda:0/4"};
  if (!gpu.whole) return;
  const std::int64_t blocks = enough_blocks(*gpu.whole);
  CHECK(launched(*gpu.whole, blocks).size() == static_cast<std::size_t>(gpu.whole->info().processors));
  std::vector<sm_set> seen;
  for (const auto& slice : gpu.slices) {
    const sm_set direct = launched(*slice, blocks), by_graph = replayed(*slice, blocks);
    INFO(fmt::format("{}: {} SMs granted, launched on {}, replayed on {}", slice->info().name,
                     slice->info().processors, fmt::join(direct, " "), fmt::join(by_graph, " ")));
    CHECK(direct.size() == static_cast<std::size_t>(slice->info().processors));
    CHECK(by_graph == direct);
    for (const sm_set& other : seen) CHECK(are_disjoint(direct, other));
    seen.push_back(direct);
  }
}

TEST_CASE("slices of so many SMs at least are granted, and what is granted is said", "[gpu][slices]") {
  const sliced_gpu gpu{"cuda:0@8,0@20"};
  if (!gpu.whole) return;
  REQUIRE(gpu.slices.size() == 2);
  std::vector<sm_set> seen;
  for (const auto& [slice, least] : {std::pair{0u, 8}, std::pair{1u, 20}}) {
    const yoke::device_info& info = gpu.slices[slice]->info();
    fmt::print("{}: {} of {} SMs\n", info.name, info.processors, gpu.whole->info().processors);
    CHECK(info.processors >= least);
    CHECK(info.share * gpu.whole->info().processors == Approx(info.processors));
    seen.push_back(launched(*gpu.slices[slice], enough_blocks(*gpu.whole)));
    CHECK(seen.back().size() == static_cast<std::size_t>(info.processors));
  }
  CHECK(are_disjoint(seen[0], seen[1]));
}

TEST_CASE("slices of one GPU share its memory, and events order their streams", "[gpu][slices]") {
  const sliced_gpu gpu{"cuda:0/2"};
  if (!gpu.whole) return;
  yoke::device& first = *gpu.slices[0];
  yoke::device& second = *gpu.slices[1];
  const own_stream from{first}, to{second}, of_whole{*gpu.whole};
  const device_array<double> values{first, 1000};
  const yoke::event_handle filled = first.create_event(), scaled = second.create_event();
  launch_fill(first, from, {.x = 1000}, values.pointer(), 3);
  first.record(filled, from);
  second.wait(to, filled);
  launch_scale(second, to, 1000, values.pointer(), 1, 1);
  second.record(scaled, to);
  gpu.whole->wait(of_whole, scaled);
  const std::vector<double> read = values.read(of_whole);
  CHECK(std::ranges::none_of(std::views::iota(std::size_t{0}, read.size()),
                             [&](std::size_t i) { return read[i] != 3.0 * static_cast<double>(i) + 1; }));
  first.destroy_event(filled);
  second.destroy_event(scaled);
}

TEST_CASE("slices that a GPU cannot give are refused with what it can", "[gpu][slices]") {
  const auto whole = open_or_skip();
  if (!whole) return;
  for (const char* const list : {"cuda:0/256", "cuda:0@60000", "cuda:0@8,0@60000"}) {
    const std::string message =
        support::message_of([&] { (void)built_backend().split(*whole, requests_of(list)); });
    CHECK_THAT(message, Contains("SMs out in") && Contains("it can have up to"));
  }
}
