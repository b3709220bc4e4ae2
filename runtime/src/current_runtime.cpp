#include "current_runtime.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include <yoke/forks.hpp>
#include <yoke/runtime.hpp>

namespace yoke::detail {

namespace {

struct registry {
  std::mutex mutex;
  std::vector<current_parts> made_current;  ///< the last is on top
  current_parts running;                    ///< of the run in progress

  current_parts top() const {
    if (running.owner != nullptr) return running;
    return made_current.empty() ? current_parts{} : made_current.back();
  }

  void publish() const {
    const current_parts parts = top();
    current_units().exchange(parts.units);
    current_regions().exchange(parts.regions);
    current_trace().exchange(parts.trace);
    current_checks().exchange(parts.checks);
  }

  void remove(const runtime* owner) {
    std::erase_if(made_current, [&](const current_parts& parts) { return parts.owner == owner; });
  }
};

registry& the_registry() noexcept {
  static registry one;
  return one;
}

}  // namespace

current_slot<const bool>& current_checks() noexcept {
  static current_slot<const bool> slot;
  return slot;
}

void make_current(const current_parts& parts) {
  refuse_in_forked_child();
  registry& all = the_registry();
  const std::lock_guard lock{all.mutex};
  all.remove(parts.owner);
  all.made_current.push_back(parts);
  all.publish();
}

void remove_current(const runtime* owner) noexcept {
  registry& all = the_registry();
  const std::lock_guard lock{all.mutex};
  all.remove(owner);
  all.publish();
}

runtime* find_current() {
  refuse_in_forked_child();
  registry& all = the_registry();
  const std::lock_guard lock{all.mutex};
  return all.top().owner;
}

current_during_run::current_during_run(const current_parts& parts) {
  registry& all = the_registry();
  const std::lock_guard lock{all.mutex};
  all.running = parts;
  all.publish();
}

current_during_run::~current_during_run() {
  registry& all = the_registry();
  const std::lock_guard lock{all.mutex};
  all.running = {};
  all.publish();
}

// Referenced by the linker option of the runtime library (-u), so that a program which only asks yoke::cu and
// yoke::placement still gets a runtime from its environment when linked with static archives.
extern "C" {
int yoke_default_runtime_is_registered = [] {
  make_default_runtime.store([] {
    static runtime from_environment;
    from_environment.make_current();
  });
  return 1;
}();
}

}  // namespace yoke::detail
