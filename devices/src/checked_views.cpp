#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <yoke/detail/checked_views.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

using indices = std::span<const std::int64_t>;

/// "[1, 3) x [0, 3)"
std::string box_of(indices first, indices last) {
  std::vector<std::string> ranges;
  for (std::size_t d = 0; d < first.size(); ++d) ranges.push_back(fmt::format("[{}, {})", first[d], last[d]));
  return fmt::format("{}", fmt::join(ranges, " x "));
}

/// "2 x 3 elements" of a view that counts from 0, else its box.
std::string elements_of(indices begins, indices extents) {
  if (std::ranges::count(begins, 0) == std::ssize(begins))
    return fmt::format("{} elements", fmt::join(extents, " x "));
  std::vector<std::int64_t> ends;
  std::ranges::transform(begins, extents, std::back_inserter(ends), std::plus{});
  return box_of(begins, ends);
}

own_view* find(own_elements& own, const void* origin, int dimensions) {
  const auto found = std::ranges::find_if(own.views, [&](const own_view& each) {
    return each.origin == origin && each.dimensions == dimensions;
  });
  return found == own.views.end() ? nullptr : &*found;
}

}  // namespace

void origin_beyond_addresses(const std::int64_t* begins, const std::int64_t* strides, int dimensions,
                             std::size_t element) {
  const auto n = static_cast<std::size_t>(dimensions);
  throw usage_error{
      fmt::format("a view of elements of {} bytes that begins with the index ({}), {} elements apart: the "
                  "element with the "
                  "indices 0 would be farther away than addresses reach; count from an index nearer to 0",
                  element, fmt::join(indices{begins, n}, ", "), fmt::join(indices{strides, n}, ", "))};
}

namespace {

given_view* find_given(own_elements& own, const void* origin, int dimensions) {
  const auto found = std::ranges::find_if(own.given, [&](const given_view& each) {
    return each.origin == origin && each.dimensions == dimensions;
  });
  return found == own.given.end() ? nullptr : &*found;
}

/// ", its array 2, counted from 1, at index (3, 4) of the loop"
std::string place_of(const view_box& view) {
  own_elements& own = own_elements_of_this_thread();
  std::string text;
  if (const given_view* const given = find_given(own, view.origin, view.dimensions))
    text += fmt::format(", its {} {}, counted from 1", own.is_loop ? "array" : "argument", given->number);
  if (own.dimensions > 0)
    text += fmt::format(", at {} ({}){}", own.is_loop ? "index" : "item",
                        fmt::join(indices{own.index, static_cast<std::size_t>(own.dimensions)}, ", "),
                        own.is_loop ? " of the loop" : "");
  return text;
}

[[noreturn]] void refuse(const view_box& view, const std::string& what) {
  const auto n = static_cast<std::size_t>(view.dimensions);
  const char* const mend = own_elements_of_this_thread().is_loop
                               ? "declare a halo that reaches there (dist::block.halo(1)) and read by in(x), "
                                 "or end the loop before"
                               : "stay inside, or make the view of all that is to be used";
  throw usage_error{fmt::format("a kernel {} of a view of {}{}; {}", what,
                                elements_of({view.begins, n}, {view.extents, n}), place_of(view), mend)};
}

}  // namespace

void index_outside(const view_box& of, const std::int64_t* index) {
  const auto n = static_cast<std::size_t>(of.dimensions);
  refuse(of, fmt::format("used the index ({})", fmt::join(indices{index, n}, ", ")));
}

void box_outside(const view_box& of, const std::int64_t* first, const std::int64_t* last) {
  const auto n = static_cast<std::size_t>(of.dimensions);
  refuse(of, fmt::format("took the subview {}", box_of({first, n}, {last, n})));
}

own_elements& own_elements_of_this_thread() noexcept {
  thread_local own_elements own;
  return own;
}

void check_own(const void* origin, const std::int64_t* index, int dimensions) {
  own_elements& own = own_elements_of_this_thread();
  const own_view* const used = find(own, origin, dimensions);
  if (used == nullptr || own.dimensions > used->n_fixed + dimensions) return;
  std::int64_t element[4] = {};
  const auto n = static_cast<std::size_t>(used->n_fixed + dimensions);
  std::copy_n(index, dimensions, std::copy_n(used->fixed, used->n_fixed, element));
  if (std::equal(own.index, own.index + own.dimensions, element)) return;
  throw usage_error{fmt::format(
      "index ({}) of a loop used element ({}) of an array that the loop writes: each index has its own "
      "element alone, since another index may write the other one at any time, or on another device; read it "
      "from another array, by in(x), and write this one",
      fmt::join(indices{own.index, static_cast<std::size_t>(own.dimensions)}, ", "),
      fmt::join(indices{element, n}, ", "))};
}

void note_subview(const void* origin, int dimensions, std::int64_t index, const void* part) {
  own_elements& own = own_elements_of_this_thread();
  if (const given_view* const given = find_given(own, origin, dimensions);
      given != nullptr && find_given(own, part, dimensions - 1) == nullptr)
    own.given.push_back({part, dimensions - 1, given->number});
  const own_view* const whole = find(own, origin, dimensions);
  if (whole == nullptr || own.dimensions == 0) return;  // a tile, or a part, has many indices
  own_view made = *whole;
  made.origin = part;
  --made.dimensions;
  made.fixed[made.n_fixed++] = index;
  if (own_view* const known = find(own, part, made.dimensions)) {
    *known = made;
  } else {
    own.views.push_back(made);
  }
}

}  // namespace yoke::detail
