#include "engine_core.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include <yoke/error.hpp>
#include <yoke/forks.hpp>

namespace yoke::flow {

namespace {

/// Of told work: each takes half a KiB, and CUDA holds up who gives a stream more than a thousand launches.
constexpr std::size_t most_under_way = 4096;

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& failure) {
    return failure.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace

void engine_core::refuse_in_work(std::string_view what, const char* is_done) const {
  detail::refuse_in_forked_child();
  if (runs_for == this)
    throw usage_error{fmt::format("{} is {}, which work that runs may not do", what, is_done)};
}

engine_core::engine_core(std::span<device* const> devices, const engine_options& options)
    : n_seats_{static_cast<int>(options.seats.size())},
      queues_of_device_{options.queues_of_device},
      devices_{devices.begin(), devices.end()},
      links_{devices},
      table_{static_cast<int>(devices.size()) + 1},
      all_{table_, lanes(), [this](space_id from, space_id to) { return way(from, to); }} {
  detail::watch_forks();
  for (device* const each : devices_)
    for (int i = 0; i < queues_of_device_ + 2; ++i)
      queues_.push_back({std::make_unique<queue>(
          *each, i < queues_of_device_ ? stream_kind::normal : stream_kind::urgent)});
  seats_.resize(options.seats.size());
  try {
    for (int i = 0; i < n_seats_; ++i)
      seats_[static_cast<std::size_t>(i)].thread =
          std::thread{[this, i, enter = options.seats[static_cast<std::size_t>(i)]] { sit(i, enter); }};
  } catch (...) {
    end_seats();
    throw;
  }
}

engine_core::~engine_core() = default;

void engine_core::close() noexcept {
  table_guard table{table_lock_};
  for (drop_over(); !told_.empty(); drop_over()) go_on(told_.front(), table);
  table.unlock();
  end_seats();
  for (const work_ptr& each : untold_)
    std::fprintf(stderr, "yoke: %s has failed, and nobody has waited for it: %s\n", each->name().c_str(),
                 text_of(each->error()).c_str());
  queues_.clear();
}

void engine_core::end_seats() noexcept {
  {
    const table_guard table{table_lock_};
    is_closing_ = true;
    has_changed();
  }
  for (seat_state& each : seats_)
    if (each.thread.joinable()) each.thread.join();
}

// Lanes.

lane_id engine_core::seat(int number) const {
  if (number >= 0 && number < n_seats_) return lane_id{number};
  throw usage_error{fmt::format("seat {}: the engine has {}", number, n_seats_)};
}

lane_id engine_core::queue_of(space_id memory, int number) const {
  if (memory < 1 || static_cast<std::size_t>(int{memory}) > devices_.size() || number < 0 ||
      number >= queues_of_device_) {
    throw usage_error{fmt::format("queue {} of memory {}: the engine has {} of each memory from 1 to {}",
                                  number, int{memory}, queues_of_device_, devices_.size())};
  }
  return lane_id{first_of(memory) + number};
}

space_id engine_core::memory_of(lane_id on) const {
  return on <= n_seats_ ? host_space : space_id{1 + (on - n_seats_ - 1) / (queues_of_device_ + 2)};
}

lane_id engine_core::way(space_id from, space_id to) const {
  if (to == host_space) return lane_id{first_of(from) + queues_of_device_ + 1};
  if (from != host_space && !links_.is_direct(from, to)) return {};
  return lane_id{first_of(to) + queues_of_device_};
}

std::vector<lane> engine_core::lanes() const {
  std::vector<lane> all(static_cast<std::size_t>(n_seats_) + 1, {lane::kind::seat, host_space});
  for (int d = 0; d < static_cast<int>(devices_.size()); ++d) {
    // Devices of one backend wait for each other's events: those between which copies go without the host
    // are.
    int backend = d + 1;
    for (int other = 0; other < d; ++other)
      if (links_.is_direct(space_id{other + 1}, space_id{d + 1})) backend = std::min(backend, other + 1);
    for (int i = 0; i < queues_of_device_ + 2; ++i)
      all.push_back({lane::kind::queue, space_id{d + 1}, backend});
  }
  return all;
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
  pieces_.resize(std::max(pieces_.size(), static_cast<std::size_t>(int{made}) + 1));
  pieces_[static_cast<std::size_t>(int{made})] = {bytes, std::move(addresses)};
  return made;
}

void engine_core::remove(versions::piece what) {
  refuse_in_work("a piece", "removed");
  table_guard table{table_lock_};
  const auto is_used = [&] {
    for (int m = 0; m <= static_cast<int>(devices_.size()); ++m)
      if (!table_.is_idle(what, space_id{m})) return true;
    return false;
  };
  for (drop_over(); is_used(); drop_over()) go_on(told_.front(), table);
  table_.remove(what);
  pieces_[static_cast<std::size_t>(int{what})] = {};
}

void engine_core::check_lane(lane_id on) const {
  const auto n_lanes = n_seats_ + 1 + static_cast<int>(queues_.size());
  if (on < 0 || on >= n_lanes) {
    throw usage_error{
        fmt::format("lane {}: the engine has {}; take one of seat(), queue() or host()", int{on}, n_lanes)};
  }
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
    lane_id on, std::shared_ptr<const plan> what, std::span<const argument> arguments) const {
  const space_id memory = memory_of(on);
  auto made = std::make_shared<run_of_plan>(run_of_plan{std::move(what), {}});
  made->addresses.reserve(arguments.size());
  for (const argument& each : arguments) {
    made->addresses.push_back(address(each.what, memory));
    const auto from = each.as == role::out ? std::nullopt : table_.source_for(each.what, memory);
    if (from && way(*from, memory) == lane_id{}) address(each.what, host_space);
  }
  return made;
}

// What is told, and waited for.

work_ptr engine_core::enqueue(lane_id on, std::shared_ptr<const plan> what,
                              std::span<const argument> arguments, std::span<const work_ptr> after) {
  refuse_in_work(what->name, "enqueued");
  check_lane(on);
  table_guard table{table_lock_};
  std::shared_ptr<const run_of_plan> run = resolved(on, what, arguments);
  work_ptr made = all_.enqueue(
      {.name = what->name, .on = on, .arguments = arguments, .after = after, .plan = std::move(run)});
  told_.push_back(made);
  drop_over();
  may_start_ = true;
  const bool holds_up = told_.size() > most_under_way;
  table.unlock();
  start_what_can();
  if (!holds_up) return made;
  table.lock();
  for (; told_.size() > most_under_way; drop_over()) go_on(told_.front(), table);
  return made;
}

bool engine_core::is_over(const work_ptr& what) {
  const table_guard table{table_lock_};
  return !what->is_under_way();
}

void engine_core::tell(const std::exception_ptr& error) {
  std::erase_if(untold_, [&](const work_ptr& each) { return each->error() == error; });
}

void engine_core::wait(const work_ptr& what) {
  refuse_in_work(what->name(), "waited for");
  table_guard table{table_lock_};
  while (what->is_under_way()) go_on(what, table);
  const std::exception_ptr error = what->error();
  if (error == nullptr) return;
  tell(error);
  table.unlock();
  std::rethrow_exception(error);
}

void engine_core::wait() {
  refuse_in_work("all work", "waited for");
  table_guard table{table_lock_};
  for (drop_over(); !told_.empty(); drop_over()) go_on(told_.front(), table);
  if (untold_.empty()) return;
  const std::exception_ptr error = untold_.front()->error();
  tell(error);
  table.unlock();
  std::rethrow_exception(error);
}

void engine_core::drop_over() {
  while (!told_.empty() && !told_.front()->is_under_way()) told_.pop_front();
}

}  // namespace yoke::flow
