/// A body that orders its passes: blocks of a ring are tasks, and a block's step of one pass needs the outer
/// values that its neighbours had after the pass before. No barrier lies between the passes of a run, so the
/// body waits for these two neighbours, and for the block itself: another CU may have had it in the pass
/// before. docs/guide/runtime.md has the proof that two buffers suffice.
///
///   YOKE_CUS=1x1+1 YOKE_DEVICES=emulated:1 ./ordered_passes [blocks [points of each [passes]]]
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <yoke/yoke.hpp>

namespace {

/// The value of a point after a pass.
YOKE_HD double after(double left, double here, double right) {
  return 0.25 * left + 0.5 * here + 0.25 * right;
}

/// What a block has at its ends.
struct ends {
  double left = 0, right = 0;
};

struct step {
  YOKE_HD void operator()(yoke::item at, std::int64_t n, ends beside, yoke::device_ptr<const double> from,
                          yoke::device_ptr<double> to) const {
    const double left = at.x == 0 ? beside.left : from[at.x - 1];
    const double right = at.x == n - 1 ? beside.right : from[at.x + 1];
    to[at.x] = after(left, from[at.x], right);
  }
};

/// Faces are too small to move a whole block for them.
struct copy_ends {
  YOKE_HD void operator()(yoke::item, std::int64_t n, yoke::device_ptr<const double> of,
                          yoke::device_ptr<ends> to) const {
    to[0] = {.left = of[0], .right = of[n - 1]};
  }
};

struct block {
  block(yoke::runtime& rt, std::span<const double> values)
      : now{rt, values.size()}, next{rt, values.size()}, of_now{rt, 1} {
    std::ranges::copy(values, now.host().begin());
    face[1] = {.left = values.front(), .right = values.back()};  // of the pass before the first one
  }

  yoke::placed<double> now, next;
  yoke::placed<ends> of_now;
  /// After pass p the block's ends are in face[p % 2]. Others may read them from the moment on in which
  /// `published` is p.
  std::array<ends, 2> face{};
  std::atomic<yoke::pass_id> published{-1};
};

class ring {
 public:
  ring(yoke::runtime& rt, std::span<const double> values, int n_blocks) {
    const std::size_t n = values.size() / static_cast<std::size_t>(n_blocks);
    for (int i = 0; i < n_blocks; ++i)
      blocks_.push_back(std::make_unique<block>(rt, values.subspan(static_cast<std::size_t>(i) * n, n)));
  }

  /// Task `i` of pass `p`. False where the loop was stopped: another body has thrown.
  bool run(int i, yoke::pass_id p, const yoke::task_loop& loop) {
    const block &left = of(i - 1), &right = of(i + 1);
    block& mine = of(i);
    if (!await(left, p - 1, loop) || !await(mine, p - 1, loop) || !await(right, p - 1, loop)) return false;
    const auto before = static_cast<std::size_t>((p + 1) % 2);
    advance(mine, {.left = left.face[before].right, .right = right.face[before].left});
    mine.face[static_cast<std::size_t>(p % 2)] =
        std::as_const(mine.of_now).host()[0];  // waits for the kernels
    mine.published.store(p, std::memory_order_release);
    return true;
  }

  std::vector<double> values() const {
    std::vector<double> all;
    for (const auto& each : blocks_)
      for (const double value : std::as_const(each->now).host()) all.push_back(value);
    return all;
  }

 private:
  block& of(int i) {
    const int n = static_cast<int>(blocks_.size());
    return *blocks_[static_cast<std::size_t>((i + n) % n)];
  }

  static bool await(const block& other, yoke::pass_id pass, const yoke::task_loop& loop) {
    while (other.published.load(std::memory_order_acquire) < pass) {
      if (loop.is_stopped()) return false;
      std::this_thread::yield();
    }
    return true;
  }

  static void advance(block& mine, const ends& beside) {
    const auto n = static_cast<std::int64_t>(mine.now.size());
    yoke::launch_here<step>({.x = n}, "step", n, beside, std::as_const(mine.now), mine.next);
    yoke::launch_here<copy_ends>({.x = 1}, "ends", n, std::as_const(mine.next), mine.of_now);
    std::swap(mine.now, mine.next);
  }

  std::vector<std::unique_ptr<block>> blocks_;
};

std::vector<double> initial(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i * 7919 % 1013);
  return values;
}

std::vector<double> serial(std::vector<double> now, int passes) {
  const std::size_t n = now.size();
  std::vector<double> next(n);
  for (; passes > 0; --passes) {
    for (std::size_t i = 0; i < n; ++i) next[i] = after(now[(i + n - 1) % n], now[i], now[(i + 1) % n]);
    std::swap(now, next);
  }
  return now;
}

int run(int n_blocks, int points, int passes) {
  yoke::runtime rt;
  const std::vector<double> start =
      initial(static_cast<std::size_t>(n_blocks) * static_cast<std::size_t>(points));
  ring all{rt, start, n_blocks};
  yoke::task_loop loop = rt.make_loop({.n_tasks = n_blocks});
  rt.run(loop, passes, [&](std::span<const yoke::task_id> batch, yoke::pass_id pass) {
    for (const int task : batch)
      if (!all.run(task, pass, loop)) return;
  });
  const bool right = all.values() == serial(start, passes);
  std::printf("%d passes of %d blocks: %s\n", passes, n_blocks,
              right ? "equal to the serial solution" : "NOT the serial solution");
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto number = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  const int blocks = number(1, 12), points = number(2, 1000), passes = number(3, 50);
  if (blocks >= 1 && points >= 1 && passes >= 0) return run(blocks, points, passes);
  std::fputs("usage: ordered_passes [blocks [points of each [passes]]], numbers from 1\n", stderr);
  return 2;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "ordered_passes: %s\n", problem.what());
  return 1;
}
