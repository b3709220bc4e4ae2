// CPU CUs that share work, as threads without CUs.
#include "cpu_pool.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <support/catch.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace {

using yoke::detail::cpu_pool;
using yoke::detail::shared_launch;
using yoke::detail::shared_order;

/// A pool whose members are told apart by their numbers; zones in a ring.
struct team {
  team(int members, int zones) : units(static_cast<std::size_t>(members)) {
    shared_order order;
    order.zones_of.resize(units.size());
    for (int zone = 0; zone < zones; ++zone) {
      order.zones_of[static_cast<std::size_t>(zone % members)].push_back(zone);
      order.neighbours.push_back({(zone + 1) % zones, (zone + zones - 1) % zones});
    }
    std::vector<const yoke::compute_unit*> all;
    for (int i = 0; i < members; ++i) {
      units[static_cast<std::size_t>(i)].id = yoke::unit_id{i};
      all.push_back(&units[static_cast<std::size_t>(i)]);
    }
    pool = std::make_unique<cpu_pool>(std::move(all), std::move(order));
  }
  std::vector<yoke::compute_unit> units;
  std::unique_ptr<cpu_pool> pool;
};

/// A share for each zone that `has` says has one.
template <class Has, class Run>
shared_launch launch_of(int zones, const Has& has, Run run) {
  shared_launch made;
  for (int zone = 0; zone < zones; ++zone) {
    const bool is_there = has(zone);
    made.share_of.push_back(is_there ? static_cast<std::int32_t>(made.weights.size()) : -1);
    if (is_there) made.weights.push_back(1);
  }
  made.run = std::move(run);
  return made;
}

cpu_pool::waiting never() {
  return {.is_over = [] { return false; }, .for_next = [] { return false; }};
}

/// Told as number `job`; its error goes to `error`.
void tell(cpu_pool& of, cpu_pool::number job, std::span<const shared_launch* const> launches,
          std::exception_ptr* error = nullptr) {
  of.begin({launches, [&of, job, error](const std::exception_ptr& found) {
              if (error != nullptr) *error = found;
              of.note_over(job);
            }});
}

/// Launches over zones in a ring, in some of which not all have a share; what runs looks at who is through
/// with what.
class watched_launches {
 public:
  static constexpr int zones = 13, launches = 9;

  watched_launches() {
    std::mt19937_64 random{17};
    for (int number = 0; number < launches; ++number) {
      const auto has = [&](int zone) {
        if (number % 3 == 2 && random() % 2 == 0) return false;
        zone_of_share_[at(number)].push_back(zone);
        return true;
      };
      all_.push_back(launch_of(zones, has, [this, number](std::uint32_t share, const yoke::compute_unit&) {
        run(number, zone_of_share_[at(number)][share]);
      }));
    }
    for (const shared_launch& each : all_) chain.push_back(&each);
  }
  int shares() const {
    int n = 0;
    for (const shared_launch& each : all_) n += static_cast<int>(each.weights.size());
    return n;
  }

  std::vector<const shared_launch*> chain{};
  std::atomic<int> wrong{0}, done{0};

 private:
  static std::size_t at(int number) { return static_cast<std::size_t>(number); }
  /// `launch` counts those of all jobs.
  bool has_share(int zone, int launch) const { return all_[at(launch % launches)].share_of[at(zone)] >= 0; }
  void run(int number, int zone) {
    if (busy_[at(zone)]++ != 0) ++wrong;
    int mine = through_[at(zone)];
    while (mine % launches != number) ++mine;  // of this job or the next
    for (const int side : {0, 1, zones - 1}) {
      const int other = (zone + side) % zones;
      for (int before = through_[at(other)]; before < mine; ++before)
        if (has_share(other, before)) ++wrong;
    }
    through_[at(zone)] = mine + 1;
    --busy_[at(zone)];
    ++done;
  }

  std::vector<std::vector<int>> zone_of_share_ = std::vector<std::vector<int>>(launches);
  std::vector<shared_launch> all_{};
  std::vector<std::atomic<int>> through_ = std::vector<std::atomic<int>>(zones);
  std::vector<std::atomic<int>> busy_ = std::vector<std::atomic<int>>(zones);
};

}  // namespace

TEST_CASE("a zone does a launch when it and its neighbours are through with those before", "[zones]") {
  constexpr int members = 4, works = 60;
  team of{members, watched_launches::zones};
  watched_launches launches;
  std::vector<std::jthread> helpers;
  for (std::size_t member = 0; member < members; ++member)
    helpers.emplace_back([&, member] {
      for (cpu_pool::number work = 1; work <= works; ++work) {
        if (work % 7 == member) std::this_thread::sleep_for(std::chrono::microseconds{200});  // a late one
        of.pool->help(member, work, never());
      }
    });
  for (cpu_pool::number work = 1; work <= works; ++work) {
    if (work % 5 == 0) std::this_thread::sleep_for(std::chrono::microseconds{300});  // told late
    tell(*of.pool, work, launches.chain);
  }
  helpers.clear();
  CHECK(launches.wrong == 0);
  CHECK(launches.done == launches.shares() * works);
  double weight = 0;
  for (const cpu_pool::account& each : of.pool->take_accounts()) weight += each.weight;
  CHECK(weight == launches.shares() * works);
  CHECK(of.pool->take_accounts()[0].weight == 0);
}

TEST_CASE("others take what a member that is late has", "[zones]") {
  team of{2, 3};
  int n = 0;
  const shared_launch one = launch_of(
      3, [](int zone) { return zone == 1; },
      [&](std::uint32_t, const yoke::compute_unit& on) { n += on.id == 0 ? 1 : 100; });
  const shared_launch* const chain[] = {&one, &one};
  tell(*of.pool, 1, chain);
  of.pool->help(0, 1, never());
  CHECK(n == 2);
  of.pool->help(1, 1, never());  // it has ended
}

TEST_CASE("the first error of a share is the job's, and what comes after in it does not run", "[zones]") {
  team of{2, 3};
  int n = 0;
  const shared_launch one = launch_of(
      3, [](int) { return true; },
      [&](std::uint32_t share, const yoke::compute_unit&) {
        ++n;
        if (share == 0) throw std::runtime_error{"share 0"};
      });
  const shared_launch* const chain[] = {&one};
  std::exception_ptr error, of_next;
  tell(*of.pool, 1, chain, &error);
  const shared_launch two = launch_of(3, [](int) { return true; }, [](std::uint32_t, const auto&) {});
  const shared_launch* const next[] = {&two};
  tell(*of.pool, 2, next, &of_next);
  of.pool->help(0, 2, never());
  REQUIRE(error != nullptr);
  CHECK_THROWS_WITH(std::rethrow_exception(error), "share 0");
  CHECK(n == 1);
  CHECK(of_next == nullptr);
  of.pool->help(1, 2, never());
}

TEST_CASE("a zone goes on with the next job while others are at the one before", "[zones]") {
  shared_order order{{{0, 1}, {2}}, {{}, {2}, {1}}};
  yoke::detail::shared_jobs jobs{std::move(order)};
  const auto all = [](int) { return true; };
  const auto nothing = [](std::uint32_t, const yoke::compute_unit&) {};
  const shared_launch one = launch_of(3, all, nothing), other = launch_of(3, all, nothing);
  const shared_launch *const first[] = {&one}, *const second[] = {&other};
  int over = 0;
  jobs.add({first, [&](const std::exception_ptr&) { ++over; }});
  jobs.add({second, [&](const std::exception_ptr&) { ++over; }});
  const auto a = jobs.next(0), b = jobs.next(1);
  REQUIRE(a);
  REQUIRE(b);
  CHECK(a->zone == 0);
  CHECK(b->zone == 2);
  jobs.done(*a, nullptr);
  const auto c = jobs.next(0);
  REQUIRE(c);
  CHECK(c->zone == 1);  // behind zone 0, which could go on
  const auto d = jobs.next(0);
  REQUIRE(d);
  CHECK(d->zone == 0);
  CHECK(d->of == &other);
  CHECK(!jobs.next(0));
  jobs.done(*d, nullptr);
  CHECK(!jobs.take_ended());
  jobs.done(*b, nullptr);
  CHECK(!jobs.next(1));  // zone 1 beside it is at the first job
  jobs.done(*c, nullptr);
  REQUIRE(jobs.take_ended());
  CHECK(!jobs.take_ended());
  CHECK(jobs.next(1));
}

TEST_CASE("jobs without shares are over in their turn", "[zones]") {
  team of{1, 2};
  const shared_launch one = launch_of(2, [](int) { return true; }, [](std::uint32_t, const auto&) {});
  const shared_launch* const chain[] = {&one};
  tell(*of.pool, 1, {});
  tell(*of.pool, 2, chain);
  tell(*of.pool, 3, {});
  of.pool->help(0, 3, never());
  CHECK(of.pool->take_accounts()[0].weight == 2);
}

TEST_CASE("who helps with a job that never begins is told", "[zones]") {
  team of{2, 3};
  int asked = 0;
  of.pool->help(1, 5, {.is_over = [&] { return ++asked > 2; }, .for_next = [] { return false; }});
  CHECK(asked == 3);
}
