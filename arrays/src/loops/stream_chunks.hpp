#pragma once
/// How a streaming loop is cut into chunks, and what of its memory belongs to each.

#include "../context.hpp"

#include <atomic>
#include <span>
#include <vector>

#include <yoke/streamed.hpp>

namespace yoke::detail {

/// Chunks under way on a GPU: one is computed, one comes and one goes.
inline constexpr std::size_t n_slots = 3;

class stream_chunks {
 public:
  stream_chunks(array_context& context, const any_box& over, std::span<const stream_use> uses,
                taking_part who);

  const any_box& over() const { return over_; }
  std::span<const stream_use> uses() const { return uses_; }
  bool checks() const { return checks_; }
  /// Bytes that a chunk needs on a GPU.
  std::size_t bytes() const { return bytes_; }
  /// Where the rows of a use begin in these.
  std::size_t offset(std::size_t use) const { return offsets_[use]; }
  /// Rows of a use that a chunk reads or writes.
  bound rows_of(std::size_t use, const bound& chunk) const;
  std::size_t row_bytes(std::size_t use) const { return row_bytes_[use]; }
  /// Whether elements of a use are read, or kept.
  bool is_brought(std::size_t use) const;

  /// The next chunk, empty when there are no more.
  bound take_for_gpu() { return take(gpu_rows_); }
  bound take_for_cpu() { return take(cpu_rows_); }
  /// There are no more for anybody.
  void stop() { next_ = over_[0].end; }

 private:
  bound take(std::int64_t rows);
  void place_uses();

  any_box over_;
  std::span<const stream_use> uses_;
  bool checks_;
  std::vector<std::size_t> row_bytes_, offsets_;
  std::size_t bytes_ = 0;
  std::int64_t gpu_rows_ = 1, cpu_rows_ = 1;
  std::atomic<std::int64_t> next_;
};

}  // namespace yoke::detail
