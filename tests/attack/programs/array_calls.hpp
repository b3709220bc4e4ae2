#pragma once
/// Loops and exchanges of an array_room, alone and in recordings.

#include "array_room.hpp"

namespace attack {

template <int D>
call array_room<D>::any_stencil() {
  using reach = typename loops_of<D>::reach;
  const std::array<std::size_t, 3> order = any_order();
  const std::size_t x = order[0], y = order[1], z = order[2];
  const auto how = static_cast<reach>(dice_.upto(2));
  const side& rows = elements_[x].is.sides[0];
  const auto some = [&](int most) {
    return how == reach::interior ? 0 : how == reach::rows ? dice_.upto(most) : most;
  };
  const std::int64_t low = some(rows.low), high = some(rows.high);
  const any_box over = any_part();
  const around reads = elements_[x].is.reads(how != reach::interior, low, high);
  return {fmt::format("stencil over {}: {} from {} ({}: {} {}) and {}", in_words(over, D), name(z), name(x),
                      static_cast<int>(how), low, high, name(y)),
          {x, y, z},
          [=, this] {
            loops_of<D>::stencil(rt_, over, elements_[x].array, reads, how, {low, high}, elements_[y].array,
                                 elements_[z].array);
          },
          [=, this] { stencil_of(over, elements_[x].is, reads, elements_[y].is, elements_[z].is); }};
}

template <int D>
call array_room<D>::any_add() {
  const std::size_t x = any_order()[0];
  const any_box over = any_part();
  const double value = dice_.value();
  return {fmt::format("add to {} over {}", name(x), in_words(over, D)),
          {x},
          [=, this] { loops_of<D>::add(rt_, over, elements_[x].array, value); },
          [=, this] {
            model& of = elements_[x].is;
            each_index(over, [&](const std::int64_t(&at)[4]) { of.at(at) = mixed(of.read(at), value); });
          }};
}

template <int D>
call array_room<D>::any_exchange() {
  const std::size_t x = any_order()[0];
  const yoke::side one{static_cast<int>(dice_.upto(D - 1)), dice_.one_in(2)};
  if (dice_.one_in(2))
    return {"exchange of a side of " + name(x),
            {x},
            [=, this] { yoke::exchange(elements_[x].array, one); },
            [] {}};
  return {"exchange of " + name(x), {x}, [=, this] { yoke::exchange(elements_[x].array); }, [] {}};
}

template <int D>
call array_room<D>::any_recordable() {
  switch (dice_.upto(5)) {
    case 0:
      return any_exchange();
    case 1:
    case 2:
      return any_add();
    default:
      return any_stencil();
  }
}

/// Only a and b have the same halos. Attached memory stays where it is.
template <int D>
call array_room<D>::any_swap() {
  return {"swap of a and b",
          {0, 1},
          [this] { swap(elements_[0].array, elements_[1].array); },
          [this] {
            std::swap(elements_[0].contents, elements_[1].contents);
            std::swap(elements_[0].is.values, elements_[1].is.values);
          }};
}

/// Swaps are taken back at its end. A recording lists calls and does none of them.
template <int D>
void array_room<D>::record() {
  std::vector<call> calls;
  int swaps = 0;
  for (std::int64_t n = dice_.between(0, 6); n > 0; --n) {
    const bool is_swap = dice_.one_in(4);
    calls.push_back(is_swap ? any_swap() : any_recordable());
    swaps += is_swap ? 1 : 0;
  }
  if (swaps % 2 == 1) calls.push_back(any_swap());
  std::string what;
  for (const call& each : calls) what += "\n    " + each.what;
  tells_.add("record" + what);
  recording_.reset();
  recording_ = yoke::record(rt_, [&] {
    for (const call& each : calls) each.on_arrays();
  });
  recorded_ = std::move(calls);
  for (std::size_t i = 0; i < elements_.size(); ++i) contents_recorded_[i] = elements_[i].contents;
}

template <int D>
void array_room<D>::replay() {
  if (!recording_) return record();
  const bool is_whole = std::ranges::all_of(recorded_, [&](const call& each) {
    return std::ranges::all_of(each.uses,
                               [&](std::size_t i) { return elements_[i].contents == contents_recorded_[i]; });
  });
  tells_.add(is_whole ? "replay" : "replay, which is refused");
  if (!is_whole)
    return must_throw<yoke::usage_error>("a replay whose arrays were swapped or have ended",
                                         "replay: ", [&] { recording_->replay(); });
  recording_->replay();
  for (const call& each : recorded_) each.on_models();
}

}  // namespace attack
