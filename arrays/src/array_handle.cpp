#include "halos/exchange.hpp"
#include "memory/array_state.hpp"
#include "moves/copy_elements.hpp"
#include "recording/recorder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <vector>

#include <yoke/array.hpp>
#include <yoke/detail/checked_size.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>
#include <yoke/openmp.hpp>

namespace yoke::detail {

void check_attached(std::size_t given, std::size_t wanted) {
  if (given == wanted) return;
  throw usage_error{
      fmt::format("memory of {} elements for an array of {}; both have the same number", given, wanted)};
}

std::size_t elements_of(const char* what, std::span<const std::int64_t> extents, std::size_t element) {
  std::vector<std::size_t> each(extents.size());
  std::ranges::transform(extents, each.begin(), [](std::int64_t n) {
    return static_cast<std::size_t>(std::max<std::int64_t>(n, 0));
  });
  return bytes_of_elements(what, each, element) / element;
}

void check_number_of_distributions(std::size_t given, int wanted) {
  if (static_cast<int>(given) == wanted) return;
  throw usage_error{
      fmt::format("an array of {} dimensions got {} distributions; one for each dimension", wanted, given)};
}

namespace {

/// Loops of other threads may move its cuts meanwhile. Not in a region: whoever has the lock then may wait
/// for the region's end.
std::shared_ptr<const layout> shape_now(const array_state& of, const char* call) {
  std::unique_lock guard{of.context().lock, std::defer_lock};
  if (!openmp::in_region()) guard.lock();
  return of.usable(call).shared_shape();
}

array_label label_of(const array_shape& shape) { return {.name = shape.name, .type = shape.type}; }

/// Whether it has ended.
template <class What>
bool end(What* what) noexcept {
  const std::shared_ptr<array_context> context = what->shared_context();
  std::unique_lock<turns> guard;
  if (context->lock_to_end(guard)) {
    delete what;
    return true;
  }
  abandon(what);  // of the parent, or of threads that go on
  return false;
}

}  // namespace

void end_in_turn::operator()(array_state* what) const noexcept {
  if (!end(what)) what->leave();
}
void end_in_turn::operator()(recorded_steps* what) const noexcept { end(what); }

array_handle::array_handle() = default;
array_handle::array_handle(array_handle&&) noexcept = default;
array_handle& array_handle::operator=(array_handle&&) noexcept = default;
array_handle::~array_handle() = default;

array_handle::array_handle(runtime& rt, const array_shape& shape, std::span<const distribution> dims,
                           const dist::grid* on, const user_memory& user) {
  refuse_in_region("array");
  refuse_in_recording("array");
  const std::shared_ptr<array_context> context = array_context::of(rt);
  const std::lock_guard guard{context->lock};
  auto made = std::make_shared<const layout>(make_layout(shape, dims, on, *context));
  state_.reset(new array_state{context, std::move(made), user, label_of(shape)});
}

array_handle::array_handle(runtime& rt, const array_shape& shape, const array_handle& as,
                           const user_memory& user) {
  refuse_in_region("array");
  refuse_in_recording("array");
  const std::lock_guard guard{
      as.state().context().lock};  // else a loop might move the cuts before they are shared
  const contents& other = as.state().usable("dist::as");
  if (!other.context().is_of(rt)) throw usage_error{"dist::as: the other array is of another runtime"};
  layout made = other.shape();
  made.element = shape.element;
  for (std::size_t d = 0; d < 4; ++d)
    if (made.dimensions != shape.dimensions || made.dims[d].extent != shape.extents[d])
      throw usage_error{fmt::format("dist::as: {} has other extents; arrays that are aligned have the same",
                                    as.state().called())};
  state_.reset(new array_state{
      as.state().shared_context(),
      made == other.shape() ? other.shared_shape() : std::make_shared<const layout>(std::move(made)), user,
      label_of(shape)});
}

array_state& array_handle::state() const {
  if (state_ != nullptr) return *state_;
  throw usage_error{"an array that was moved from, or made without a runtime, was used"};
}

order_slot& array_handle::order() const { return state().order(); }

array_handle::array_handle(ended_in_turn<array_state> state) : state_{std::move(state)} {}

array_handle array_handle::transposed() const {
  const std::lock_guard guard{state().context().lock};
  const contents& mine = state().usable("transpose");
  auto shape = std::make_shared<const layout>(detail::transposed(mine.shape()));
  return array_handle{
      ended_in_turn<array_state>{new array_state{state().shared_context(), std::move(shape), user_memory{}}}};
}

std::shared_ptr<const void> array_handle::hold() const {
  return std::make_shared<std::unique_lock<turns>>(state().context().lock);
}

runtime& array_handle::rt() const {
  static_cast<void>(state().usable("rt"));
  return state().context().rt();
}

void array_handle::detach() {
  refuse_in_region("detach");
  refuse_in_recording("detach");
  state().detach();
}

void array_handle::gather(void* to) const {
  refuse_in_region("gather");
  refuse_in_recording("gather");
  const std::lock_guard guard{state().context().lock};
  state().usable("gather").read(static_cast<std::byte*>(to));
}

bound array_handle::rows_of(int unit) const {
  const std::shared_ptr<const layout> shape = shape_now(state(), "rows_of");
  static_cast<void>(rt().units().at(unit_id{unit}));  // refuses a unit that there is not
  const strip& rows = shape->part_of(unit)[0];
  if (!rows.is_range())
    throw usage_error{
        "rows_of: the unit has rows here and there, dimension 0 being cyclic; boxes_of gives all of them"};
  const bound all = rows.hull();
  return shape->has_elements(unit) ? all : bound{all.begin, all.begin};
}

std::vector<any_box> array_handle::boxes_of(int unit) const {
  const std::shared_ptr<const layout> shape = shape_now(state(), "boxes_of");
  static_cast<void>(rt().units().at(unit_id{unit}));
  std::vector<any_box> boxes;
  if (shape->has_elements(unit))
    for_each_box(shape->part_of(unit), shape->all(), [&](const any_box& box) { boxes.push_back(box); });
  return boxes;
}

distribution along(const array_handle& other, int dimension) {
  const std::shared_ptr<const layout> shape = shape_now(other.state(), "dist::along");
  if (dimension < 0 || dimension >= shape->dimensions)
    throw usage_error{
        fmt::format("dist::along: dimension {} of an array with [0, {})", dimension, shape->dimensions)};
  if (!shape->is_cut(dimension)) return distribution{std::shared_ptr<const aligned_dimension>{}};
  return distribution{std::make_shared<const aligned_dimension>(shape, dimension, &other.state().context())};
}

void swap_contents(const array_handle& a, const array_handle& b) {
  refuse_in_region("swap");
  if (recorder* const lists = recorder::current()) return lists->swap(a.state(), b.state());
  swap_contents(a.state(), b.state());
}

void copy_contents(const array_handle& from, const array_handle& to) {
  refuse_in_region("copy");
  refuse_in_recording("copy");
  if (&from.state() == &to.state()) return;
  if (&from.state().context() != &to.state().context())
    throw usage_error{"copy: the arrays are of two runtimes"};
  const std::lock_guard guard{from.state().context().lock};
  contents& source = from.state().usable("copy");
  contents& target = to.state().usable("copy");
  for (int d = 0; d < 4; ++d)
    if (source.shape()[d].extent != target.shape()[d].extent)
      throw usage_error{fmt::format("copy: the arrays have other extents: {} and {}", from.state().called(),
                                    to.state().called())};
  copy_elements(source, target);
}

namespace {

/// `find(layout)` gives what shall be current.
template <class Find>
void exchange_with(const array_handle& of, const Find& find) {
  refuse_in_region("exchange");
  const std::lock_guard guard{of.state().context().lock};
  contents& mine = of.state().usable("exchange");
  const halo_state wanted = find(mine.shape());
  if (recorder* const lists = recorder::current()) return lists->exchange(of.state(), wanted);
  try {
    exchange_halos(mine, wanted);
  } catch (...) {
    drain(mine.context().gpus);
    mine.current = {};
    throw;
  }
}

/// As far as they go.
halo_state halo_of(const layout& shape, std::span<const side> sides) {
  const halo_state all = whole_halo(shape);
  halo_state some;
  for (const side& each : sides) {
    if (each.dimension < 0 || each.dimension >= shape.dimensions)
      throw usage_error{fmt::format("exchange: side::{}({}): the array has {} dimension{}, counted from 0",
                                    each.is_high ? "high" : "low", each.dimension, shape.dimensions,
                                    shape.dimensions == 1 ? "" : "s")};
    const auto d = static_cast<std::size_t>(each.dimension);
    (each.is_high ? some.high : some.low)[d] = (each.is_high ? all.high : all.low)[d];
  }
  return some;
}

}  // namespace

void exchange_halos(const array_handle& of) { exchange_with(of, whole_halo); }

void exchange_sides(const array_handle& of, std::span<const side> sides) {
  exchange_with(of, [&](const layout& shape) { return halo_of(shape, sides); });
}

}  // namespace yoke::detail
