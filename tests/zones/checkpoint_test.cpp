// Zones in a file, and what is wrong with files.
#include "kernels.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <support/catch.hpp>
#include <support/limit.hpp>
#include <support/scratch_folder.hpp>
#include <utility>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/runtime.hpp>
#include <yoke/zone_checkpoint.hpp>

namespace {

using namespace zone_tests;  // NOLINT(google-build-using-namespace)
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

constexpr int n_in_ring = 5;

/// A ring of zones with two fields that are swapped in each step, and a checkpoint of both.
struct ring {
  explicit ring(yoke::runtime& rt, const std::string& path, const std::string& schedule = "",
                const std::string& what = "ring")
      : blocks{rt,
               n_in_ring,
               [](int zone) { return yoke::zone_extents<2>{4 + zone, 9}; },
               {.schedule = schedule}},
        joined{join(blocks)},
        u{blocks, yoke::halo{1, 2}, "u"},
        v{blocks, yoke::halo{1, 2}, "v"},
        step{blocks.record([&](yoke::zone_step& s) {
          smooth<2>(s, u, v, {{1, 2, 0}});
          s.swap(u, v);
        })},
        file{blocks, path, what} {
    file.add(u);
    file.add(v);
  }
  static bool join(yoke::zones& blocks) {
    for (int z = 0; z < n_in_ring; ++z) blocks.join({z, yoke::side::high(1)}, {z, yoke::side::low(1)});
    return true;
  }
  void fill() {
    for (int z = 0; z < n_in_ring; ++z)
      for (std::int64_t j = -1; j < 5 + z; ++j)  // the halo that nobody fills counts
        for (std::int64_t i = 0; i < 9; ++i) u.host(z)(j, i) = static_cast<number>(1000 * z + 10 * j + i + 7);
  }
  std::vector<number> values() const {
    std::vector<number> all;
    for (int z = 0; z < n_in_ring; ++z)
      for (std::int64_t j = 0; j < 4 + z; ++j)
        for (std::int64_t i = 0; i < 9; ++i) all.push_back(u.host(z)(j, i));
    return all;
  }

  yoke::zones blocks;
  bool joined;
  yoke::zoned<number, 2> u, v;
  yoke::zone_recording step;
  yoke::zone_checkpoint file;
};

/// A file with five steps of that, and the values after three more.
std::vector<number> eight_steps(yoke::runtime& rt, const std::string& path) {
  ring of{rt, path};
  of.fill();
  of.step.replay(5);
  of.file.save(5);
  of.step.replay(3);
  of.file.wait();
  return of.values();
}

/// What it throws; empty where it does not.
template <class Do>
std::string error_of(const Do& what) {
  try {
    what();
  } catch (const yoke::error& error) {
    return error.what();
  }
  return "";
}

void change_byte(const std::string& path, std::int64_t from_end) {
  std::fstream file{path, std::ios::in | std::ios::out | std::ios::binary};
  const std::streamoff at =
      from_end < 0 ? static_cast<std::streamoff>(fs::file_size(path)) + from_end : from_end;
  file.seekg(at);
  char byte = 0;
  file.get(byte);
  file.seekp(at);
  file.put(static_cast<char>(byte ^ 4));
}

}  // namespace

TEST_CASE("a run goes on from a checkpoint with the same bits, whoever has the zones", "[zones]") {
  yoke::runtime rt;
  const support::scratch_folder folder;
  const std::string path = folder / "ring";
  const std::vector<number> expected = eight_steps(rt, path);
  CHECK_FALSE(fs::exists(path + ".part"));
  ring again{rt, path, "static"};
  REQUIRE(again.file.exists());
  CHECK(again.file.load() == 5);
  again.step.replay(3);
  CHECK(again.values() == expected);
}

TEST_CASE("a checkpoint has what was there when it was saved, and the next takes its place", "[zones]") {
  yoke::runtime rt;
  const support::scratch_folder folder;
  ring of{rt, folder / "ring"};
  CHECK_FALSE(of.file.exists());
  of.fill();
  std::vector<std::vector<number>> after;
  for (int step = 1; step <= 4; ++step) {
    of.step.replay();
    of.file.save(step);
    after.push_back(of.values());
  }
  of.step.replay(50);  // meanwhile
  of.file.wait();
  CHECK(of.file.load() == 4);
  CHECK(of.values() == after.back());
}

TEST_CASE("components and fields of values are saved as they are", "[zones]") {
  yoke::runtime rt;
  const support::scratch_folder folder;
  yoke::zones blocks{rt, 3, [](int zone) { return yoke::zone_extents<2>{2 + zone, 3}; }};
  yoke::zoned<number[3], 2> u{blocks, yoke::halo{1, 0}, "u"};
  yoke::zoned<std::array<float, 2>, 2> w{blocks, {}, "w"};
  for (int z = 0; z < 3; ++z) {
    u.host(z)(2, 1, 2) = static_cast<number>(z + 1);
    w.host(z)(1, 0) = {1.5F, static_cast<float>(z)};
  }
  yoke::zone_checkpoint file{blocks, folder / "mixed"};
  file.add(u);
  file.add(w);
  file.save(1);
  for (int z = 0; z < 3; ++z) {
    u.host(z)(2, 1, 2) = 0;
    w.host(z)(1, 0) = {};
  }
  CHECK(file.load() == 1);
  for (int z = 0; z < 3; ++z) {
    CHECK(u.host(z)(2, 1, 2) == static_cast<number>(z + 1));
    CHECK(w.host(z)(1, 0) == std::array{1.5F, static_cast<float>(z)});
  }
}

TEST_CASE("a file that is damaged or of something else is refused, and fields stay", "[zones]") {
  yoke::runtime rt;
  const support::scratch_folder folder;
  const std::string path = folder / "ring";
  eight_steps(rt, path);
  ring of{rt, path};
  of.fill();
  const std::vector<number> before = of.values();
  const auto refusal_after = [&](const std::function<void()>& harm) {
    fs::copy_file(path, path + ".kept");
    harm();
    std::string text = error_of([&] { of.file.load(); });
    fs::rename(path + ".kept", path);
    return text;
  };
  CHECK_THAT(refusal_after([&] { change_byte(path, -4096 + 20); }),
             Contains("of v differs from its checksum"));
  CHECK_THAT(refusal_after([&] { change_byte(path, 9); }), Contains("another order of bytes"));
  CHECK_THAT(refusal_after([&] { change_byte(path, 12); }), Contains("version 6 of its format"));
  CHECK_THAT(refusal_after([&] { change_byte(path, 17); }),
             Contains("differs from the checksum of its header"));
  CHECK_THAT(refusal_after([&] { fs::resize_file(path, fs::file_size(path) - 1); }),
             Contains("a complete one"));
  CHECK_THAT(refusal_after([&] { fs::resize_file(path, 40); }), Contains("ends within its header"));
  CHECK_THAT(refusal_after([&] { std::ofstream{path} << "something else, but long enough"; }),
             Contains("is no checkpoint of zones"));
  CHECK_THAT(refusal_after([&] { fs::remove(path); }), Contains("cannot be opened: No such file"));
  CHECK(of.values() == before);
}

TEST_CASE("a checkpoint of another run, other zones or other fields is refused", "[zones]") {
  yoke::runtime rt;
  const support::scratch_folder folder;
  const std::string path = folder / "ring";
  eight_steps(rt, path);
  ring other{rt, path, "", "square"};
  CHECK_THAT(error_of([&] { other.file.load(); }), Contains("is of \"ring\", this run of \"square\""));
  const auto refusal_of = [&](int n, std::int64_t width, const std::vector<std::string>& names,
                              std::int64_t halo) {
    yoke::zones blocks{rt, n, [&](int zone) { return yoke::zone_extents<2>{4 + zone, width}; }};
    std::vector<std::unique_ptr<yoke::zoned<number, 2>>> fields;
    yoke::zone_checkpoint file{blocks, path, "ring"};
    for (const std::string& each : names)
      file.add(
          *fields.emplace_back(std::make_unique<yoke::zoned<number, 2>>(blocks, yoke::halo{1, halo}, each)));
    return error_of([&] { file.load(); });
  };
  CHECK_THAT(refusal_of(4, 9, {"u", "v"}, 2), Contains("has 5 zones, this run 4"));
  CHECK_THAT(refusal_of(5, 8, {"u", "v"}, 2), Contains("has other extents of zone 0"));
  CHECK_THAT(refusal_of(5, 9, {"u"}, 2), Contains("has 2 fields, this run 1"));
  CHECK_THAT(refusal_of(5, 9, {"u", "w"}, 2), Contains("has a field v where this run has w"));
  CHECK_THAT(refusal_of(5, 9, {"u", "v"}, 1), Contains("has u with 1 x 8 bytes, halo 0 1 2"));
  CHECK(refusal_of(5, 9, {"u", "v"}, 2).empty());
}

TEST_CASE("a place where no file can be is refused before there is one", "[zones]") {
  yoke::runtime rt;
  const support::scratch_folder folder;
  const auto refusal = [&](const std::string& path) { return error_of([&] { ring{rt, path}; }); };
  CHECK_THAT(refusal(folder / "none/ring"), Contains("cannot be opened for writing: No such file"));
  CHECK_THAT(refusal(folder / ""), Contains("is no regular file"));
  CHECK_THAT(refusal(""), Contains("the path is empty"));
}

TEST_CASE("a file that cannot grow is told, and the last complete one stays", "[zones]") {
  yoke::runtime rt;
  const support::scratch_folder folder;
  ring of{rt, folder / "ring"};
  of.fill();
  of.file.save(1);
  of.file.wait();
  const std::string refused = error_of([&] {
    const support::limit small{RLIMIT_FSIZE, 4096};
    of.file.save(2);
    of.file.wait();
  });
  CHECK_THAT(refused, Contains("cannot be written: File too large"));
  CHECK(of.file.load() == 1);
  of.file.save(3);
  of.file.wait();
  CHECK(of.file.load() == 3);
}
