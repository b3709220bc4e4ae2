// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Fields of zones in a file, to go on from.
///
///   yoke::zone_checkpoint file{blocks, "run.checkpoint", "my solver, mesh 7"};
///   file.add(u);
///   std::int64_t step = file.exists() ? file.load() : 0;
///   for (; step < steps; step += 100) {
///     if (step > 0) file.save(step);   // is written while the next steps run
///     march.replay(100);
///   }

#include <cstdint>
#include <memory>
#include <string>

#include <yoke/zoned.hpp>

namespace yoke {

namespace detail {
class checkpoint_writer;
}

/// One file for the zones of all ranks, in the order of zones: another number of ranks, other units and other
/// schedules go on from it with the same bits. It is written beside the file that was there, as PATH.part,
/// and takes its place when it is complete: a run that is killed leaves the last complete one. Zones, halos
/// included, have checksums.
///
/// On all ranks the same calls in the same order, from the thread that uses the zones. The file is on a file
/// system that all of them share. What fails on one rank is thrown on all.
class zone_checkpoint {
 public:
  /// `what` tells runs apart: a file that says something else is not loaded. Errors: error where no file can
  /// be written at `path`.
  zone_checkpoint(zones& of, std::string path, std::string what = "");
  /// Waits for what is being written.
  ~zone_checkpoint();
  zone_checkpoint(const zone_checkpoint&) = delete;
  zone_checkpoint& operator=(const zone_checkpoint&) = delete;

  /// Before the first save or load. The field outlives it. Errors: usage_error for a field of other zones.
  template <class T, int D>
  void add(zoned<T, D>& field) {
    add(field.use(true, false, true));
  }

  /// Takes a copy of the fields as they are after all that was told, and returns; the copy is written
  /// meanwhile. Waits for the one before. Errors: those of what wrote the fields; out_of_memory; those of
  /// wait.
  void save(std::int64_t step);
  /// When the last one is complete. Errors: error where it could not be written; the one before stays.
  void wait();

  /// Whether there is a complete one, for rank 0.
  bool exists() const;
  /// Puts the fields back, and returns the step. Errors: error where the file cannot be read, is of another
  /// run, byte order or version, or of other zones or fields, is short, or differs from its checksums; no
  /// field is changed then, but for the last.
  std::int64_t load();

 private:
  void add(const detail::zone_use& use);

  std::unique_ptr<detail::checkpoint_writer> file_;
};

}  // namespace yoke
