#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
#include <support/catch.hpp>
#include <support/child.hpp>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <yoke/detail/pinned_pages.hpp>

namespace {

using yoke::detail::pinned_pages;

const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
constexpr std::size_t n_pages = 24;

/// Stands in for a vendor, which pins a page once. The addresses are numbers: nobody looks at them.
struct vendor {
  std::map<std::size_t, std::size_t> runs{};  ///< first page and number of pages
  int until_failure = -1;
  bool good = true;

  static std::size_t number(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) / page - 1;
  }
  void pin(const void* first, std::size_t bytes) {
    if (until_failure-- == 0) throw std::runtime_error{"the vendor refuses"};
    good = good && reinterpret_cast<std::uintptr_t>(first) % page == 0 && bytes % page == 0 && bytes > 0;
    for (const auto& [other, length] : runs)
      good = good && (number(first) >= other + length || number(first) + bytes / page <= other);
    runs[number(first)] = bytes / page;
  }
  void unpin(const void* first) { good = good && runs.erase(number(first)) == 1; }

  bool has(std::size_t wanted) const {
    for (const auto& [first, length] : runs)
      if (wanted >= first && wanted < first + length) return true;
    return false;
  }
};

struct fixture {
  vendor of;
  pinned_pages pages;

  static const void* at(std::size_t byte) { return reinterpret_cast<const void*>(page + byte); }
  void add(std::size_t first, std::size_t bytes) {
    pages.add(
        at(first), bytes, [&](void* where, std::size_t n) { of.pin(where, n); },
        [&](void* where) { of.unpin(where); });
  }
  void remove(std::size_t first, std::size_t bytes) {
    pages.remove(at(first), bytes, [&](void* where) { of.unpin(where); });
  }
};

}  // namespace

TEST_CASE("a page is pinned while a range needs it, and once", "[pin]") {
  fixture on;
  std::mt19937 random{5};
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (int step = 0; step < 2000; ++step) {
    if (ranges.size() > 6 || (random() % 2 == 0 && !ranges.empty())) {
      std::swap(ranges[random() % ranges.size()], ranges.back());
      on.remove(ranges.back().first, ranges.back().second);
      ranges.pop_back();
    } else {
      const std::size_t first = random() % (n_pages * page - 1);
      ranges.emplace_back(first, 1 + random() % (n_pages * page - first));
      on.add(ranges.back().first, ranges.back().second);
    }
    bool covered = true;
    for (const auto& [first, bytes] : ranges)
      for (std::size_t each = first / page; each <= (first + bytes - 1) / page; ++each)
        covered = covered && on.of.has(each);
    REQUIRE(covered);
    REQUIRE(on.of.good);
    if (ranges.empty()) REQUIRE(on.of.runs.empty());
  }
}

TEST_CASE("a range that cannot be pinned leaves all as it was", "[pin]") {
  fixture on;
  on.add(3 * page, 2 * page);
  on.add(8 * page, page);
  const auto before = on.of.runs;
  for (const int k : {0, 1, 2}) {  // before, between and behind the two
    on.of.until_failure = k;
    CHECK_THROWS(on.add(0, 12 * page));
    CHECK(on.of.runs == before);
  }
  on.of.until_failure = -1;
  on.add(0, 12 * page);
  CHECK(on.pages.n_runs() == 5);
  on.remove(0, 12 * page);
  CHECK(on.of.runs == before);
  CHECK(on.of.good);
}

TEST_CASE("a copy is cut where one run ends and another one, or none, begins", "[pin]") {
  fixture on;
  const auto piece = [&](std::size_t first, std::size_t bytes) {
    return on.pages.in_one_piece(fixture::at(first), bytes);
  };
  CHECK(piece(0, 20 * page) == 20 * page);
  on.add(2 * page + 5, page);  // pages 2 and 3
  on.add(3 * page, 2 * page);  // page 4 is a run of its own
  CHECK(piece(0, 20 * page) == 2 * page);
  CHECK(piece(0, page) == page);
  CHECK(piece(2 * page + 7, 20 * page) == 2 * page - 7);
  CHECK(piece(2 * page, 2 * page) == 2 * page);
  CHECK(piece(4 * page, 20 * page) == page);
  CHECK(piece(5 * page, 15 * page) == 15 * page);
}

// remove is noexcept, so that no handler can throw out of it: the assertion is seen from outside.
TEST_CASE("unpinning what was not pinned breaks an assertion", "[pin][assertion]") {
  const support::ended_child child = support::run_child("a range is unpinned twice");
  CHECK(WIFEXITED(child.status));
  CHECK(WEXITSTATUS(child.status) == support::assertion_status);
  CHECK_THAT(child.message, Catch::Matchers::Contains("host memory is unpinned that was not pinned"));
}

TEST_CASE("a range is unpinned twice", "[.child]") {
  fixture on;
  on.add(0, 2 * page);
  on.remove(0, 2 * page);
  support::exit_at_assertions();
  on.remove(0, 2 * page);
}
