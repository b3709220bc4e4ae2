#pragma once
/// Steps with checkpoints between them.

#include "driver/zoned/zoned_march.hpp"
#include "options.hpp"

#include <memory>
#include <string>

namespace npb {

/// On all ranks the same. A checkpoint that fails is a line on stderr, and the run goes on.
class checkpoints {
 public:
  /// `what`: of the run; a file of another is not taken. `tells`: on one of the ranks. Errors: config_error
  /// where it is to go on from a file that is not there; those of yoke::zone_checkpoint.
  checkpoints(zoned_march& zones, const std::string& what, const options& asked, bool tells);

  /// The step to begin with, whose state the zones have then. Errors: config_error for a file of other steps;
  /// those of zone_checkpoint::load.
  int first_step(int steps);
  /// Those from `step` on; waits for them.
  void run(int step, int steps);
  /// When the last one is complete.
  void end();

 private:
  template <class Work>
  void or_tell(const Work& work) const;

  zoned_march& zones_;
  int every_;
  bool restarts_, tells_;
  std::unique_ptr<yoke::zone_checkpoint> file_;
};

}  // namespace npb
