#include "bisection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

namespace yoke::scheduling {

namespace {

constexpr int tries = 12, most_fruitless_tries = 4, most_rounds = 12, most_fruitless_moves = 60;

/// Where each task is: not in question, or in the first or second part.
enum class side : signed char { none = -1, first = 0, second = 1 };

class bisection {
 public:
  bisection(const task_graph& graph, std::span<const int> tasks, double wanted)
      : graph_{graph},
        tasks_{tasks},
        wanted_{wanted},
        side_(static_cast<std::size_t>(graph.n_tasks()), side::none) {
    for (const int task : tasks_) lightest_ = std::min(lightest_, graph_.weight(task));
  }

  /// Next comes the neighbour that costs least, which follows borders, or the nearest one, which makes bands.
  enum class growth { gain, distance };
  void grow_from(int seed, growth by);
  void refine() {
    for (int round = 0; round < most_rounds && improve(); ++round) {
    }
  }
  /// How far the weight may be from what is wanted: less than a task could mend.
  double tolerance() const { return 0.5 * lightest_; }
  double error() const { return std::abs(weight_ - wanted_); }
  double cut() const;
  std::vector<int> first() const;

 private:
  using candidate = std::pair<double, int>;  // gain, task
  using queue = std::priority_queue<candidate>;

  side& at(int task) { return side_[static_cast<std::size_t>(task)]; }
  side at(int task) const { return side_[static_cast<std::size_t>(task)]; }
  /// Bytes saved when the task changes its side.
  double gain(int task) const;
  void flip(int task);
  void take(int task, queue& frontier, growth by);
  bool is_wanted(int task) const;
  bool improve();
  int best_of(queue (&of_side)[2], const std::vector<char>& moved) const;

  const task_graph& graph_;
  std::span<const int> tasks_;
  double wanted_;
  double lightest_ = std::numeric_limits<double>::infinity();
  double weight_ = 0;  ///< of the first part
  long offered_ = 0;   ///< neighbours of tasks taken since the growth began
  std::vector<side> side_;
};

double bisection::gain(int task) const {
  double saved = 0;
  for (const neighbour& other : graph_.neighbours(task))
    if (at(other.task) != side::none) saved += at(other.task) == at(task) ? -other.bytes : other.bytes;
  return saved;
}

void bisection::flip(int task) {
  const bool leaves = at(task) == side::first;
  at(task) = leaves ? side::second : side::first;
  weight_ += leaves ? -graph_.weight(task) : graph_.weight(task);
}

double bisection::cut() const {
  double bytes = 0;
  for (const int task : tasks_)
    for (const neighbour& other : graph_.neighbours(task))
      if (at(task) == side::first && at(other.task) == side::second) bytes += other.bytes;
  return bytes;
}

void bisection::take(int task, queue& frontier, growth by) {
  flip(task);
  for (const neighbour& other : graph_.neighbours(task)) {
    if (at(other.task) != side::second) continue;
    frontier.emplace(by == growth::distance ? -static_cast<double>(offered_++) : gain(other.task),
                     other.task);
  }
}

/// False where the first part comes nearer to what is wanted without it.
bool bisection::is_wanted(int task) const {
  return weight_ + graph_.weight(task) - wanted_ <= wanted_ - weight_;
}

/// A gain in the queue may be older than the last moves: what has changed since is put back.
void bisection::grow_from(int seed, growth by) {
  weight_ = 0;
  offered_ = 0;
  for (const int task : tasks_) at(task) = side::second;
  queue frontier;
  frontier.emplace(0, seed);
  std::size_t next = 0;
  while (weight_ < wanted_) {
    if (frontier.empty()) {  // another component
      while (next < tasks_.size() && (at(tasks_[next]) == side::first || !is_wanted(tasks_[next]))) ++next;
      if (next == tasks_.size()) return;
      frontier.emplace(0, tasks_[next]);
    }
    const auto [said, task] = frontier.top();
    frontier.pop();
    if (at(task) == side::first || !is_wanted(task)) continue;
    const double now = gain(task);
    const bool is_old = by == growth::gain && said != 0 && now < said;
    is_old ? void(frontier.emplace(now, task)) : take(task, frontier, by);
  }
}

/// The best move off the side that has too much, or of both where neither has.
int bisection::best_of(queue (&of_side)[2], const std::vector<char>& moved) const {
  const auto clean = [&](queue& q) {
    while (!q.empty()) {
      const auto [said, task] = q.top();
      if (!moved[static_cast<std::size_t>(task)] && said == gain(task)) return true;
      q.pop();
    }
    return false;
  };
  const bool from_first = clean(of_side[0]), from_second = clean(of_side[1]);
  if (!from_first && !from_second) return -1;
  if (!from_second || (from_first && weight_ > wanted_ + tolerance()))
    return from_first ? of_side[0].top().second : -1;
  if (!from_first || weight_ < wanted_ - tolerance()) return of_side[1].top().second;
  return std::max(of_side[0].top(), of_side[1].top()).second;
}

/// One round of moves, each task at most once, undone behind the best state met: false when nothing was won.
bool bisection::improve() {
  std::vector<candidate> all[2];
  for (const int task : tasks_) all[static_cast<int>(at(task))].emplace_back(gain(task), task);
  queue of_side[2] = {queue{{}, std::move(all[0])}, queue{{}, std::move(all[1])}};
  const auto offer = [&](int task) { of_side[static_cast<int>(at(task))].emplace(gain(task), task); };
  std::vector<char> moved(side_.size(), 0);
  std::vector<int> moves;
  const auto is_better = [this](double error, double won, double than_error, double than_won) {
    const double a = std::max(error, tolerance()), b = std::max(than_error, tolerance());
    return a < b || (a == b && won > than_won + 1e-9);
  };
  double won = 0, best_won = 0, best_error = error();
  std::size_t kept = 0;
  for (int fruitless = 0; fruitless < most_fruitless_moves; ++fruitless) {
    const int task = best_of(of_side, moved);
    if (task < 0) break;
    won += gain(task);
    flip(task);
    moved[static_cast<std::size_t>(task)] = 1;
    moves.push_back(task);
    for (const neighbour& other : graph_.neighbours(task))
      if (at(other.task) != side::none && !moved[static_cast<std::size_t>(other.task)]) offer(other.task);
    if (!is_better(error(), won, best_error, best_won)) continue;
    best_won = won;
    best_error = error();
    kept = moves.size();
    fruitless = 0;
  }
  for (std::size_t n = moves.size(); n > kept; --n) flip(moves[n - 1]);
  return kept > 0;
}

std::vector<int> bisection::first() const {
  std::vector<int> part;
  for (const int task : tasks_)
    if (at(task) == side::first) part.push_back(task);
  return part;
}

}  // namespace

std::vector<int> first_part(const task_graph& graph, std::span<const int> tasks, double wanted) {
  bisection cut{graph, tasks, wanted};
  std::vector<int> best;
  double least = std::numeric_limits<double>::infinity(), least_error = least;
  for (int attempt = 0, fruitless = 0; attempt < tries && fruitless < most_fruitless_tries && !tasks.empty();
       ++attempt, ++fruitless) {
    const auto by = attempt % 2 == 0 ? bisection::growth::gain : bisection::growth::distance;
    cut.grow_from(tasks[tasks.size() * static_cast<std::size_t>(attempt) / tries], by);
    cut.refine();
    const double error = std::max(cut.error(), cut.tolerance()), bytes = cut.cut();
    if (error > least_error || (error == least_error && bytes >= least)) continue;
    fruitless = -1;
    least = bytes;
    least_error = error;
    best = cut.first();
  }
  return best;
}

}  // namespace yoke::scheduling
