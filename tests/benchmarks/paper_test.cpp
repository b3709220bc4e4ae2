#include "prediction.hpp"

#include <cmath>
#include <set>
#include <support/catch.hpp>

#include <yoke/configuration.hpp>

namespace {

const paper::evaluation said = paper::read_evaluation();

yoke::configuration cus(const char* text) { return yoke::parse_configuration({text, "test"}); }

}  // namespace

TEST_CASE("what the paper measured follows from its own times within a tenth, or it is said why not",
          "[paper]") {
  REQUIRE(said.claims.size() == 24);
  for (const paper::claim& each : said.claims) {
    const double ratio = paper::predicted(said, each) / each.speedup;
    INFO(each.benchmark << " " << each.of.front() << " " << each.schedule << " " << each.which << ": "
                        << ratio);
    CHECK((std::abs(ratio - 1) > 0.1) == !each.why.empty());
  }
}

TEST_CASE("CPUs alone follow the mean share of zones of one size", "[paper]") {
  const paper::measured& sp = said.benchmarks.at("sp");
  const double step = 32 * 11.25e-3 + 97e-3;
  CHECK(paper::speedup(sp, cus("32x1"), "static") == Approx((1024 * 8.7e-3 + 97e-3) / step));
}

TEST_CASE("times between those of the table lie on a line", "[paper]") {
  const paper::measured& bt = said.benchmarks.at("bt");
  CHECK(bt.cpu_time(cus("56x1")) == Approx((87.66e-3 + 102.5e-3) / 2));
  CHECK(bt.cpu_time(cus("256x1")) == Approx(102.5e-3));
  CHECK(bt.pcf_of(cus("48x1+1")) == 29.66);
  CHECK(bt.pcf_of(cus("56x1+1")) == Approx((87.66 + 102.5) / 2 / 2.96));
}

TEST_CASE("no schedule is better than the best makespan, and one of ours comes within 2% of it", "[paper]") {
  for (const char* benchmark : {"sp", "bt"})
    for (const char* text :
         {"16x1+1", "32x1+1", "48x1+1", "63x1+1", "16x1+2", "32x1+2", "48x1+2", "62x1+2"}) {
      const paper::node on{said.benchmarks.at(benchmark), 'D', cus(text)};
      const yoke::seconds best = paper::quick_best_makespan_of(on).value;
      double least = INFINITY;
      for (const char* schedule : {"static", "memorizing", "static-hybrid", "partition"}) {
        const double ratio = paper::makespan(on, schedule) / best;
        INFO(benchmark << " " << text << " " << schedule);
        CHECK(ratio >= 1 - 1e-9);
        least = std::min(least, ratio);
      }
      INFO(benchmark << " " << text);
      CHECK(least <= 1.02);
    }
}

TEST_CASE("dealing zones out anew is as slow as the paper says at the speed of plain copies", "[paper]") {
  for (const paper::slowdown& each : said.not_memorizing) {
    const paper::measured& by = said.benchmarks.at(each.benchmark);
    for (const double times : {each.least, each.most}) {
      const double bandwidth = paper::bandwidth_of_slowdown(by, cus(each.cus.c_str()), times);
      CHECK(bandwidth > 0.5e9);
      CHECK(bandwidth < 2e9);
      CHECK(paper::slowdown_without_memory(by, cus(each.cus.c_str()), bandwidth) == Approx(times));
    }
  }
}
