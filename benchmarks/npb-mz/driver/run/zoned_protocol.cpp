#include "zoned_protocol.hpp"

#include "checkpoints.hpp"
#include "described.hpp"
#include "driver/zoned/zoned_march.hpp"

#include <fmt/format.h>
#include <span>

#include <yoke/clock.hpp>
#include <yoke/error.hpp>

namespace npb {

namespace {

/// Of each rank.
std::vector<std::string> texts_of(yoke::ranks& among, const std::string& mine) {
  std::vector<std::string> all;
  for (const std::vector<std::byte>& each : among.gather(std::as_bytes(std::span{mine})))
    all.emplace_back(reinterpret_cast<const char*>(each.data()), each.size());
  return all;
}

void meet(yoke::ranks* among) {
  if (among != nullptr) static_cast<void>(among->gather({}));
}

std::string text_of(const problem& p) {
  return fmt::format("{} class {}, {}x{}x{} points, {}x{} zones", p.name, p.class_name, p.gx, p.gy, p.gz,
                     p.x_sizes.size(), p.y_sizes.size());
}

void check_alike(yoke::ranks* among, const problem& p, const options& asked, int steps) {
  if (among == nullptr) return;
  const std::string checkpoints = asked.checkpoint.empty()
                                      ? "no checkpoints"
                                      : fmt::format("checkpoints every {}{}", asked.every,
                                                    asked.restart ? " from one that there is" : "");
  const std::vector<std::string> all =
      texts_of(*among, fmt::format("{}, {} steps, {}", text_of(p), steps, checkpoints));
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw yoke::config_error{fmt::format("rank 0 was asked for {}, rank {} for {}; all ranks take the same",
                                           all[0], rank, all[rank])};
}

}  // namespace

run_result run_over_zones(yoke::runtime& rt, yoke::ranks* among, const benchmark& what,
                          const options& asked) {
  const yoke::ticks begin = yoke::now();
  const problem& p = what.what();
  run_result r;
  r.iterations = asked.steps.value_or(p.niter);
  check_alike(among, p, asked, r.iterations);
  describe(r, rt, p, asked);
  zoned_march zones{rt, among, what, r.iterations};
  checkpoints kept{zones, text_of(p), asked, among == nullptr || among->rank() == 0};
  zones.initialize();
  zones.warm_up(r.iterations);
  zones.initialize();
  const int first = kept.first_step(r.iterations);
  if (first > 0) r.notes.push_back(fmt::format("goes on from step {}; time and rate are of the rest", first));
  meet(among);

  const yoke::ticks start = yoke::now();
  kept.run(first, r.iterations);
  if (what.has_residual()) r.norms = total_norms(zones.residual_norms());  // timed: SPEC.md §12
  meet(among);
  add_times(r, p, {begin, start, yoke::now()}, first);
  kept.end();

  r.zoned = zoned_result{among != nullptr ? among->size() : 1, zones.explain()};
  const zone_norms timed = r.norms;
  r.norms = total_norms(zones.norms());
  if (what.has_residual()) r.norms.xcr = timed.xcr;
  add_verdict(r, p, asked);
  return r;
}

}  // namespace npb
