#include "array_state.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>

namespace yoke::detail {

namespace {

array_shape shape_of(const layout& of) {
  array_shape shape{.dimensions = of.dimensions, .element = of.element};
  for (std::size_t d = 0; d < 4; ++d) shape.extents[d] = of.dims[d].extent;
  return shape;
}

std::string ordinal(std::size_t n) {
  const bool is_teen = n % 100 / 10 == 1;
  const char* const end = is_teen       ? "th"
                          : n % 10 == 1 ? "st"
                          : n % 10 == 2 ? "nd"
                          : n % 10 == 3 ? "rd"
                                        : "th";
  return fmt::format("{}{}", n, end);
}

std::string text_of(const layout& shape, const array_label& label, std::size_t number) {
  std::string extents;
  for (int d = 0; d < shape.dimensions; ++d)
    extents += fmt::format("{}{}", d > 0 ? " x " : "", shape[d].extent);
  const std::string what = fmt::format("{} {}", extents, label.type.empty() ? "elements" : label.type);
  return label.name.empty() ? fmt::format("the array ({}, the {} that was made)", what, ordinal(number))
                            : fmt::format("the array '{}' ({})", label.name, what);
}

}  // namespace

array_state::array_state(std::shared_ptr<array_context> context, std::shared_ptr<const layout> shape,
                         const user_memory& user, const array_label& label)
    : context_{std::move(context)}, is_const_{user.is_const}, user_{static_cast<std::byte*>(user.first)} {
  const std::lock_guard guard{context_->lock};
  called_ = text_of(*shape, label, ++context_->n_arrays_made);
  if (user_ != nullptr) {
    section_ = host_section{shape_of(*shape), user};
    claim_ = std::make_unique<attached_memory>(section_, *context_, is_const_, called_);
    if (section_.has_gaps()) take_section();
  }
  contents_ = std::make_unique<contents>(context_, std::move(shape), user_, called_, is_const_);
  watch_memory();
  context_->arrays.push_back(this);
}

void array_state::take_section() {
  constexpr std::size_t line = 64;
  const std::size_t bytes = (section_.bytes() + line - 1) / line * line;
  packed_.reset(static_cast<std::byte*>(std::aligned_alloc(line, bytes)));
  if (packed_ == nullptr)
    throw out_of_memory{
        fmt::format("attach: the section of {} needs {} bytes of host memory, which are not available",
                    called_, bytes),
        bytes, 0};
  section_.pack(packed_.get());
  user_ = packed_.get();
}

array_state::~array_state() {
  take_memory_back();
  std::erase(context_->arrays, this);
  contents_.reset();
}

void array_state::leave() noexcept { abandon(contents_.release()); }

void array_state::watch_memory() {
  if (!context_->checks || user_ == nullptr || is_const_) return;
  if (packed_ == nullptr && contents_->is_in_user_memory()) return;
  attached_as_ = section_.checksum();
}

void array_state::refuse_changed_memory() const {
  if (!attached_as_ || section_.checksum() == *attached_as_) return;
  throw usage_error{
      fmt::format("detach: the program has written to the {} bytes at {} while {} was attached to them, "
                  "and detach would overwrite that; write before attach or after detach. The array is as it "
                  "was: gather gives its elements",
                  section_.bytes(), fmt::ptr(section_.first()), called_)};
}

contents& array_state::usable(const char* call) const {
  refuse_in_forked_child();
  if (!context_->is_alive())
    throw usage_error{
        fmt::format("{}: the runtime of {} has ended; keep it as long as its arrays", call, called_)};
  if (contents_ == nullptr)
    throw usage_error{fmt::format(
        "{}: {} has been detached; its elements are in the memory that it was attached to", call, called_)};
  return *contents_;
}

void array_state::take_memory_back() {
  if (user_ == nullptr || contents_ == nullptr || is_const_) return;
  const auto has_mine = [&](const array_state* other) {
    return other != this && other->contents_ != nullptr && other->contents_->is_in_user_memory() &&
           other->contents_->host().at.first == user_;
  };
  const auto found = std::ranges::find_if(context_->arrays, has_mine);
  if (found == context_->arrays.end()) return;
  contents& mine = *contents_;
  contents& others = *(*found)->contents_;
  // Parts that are alike change places, which needs no memory and cannot fail. One that was redistributed
  // since takes other memory.
  if (mine.shape() != others.shape()) return others.leave_user_memory();
  for (const index_set& own : mine.host().own)
    for_each_common(own, mine.shape().all(), [&](const index_set& what) {
      const element_copy both{mine.host().at, others.host().at, what, what.begins(), mine.shape().element};
      for_each_copy(both, [](const box_copy& box) {
        for_each_row(box, [&](void* a, const void* b) {
          auto* const first = static_cast<std::byte*>(a);
          std::swap_ranges(first, first + box.bytes, static_cast<std::byte*>(const_cast<void*>(b)));
        });
      });
    });
  std::swap(mine.host(), others.host());
  mine.current = others.current = {};
}

bool array_state::is_attached_to(const void* first, std::size_t bytes) const {
  if (user_ == nullptr) return false;
  const array_shape shape{.element = bytes};
  return section_.shares_elements_with(host_section{shape, {.first = const_cast<void*>(first)}});
}

void array_state::end_reading() {
  wait_for(context_->gpus);
  contents_.reset();
  packed_.reset();
  user_ = nullptr;
  claim_.reset();
}

void array_state::detach() {
  const std::lock_guard guard{context_->lock};
  contents& mine = usable("detach");
  if (user_ == nullptr)
    throw usage_error{
        fmt::format("detach: {} is attached to no memory of the host; gather gives its elements", called_)};
  if (is_const_) return end_reading();
  refuse_changed_memory();
  attached_as_.reset();  // a read that fails may have begun to write
  take_memory_back();
  mine.read(user_);
  contents_.reset();
  if (packed_ != nullptr) section_.unpack(packed_.get());
  packed_.reset();
  user_ = nullptr;
  claim_.reset();
}

void swap_contents(array_state& a, array_state& b) {
  if (&a == &b) return;
  if (&a.context() != &b.context()) throw usage_error{"swap: the arrays are of two runtimes"};
  const std::lock_guard guard{a.context_->lock};
  contents& of_a = a.usable("swap");
  contents& of_b = b.usable("swap");
  if (of_a.shape() != of_b.shape())
    throw usage_error{
        fmt::format("swap: the arrays differ in extents, distribution, halos or edges: {} and {}; make one "
                    "with dist::as(other)",
                    a.called_, b.called_)};
  of_a.leave_source();
  of_b.leave_source();
  std::swap(a.contents_, b.contents_);
  std::swap(of_a.called, of_b.called);
}

}  // namespace yoke::detail
