#include "array_state.hpp"
#include "box_rows.hpp"
#include "exchange.hpp"

#include <fmt/format.h>

#include <yoke/array.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

/// Rows of the host, each unit those that are its own.
void copy_on_host(const contents& from, const contents& to, bound rows) {
  if (rows.size() == 0 || to.host().first == nullptr) return;
  copy_rows({.to = to.row(to.host(), rows.begin) + bytes_before_inner(to.shape()),
             .from = from.row(from.host(), rows.begin) + bytes_before_inner(from.shape()),
             .to_shape = to.shape(),
             .from_shape = from.shape()},
            rows.size(), [](const box_copy& box) { queue_copy(nullptr, nullptr, box); });
}

void copy_on_gpu(const contents& from, const store& source, const contents& to, store& target) {
  if (target.first != nullptr && target.has_rows())
    copy_rows({.to = to.row(target, target.own.begin) + bytes_before_inner(to.shape()),
               .from = from.row(source, source.own.begin) + bytes_before_inner(from.shape()),
               .to_shape = to.shape(),
               .from_shape = from.shape()},
              target.own.size(), [&](const box_copy& box) { queue_copy(source.gpu, target.gpu, box); });
  target.loaded = true;
}

void copy_aligned(contents& from, contents& to) {
  array_context& context = from.context();
  for (std::size_t i = 0; i < from.gpus().size(); ++i) {
    from.load(from.gpus()[i]);
    copy_on_gpu(from, from.gpus()[i], to, to.gpus()[i]);
  }
  const int n = context.n_cpu_units;
  if (n == 1) copy_on_host(from, to, from.host().own);
  if (n <= 1) return;
  const layout& shape = from.shape();
  const std::vector<std::int64_t> cuts = shape.distributed ? shape.cuts : even_cuts(shape[0].extent, n);
  context.rt().each_unit([&](unit_id unit) {
    const auto u = static_cast<std::size_t>(int{unit});
    if (unit < n) copy_on_host(from, to, {cuts[u], cuts[u + 1]});
  });
}

}  // namespace

void check_attached(std::size_t given, std::size_t wanted) {
  if (given == wanted) return;
  throw usage_error{
      fmt::format("memory of {} elements for an array of {}; both have the same number", given, wanted)};
}

array_handle::array_handle() = default;
array_handle::array_handle(array_handle&&) noexcept = default;
array_handle& array_handle::operator=(array_handle&&) noexcept = default;
array_handle::~array_handle() = default;

array_handle::array_handle(runtime& rt, const array_shape& shape, std::span<const distribution> dims,
                           void* user) {
  refuse_in_region("array");
  const std::shared_ptr<array_context> context = array_context::of(rt);
  const std::lock_guard guard{context->lock};
  auto made = std::make_shared<const layout>(make_layout(shape, dims, *context));
  state_ = std::make_unique<array_state>(context, std::move(made), user);
}

array_handle::array_handle(runtime& rt, const array_shape& shape, const array_handle& as, void* user) {
  refuse_in_region("array");
  const contents& other = as.state().usable("dist::as");
  if (!other.context().is_of(rt)) throw usage_error{"dist::as: the other array is of another runtime"};
  layout made = other.shape();
  made.element = shape.element;
  for (std::size_t d = 0; d < 4; ++d)
    if (made.dimensions != shape.dimensions || made.dims[d].extent != shape.extents[d])
      throw usage_error{"dist::as: the other array has other extents; arrays that are aligned have the same"};
  state_ = std::make_unique<array_state>(
      as.state().shared_context(),
      made == other.shape() ? other.shared_shape() : std::make_shared<const layout>(std::move(made)), user);
}

array_state& array_handle::state() const {
  if (state_ != nullptr) return *state_;
  throw usage_error{"an array that was moved from, or made without a runtime, was used"};
}

array_handle::array_handle(std::unique_ptr<array_state> state) : state_{std::move(state)} {}

array_handle array_handle::cut_alike() const {
  const contents& mine = state().usable("cut_alike");
  layout shape = mine.shape();
  for (dimension& each : shape.dims) each = {.extent = each.extent};
  return array_handle{std::make_unique<array_state>(
      state().shared_context(), std::make_shared<const layout>(std::move(shape)), nullptr)};
}

std::unique_lock<std::recursive_mutex> array_handle::hold() const {
  return std::unique_lock{state().context().lock};
}

runtime& array_handle::rt() const {
  static_cast<void>(state().usable("rt"));
  return state().context().rt();
}

void array_handle::detach() {
  refuse_in_region("detach");
  state().detach();
}

void array_handle::gather(void* to) const {
  refuse_in_region("gather");
  const std::lock_guard guard{state().context().lock};
  state().usable("gather").read(static_cast<std::byte*>(to));
}

bound array_handle::rows_of(int unit) const {
  const contents& mine = state().usable("rows_of");
  static_cast<void>(mine.context().rt().units().at(unit_id{unit}));  // refuses a unit that there is not
  return mine.shape().rows_of(unit);
}

void swap_contents(const array_handle& a, const array_handle& b) {
  refuse_in_region("swap");
  swap_contents(a.state(), b.state());
}

void copy_contents(const array_handle& from, const array_handle& to) {
  refuse_in_region("copy");
  if (&from.state() == &to.state()) return;
  if (&from.state().context() != &to.state().context())
    throw usage_error{"copy: the arrays are of two runtimes"};
  const std::lock_guard guard{from.state().context().lock};
  contents& source = from.state().usable("copy");
  contents& target = to.state().usable("copy");
  for (int d = 0; d < 4; ++d)
    if (source.shape()[d].extent != target.shape()[d].extent)
      throw usage_error{"copy: the arrays have other extents"};
  target.current = {};
  if (source.shape().is_aligned_with(target.shape())) return copy_aligned(source, target);
  std::vector<std::byte> all(source.shape().bytes());
  source.read(all.data());
  target.write(all.data());
}

void exchange_halos(const array_handle& of) {
  refuse_in_region("exchange");
  const std::lock_guard guard{of.state().context().lock};
  contents& mine = of.state().usable("exchange");
  const dimension& rows = mine.shape()[0];
  try {
    ordered_copies copies{mine.context()};
    const halo_exchange exchange{mine, {.low = rows.low, .high = rows.high, .inner = true}, copies};
    copies.close();
    copies.wait_on_host();
    exchange.finish_on_host();
  } catch (...) {
    mine.current = {};
    throw;
  }
}

}  // namespace yoke::detail
