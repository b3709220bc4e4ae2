// Which rank has which zones.
#include "rank_votes.hpp"
#include "zone_dealer.hpp"
#include "zones_core.hpp"

#include <array>
#include <fmt/format.h>
#include <numeric>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// -1: none.
int first_that_says_so(ranks& among, char mine) {
  const auto all = gathered<char>(among, std::span{&mine, 1});
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank].at(0) != 0) return static_cast<int>(rank);
  return -1;
}

}  // namespace

int zones_core::rank_of(int zone) const {
  check_zone(zone, "zones");
  if (among_ == nullptr) return 0;
  if (ranks_.empty())
    throw usage_error{fmt::format("zone {}: its rank is known once there is a field; make one first", zone)};
  return ranks_[static_cast<std::size_t>(zone)];
}

std::vector<int> zones_core::zones_here() const {
  std::vector<int> all;
  for (int zone = 0; zone < std::ssize(boxes_); ++zone)
    if (is_here(zone)) all.push_back(zone);
  return all;
}

/// Errors: usage_error, on all ranks.
void zones_core::check_alike() const {
  constexpr std::array<const char*, 4> names{"numbers of zones, or dimensions of them", "extents", "joins",
                                             "weights"};
  fingerprint extents, joins, weights;
  for (const zone_box& each : boxes_) extents.add(std::span<const std::int64_t>{each.n});
  for (const zone_join& each : joins_) {
    for (const zone_end& end : {each.a, each.b}) {
      joins.add(end.zone);
      joins.add(end.at.dimension);
      joins.add(end.at.is_high ? 1 : 0);
    }
    joins.add(std::span<const int>{each.turn.of});
    joins.add(std::span<const bool>{each.turn.is_backwards});
  }
  weights.add(std::span<const double>{weights_});
  const std::array<std::uint64_t, names.size()> mine{
      boxes_.size() * 4 + static_cast<std::size_t>(dimensions_), extents.value(), joins.value(),
      weights.value()};
  const auto all = gathered<std::uint64_t>(*among_, mine);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const int other = first_unlike(all, i); other >= 0)
      throw usage_error{fmt::format("zones: ranks 0 and {} have unlike {}; all ranks make the same zones",
                                    other, names[i])};
}

/// By how fast the units of each are together, as far as is known.
void zones_core::deal_to_ranks() {
  check_alike();
  sends_from_devices_ = among_->takes_devices(rt_.devices());
  const double speed = std::transform_reduce(times_.begin(), times_.end(), 0.0, std::plus{},
                                             [](seconds each) { return 1 / each; });
  std::vector<seconds> times;
  for (const std::vector<double>& each : gathered<double>(*among_, std::span{&speed, 1}))
    times.push_back(1 / each.at(0));
  std::vector<int> all(boxes_.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> dealt = ranks_of_zones(work(all), times);
  ranks_ = gathered<int>(*among_, dealt).front();  // one decides: others may round in another way
}

/// Errors: out_of_memory, on all ranks where one of them has too little.
std::unique_ptr<field_memory> zones_core::memory_for(const field_form& form, const std::string& name) const {
  std::unique_ptr<field_memory> made;
  std::exception_ptr problem;
  try {
    made = std::make_unique<field_memory>(rt_, name, form, boxes_, layout_);
  } catch (const out_of_memory&) {
    problem = std::current_exception();
  }
  const char has_failed = problem != nullptr ? 1 : 0;
  int other = -1;
  if (among_ != nullptr) other = first_that_says_so(*among_, has_failed);
  if (problem != nullptr) std::rethrow_exception(problem);
  if (other >= 0)
    throw out_of_memory{fmt::format("{}: rank {} has too little memory for it", name, other), 0, 0};
  return made;
}

}  // namespace yoke::detail
