#include "kind_times.hpp"

#include "../speeds/median.hpp"
#include "../speeds/sample.hpp"

#include <algorithm>

namespace yoke::scheduling {

/// Of many tasks one after the other the kind is that of the last.
std::uint32_t kind_times::number_of(int kind, int cpus) {
  if (last_ < profiles_.size() && profiles_[last_].kind == kind && profiles_[last_].cpus == cpus)
    return last_;
  return last_ = looked_up(kind, cpus);
}

std::uint32_t kind_times::looked_up(int kind, int cpus) {
  const auto [at, is_new] = numbers_.try_emplace({kind, cpus}, static_cast<std::uint32_t>(profiles_.size()));
  const std::uint32_t number = at->second;
  if (!is_new) return number;
  profiles_.push_back({kind, cpus});
  entries_.resize(entries_.size() + n_classes());
  if (cpus > 1) looked_up(kind, 1);
  guess_again(number);
  return number;
}

void kind_times::expect(std::uint32_t of, std::size_t on, seconds time) {
  if (at(of, on).added == 0) set(of, on, time);
}

void kind_times::add(std::uint32_t of, std::size_t on, seconds time) {
  if (!is_sample(time)) return;
  entry& to = at(of, on);
  keep(to, time);
  set(of, on, middle(to));
}

/// In place of the oldest; each task that ends comes here.
void kind_times::keep(entry& in, seconds time) {
  seconds& oldest = in.newest[in.added % kept];
  std::size_t at = std::min<std::size_t>(in.added, kept);
  if (at == kept) {
    const auto gone = std::find(in.sorted.begin(), in.sorted.end(), oldest);
    std::copy(gone + 1, in.sorted.end(), gone);
    --at;
  }
  for (; at > 0 && in.sorted[at - 1] > time; --at) in.sorted[at] = in.sorted[at - 1];
  in.sorted[at] = oldest = time;
  ++in.added;
}

seconds kind_times::middle(const entry& of) {
  const std::size_t n = std::min<std::size_t>(of.added, kept);
  return (of.sorted[(n - 1) / 2] + of.sorted[n / 2]) / 2;
}

/// What is guessed of others hangs on what is known of each kind on each class, which is new once.
void kind_times::set(std::uint32_t of, std::size_t on, seconds time) {
  entry& to = at(of, on);
  const bool is_new = !to.known.is_measured;
  to.known = {time, true};
  if (!is_new && n_classes() == 1) return;
  if (!is_new) return guess_again(of);
  for (std::uint32_t each = 0; each < profiles_.size(); ++each) guess_again(each);
}

void kind_times::guess_again(std::uint32_t of) {
  for (std::size_t on = 0; on < n_classes(); ++on)
    if (entry& to = at(of, on); !to.known.is_measured) to.known.time = guess(of, on);
}

/// By which factor a class takes longer than another one: the middle of the kinds known on both.
double kind_times::ratio(std::size_t on, std::size_t known) const {
  std::vector<double> seen;
  for (std::uint32_t each = 0; each < profiles_.size(); ++each)
    if (at(each, on).known.is_measured && at(each, known).known.is_measured)
      seen.push_back(at(each, on).known.time / at(each, known).known.time);
  return seen.empty() ? promised_[on] / promised_[known] : detail::median(seen);
}

/// A kind on several CPU CUs, of which nothing else is known, is as on one of them, and shared out.
seconds kind_times::guess(std::uint32_t of, std::size_t on) const {
  for (std::size_t known = 0; known < n_classes(); ++known)
    if (const time_guess& there = at(of, known).known; there.is_measured)
      return there.time * ratio(on, known);
  const profile& is = profiles_[of];
  return is.cpus > 1 ? at(numbers_.at({is.kind, 1}), on).known.time / is.cpus : 0;
}

}  // namespace yoke::scheduling
