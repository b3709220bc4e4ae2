#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

#include <yoke/simulated_tasks.hpp>

namespace yoke::scheduling {

namespace {

enum : int { diagonal, panel, update, square };

/// Tasks in the order of a program that runs alone, after what their pieces say.
class graph_maker {
 public:
  explicit graph_maker(std::size_t bytes) : bytes_{bytes} {}

  void add(int kind, std::initializer_list<int> reads, int writes) {
    recorded_task next{.kind = kind};
    const int number = static_cast<int>(tasks_.size());
    for (const int piece : reads) use(next, piece, false, number);
    use(next, writes, true, number);
    std::ranges::sort(next.after);
    next.after.erase(std::unique(next.after.begin(), next.after.end()), next.after.end());
    tasks_.push_back(std::move(next));
  }
  std::vector<recorded_task> get() && { return std::move(tasks_); }

 private:
  struct users {
    int writer = -1;
    std::vector<int> readers{};
  };

  void use(recorded_task& next, int piece, bool writes, int number) {
    users& of = pieces_[piece];
    next.uses.push_back({static_cast<std::uint64_t>(piece), bytes_, true, writes});
    if (of.writer >= 0) next.after.push_back(of.writer);
    if (!writes) return of.readers.push_back(number);
    next.after.insert(next.after.end(), of.readers.begin(), of.readers.end());
    of = {.writer = number};
  }

  std::size_t bytes_;
  std::map<int, users> pieces_;
  std::vector<recorded_task> tasks_;
};

/// Numbers from 0 to 1 that are the same everywhere.
class numbers {
 public:
  explicit numbers(std::uint64_t seed) : random_{seed} {}
  double next() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  int below(int most) { return std::min(most - 1, static_cast<int>(next() * most)); }

 private:
  std::mt19937_64 random_;
};

/// A layer that comes after that of `first` to `last`: each task of that is followed by some of this, and
/// each of this follows one.
class random_layer {
 public:
  random_layer(const random_graph& of, numbers& random, int first, int last, int n)
      : of_{of}, random_{random}, first_{first}, last_{last}, after_(static_cast<std::size_t>(n)) {
    for (int before = first; before < last; ++before)
      for (int left = 1 + random.below(of.degree); left > 0; --left) any().push_back(before);
  }

  recorded_task get(std::size_t i) {
    recorded_task next{.kind = random_.below(of_.n_kinds), .work = 1 + of_.spread * (2 * random_.next() - 1)};
    next.after = after_[i];
    if (next.after.empty() && last_ > first_) next.after = {first_ + random_.below(last_ - first_)};
    std::ranges::sort(next.after);
    next.after.erase(std::unique(next.after.begin(), next.after.end()), next.after.end());
    return next;
  }

 private:
  std::vector<int>& any() {
    return after_[static_cast<std::size_t>(random_.below(static_cast<int>(after_.size())))];
  }

  const random_graph& of_;
  numbers& random_;
  int first_, last_;
  std::vector<std::vector<int>> after_;
};

/// Each writes a piece of its own, and reads those that it comes after.
void add_pieces(std::vector<recorded_task>& tasks, const random_graph& of, numbers& random) {
  std::vector<std::size_t> bytes;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    bytes.push_back(static_cast<std::size_t>(static_cast<double>(of.bytes) * 2 * random.next()));
    for (const int before : tasks[t].after)
      tasks[t].uses.push_back({static_cast<std::uint64_t>(before), bytes[static_cast<std::size_t>(before)]});
    tasks[t].uses.push_back({t, bytes[t], false, true});
  }
}

}  // namespace

std::vector<recorded_task> random_tasks(const random_graph& of) {
  std::vector<recorded_task> tasks;
  numbers random{of.seed};
  for (int first = 0, last = 0; last < of.n_tasks;) {
    const int n = std::min(of.n_tasks - last, 1 + random.below(2 * of.width - 1));
    random_layer layer{of, random, first, last, n};
    for (int i = 0; i < n; ++i) tasks.push_back(layer.get(static_cast<std::size_t>(i)));
    first = std::exchange(last, last + n);
  }
  add_pieces(tasks, of, random);
  return tasks;
}

std::vector<recorded_task> tiled_cholesky(int n, std::size_t tile_bytes) {
  graph_maker all{tile_bytes};
  const auto tile = [&](int i, int j) { return i * n + j; };
  for (int k = 0; k < n; ++k) {
    all.add(diagonal, {}, tile(k, k));
    for (int i = k + 1; i < n; ++i) all.add(panel, {tile(k, k)}, tile(i, k));
    for (int i = k + 1; i < n; ++i) {
      for (int j = k + 1; j < i; ++j) all.add(update, {tile(i, k), tile(j, k)}, tile(i, j));
      all.add(square, {tile(i, k)}, tile(i, i));
    }
  }
  return std::move(all).get();
}

std::vector<recorded_task> tiled_lu(int n, std::size_t tile_bytes) {
  graph_maker all{tile_bytes};
  const auto tile = [&](int i, int j) { return i * n + j; };
  for (int k = 0; k < n; ++k) {
    all.add(diagonal, {}, tile(k, k));
    for (int i = k + 1; i < n; ++i) all.add(panel, {tile(k, k)}, tile(i, k));
    for (int j = k + 1; j < n; ++j) all.add(panel, {tile(k, k)}, tile(k, j));
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j) all.add(update, {tile(i, k), tile(k, j)}, tile(i, j));
  }
  return std::move(all).get();
}

}  // namespace yoke::scheduling
