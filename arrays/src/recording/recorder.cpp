#include "recorder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>

#include <yoke/error.hpp>
#include <yoke/record.hpp>

namespace yoke::detail {

namespace {

thread_local recorder* recorder_of_this_thread = nullptr;

}  // namespace

recorder* recorder::current() { return recorder_of_this_thread; }

recorder::recorder(runtime& rt) : context_{array_context::of(rt)}, guard_{context_->lock} {
  recorder_of_this_thread = this;
}

recorder::~recorder() {
  recorder_of_this_thread = nullptr;
  undo_swaps();
}

void recorder::bind(array_state& state) {
  if (std::ranges::find(arrays_, &state, &bound_array::state) != arrays_.end()) return;
  contents& elements = state.usable("record");
  arrays_.push_back({&state, state.called(), &elements, elements.number(), elements.shared_shape()});
}

void recorder::add(std::unique_ptr<loop> all, std::unique_ptr<loop_body> body) {
  recorded_step step{.all = std::move(all), .body = std::move(body)};
  loop_parts& parts = step.all->parts();
  parts.guard = {};
  for (const used_array& use : parts.uses) bind(*use.state);
  if (parts.aligned != nullptr) bind(*parts.aligned);
  if (parts.over.empty()) return;
  steps_.push_back(std::move(step));
}

void recorder::exchange(array_state& of, const halo_state& wanted) {
  bind(of);
  contents& elements = of.usable("exchange");
  recorded_step step;
  step.by_hand = planned_exchange{.of = &elements, .wanted = wanted};
  steps_.push_back(std::move(step));
}

void recorder::swap(array_state& a, array_state& b) {
  bind(a);
  bind(b);
  swap_contents(a, b);
  swaps_.emplace_back(&a, &b);
}

bool recorder::has_ended(const array_state* each) const {
  return std::ranges::find(context_->arrays, each) == context_->arrays.end();
}

void recorder::check_arrays() const {
  for (const bound_array& each : arrays_) {
    if (has_ended(each.state))
      throw usage_error{
          fmt::format("record: {} has ended inside the recording, which uses it; make it before record, and "
                      "keep it as long as the recording",
                      each.called)};
    if (&each.state->usable("record") != each.elements)
      throw usage_error{
          fmt::format("record: after the swaps of the recording {} has other contents than before, so that a "
                      "replay would not go on from there; record as many steps as bring each array its own "
                      "contents back",
                      each.called)};
  }
}

void recorder::undo_swaps() {
  for (const auto& [a, b] : swaps_ | std::views::reverse) {
    if (has_ended(a) || has_ended(b)) continue;
    try {
      swap_contents(*a, *b);
    } catch (...) {  // NOLINT(bugprone-empty-catch): the error that ends the recording is the one reported
    }
  }
  swaps_.clear();
}

ended_in_turn<recorded_steps> recorder::finish() {
  check_arrays();
  swaps_.clear();
  return ended_in_turn<recorded_steps>{new recorded_steps{context_, std::move(steps_), std::move(arrays_)}};
}

bool is_recording(const runtime& rt) {
  const recorder* const mine = recorder::current();
  if (mine == nullptr) return false;
  if (mine->context().is_of(rt)) return true;
  throw usage_error{"for_each: called for another runtime than that of the record around it"};
}

void add_to_recording(std::unique_ptr<loop> all, std::unique_ptr<loop_body> body) {
  recorder::current()->add(std::move(all), std::move(body));
}

void refuse_in_recording(const char* call) {
  if (recorder::current() == nullptr) return;
  throw usage_error{fmt::format(
      "{}: called inside record, which lists for_each, exchange and swap; call it before or afterwards",
      call)};
}

}  // namespace yoke::detail

namespace yoke {

recording::recording(detail::ended_in_turn<detail::recorded_steps> steps) : steps_{std::move(steps)} {}
recording::recording(recording&&) noexcept = default;
recording& recording::operator=(recording&&) noexcept = default;
recording::~recording() = default;

void recording::replay() {
  if (steps_ == nullptr) throw usage_error{"replay: the recording was moved from"};
  steps_->replay();
}

recording record(runtime& rt, const std::function<void()>& loops) {
  detail::refuse_in_region("record");
  detail::refuse_in_recording("record");
  detail::recorder lists{rt};
  loops();
  return recording{lists.finish()};
}

}  // namespace yoke
