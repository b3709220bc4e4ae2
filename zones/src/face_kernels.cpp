// Kernels that copy faces.
#include "face_moves.hpp"

#include <cstdint>

#include <yoke/launch.hpp>

namespace yoke::detail {

namespace {

/// Indices of a word in two memories.
struct word_place {
  std::int32_t from, to;
};
YOKE_INLINE YOKE_HD word_place place_of(const face_move& of, std::int64_t number) {
  const auto at = static_cast<std::uint32_t>(number), row = static_cast<std::uint32_t>(of.n[2]);
  const auto word = static_cast<std::int32_t>(at % row);
  const std::uint32_t rest = at / row;
  const auto j = static_cast<std::int32_t>(rest % static_cast<std::uint32_t>(of.n[1]));
  const auto k = static_cast<std::int32_t>(rest / static_cast<std::uint32_t>(of.n[1]));
  return {k * of.from_strides[0] + j * of.from_strides[1] + word,
          k * of.to_strides[0] + j * of.to_strides[1] + word};
}

template <class Word>
struct move_points {
  static constexpr int block = chunk_threads;
  YOKE_HD void operator()(yoke::item at, device_ptr<const face_move> moves,
                          device_ptr<const zone_chunk> chunks) const {
    const zone_chunk chunk = chunks[at.x / chunk_threads];
    const face_move of = moves[chunk.entry];
    const std::int64_t n = std::int64_t{of.n[0]} * of.n[1] * of.n[2];
    const device_ptr<const Word> from{reinterpret_cast<const Word*>(of.from.address())};
    const device_ptr<Word> to{reinterpret_cast<Word*>(of.to.address())};
    constexpr int words = 4;  // on their way at once
    for (std::int64_t next = chunk.first + at.x % chunk_threads, left = chunk.rows; left > 0;
         left -= words, next += words * chunk_threads) {
      Word held[words];
      std::int32_t there[words];
      YOKE_UNROLL(4)
      for (int i = 0; i < words; ++i) {
        there[i] = -1;
        if (i >= left || next + i * chunk_threads >= n) continue;
        const word_place place = place_of(of, next + i * chunk_threads);
        held[i] = from[place.from];
        there[i] = place.to;
      }
      YOKE_UNROLL(4)
      for (int i = 0; i < words; ++i)
        if (there[i] >= 0) to[there[i]] = held[i];
    }
  }
};

template <class Word>
struct move_rows {
  YOKE_HD void operator()(yoke::item at, device_ptr<const face_move> moves,
                          device_ptr<const zone_chunk> chunks) const {
    const zone_chunk chunk = chunks[at.x];
    const face_move of = moves[chunk.entry];
    const device_ptr<const Word> from{reinterpret_cast<const Word*>(of.from.address())};
    const device_ptr<Word> to{reinterpret_cast<Word*>(of.to.address())};
    std::int64_t k = chunk.first / of.n[1], j = chunk.first % of.n[1];
    for (std::int64_t left = chunk.rows; left > 0; ++k, j = 0) {
      const std::int64_t rows = left < of.n[1] - j ? left : of.n[1] - j;
      const Word* const source = (from + k * of.from_strides[0] + j * of.from_strides[1]).get();
      Word* const target = (to + k * of.to_strides[0] + j * of.to_strides[1]).get();
      copy_rows(source, of.from_strides[1], target, of.to_strides[1], rows, of.n[2]);
      left -= rows;
    }
  }

 private:
  YOKE_HD static void copy_rows(const Word* from, std::int64_t from_stride, Word* to, std::int64_t to_stride,
                                std::int64_t rows, std::int64_t words) {
    if (words == 1) {
      for (std::int64_t row = 0; row < rows; ++row) to[row * to_stride] = from[row * from_stride];
      return;
    }
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t word = 0; word < words; ++word)
        to[row * to_stride + word] = from[row * from_stride + word];
  }
};

template <class Word>
void launch_of(const zone_launch& where, const char* name) {
  const device_ptr<const face_move> moves{static_cast<const face_move*>(where.entries)};
  const device_ptr<const zone_chunk> chunks{where.chunks};
  if (where.dev == nullptr)
    launch_here<move_rows<Word>>({.x = where.n_chunks}, name, moves, chunks);
  else
    launch<move_points<Word>>(*where.dev, where.stream, {.x = where.n_chunks * chunk_threads}, name, moves,
                              chunks);
}

}  // namespace

void launch_face_moves(const zone_launch& where, int word_bytes, const char* name) {
  if (word_bytes == 8) return launch_of<std::uint64_t>(where, name);
  if (word_bytes == 4) return launch_of<std::uint32_t>(where, name);
  launch_of<std::uint8_t>(where, name);
}

}  // namespace yoke::detail
