#pragma once
/// Three arrays of one shape, with halos and edges of their own, each beside its model.

#include "../../arrays/random_arrays.hpp"
#include "array_kernels.hpp"
#include "room.hpp"
#include "section.hpp"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <yoke/error.hpp>

namespace attack {

using namespace arrays_test;

/// Every element of a box of D dimensions, of which the others have one index.
template <class Body>
void each_index(const any_box& over, const Body& body) {
  std::int64_t at[4];
  for (at[0] = over[0].begin; at[0] < over[0].end; ++at[0])
    for (at[1] = over[1].begin; at[1] < over[1].end; ++at[1])
      for (at[2] = over[2].begin; at[2] < over[2].end; ++at[2])
        for (at[3] = over[3].begin; at[3] < over[3].end; ++at[3]) body(at);
}

inline std::string in_words(const any_box& over, int dimensions) {
  std::string text;
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d)
    text += fmt::format("[{}, {})", over[d].begin, over[d].end);
  return text;
}

/// One thing that is done to arrays, and the same to their models. `uses`: which arrays.
struct call {
  std::string what;
  std::vector<std::size_t> uses;
  std::function<void()> on_arrays, on_models;
};

template <int D>
class array_room final : public room {
 public:
  array_room(yoke::runtime& rt, dice& d, journal& tells);
  void step(bool may_throw) override;
  void compare() override;

 private:
  struct element {
    model is;
    section host{};  ///< empty: the array's own memory
    yoke::array<double, D> array{};
    int contents = 0;  ///< whose, which goes with them through swaps; 0: there was no memory for the array
  };

  // What there is (array_room.hpp below).
  std::int64_t any_extent(int d);
  cuts any_cuts() { return random_cuts{rt_, dice_, std::span{extents_}.first(D)}.any(); }
  std::vector<std::int64_t> widest() const;
  void shape(model& of);
  yoke::array<double, D> made(element& of, bool as_first);
  void make(std::size_t i);
  any_box any_part();
  std::array<std::size_t, 3> any_order();
  void do_now(const call& what);
  void compare(const element& of, const std::vector<double>& found, const std::string& what);

  // What is done (array_calls.hpp, array_moves.hpp).
  call any_stencil();
  call any_add();
  call any_exchange();
  call any_swap();
  call any_recordable();
  void reduce();
  void copy();
  void redistribute();
  void cut_anew();
  void transpose();
  void end_and_make_anew();
  void record();
  void replay();
  void refuse();
  void throw_in_loop();

  std::string name(std::size_t i) const { return std::string{"abc"}.substr(i, 1); }

  yoke::runtime& rt_;
  dice& dice_;
  journal& tells_;
  cuts how_;
  std::array<std::int64_t, 4> extents_{1, 1, 1, 1};
  std::array<element, 3> elements_;
  int contents_made_ = 0;
  std::optional<yoke::recording> recording_;
  std::vector<call> recorded_;
  std::array<int, 3> contents_recorded_{};
};

template <int D>
array_room<D>::array_room(yoke::runtime& rt, dice& d, journal& tells) : rt_{rt}, dice_{d}, tells_{tells} {
  for (std::size_t i = 0; i < D; ++i) extents_[i] = any_extent(static_cast<int>(i));
  how_ = any_cuts();
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (i != 1) shape(elements_[i].is);
    if (i == 1) elements_[1].is = elements_[0].is;
    make(i);
  }
}

template <int D>
std::int64_t array_room<D>::any_extent(int d) {
  if (dice_.one_in(25)) return dice_.upto(1);
  if (d == D - 1 && D < 3 && dice_.one_in(6)) return dice_.between(1000, 2500);
  return dice_.between(1, D == 1 ? 120 : d == 0 ? 24 : 12);
}

template <int D>
std::vector<std::int64_t> array_room<D>::widest() const {
  std::vector<std::int64_t> found;
  with_extents<D>(extents_, [&](extents_of<D> n) {
    found = widest_halos(rt_, cut_array<float, D>(rt_, n, how_.dims, how_.grid(), no_memory<float>{}), how_);
  });
  return found;
}

template <int D>
void array_room<D>::shape(model& of) {
  of.dimensions = D;
  const std::vector<std::int64_t> most = widest();
  for (std::size_t d = 0; d < D; ++d)
    of.sides[d] = any_side(dice_, extents_[d], std::min<std::int64_t>(most[d], d == 0 ? 4 : 3));
}

template <int D>
yoke::array<double, D> array_room<D>::made(element& of, bool as_first) {
  std::vector<yoke::distribution> dims;
  for (std::size_t d = 0; d < D; ++d) dims.push_back(distribution_of(of.is.sides[d], how_.dims[d]));
  yoke::array<double, D> result;
  with_extents<D>(extents_, [&](extents_of<D> n) {
    if (as_first && of.host.is_there())
      result = {rt_, n, yoke::dist::as(elements_[0].array), of.host.template attached<D>()};
    else if (as_first)
      result = {rt_, n, yoke::dist::as(elements_[0].array)};
    else if (of.host.is_there())
      result = cut_array<double, D>(rt_, n, dims, how_.grid(), of.host.template attached<D>());
    else
      result = cut_array<double, D>(rt_, n, dims, how_.grid(), no_memory<double>{});
  });
  return result;
}

template <int D>
void array_room<D>::make(std::size_t i) {
  element& of = elements_[i];
  of.contents = 0;
  of.is.values.assign(static_cast<std::size_t>(of.is.size()), 0);
  of.host = {};
  if (dice_.one_in(2)) {
    for (double& each : of.is.values) each = dice_.value();
    of.host = section{dice_, std::span{extents_}.first(D), of.is.values};
  }
  of.array = made(of, i == 1);
  of.contents = ++contents_made_;
}

template <int D>
any_box array_room<D>::any_part() {
  any_box over{yoke::bound{1}, yoke::bound{1}, yoke::bound{1}, yoke::bound{1}};
  for (std::size_t d = 0; d < D; ++d) {
    over[d] = yoke::bound{extents_[d]};
    if (dice_.one_in(2) || extents_[d] == 0) continue;
    const std::int64_t from = dice_.upto(extents_[d]);
    over[d] = {from, dice_.between(from, extents_[d])};
  }
  return over;
}

template <int D>
std::array<std::size_t, 3> array_room<D>::any_order() {
  std::array<std::size_t, 3> order{0, 1, 2};
  for (std::size_t i = 2; i > 0; --i)
    std::swap(order[i], order[static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(i)))]);
  return order;
}

template <int D>
void array_room<D>::do_now(const call& what) {
  tells_.add(what.what);
  what.on_arrays();
  what.on_models();
}

template <int D>
void array_room<D>::compare(const element& of, const std::vector<double>& found, const std::string& what) {
  const std::vector<double>& wanted = of.is.values;
  if (found.size() == wanted.size() &&
      (found.empty() || std::memcmp(found.data(), wanted.data(), found.size() * sizeof(double)) == 0))
    return;
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(found, wanted).in1 - found.begin());
  throw difference{at >= found.size() || at >= wanted.size()
                       ? fmt::format("{} has {} elements, the model {}", what, found.size(), wanted.size())
                       : fmt::format("{}: element {} of {} is {}, in the model {}", what, at, found.size(),
                                     found[at], wanted[at])};
}

template <int D>
void array_room<D>::compare() {
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (elements_[i].contents == 0) continue;
    tells_.add("gather " + name(i));
    compare(elements_[i], elements_[i].array.gather(), name(i));
  }
}

template <int D>
void array_room<D>::step(bool may_throw) {
  for (std::size_t i = 0; i < elements_.size(); ++i)
    if (elements_[i].contents == 0) make(i);
  switch (dice_.upto(may_throw ? 21 : 19)) {
    case 0:
      return reduce();
    case 1:
      return do_now(any_swap());
    case 2:
      return copy();
    case 3:
    case 4:
      return redistribute();
    case 5:
      return cut_anew();
    case 6:
      return transpose();
    case 7:
      return end_and_make_anew();
    case 8:
    case 9:
      return record();
    case 10:
    case 11:
    case 12:
      return replay();
    case 13:
      return refuse();
    case 14:
      return compare();
    case 20:
    case 21:
      return throw_in_loop();
    default:
      return do_now(any_recordable());
  }
}

}  // namespace attack
