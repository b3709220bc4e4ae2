#include "engine_core.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include <yoke/detail/error_text.hpp>
#include <yoke/error.hpp>
#include <yoke/forks.hpp>

namespace yoke::flow {

namespace {

/// Of told work: each takes half a KiB, and CUDA holds up who gives a stream more than a thousand launches.
constexpr std::size_t most_under_way = 4096;

std::vector<queue_group> one_for_each(std::span<device* const> devices) {
  std::vector<queue_group> all;
  for (device* const each : devices) all.push_back({each, space_id{static_cast<int>(all.size()) + 1}});
  return all;
}

}  // namespace

void engine_core::refuse_in_work(std::string_view what, const char* is_done) const {
  detail::refuse_in_forked_child();
  if (runs_for == this)
    throw usage_error{fmt::format("{} is {}, which work that runs may not do", what, is_done)};
}

engine_core::engine_core(std::span<device* const> devices, const engine_options& options)
    : n_seats_{options.n_seats},
      queues_of_group_{options.queues_of_group},
      threads_{options.threads},
      stay_{options.stay},
      has_taken_cpus_{options.has_taken_cpus},
      devices_{devices.begin(), devices.end()},
      groups_{options.queues.empty() ? one_for_each(devices) : options.queues},
      links_{devices},
      own_table_{options.table != nullptr
                     ? nullptr
                     : std::make_unique<detail::shared_table>(static_cast<int>(devices.size()) + 1)},
      table_lock_{(options.table != nullptr ? *options.table : *own_table_).mutex()},
      table_{(options.table != nullptr ? *options.table : *own_table_).table()},
      all_{table_, lanes(), [this](space_id from, space_id to) { return way(from, to); }, this},
      seats_(static_cast<std::size_t>(n_seats_)) {
  detail::watch_forks();
  for (const queue_group& each : groups_)
    for (int i = 0; i < queues_of_group_; ++i)
      queues_.push_back({std::make_unique<queue>(*each.dev, stream_kind::normal)});
  for (device* const each : devices_)
    for (int i = 0; i < 2; ++i) queues_.push_back({std::make_unique<queue>(*each, stream_kind::urgent)});
  if (n_seats_ > 0) keeper_ = std::thread{[this] { keep_seats(); }};
}

engine_core::~engine_core() = default;

void engine_core::close() noexcept {
  table_guard table{table_lock_};
  for (drop_over(); !told_.empty() || !over_.empty() || n_telling_ > 0; drop_over()) {
    if (!told_.empty()) {
      go_on(told_.front(), table);
    } else if (over_.empty()) {  // somebody may tell of more
      wait_until([&] { return n_telling_ == 0 || !told_.empty(); }, table);
      continue;
    }
    may_start_ = true;
    table.unlock();
    start_what_can();
    table.lock();
  }
  table.unlock();
  end_seats();
  for (const work_ptr& each : untold_)
    std::fprintf(stderr, "yoke: %s failed, and nothing has waited for it: %s\n", each->name().c_str(),
                 detail::text_of(each->error()).c_str());
  queues_.clear();
  is_closed_ = true;
}

void engine_core::expect_more() {
  const table_guard table{table_lock_};
  ++n_telling_;
}

void engine_core::expect_no_more() {
  const table_guard table{table_lock_};
  --n_telling_;
  has_changed();
}

// Pieces.

versions::piece engine_core::add(std::string name, std::size_t bytes, std::vector<void*> addresses) {
  detail::refuse_in_forked_child();
  if (addresses.size() != devices_.size() + 1) {
    throw usage_error{
        fmt::format("{}: {} addresses for {} memories", name, addresses.size(), devices_.size() + 1)};
  }
  const table_guard table{table_lock_};
  const versions::piece made = table_.add(std::move(name));
  set_memory(made, bytes, std::move(addresses));
  return made;
}

void engine_core::set_memory(versions::piece of, std::size_t bytes, std::vector<void*> addresses) {
  pieces_.resize(std::max(pieces_.size(), static_cast<std::size_t>(int{of}) + 1));
  pieces_[static_cast<std::size_t>(int{of})] = {bytes, std::move(addresses)};
}

void engine_core::remove(versions::piece what) {
  refuse_in_work("a piece", "removed");
  table_guard table{table_lock_};
  const auto is_used = [&] {
    for (int m = 0; m <= static_cast<int>(devices_.size()); ++m)
      if (!table_.is_idle(what, space_id{m})) return true;
    return false;
  };
  for (drop_over(); is_used() && !told_.empty(); drop_over()) go_on(told_.front(), table);
  table_.remove(what);
  pieces_[static_cast<std::size_t>(int{what})] = {};
}

void* engine_core::address(versions::piece what, space_id memory) const {
  const auto which = static_cast<std::size_t>(int{what});
  if (what < 0 || which >= pieces_.size() || pieces_[which].at.empty())
    throw usage_error{fmt::format("piece {}: it was removed, or is another engine's", int{what})};
  void* const found = pieces_[which].at[static_cast<std::size_t>(int{memory})];
  if (found != nullptr) return found;
  throw usage_error{fmt::format("{} has no memory in space {}; give one where it is added",
                                table_.name_of(what), int{memory})};
}

std::shared_ptr<const engine_core::run_of_plan> engine_core::resolved(
    lane_id on, std::shared_ptr<const plan> what, std::span<const argument> arguments,
    std::function<void(const std::exception_ptr&)> when_over) const {
  auto made = std::make_shared<run_of_plan>(run_of_plan{std::move(what), {}, std::move(when_over)});
  made->addresses.reserve(arguments.size());
  for (const argument& each : arguments) {
    const space_id memory = each.memory.value_or(memory_of(on));
    made->addresses.push_back(address(each.what, memory));
    const bool travels = each.as != role::out && table_.error_of(each.what) == nullptr;
    const auto from = travels ? table_.source_for(each.what, memory) : std::nullopt;
    if (from && way(*from, memory) == lane_id{}) address(each.what, host_space);
  }
  return made;
}

// What is told, and waited for.

work_ptr engine_core::tell(lane_id on, std::shared_ptr<const plan> what, std::span<const argument> arguments,
                           std::span<const work_ptr> after, std::span<const work_ptr> behind,
                           std::span<const lent_piece> lent,
                           std::function<void(const std::exception_ptr&)> when_over) {
  refuse_in_work(what->name, "enqueued");
  check_lane(on);
  const table_guard table{table_lock_};
  for (const lent_piece& each : lent)
    set_memory(each.what, each.bytes, {each.addresses.begin(), each.addresses.end()});
  // Which says when it is over.
  const bool has_thread = is_seat(on) || is_team(on) || (is_host(on) && what->run);
  const bool is_watched = when_over && !has_thread;
  if (is_watched) be_ready_to_watch();
  if (is_host(on) && what->run) be_ready_on_host();
  std::shared_ptr<const run_of_plan> run = resolved(on, what, arguments, std::move(when_over));
  work_ptr made = all_.enqueue({.name = what->name,
                                .on = on,
                                .arguments = arguments,
                                .after = after,
                                .behind = behind,
                                .plan = run,
                                .says_end = static_cast<bool>(run->when_over)});
  told_.push_back(made);
  n_in_line_.store(told_.size(), std::memory_order_relaxed);
  if (is_watched) watched_.push_back(made), has_watched_.notify_one();
  may_start_ = true;
  return made;
}

work_ptr engine_core::tell_failure(std::string name, const std::exception_ptr& why,
                                   std::span<const argument> arguments, std::span<const work_ptr> behind,
                                   std::function<void(const std::exception_ptr&)> when_over) {
  std::vector<argument> overwritten;
  for (const argument& each : arguments)
    if (each.as != role::in) overwritten.push_back({each.what, role::out});
  const bool says_end = static_cast<bool>(when_over);
  auto run = std::make_shared<run_of_plan>(run_of_plan{{}, {}, std::move(when_over)});
  const table_guard table{table_lock_};
  if (says_end) be_ready_to_watch();
  told_.push_back(all_.enqueue({.name = name,
                                .on = host(),
                                .arguments = overwritten,
                                .behind = behind,
                                .plan = std::move(run),
                                .says_end = says_end,
                                .failure = why}));
  if (says_end) watched_.push_back(told_.back()), has_watched_.notify_one();
  may_start_ = true;
  return told_.back();
}

void engine_core::start() {
  start_what_can();
  if (n_in_line_.load(std::memory_order_relaxed) > most_under_way) wait_for_half();
}

/// Of what is under way, so that who tells on and on does not wait at each piece.
void engine_core::wait_for_half() {
  table_guard table{table_lock_};
  drop_over();
  if (told_.size() <= most_under_way) return;
  const work_ptr half = told_[told_.size() / 2];
  if (has_thread(*half)) sleep_until_over(half, table);
  for (drop_over(); told_.size() > most_under_way / 2; drop_over()) go_on(told_.front(), table);
}

void engine_core::await(const versions::mark_ptr& what) {
  refuse_in_work(static_cast<const work&>(*what).name(), "waited for");
  const auto own = std::static_pointer_cast<work>(what);
  const bool has_cpus = has_taken_cpus_ && has_taken_cpus_();
  const ticks from = now();
  table_guard table{table_lock_};
  while (own->is_under_way()) {
    if (has_cpus) refuse_without_seats(own);
    if (!has_cpus && has_thread(*own) && elapsed(from, now()) > detail::spins_for)
      sleep_until_over(own, table);
    else
      go_on(own, table);
  }
}

bool engine_core::is_over(const work_ptr& what) {
  if (is_closed_) return true;
  const table_guard table{table_lock_};
  return !what->is_under_way();
}

void engine_core::tell(const std::exception_ptr& error) {
  std::erase_if(untold_, [&](const work_ptr& each) { return each->error() == error; });
}

void engine_core::wait(const work_ptr& what) {
  if (is_closed_) {
    refuse_in_work(what->name(), "waited for");
    if (what->error() != nullptr) std::rethrow_exception(what->error());
    return;
  }
  await(what);
  table_guard table{table_lock_};
  const std::exception_ptr error = what->error();
  if (error == nullptr) return;
  tell(error);
  table.unlock();
  std::rethrow_exception(error);
}

/// A copy: others change the line meanwhile.
work_ptr engine_core::last_on_seat() const {
  const auto last = std::ranges::find_if(told_.rbegin(), told_.rend(), [&](const work_ptr& each) {
    return has_thread(*each) && each->is_under_way();
  });
  return last == told_.rend() ? nullptr : *last;
}

void engine_core::wait() {
  refuse_in_work("all work", "waited for");
  table_guard table{table_lock_};
  const bool has_cpus = has_taken_cpus_ && has_taken_cpus_();
  for (drop_over(); !told_.empty(); drop_over()) {
    const work_ptr last = has_cpus ? nullptr : last_on_seat();
    last != nullptr ? sleep_until_over(last, table) : go_on(told_.front(), table);
  }
  if (untold_.empty()) return;
  const std::exception_ptr error = untold_.front()->error();
  tell(error);
  table.unlock();
  std::rethrow_exception(error);
}

void engine_core::drop_over() {
  while (!told_.empty() && !told_.front()->is_under_way()) told_.pop_front();
  n_in_line_.store(told_.size(), std::memory_order_relaxed);
}

}  // namespace yoke::flow
