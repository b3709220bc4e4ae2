// A list that has its first element in itself.
#include "few.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <support/catch.hpp>
#include <utility>
#include <vector>

namespace {

/// Each lives once, and says when it goes.
using counted = std::shared_ptr<int>;
using list = yoke::detail::few<counted, 2>;

bool is_same(const list& one, const std::vector<counted>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

}  // namespace

TEST_CASE("a list of few does what a vector does", "[tasks]") {
  std::mt19937_64 random{Catch::rngSeed()};
  const counted value = std::make_shared<int>(1);
  {
    list one, other;
    std::vector<counted> model_of_one, model_of_other;
    for (int i = 0; i < 3000; ++i) {
      switch (random() % 6) {
        case 0:
          one = std::move(other);
          model_of_one = std::exchange(model_of_other, {});
          break;
        case 1: {
          list next{std::move(one)};
          one = std::move(other);
          other = std::move(next);
          std::swap(model_of_one, model_of_other);
          break;
        }
        case 2:
          if (random() % 4 == 0) one.clear(), model_of_one.clear();
          break;
        case 3:
          if (!model_of_one.empty()) {
            one.push_back(one[random() % one.size()]);
            model_of_one.push_back(one.back());
          }
          break;
        default:
          one.push_back(value);
          model_of_one.push_back(value);
      }
      REQUIRE(is_same(one, model_of_one));
      // NOLINTNEXTLINE(bugprone-use-after-move): it is empty then
      REQUIRE(is_same(other, model_of_other));
      REQUIRE(value.use_count() == 1 + 2 * static_cast<long>(one.size() + other.size()));
    }
  }
  CHECK(value.use_count() == 1);
}
