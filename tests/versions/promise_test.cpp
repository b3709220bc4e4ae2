// Work that is promised.
#include <memory>
#include <support/catch.hpp>

#include <yoke/version_table.hpp>

namespace {

using namespace yoke::versions;
using yoke::space_id;

mark_ptr work_of(const char& stream) { return std::make_shared<mark>(yoke::versions::stream{&stream}, 1); }

}  // namespace

TEST_CASE("a piece is not quiet while work on it is promised", "[versions]") {
  table all{2};
  const piece x = all.add("x");
  all.begin({x, space_id{0}, usage::write}, nullptr);
  const char streams[3]{};
  const mark_ptr promise = work_of(streams[0]), other = work_of(streams[1]);
  CHECK(all.is_quiet(x));
  all.promise(x, promise);
  all.promise(x, other);
  const auto n_open = [&] {
    int n = 0;
    all.for_each_promise(x, [&](const mark_ptr&) { ++n; });
    return n;
  };
  CHECK_FALSE(all.is_quiet(x));
  CHECK(n_open() == 2);
  promise->end();
  CHECK(n_open() == 1);
  other->end();
  CHECK(all.is_quiet(x));
  all.promise(x, work_of(streams[2]));
  all.remove(x);
  CHECK(all.is_quiet(all.add("y")));
}
