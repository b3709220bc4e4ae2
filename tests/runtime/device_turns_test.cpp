// Which devices ranks of a node take.
#include "../../runtime/src/device_turns.hpp"

#include <support/catch.hpp>
#include <support/errors.hpp>

#include <yoke/backends.hpp>

using Catch::Matchers::Contains;
using yoke::detail::device_turns;

namespace {

constexpr std::nullopt_t unknown = std::nullopt;
using wanted_list = std::vector<std::optional<int>>;

/// Of each rank: positions.
std::vector<std::vector<int>> runs(int n_devices, const wanted_list& wanted) {
  std::vector<std::vector<int>> all;
  for (std::size_t me = 0; me < wanted.size(); ++me) {
    const auto run = yoke::detail::run_of_devices(n_devices, wanted, me);
    all.emplace_back();
    for (int i = 0; i < run.n; ++i) all.back().push_back((run.first + i) % n_devices);
  }
  return all;
}

yoke::rank_of_process rank(int me, std::vector<yoke::rank_beside> beside) {
  return {.rank = me, .size = 4, .node = "here", .beside = std::move(beside)};
}
std::vector<yoke::device_request> devices(const std::string& text) {
  return yoke::parse_device_list({text, "YOKE_DEVICES"}).requests;
}
std::string names(const std::vector<yoke::device_request>& of) {
  std::string all;
  for (const auto& each : of) all += yoke::name_of(each) + " ";
  return all;
}

}  // namespace

TEST_CASE("ranks take devices behind each other, as many as each wants", "[device-turns]") {
  using lists = std::vector<std::vector<int>>;
  CHECK(runs(4, {1, 1, 1, 1}) == lists{{0}, {1}, {2}, {3}});
  CHECK(runs(4, {1, 3}) == lists{{0}, {1, 2, 3}});
  CHECK(runs(4, {0, 2, 0, 1}) == lists{{}, {0, 1}, {}, {2}});
  CHECK(runs(2, {1, 1, 1}) == lists{{0}, {1}, {0}});
  CHECK(runs(2, {2, 2}) == lists{{0, 1}, {0, 1}});
  CHECK(runs(3, {2, 2}) == lists{{0, 1}, {2, 0}});
  CHECK(runs(1, {5}) == lists{{0}});
  CHECK(runs(0, {1, 1}) == lists{{}, {}});
}

TEST_CASE("ranks of which nobody has said how many take equal parts", "[device-turns]") {
  using lists = std::vector<std::vector<int>>;
  CHECK(runs(4, {unknown, unknown}) == lists{{0, 1}, {2, 3}});
  CHECK(runs(5, {unknown, unknown}) == lists{{0, 1}, {2, 3, 4}});
  CHECK(runs(2, {unknown, unknown, unknown, unknown}) == lists{{0}, {0}, {1}, {1}});
  CHECK(runs(4, {unknown, 1}) == lists{{0, 1}, {2}});
}

TEST_CASE("ranks that see other devices are left out", "[device-turns]") {
  const std::vector<yoke::rank_beside> some{
      {0, "+1", "", "0,1"}, {1, "+1", "", "2,3"}, {2, "+1", "", "0,1"}, {3, "+1", "cuda:1", "0,1"}};
  CHECK(names(device_turns{rank(2, some), nullptr, nullptr}.taken(devices("emulated:2"))) == "emulated:1 ");
  CHECK(device_turns{rank(1, some), nullptr, nullptr}.are_alone());
  CHECK(device_turns{rank(3, some), nullptr, nullptr}.are_alone());
  const yoke::sourced list{"emulated:3", "--devices"}, cus{"+1", "--cus"};
  CHECK(names(device_turns{rank(3, some), &cus, &list}.taken(devices("emulated:3"))) == "emulated:2 ");
  CHECK(names(device_turns{}.taken(devices("emulated:2"))) == "emulated:0 emulated:1 ");
}

TEST_CASE("a list of configurations by rank says how many devices each takes", "[device-turns]") {
  const std::vector<yoke::rank_beside> some{
      {0, "", "", ""}, {1, "", "", ""}, {2, "", "", ""}, {3, "", "", ""}};
  const yoke::sourced cus{"1x1,+2", "--cus"};
  CHECK(names(device_turns{rank(3, some), &cus, nullptr}.taken(devices("emulated:4"))) ==
        "emulated:2 emulated:3 ");
  CHECK(names(device_turns{rank(2, some), &cus, nullptr}.taken(devices("emulated:4"))) == "");
}

TEST_CASE("rank 0 says who takes which devices", "[device-turns]") {
  const std::vector<yoke::rank_beside> two{{0, "+1", "", ""}, {1, "+1", "", ""}};
  const device_turns first{rank(0, two), nullptr, nullptr}, second{rank(1, two), nullptr, nullptr};
  CHECK(first.note(devices("cuda:4,2")) ==
        "ranks 0 to 1 on here see the same 2 devices, and take them by local rank; rank 0 takes cuda:4");
  CHECK(first.note(devices("cuda:0")) ==
        "ranks 0 to 1 on here use the same device, cuda:0, which slows them down");
  CHECK_THAT(device_turns(rank(0, {{0, "+2", "", ""}, {1, "+1", "", ""}}), nullptr, nullptr)
                 .note(devices("cuda:0,1")),
             Contains("by local rank, some of them the same ones"));
  CHECK(first.note(devices("emulated:1")) == "");
  CHECK(first.note({}) == "");
  CHECK(second.note(devices("cuda:4,2")) == "");
  CHECK(device_turns{}.note(devices("cuda:4,2")) == "");
}
