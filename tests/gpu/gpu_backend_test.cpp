#include "shared_kernel.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <support/catch.hpp>
#include <vector>

#include <yoke/backends.hpp>
#include <yoke/detail/launch_shape.hpp>
#include <yoke/error.hpp>

using yoke::backend;
using yoke::kernel_call;

namespace {

template <class Error, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string refusal(const kernel_call& call, std::int64_t most_threads = std::int64_t{1} << 41) {
  return message_of<yoke::device_error>([&] {
    yoke::detail::require_gpu_code(call, "cuda:0");
    yoke::detail::require_shape(call, "cuda:0", most_threads);
  });
}

int some_entry = 0;

std::vector<backend> vendors() { return {*yoke::find_backend("cuda"), *yoke::find_backend("hip")}; }

/// Of the vendor that this build has; nullptr without one.
const backend* built_vendor() {
  for (const backend& each : yoke::all_backends())
    if (each.built() && !each.emulated) return &each;
  return nullptr;
}

}  // namespace

TEST_CASE("a vendor without usable devices says why", "[gpu]") {
  for (const backend& vendor : vendors()) {
    std::string why;
    const int count = vendor.count(why);
    INFO(vendor.name << ": " << count << " " << why);
    CHECK(count >= 0);
    CHECK((count > 0) == why.empty());
    if (!vendor.built()) CHECK(mentions(why, "-DYOKE_GPU=" + std::string{vendor.name}));
    if (count == 0) support::skip(std::string{vendor.name} + ": " + why);
  }
}

TEST_CASE("at most one vendor is built", "[gpu]") {
  CHECK(std::ranges::count_if(vendors(), &backend::built) <= 1);
}

TEST_CASE("opening a device that does not exist names it and says what there is", "[gpu]") {
  for (const backend& vendor : vendors()) {
    const auto message = message_of<yoke::config_error>([&] { (void)vendor.open({.index = 4711}); });
    INFO(message);
    if (vendor.built()) {
      CHECK(mentions(message, std::string{vendor.name} + ":4711: no such device; "));
    } else {
      CHECK(mentions(message, "-DYOKE_GPU=" + std::string{vendor.name}));
    }
  }
}

TEST_CASE("a kernel that no GPU compiler saw is refused with what to do", "[gpu]") {
  const auto message = refusal({.name = "relax", .items = {.x = 10}});
  CHECK(message ==
        "kernel 'relax' was compiled without a GPU compiler and cannot run on cuda:0: list its file in "
        "yoke_kernel_sources");
}

TEST_CASE("a launch has at most 65535 rows, 2^31 - 1 blocks and 1024 threads a block", "[gpu]") {
  kernel_call call{.name = "relax", .items = {.x = 1, .y = 65535}, .block = {128}, .gpu_entry = &some_entry};
  CHECK(refusal(call).empty());
  call.items.y = 65536;
  CHECK(mentions(refusal(call), "'relax' over 1 x 65536 items"));
  call.items = {.x = 128 * ((std::int64_t{1} << 31) - 1)};
  CHECK(refusal(call).empty());
  ++call.items.x;
  CHECK(mentions(refusal(call), "at most 2147483647 blocks"));
  call.items.x = std::numeric_limits<std::int64_t>::max();
  CHECK(mentions(refusal(call), "at most 2147483647 blocks"));
  call.items = {.x = 1};
  for (const int block : {0, -1, 1025}) {
    call.block.x = block;
    CHECK(mentions(refusal(call), "a block has 1 to 1024 threads"));
  }
}

TEST_CASE("a launch in three dimensions has at most 2^62 items", "[gpu]") {
  kernel_call call{
      .name = "relax", .block = {128}, .gpu_entry = &some_entry, .form = yoke::kernel_form::items_3d};
  call.items = {.x = 1, .y = std::int64_t{1} << 31, .z = std::int64_t{1} << 31};
  CHECK(refusal(call).empty());
  call.items.x = 2;
  CHECK(mentions(refusal(call), "'relax' over 2 x 2147483648 x 2147483648 items"));
  CHECK(mentions(refusal(call), "a launch has 4611686018427387904 items at most"));
  call.items.z = std::int64_t{1} << 40;
  CHECK(mentions(refusal(call), "a launch has 4611686018427387904 items at most"));
}

TEST_CASE("a launch for HIP has less than 2^32 threads along x", "[gpu]") {
  const std::int64_t most = (std::int64_t{1} << 32) - 1;
  kernel_call call{.name = "relax", .items = {.x = most - 127}, .block = {128}, .gpu_entry = &some_entry};
  CHECK(refusal(call, most).empty());
  ++call.items.x;
  CHECK(mentions(refusal(call, most), "at most 4294967295 threads along x"));
  call.form = yoke::kernel_form::blocks;
  call.items.x = std::int64_t{1} << 25;
  CHECK(mentions(refusal(call, most), "at most 4294967295 threads along x"));
  --call.items.x;
  CHECK(refusal(call, most).empty());
}

TEST_CASE("blocks cover all items and the last one may be partly empty", "[gpu]") {
  kernel_call call{.items = {.x = 1}, .block = {128}};
  const std::int64_t expected[][2] = {{1, 1}, {127, 1}, {128, 1}, {129, 2}, {256, 2}, {257, 3}};
  for (const auto& [items, blocks] : expected) {
    call.items.x = items;
    CHECK(yoke::detail::blocks_along_x(call) == blocks);
  }
}

TEST_CASE("a call in three dimensions has rows without limit and blocks as a GPU has them", "[gpu]") {
  kernel_call call{.name = "fill",
                   .items = {.x = 100, .y = 65535 * 16 * 2 + 1, .z = 65535 * 2 + 3},
                   .block = {32, 4, 2},
                   .gpu_entry = &some_entry,
                   .form = yoke::kernel_form::items_3d};
  CHECK(refusal(call).empty());
  std::vector<std::array<std::int64_t, 5>> launches;
  yoke::detail::for_each_grid(
      call, [&](const yoke::detail::launch_grid& grid, const yoke::detail::spread_items& of) {
        launches.push_back({grid.x, grid.y, grid.z, of.first_row, of.first_plane});
      });
  CHECK(launches == std::vector<std::array<std::int64_t, 5>>{{4, 65535, 65535, 0, 0},
                                                             {4, 65535, 65535, 65535 * 16, 0},
                                                             {4, 1, 65535, 65535 * 32, 0},
                                                             {4, 65535, 2, 0, 65535 * 2},
                                                             {4, 65535, 2, 65535 * 16, 65535 * 2},
                                                             {4, 1, 2, 65535 * 32, 65535 * 2}});
  for (const yoke::block_shape good : {yoke::block_shape{1024, 1, 1}, {1, 1024, 1}, {4, 4, 64}}) {
    call.block = good;
    CHECK(refusal(call).empty());
  }
  for (const yoke::block_shape bad :
       {yoke::block_shape{32, 4, 16}, {1, 1, 65}, {0, 4, 2}, {32, -1, -2}, {1 << 20, 1 << 20, 1}}) {
    call.block = bad;
    CHECK(mentions(refusal(call), "a block has 1 to 1024 threads, along z 64 at most"));
  }
  call.block = {32, 4, 2};
  call.items.x = 32 * (std::int64_t{1} << 31);
  CHECK(mentions(refusal(call), "'fill' over 68719476736 x 2097121 x 131073 items in blocks of 32 x 4 x 2"));
}

TEST_CASE("a thread has several rows, or items of the only row, where that leaves enough threads", "[gpu]") {
  kernel_call call{.block = {64, 2, 1}, .form = yoke::kernel_form::items_3d};
  const auto each = [&](const yoke::extent_3d& items) {
    call.items = items;
    const yoke::detail::spread_items of = yoke::detail::spread(call);
    return std::array{of.columns, of.rows};
  };
  CHECK(each({512, 511, 1}) == std::array{1, 1});
  CHECK(each({512, 512, 1}) == std::array{1, 4});
  CHECK(each({1024, 3, 1024}) == std::array{1, 1});
  CHECK(each({1024, 4, 64}) == std::array{1, 4});
  CHECK(each({1 << 20, 1, 1}) == std::array{2, 1});
  CHECK(yoke::detail::grid_of(call, yoke::detail::spread(call)).x == 8192);
  CHECK(each({(1 << 20) - 1, 1, 1}) == std::array{1, 1});
  CHECK(yoke::detail::grid_of(call, yoke::detail::spread(call)).x == 16384);
}

TEST_CASE("the extent of a block kernel is its blocks", "[gpu]") {
  kernel_call call{.name = "sum", .items = {.x = 7, .y = 2}, .block = {128}, .gpu_entry = &some_entry};
  call.form = yoke::kernel_form::blocks;
  call.shared_bytes = 4096;
  CHECK(yoke::detail::blocks_along_x(call) == 7);
  call.items.x = std::int64_t{1} << 31;
  CHECK(mentions(refusal(call), "'sum' over 2147483648 x 2 blocks of 128 threads with 4096 bytes of shared"));
}

TEST_CASE("a kernel that files of both kinds launch has its GPU entry where a GPU compiler saw it", "[gpu]") {
  auto arguments = yoke::detail::make_pack(gpu_tests::nowhere());
  const kernel_call here = yoke::make_kernel_call<gpu_tests::shared_kernel>("shared", {.x = 1}, arguments);
  CHECK(here.gpu_entry == nullptr);
  CHECK((gpu_tests::gpu_entry_in_kernel_file() != nullptr) == (built_vendor() != nullptr));
}

TEST_CASE("a parallel region of a kernel file runs on the project's OpenMP", "[gpu]") {
  CHECK(gpu_tests::threads_in_kernel_file() == 2);
}
