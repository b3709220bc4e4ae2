// Tasks of a group, each told by the main thread, and replays of them.
#include "contender.hpp"

#include <memory>
#include <optional>

#include <yoke/tasks.hpp>

namespace bench {

namespace {

/// What one thread tells, again and again.
class group_session {
 public:
  group_session(yoke::runtime& rt, const grain& of) : of_{of}, group_{rt} {}

  void tell() {
    for (int n = 0; n < of_.tasks; ++n)
      group_.run("compute", [iterations = of_.iterations](yoke::task_context&) { compute(iterations); });
  }
  void run() {
    tell();
    group_.wait();
  }
  /// By a plan from the second time on.
  void replay() {
    if (!recorded_) recorded_.emplace(group_.record([this] { tell(); }));
    recorded_->replay();
    group_.wait();
  }

 private:
  grain of_;
  yoke::task_group group_;
  std::optional<yoke::task_recording> recorded_{};
};

contender by_group(yoke::runtime& rt, const char* name, void (group_session::*run)()) {
  return {name, [&rt, run](const grain& of) -> pass {
            auto session = std::make_shared<group_session>(rt, of);
            return [session, run] { ((*session).*run)(); };
          }};
}

}  // namespace

std::vector<contender> of_groups(yoke::runtime& rt) {
  return {by_group(rt, "yoke tasks", &group_session::run),
          by_group(rt, "yoke tasks, replayed", &group_session::replay)};
}

}  // namespace bench
