#pragma once
/// How many tasks a request takes where no map exists yet: the options chunk and gpu_chunk.

#include "../maps/assignment.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yoke/schedule.hpp>
#include <yoke/schedule_factory.hpp>

namespace yoke::scheduling {

inline constexpr std::string_view chunk_options = "chunk=k, gpu_chunk=k|chunk";

/// chunk tasks for a CPU CU; for a GPU CU gpu_chunk, by default half of its even share of what remains.
class batch_size {
 public:
  batch_size(const schedule_options& options, std::span<const unit> units)
      : chunk_{options.count("chunk", 1)}, twice_units_{2 * static_cast<int>(units.size())} {
    if (options.is("gpu_chunk", "chunk"))
      gpu_chunk_ = chunk_;
    else if (options.has("gpu_chunk"))
      gpu_chunk_ = options.count("gpu_chunk", 1);
    for (const unit& u : units) fixed_.push_back(u.kind == unit_kind::cpu ? chunk_ : gpu_chunk_);
  }

  int chunk() const { return chunk_; }
  int gpu_chunk() const { return gpu_chunk_; }
  /// "chunk=1, gpu_chunk=remaining/8".
  std::string describe() const;
  /// Size of the next batch of `unit` when `remaining` tasks are left.
  int operator()(unit_id unit, int remaining) const {
    const int fixed = fixed_[index(unit)];
    return fixed != half_share ? fixed : std::max(chunk_, remaining / twice_units_);
  }

 private:
  static constexpr int half_share = 0;
  int chunk_;
  int twice_units_;
  int gpu_chunk_ = half_share;
  std::vector<int> fixed_;
};

}  // namespace yoke::scheduling
