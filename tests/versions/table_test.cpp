// What each question and each call of the table promises.
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <support/catch.hpp>

#include <yoke/error.hpp>
#include <yoke/version_table.hpp>

namespace {

using namespace yoke::versions;
using yoke::space_id;

constexpr space_id host{0}, first{1}, second{2}, nowhere{};

/// A piece in three memories, and three streams.
struct fixture {
  table all{3};
  piece x = all.add("x");
  char names[3]{};
  std::uint64_t n_marks = 0;

  stream on(int s) const { return {&names[s]}; }
  mark_ptr work(int s) { return std::make_shared<mark>(on(s), ++n_marks); }
  marks before(space_id memory, usage how, stream of = {}) const {
    marks found;
    all.add_before({x, memory, how}, of, found);
    return found;
  }
  mark_ptr write(space_id memory, int s) {
    const mark_ptr made = work(s);
    all.begin({x, memory, usage::write}, made);
    return made;
  }
  mark_ptr read(space_id memory, int s) {
    const mark_ptr made = work(s);
    all.begin({x, memory, usage::read}, made);
    return made;
  }
  mark_ptr copy(space_id from, space_id to, int s) {
    const mark_ptr made = work(s);
    all.copy(x, from, to, made);
    return made;
  }
  void write_now(space_id memory) { all.begin({x, memory, usage::write}, nullptr); }
};

bool has(const marks& all, const mark_ptr& one) { return std::ranges::find(all, one) != all.end(); }

std::exception_ptr error(const char* what) { return std::make_exception_ptr(std::runtime_error{what}); }

}  // namespace

TEST_CASE("a piece is empty until it is written, then being written, then whole", "[versions]") {
  fixture on;
  CHECK(on.all.name_of(on.x) == "x");
  CHECK(on.all.state_of(on.x) == state::empty);
  CHECK(on.all.home_of(on.x) == nowhere);
  CHECK_FALSE(on.all.source_for(on.x, first));
  const mark_ptr writer = on.write(first, 0);
  CHECK(on.all.state_of(on.x) == state::being_written);
  CHECK(on.all.home_of(on.x) == first);
  CHECK(on.all.writer_of(on.x, first) == writer);
  writer->end();
  CHECK(on.all.state_of(on.x) == state::whole);
}

TEST_CASE("a write makes other memories stale, and what they have travels from its home", "[versions]") {
  fixture on;
  on.write_now(host);
  on.copy(host, first, 0)->end();
  CHECK(on.all.holds(on.x, first));
  CHECK_FALSE(on.all.source_for(on.x, first));
  CHECK(on.all.has_replicas(on.x));
  CHECK_FALSE(on.all.is_quiet(on.x));  // a write would make a replica stale
  on.write_now(host);
  CHECK_FALSE(on.all.has_replicas(on.x));
  CHECK_FALSE(on.all.holds(on.x, first));
  CHECK(on.all.source_for(on.x, first) == host);
  CHECK(on.all.is_quiet(on.x));
}

TEST_CASE("a reader waits for the writer, and the next writer for readers alone", "[versions]") {
  fixture on;
  const mark_ptr writer = on.write(first, 0);
  CHECK(has(on.before(first, usage::read), writer));
  const mark_ptr a = on.read(first, 1), b = on.read(first, 2);
  CHECK(on.before(first, usage::read).size() == 1);
  const marks all = on.before(first, usage::write);
  CHECK(all.size() == 2);
  CHECK(has(all, a));
  CHECK(has(all, b));
  CHECK(on.before(second, usage::write).size() == 0);
}

TEST_CASE("order within a stream costs nothing, and of another one the latest mark does", "[versions]") {
  fixture on;
  on.write(first, 0);
  CHECK(on.before(first, usage::write, on.on(0)).size() == 0);
  on.read(first, 1);
  const mark_ptr later = on.read(first, 1);
  const marks all = on.before(first, usage::write, on.on(0));
  CHECK(all.size() == 1);
  CHECK(has(all, later));
  // It has come after the writer itself.
  CHECK(on.before(first, usage::write, on.on(1)).size() == 0);
}

TEST_CASE("what has no order of its own is waited for one by one", "[versions]") {
  fixture on;
  const auto work = [&] { return std::make_shared<mark>(stream{}, ++on.n_marks); };
  const mark_ptr a = work(), b = work();
  on.write_now(host);
  on.all.begin({on.x, host, usage::read}, a);
  on.all.begin({on.x, host, usage::read}, b);
  CHECK(on.before(host, usage::write).size() == 2);
}

TEST_CASE("a copy reads in one memory and writes in the other", "[versions]") {
  fixture on;
  on.write_now(host);
  const mark_ptr copy = on.copy(host, first, 0);
  CHECK(has(on.before(host, usage::write), copy));
  CHECK(on.before(host, usage::read).size() == 0);
  CHECK(has(on.before(first, usage::read), copy));
  CHECK(on.all.holds(on.x, first));
  CHECK_FALSE(on.all.is_whole_in(on.x, first));
  CHECK(on.all.is_whole_in(on.x, host));
  CHECK(on.all.home_of(on.x) == host);
}

TEST_CASE("a copy of a stale version is stale, and one onto the home is a new version", "[versions]") {
  fixture on;
  on.write_now(host);
  on.copy(host, first, 0)->end();
  on.write_now(host);
  on.copy(first, second, 0)->end();
  CHECK_FALSE(on.all.holds(on.x, second));
  on.copy(first, host, 0)->end();
  CHECK(on.all.holds(on.x, host));
  CHECK_FALSE(on.all.holds(on.x, first));
  CHECK(on.all.source_for(on.x, first) == host);
}

TEST_CASE("what was queued without a mark leaves others to be waited for", "[versions]") {
  fixture on;
  const mark_ptr writer = on.write(first, 0);
  on.write_now(first);
  CHECK(has(on.before(first, usage::read), writer));
  CHECK(on.all.state_of(on.x) == state::being_written);
}

TEST_CASE("a failed writer breaks what it writes, whatever fails later", "[versions]") {
  fixture on;
  on.write_now(host);
  const mark_ptr writer = on.write(first, 0), reader = on.read(first, 1);
  const std::exception_ptr why = error("first");
  writer->fail(why);
  writer->fail(error("second"));
  CHECK(on.all.state_of(on.x) == state::broken);
  CHECK(on.all.error_of(on.x) == why);
  CHECK(on.all.writer_of(on.x, first)->error() == why);  // for who has been queued behind it
  CHECK_FALSE(on.all.holds(on.x, first));
  CHECK_FALSE(on.all.holds(on.x, host));
  CHECK(has(on.before(first, usage::write), reader));
  on.write_now(second);
  CHECK(on.all.state_of(on.x) == state::whole);
  CHECK(on.all.source_for(on.x, first) == second);
}

TEST_CASE("a broken piece is mended where it is by who writes all of it", "[versions]") {
  fixture on;
  on.write(first, 0)->fail(error("why"));
  on.write_now(first);
  CHECK(on.all.state_of(on.x) == state::whole);
  CHECK(on.all.holds(on.x, first));
}

TEST_CASE("a failed writer of an older version breaks nothing", "[versions]") {
  fixture on;
  const mark_ptr old = on.write(first, 0);
  on.write(second, 1)->end();
  old->fail(error("old"));
  CHECK(on.all.state_of(on.x) == state::whole);
}

TEST_CASE("a failed reader breaks nothing, and a failed copy only its target", "[versions]") {
  fixture on;
  on.write_now(host);
  on.read(host, 0)->fail(error("reader"));
  on.copy(host, first, 0)->fail(error("copy"));
  CHECK(on.all.state_of(on.x) == state::whole);
  CHECK(on.all.holds(on.x, host));
  CHECK(on.all.source_for(on.x, first) == host);
}

TEST_CASE("a replica keeps the piece when the home is given back, and the last memory does not",
          "[versions]") {
  fixture on;
  on.write_now(first);
  on.copy(first, second, 0)->end();
  on.all.drop(on.x, first);
  CHECK(on.all.home_of(on.x) == second);
  CHECK(on.all.state_of(on.x) == state::whole);
  on.all.drop(on.x, second);
  CHECK(on.all.state_of(on.x) == state::empty);
}

TEST_CASE("only what is idle and elsewhere is evicted", "[versions]") {
  fixture on;
  on.write_now(host);
  CHECK_FALSE(on.all.evict(on.x, host));
  const mark_ptr copy = on.copy(host, first, 0);
  CHECK_FALSE(on.all.evict(on.x, first));
  CHECK_FALSE(on.all.evict(on.x, host));
  copy->end();
  CHECK(on.all.evict(on.x, first));
  CHECK_FALSE(on.all.holds(on.x, first));
  on.copy(host, first, 0)->end();
  on.write_now(host);
  CHECK(on.all.evict(on.x, first));  // stale
}

TEST_CASE("a memory that is lost takes along what was there alone, and names it", "[versions]") {
  fixture on;
  const piece kept = on.all.add("kept");
  on.all.begin({kept, host, usage::write}, nullptr);
  on.all.copy(kept, host, first, nullptr);
  on.write_now(first);
  const std::exception_ptr why = error("lost");
  CHECK(on.all.lose(first, why) == std::vector{on.x});
  CHECK(on.all.state_of(kept) == state::whole);
  CHECK(on.all.error_of(on.x) == why);
  CHECK(on.all.home_of(on.x) == nowhere);
  CHECK(on.all.lose(second, error("nothing there")).empty());
  on.write_now(host);
  CHECK(on.all.state_of(on.x) == state::whole);
}

TEST_CASE("a broken piece stays broken when its memory is given back", "[versions]") {
  fixture on;
  const std::exception_ptr why = error("why");
  on.write(first, 0)->fail(why);
  CHECK(on.all.evict(on.x, first));
  CHECK(on.all.error_of(on.x) == why);
}

TEST_CASE("bytes that somebody else writes are no version", "[versions]") {
  fixture on;
  on.write_now(host);
  const mark_ptr copy = on.copy(host, first, 0);
  on.all.forget(on.x, first);
  CHECK_FALSE(on.all.holds(on.x, first));
  CHECK(has(on.before(first, usage::write), copy));
}

TEST_CASE("a piece that was removed leaves nothing to the next one", "[versions]") {
  fixture on;
  on.write(first, 0);
  on.all.remove(on.x);
  CHECK(on.all.add("y") == on.x);
  CHECK(on.all.name_of(on.x) == "y");
  CHECK(on.all.state_of(on.x) == state::empty);
  CHECK(on.before(first, usage::write).size() == 0);
  CHECK(on.all.add("z") != on.x);
}

TEST_CASE("marks keep of each stream the latest", "[versions]") {
  fixture on;
  const mark_ptr a = on.work(0), b = on.work(0), c = on.work(1);
  marks all;
  all.add(b), all.add(a), all.add(b), all.add(c);
  CHECK(all.size() == 2);
  CHECK(has(all, b));
  b->end();
  all.forget_ended();
  CHECK(all.size() == 1);
  CHECK(has(all, c));
}

namespace {
struct broken_invariant : std::runtime_error {
  using std::runtime_error::runtime_error;
};
}  // namespace

TEST_CASE("pieces, memories and calls that cannot be are told", "[versions]") {
  const auto before = yoke::detail::set_assertion_handler(
      [](const std::string& message) { throw broken_invariant{message}; });
  fixture on;
  CHECK_THROWS_AS(on.all.state_of(piece{}), broken_invariant);
  CHECK_THROWS_AS(on.all.state_of(piece{1}), broken_invariant);
  CHECK_THROWS_AS(on.all.holds(on.x, space_id{3}), broken_invariant);
  on.write_now(host);
  CHECK_THROWS_AS(on.all.forget(on.x, host), broken_invariant);
  CHECK_THROWS_AS(on.all.lose(first, nullptr), broken_invariant);
  yoke::detail::set_assertion_handler(before);
}
