// Random programs on emulated devices and seats, beside what they do one after the other.
#include "step_kernel.hpp"
#include "telling.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <support/catch.hpp>

namespace {

using namespace engine_tests;  // NOLINT(google-build-using-namespace)

struct bad_luck : std::runtime_error {
  bad_luck() : std::runtime_error{"bad luck"} {}
};

/// The pieces of one host thread, and a serial model of them.
class program {
 public:
  program(node& on, int n_devices, int n_seats, std::uint64_t seed)
      : on_{on}, n_devices_{n_devices}, n_seats_{n_seats}, random_{seed} {
    for (int i = 0; i < 2 + below(5); ++i) {
      pieces_.push_back(on.add(fmt::format("piece {}", i)));
      model_.emplace_back();
    }
  }
  ~program() {
    for (const piece each : pieces_) on_.engine->remove(each);
  }
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  std::string run(int n_steps, int fails_of_100) {
    for (int i = 0; i < n_steps; ++i) {
      if (std::string wrong = add_steps(fails_of_100); !wrong.empty()) return wrong;
      if (below(50) == 0)
        if (std::string wrong = look(below(static_cast<int>(pieces_.size()))); !wrong.empty()) return wrong;
    }
    for (int p = 0; p < static_cast<int>(pieces_.size()); ++p)
      if (std::string wrong = look(p); !wrong.empty()) return wrong;
    return "";
  }

 private:
  struct value {
    std::array<std::int64_t, n_numbers> numbers{};
    bool is_there = false, is_broken = false;
  };

  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  lane_id any_lane() {
    const int which = below(n_seats_ + n_devices_);
    if (which < n_seats_) return on_.engine->seat(which);
    return on_.engine->queue(yoke::space_id{1 + which - n_seats_}, below(2));
  }

  static std::shared_ptr<const plan> plan_of(const step_call& of, bool fails) {
    return std::make_shared<plan>(
        plan{"step", [call = of, fails](const site& at) mutable {
               if (fails) throw bad_luck{};
               for (int k = 0; k < call.n; ++k)
                 call.at[k] = yoke::device_ptr<std::int64_t>{
                     static_cast<std::int64_t*>(at.addresses[static_cast<std::size_t>(k)])};
               if (at.dev != nullptr) return engine_tests::launch_step(*at.dev, at.stream, n_numbers, call);
               for (std::size_t i = 0; i < n_numbers; ++i) call.run(static_cast<std::int64_t>(i));
             }});
  }

  /// One step of a program, as it is drawn.
  struct drawn {
    step_call call{};
    std::vector<int> which{};
    std::vector<argument> arguments{};
  };

  drawn draw() {
    drawn next;
    next.call.number = below(1000);
    for (int k = 1 + below(most_arguments); k > 0; --k) {
      const int p = below(static_cast<int>(pieces_.size()));
      if (std::ranges::find(next.which, p) != next.which.end()) continue;
      const role as = model_[static_cast<std::size_t>(p)].is_there ? static_cast<role>(below(3)) : role::out;
      next.which.push_back(p);
      next.arguments.push_back({pieces_[static_cast<std::size_t>(p)], as});
      if (as != role::out) next.call.reads |= 1U << next.call.n;
      if (as != role::in) next.call.writes |= 1U << next.call.n;
      ++next.call.n;
    }
    for (std::size_t k = 0; k < next.which.size(); ++k)
      if (next.arguments[k].as != role::in) model_[static_cast<std::size_t>(next.which[k])].is_there = true;
    return next;
  }

  /// Whether one of the steps reads what was broken before all of them.
  bool reads_broken(const std::vector<drawn>& steps) const {
    std::vector<int> written;
    for (const drawn& each : steps) {
      for (std::size_t k = 0; k < each.which.size(); ++k) {
        const int p = each.which[k];
        const bool is_new = std::ranges::find(written, p) != written.end();
        if (each.arguments[k].as != role::out && !is_new && model_[static_cast<std::size_t>(p)].is_broken)
          return true;
        if (each.arguments[k].as != role::in) written.push_back(p);
      }
    }
    return false;
  }

  /// Enqueues one step, or some as one piece of work, perhaps several times.
  std::string add_steps(int fails_of_100) {
    std::vector<drawn> steps;
    for (int n = below(8) == 0 ? 1 + below(4) : 1; n > 0; --n) steps.push_back(draw());
    const bool fails = steps.size() == 1 && below(100) < fails_of_100;
    const lane_id on = any_lane();
    std::vector<yoke::flow::step> all;
    for (const drawn& each : steps) all.push_back({plan_of(each.call, fails), each.arguments});
    const yoke::flow::step work = steps.size() == 1 ? all.front() : on_.engine->fuse(on, all);
    for (std::size_t times = steps.size() == 1 ? 1 : 2; times > 0; --times) {
      std::vector<completion> after;
      if (!done_.empty() && below(10) == 0) after.push_back(done_.back().first);
      const bool must_fail = reads_broken(steps) || fails || (!after.empty() && done_.back().second);
      done_.emplace_back(on_.engine->enqueue(on, work.what, work.arguments, after), must_fail);
      for (const drawn& each : steps) apply(each.call, each.which, must_fail);
    }
    return below(20) == 0 ? ask_one() : "";
  }

  std::string ask_one() {
    const auto which = static_cast<std::size_t>(below(static_cast<int>(done_.size())));
    const auto& [end, is_bad] = done_[which];
    if (has_failed(end) == is_bad) return "";
    return fmt::format("step {} of {} {}", which, done_.size(), is_bad ? "has not failed" : "has failed");
  }

  void apply(const step_call& call, const std::vector<int>& which, bool fails) {
    for (std::size_t i = 0; i < n_numbers; ++i) {
      std::int64_t number = call.number;
      for (std::size_t k = 0; k < which.size(); ++k)
        if ((call.reads >> k & 1) != 0)
          number = (number * 31 + model_[static_cast<std::size_t>(which[k])].numbers[i]) & 0xffffffff;
      for (std::size_t k = 0; k < which.size(); ++k)
        if ((call.writes >> k & 1) != 0) model_[static_cast<std::size_t>(which[k])].numbers[i] = number;
    }
    for (std::size_t k = 0; k < which.size(); ++k)
      if ((call.writes >> k & 1) != 0) model_[static_cast<std::size_t>(which[k])].is_broken = fails;
  }

  static bool has_failed(const completion& end) {
    try {
      end.wait();
      return false;
    } catch (const bad_luck&) {
      return true;
    }
  }

  /// Brought to the host, and compared.
  std::string look(int p) {
    const value& of = model_[static_cast<std::size_t>(p)];
    if (!of.is_there) return "";
    const argument all[] = {{pieces_[static_cast<std::size_t>(p)], role::in}};
    static const auto nothing = std::make_shared<plan>(plan{"look", {}});
    const bool failed = has_failed(on_.engine->enqueue(on_.engine->host(), nothing, all));
    if (failed != of.is_broken) return fmt::format("whether piece {} is broken", p);
    if (failed || *on_.host_of(pieces_[static_cast<std::size_t>(p)]) == of.numbers) return "";
    return fmt::format("piece {} is not as in the model", p);
  }

  node& on_;
  const int n_devices_, n_seats_;
  std::mt19937_64 random_;
  std::vector<piece> pieces_;
  std::vector<value> model_;
  std::vector<std::pair<completion, bool>> done_;
};

std::string run(std::uint64_t seed, int n_threads, int n_steps) {
  std::mt19937_64 random{seed};
  const int n_devices = static_cast<int>(random() % 4), n_seats = 1 + static_cast<int>(random() % 3);
  const yoke::emulated_options of_device{.memory = 1 << 20, .peers = random() % 2 == 0 ? 0 : 1};
  node on{n_devices, n_seats, of_device, of_device};
  const int fails_of_100 = random() % 3 == 0 ? 5 : 0;
  std::vector<std::unique_ptr<program>> programs;
  for (int i = 0; i < n_threads; ++i)
    programs.push_back(std::make_unique<program>(on, n_devices, n_seats, random()));
  std::vector<std::string> wrong(programs.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < programs.size(); ++i)
    threads.emplace_back([&, i] { wrong[i] = programs[i]->run(n_steps, fails_of_100); });
  wrong[0] = programs[0]->run(n_steps, fails_of_100);
  for (std::thread& each : threads) each.join();
  // Of steps that nobody asked.
  for (bool goes_on = true; goes_on;) {
    try {
      on.engine->wait();
      goes_on = false;
    } catch (const bad_luck&) {
      goes_on = true;
    }
  }
  const auto first = std::ranges::find_if(wrong, [](const std::string& each) { return !each.empty(); });
  return first == wrong.end() ? "" : *first;
}

void try_many(int count, int n_threads, int n_steps) {
  if (const std::string why = engine_tests::why_no_device(); !why.empty()) return support::skip(why);
  const std::uint64_t seed = Catch::rngSeed();
  for (int i = 0; i < count; ++i) {
    const std::string wrong = run(seed * 1000003 + static_cast<std::uint64_t>(i), n_threads, n_steps);
    INFO("--rng-seed " << seed << ", program " << i << ": " << wrong);
    REQUIRE(wrong.empty());
  }
}

}  // namespace

TEST_CASE("random programs on devices and seats are right", "[random]") { try_many(100, 1, 200); }
TEST_CASE("random programs of several host threads are right", "[random]") { try_many(20, 3, 200); }
