#include "stream_chunks.hpp"

#include <algorithm>

namespace yoke::detail {

namespace {

/// A GPU's chunk: copies of a few MiB run at the link's rate.
constexpr std::int64_t gpu_chunk_bytes = std::int64_t{32} << 20;
/// A CPU CU is slower, and the last ones end together.
constexpr std::int64_t cpu_share_of_chunk = 4;
/// At least as many for each unit, as long as they have rows.
constexpr std::int64_t chunks_of_unit = 8;
constexpr std::size_t alignment = 256;

std::size_t bytes_of_row(const array_shape& shape) {
  std::size_t bytes = shape.element;
  for (std::size_t d = 1; d < 4; ++d) bytes *= static_cast<std::size_t>(shape.extents[d]);
  return bytes;
}

/// Of a chunk; together they take half of what is free at most, as far as that is a row.
std::int64_t most_bytes(const array_context& context, taking_part who) {
  std::int64_t most = gpu_chunk_bytes;
  if (!who.gpus) return most;
  for (const gpu_unit& gpu : context.gpus) {
    const auto sharing = std::ranges::count(context.gpus, gpu.space, &gpu_unit::space);
    most = std::min(most, static_cast<std::int64_t>(gpu.dev->memory_free() / (2 * n_slots)) / sharing);
  }
  return most;
}

}  // namespace

stream_chunks::stream_chunks(array_context& context, const any_box& over, std::span<const stream_use> uses,
                             taking_part who)
    : over_{over}, uses_{uses}, checks_{context.checks}, next_{over[0].begin} {
  std::int64_t row = 0;
  for (const stream_use& use : uses_) {
    row_bytes_.push_back(bytes_of_row(use.shape));
    row += static_cast<std::int64_t>(row_bytes_.back());
  }
  const std::int64_t n_units =
      (who.cpus ? context.n_cpu_units : 0) + (who.gpus ? std::ssize(context.gpus) : 0);
  const std::int64_t even = over[0].size() / (chunks_of_unit * std::max<std::int64_t>(n_units, 1));
  gpu_rows_ =
      std::max<std::int64_t>(1, std::min(most_bytes(context, who) / std::max<std::int64_t>(row, 1), even));
  cpu_rows_ = std::max<std::int64_t>(1, gpu_rows_ / cpu_share_of_chunk);
  place_uses();
}

void stream_chunks::place_uses() {
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    offsets_.push_back(bytes_);
    const std::int64_t extent = uses_[i].shape.extents[0];
    const std::int64_t beside = std::min(uses_[i].low, extent) + std::min(uses_[i].high, extent);
    const auto rows = static_cast<std::size_t>(std::min(gpu_rows_ + beside, extent));
    bytes_ += (rows * row_bytes_[i] + alignment - 1) / alignment * alignment;
  }
}

bound stream_chunks::rows_of(std::size_t use, const bound& chunk) const {
  const stream_use& of = uses_[use];
  const std::int64_t extent = of.shape.extents[0];
  return {chunk.begin - std::min(of.low, chunk.begin), chunk.end + std::min(of.high, extent - chunk.end)};
}

bool stream_chunks::is_brought(std::size_t use) const {
  const stream_use& of = uses_[use];
  if (of.how != role::out || of.shape.dimensions != over_.dimensions) return true;
  for (int d = 1; d < over_.dimensions; ++d)
    if (over_[d] != bound{of.shape.extents[static_cast<std::size_t>(d)]}) return true;
  return false;
}

bound stream_chunks::take(std::int64_t rows) {
  const std::int64_t end = over_[0].end;
  const std::int64_t begin = std::min(next_.fetch_add(rows), end);
  return {begin, std::min(begin + rows, end)};
}

}  // namespace yoke::detail
