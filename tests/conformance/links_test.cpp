#include <memory>
#include <support/assertions.hpp>
#include <support/catch.hpp>
#include <support/errors.hpp>
#include <vector>

#include <yoke/emulated.hpp>
#include <yoke/links.hpp>

// What lies between memories.

namespace {

using yoke::host_space;
using yoke::link_kind;
using yoke::space_id;

constexpr space_id first{1}, second{2}, third{3};

struct three_devices {
  explicit three_devices(yoke::emulated_options options) {
    for (int i = 0; i < 3; ++i) owned.push_back(yoke::make_emulated_device(i, options));
    for (const auto& each : owned) all.push_back(each.get());
  }
  std::vector<std::unique_ptr<yoke::emulated_device>> owned;
  std::vector<yoke::device*> all;
};

}  // namespace

TEST_CASE("there is a link for every ordered pair of memories", "[links]") {
  const three_devices on{{.memory = std::size_t{16} << 20}};
  const yoke::link_table links{on.all};
  CHECK(links.n_spaces() == 4);
  CHECK(links.all().size() == 12);
  for (const yoke::memory_link& each : links.all()) {
    CHECK(&links.between(each.from, each.to) == &each);
    CHECK(each.kind == link_kind::emulated);
    CHECK(each.bandwidth == 0);
    CHECK(links.bandwidth(each.from, each.to) == yoke::usual_bandwidth(link_kind::emulated));
    CHECK(links.is_direct(each.from, each.to) == (each.from != host_space && each.to != host_space));
  }
  CHECK(yoke::link_table{}.all().empty());
  CHECK(!links.is_direct(first, first));
}

TEST_CASE("asking for a link that joins no two memories breaks an assertion", "[links][assertion]") {
  const three_devices on{{.memory = std::size_t{16} << 20}};
  const yoke::link_table links{on.all};
  for (const auto [from, to] :
       {std::pair{first, first}, {first, yoke::space_id{4}}, {yoke::space_id{-1}, first}})
    CHECK(support::assertion_of([&, from = from, to = to] {
            (void)links.between(from, to);
          }).find("joins no two memory spaces") != std::string::npos);
}

TEST_CASE("emulated devices reach those of their group", "[links]") {
  const three_devices on{{.memory = std::size_t{16} << 20, .peers = 2}};
  const yoke::link_table links{on.all};
  CHECK(links.is_direct(first, second));
  CHECK(links.is_direct(second, first));
  CHECK(!links.is_direct(second, third));
  CHECK(links.between(third, first).kind == link_kind::through_host);
}

TEST_CASE("one device that is opened twice is near itself", "[links]") {
  const auto one = yoke::make_emulated_device(0, {.memory = std::size_t{16} << 20, .peers = 1});
  const auto again = yoke::make_emulated_device(0, {.memory = std::size_t{16} << 20, .peers = 1});
  const std::vector<yoke::device*> both{one.get(), again.get()};
  CHECK(yoke::link_table{both}.between(first, second).kind == link_kind::same_device);
}

TEST_CASE("every link can be measured, and nothing of that stays", "[links]") {
  const three_devices on{{.memory = std::size_t{16} << 20, .peers = 2}};
  yoke::link_table links{on.all};
  links.measure(on.all);
  for (const yoke::memory_link& each : links.all()) {
    CHECK(each.bandwidth > 0);
    CHECK(links.bandwidth(each.from, each.to) == each.bandwidth);
  }
  for (const auto& each : on.owned) {
    CHECK(each->statistics().bytes_allocated == 0);
    CHECK(each->statistics().pinned_buffers == 0);
  }
  // Between the groups every byte passes through host memory.
  CHECK(on.owned[2]->statistics().bytes_inside == 0);
  CHECK(on.owned[0]->statistics().bytes_inside > 0);
}

TEST_CASE("a device without room for the copies says so", "[links]") {
  const three_devices on{{.memory = std::size_t{1} << 16}};
  yoke::link_table links{on.all};
  CHECK_THAT(support::message_of<yoke::out_of_memory>([&] { links.measure(on.all); }),
             Catch::Matchers::Contains(
                 "emulated:0: 1048576 bytes are wanted for measuring its links, 65536 are free"));
}
