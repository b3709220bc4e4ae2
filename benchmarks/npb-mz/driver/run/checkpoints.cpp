#include "checkpoints.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include <yoke/error.hpp>

namespace npb {

checkpoints::checkpoints(zoned_march& zones, const std::string& what, const options& asked, bool tells)
    : zones_{zones}, every_{asked.every}, restarts_{asked.restart}, tells_{tells} {
  if (asked.checkpoint.empty()) return;
  file_ = zones.checkpoint(asked.checkpoint, what);
  if (restarts_ && !file_->exists())
    throw yoke::config_error{fmt::format("--restart: {}: no such file", asked.checkpoint)};
}

int checkpoints::first_step(int steps) {
  if (!restarts_) return 0;
  const std::int64_t step = file_->load();
  if (step < 0 || step >= steps)
    throw yoke::config_error{
        fmt::format("--restart: the checkpoint is of step {}, and the run has {} in all", step, steps)};
  return static_cast<int>(step);
}

void checkpoints::run(int step, int steps) {
  while (step < steps) {
    const int next = file_ == nullptr ? steps : std::min(steps, (step / every_ + 1) * every_);
    zones_.run(next - step);
    step = next;
    if (step < steps) or_tell([&] { file_->save(step); });
  }
  zones_.wait();
}

void checkpoints::end() {
  if (file_ != nullptr) or_tell([&] { file_->wait(); });
}

template <class Work>
void checkpoints::or_tell(const Work& work) const {
  try {
    work();
  } catch (const yoke::device_error&) {
    throw;
  } catch (const yoke::error& problem) {
    if (tells_) std::fprintf(stderr, "no checkpoint: %s\n", problem.what());
  }
}

}  // namespace npb
