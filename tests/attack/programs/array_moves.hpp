#pragma once
/// What else is done in an array_room: reductions, moves, ends, refusals, bodies that throw.

#include "array_room.hpp"

namespace attack {

template <int D>
void array_room<D>::reduce() {
  const std::size_t x = any_order()[0];
  const any_box over = any_part();
  const reduced given{dice_.value(), dice_.value(), dice_.value()};
  tells_.add(fmt::format("reduce {} over {}", name(x), in_words(over, D)));
  const reduced found = loops_of<D>::reduce(rt_, over, elements_[x].array, given);
  const reduced wanted = reduce_of(D, over, elements_[x].is, given);
  if (found != wanted)
    throw difference{fmt::format("the reductions of {} are {} {} {}, in the model {} {} {}", name(x),
                                 found.sum, found.smallest, found.largest, wanted.sum, wanted.smallest,
                                 wanted.largest)};
}

template <int D>
void array_room<D>::copy() {
  const std::array<std::size_t, 3> order = any_order();
  tells_.add(fmt::format("copy {} to {}", name(order[0]), name(order[1])));
  yoke::copy(elements_[order[0]].array, elements_[order[1]].array);
  elements_[order[1]].is.values = elements_[order[0]].is.values;
}

/// All three alike, so that they still go together; where parts would be shorter than halos, nothing. Where
/// memory is short the first one that finds none leaves others behind: all begin anew then.
template <int D>
void array_room<D>::redistribute() {
  const cuts before = how_;
  how_ = any_cuts();
  std::vector<std::int64_t> most;
  try {
    most = widest();
  } catch (...) {
    how_ = before;
    throw;
  }
  for (const element& each : elements_)
    for (std::size_t d = 0; d < D; ++d)
      if (how_.dims[d].is_distributed() && std::max(each.is.sides[d].low, each.is.sides[d].high) > most[d]) {
        how_ = before;
        return;
      }
  tells_.add("redistribute");
  std::size_t done = 0;
  try {
    for (; done < elements_.size(); ++done)
      elements_[done].array.handle().redistribute(how_.dims, how_.grid());
  } catch (const yoke::out_of_memory&) {
    how_ = before;
    for (; done > 0; --done) elements_[done - 1].array.handle().redistribute(how_.dims, how_.grid());
    throw;
  }
}

/// What is balanced moves when an array with a wider halo comes.
template <int D>
void array_room<D>::cut_anew() {
  const int wide = static_cast<int>(dice_.upto(std::max<std::int64_t>(extents_[0], 0)));
  tells_.add(fmt::format("an array with a halo of {} comes and goes", wide));
  const yoke::array<float, 1> other{rt_, {extents_[0]}, {yoke::dist::balanced.halo(wide, 0)}};
}

template <int D>
void array_room<D>::transpose() {
  if constexpr (D == 2) {
    const std::size_t x = any_order()[0];
    tells_.add("transpose " + name(x));
    yoke::array<double, 2> turned{rt_, {extents_[1], extents_[0]}};
    transpose_of(elements_[x].array, turned);
    element of{.is = elements_[x].is};
    of.is.values.clear();
    for (std::int64_t j = 0; j < extents_[1]; ++j)
      for (std::int64_t i = 0; i < extents_[0]; ++i)
        of.is.values.push_back(elements_[x].is.read({i, j, 0, 0}));
    compare(of, turned.gather(), name(x) + " transposed");
  } else {
    reduce();
  }
}

template <int D>
void array_room<D>::end_and_make_anew() {
  const std::size_t i = any_order()[0];
  element& of = elements_[i];
  if (of.host.is_there() && dice_.one_in(2)) {
    tells_.add("detach " + name(i));
    of.array.detach();
    compare(of, of.host.values(), "the memory of " + name(i));
    if (!of.host.has_its_gaps()) throw difference{"detach wrote between the elements of " + name(i)};
  }
  tells_.add("make " + name(i) + " anew");
  of.array = {};
  make(i);
}

template <int D>
void array_room<D>::refuse() {
  const std::size_t x = any_order()[0];
  yoke::array<double, D>& to = elements_[x].array;
  any_box over = any_part();
  const auto d = static_cast<std::size_t>(dice_.upto(D - 1));
  if (dice_.one_in(2)) {
    for (std::size_t i = 0; i < D; ++i) over[i] = {0, std::max<std::int64_t>(extents_[i], 1)};
    over[d] = {0, extents_[d] + 1};
    tells_.add("a loop that leaves " + name(x));
    return must_throw<yoke::usage_error>("a loop that leaves an array", "for_each",
                                         [&] { loops_of<D>::add(rt_, over, to, 1); });
  }
  tells_.add("a loop inside of each_unit");
  must_throw<yoke::usage_error>("a loop inside of a parallel region", "inside a parallel region", [&] {
    rt_.each_unit([&](yoke::unit_id) { loops_of<D>::add(rt_, over, to, 1); });
  });
}

/// What it writes is undefined then, and all else is whole. A GPU CU's error comes out of what waits for the
/// array, and until then other loops on that CU are skipped, so nothing comes in between.
template <int D>
void array_room<D>::throw_in_loop() {
  const std::array<std::size_t, 3> order = any_order();
  const std::size_t x = order[0], y = order[1];
  const any_box over = any_part();
  std::int64_t where[4]{};
  for (std::size_t d = 0; d < D; ++d) {
    if (over[d].size() == 0) return;
    where[d] = dice_.between(over[d].begin, over[d].end - 1);
  }
  const bool reads = dice_.one_in(2);
  tells_.add(fmt::format("a body throws over {} of {}{}", in_words(over, D), name(x),
                         reads ? ", which reads " + name(y) : ""));
  int thrown = 0;
  const auto met = [&](const auto& doing) {
    try {
      doing();
      return false;
    } catch (const yoke::out_of_memory&) {
      throw;
    } catch (const std::exception& error) {
      if (std::string_view{error.what()}.find(thrown_text) == std::string_view::npos) throw;
      ++thrown;
      return true;
    }
  };
  met([&] {
    more_loops_of<D>::throwing(rt_, over, reads ? &elements_[y].array : nullptr, elements_[x].array, where);
  });
  const int most = 2 + static_cast<int>(rt_.devices().size());
  for (int i = 0; i < most && met([&] { static_cast<void>(elements_[x].array.gather()); }); ++i) {
  }
  if (thrown == 0) throw difference{"a body threw, and nobody was told"};
  const double value = dice_.value();
  tells_.add("assign " + name(x) + " there");
  more_loops_of<D>::assign(rt_, over, elements_[x].array, value);
  each_index(over, [&](const std::int64_t(&at)[4]) { elements_[x].is.at(at) = assigned(D, at, value); });
  compare();
}

}  // namespace attack
