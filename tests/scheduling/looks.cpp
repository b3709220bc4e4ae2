/// `auto` where passes overlap and each look at the map costs a part of a pass.

#include "bt_class_d.hpp"

using namespace yoke;
using driver::troubles;

namespace {

double least_rate(const troubles& has) { return driver::rates_beside_gpu("auto", has).least; }

}  // namespace

TEST_CASE("auto does not leave a good map because a short stretch of passes made it look slow",
          "[scheduling][auto]") {
  CHECK(least_rate({}) >= 1.015);
}

TEST_CASE("auto learns that CPU CUs beside a GPU need longer than their batches tell", "[scheduling][auto]") {
  CHECK(least_rate({.lost = 1.2}) >= 0.97);
}

TEST_CASE("auto leaves CPU CUs that hold up a GPU, however much their batches vary", "[scheduling][auto]") {
  CHECK(least_rate({.lost = 1.4, .noise = 0.25}) >= 0.9);
}

TEST_CASE("auto leaves CPU CUs that hold up a GPU where batches of both are delayed", "[scheduling][auto]") {
  CHECK(least_rate({.lost = 1.6, .noise = 0.25, .delays = 0.15}) >= 0.9);
}

TEST_CASE("auto does not believe passes in which a GPU lays out what the CPU CUs gave back",
          "[scheduling][auto]") {
  CHECK(least_rate({.lost = 1.6, .noise = 0.25, .delays = 0.15, .layout = 2}) >= 0.85);
}

TEST_CASE("auto keeps CPU CUs of which one was away for a moment in the few passes that are timed first",
          "[scheduling][auto]") {
  for (pass_id pass = 1; pass <= 24; ++pass) {
    CAPTURE(pass);
    CHECK(least_rate({.away_in = pass, .away = 2.5, .most_before = 33}) >= 0.99);
  }
}

TEST_CASE("auto does not leave CPU CUs for little while more passes cost nothing", "[scheduling][auto]") {
  CHECK(least_rate({.slice = 1, .chance = 0.02, .slice_until = 13, .most_before = 33}) >= 0.97);
}

TEST_CASE("auto leaves CPU CUs that begin to hold up a GPU between two looks", "[scheduling][auto]") {
  for (const pass_id from : {12, 20, 30, 40, 50, 60, 80, 100, 120, 130, 160}) {
    CAPTURE(from);
    CHECK(least_rate({.lost = 2.2, .noise = 0.15, .lost_from = from}) >= 0.78);
  }
}

TEST_CASE("auto leaves CPU CUs that others use, though these hold up the GPU's host thread too",
          "[scheduling][auto]") {
  CHECK(least_rate({.slice = 6}) >= 0.98);
  CHECK(least_rate({.slice = 0.5}) >= 0.95);
}
