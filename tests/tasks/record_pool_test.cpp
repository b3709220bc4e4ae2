#include "record_pool.hpp"

#include <atomic>
#include <memory>
#include <support/catch.hpp>
#include <thread>
#include <vector>

using yoke::detail::record_pool;

TEST_CASE("records may come back while their pool is left, from its block and from the heap", "[tasks]") {
  constexpr std::size_t bytes = 48;
  for (const int n : {1, 300, 17'000}) {
    std::atomic<record_pool*> pool{nullptr};
    std::atomic<int> rounds{0};
    std::vector<void*> records;
    std::jthread other{[&](const std::stop_token& stop) {
      while (!stop.stop_requested())
        if (record_pool* const of = pool.exchange(nullptr)) {
          for (void* const each : records) of->give(each);
          ++rounds;
        }
    }};
    for (int round = 0; round < (n > 300 ? 10 : 1000); ++round) {
      std::unique_ptr<record_pool, record_pool::leave> mine{new record_pool};
      records.clear();
      for (int i = 0; i < n; ++i) records.push_back(mine->take(bytes));
      pool = mine.get();
      while (pool != nullptr) std::this_thread::yield();
      mine.reset();  // while they come back
      while (rounds <= round) std::this_thread::yield();
    }
  }
}
