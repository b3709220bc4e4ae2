// Kernels that copy faces.
#include "face_moves.hpp"

#include <cstdint>

#include <yoke/launch.hpp>

namespace yoke::detail {

namespace {

template <class Word>
YOKE_INLINE YOKE_HD void move_word(const face_move& of, std::int64_t number) {
  const auto at = static_cast<std::uint32_t>(number), row = static_cast<std::uint32_t>(of.n[2]);
  const std::uint32_t word = at % row, rest = at / row;
  const std::uint32_t j = rest % static_cast<std::uint32_t>(of.n[1]);
  const std::uint32_t k = rest / static_cast<std::uint32_t>(of.n[1]);
  const device_ptr<const Word> from{reinterpret_cast<const Word*>(of.from.address())};
  const device_ptr<Word> to{reinterpret_cast<Word*>(of.to.address())};
  to[k * of.to_strides[0] + j * of.to_strides[1] + word] =
      from[k * of.from_strides[0] + j * of.from_strides[1] + word];
}

template <class Word>
struct move_points {
  static constexpr int block = static_cast<int>(chunk_points);
  YOKE_HD void operator()(yoke::item at, device_ptr<const face_move> moves,
                          device_ptr<const zone_chunk> chunks) const {
    const zone_chunk& chunk = chunks[at.x / chunk_points];
    const face_move& of = moves[chunk.entry];
    const std::int64_t number = chunk.first + at.x % chunk_points;
    if (number < of.n[0] * of.n[1] * of.n[2]) move_word<Word>(of, number);
  }
};

template <class Word>
struct move_rows {
  YOKE_HD void operator()(yoke::item at, device_ptr<const face_move> moves,
                          device_ptr<const zone_chunk> chunks) const {
    const zone_chunk chunk = chunks[at.x];
    const face_move of = moves[chunk.entry];
    for (std::int64_t row = chunk.first; row < chunk.first + chunk.rows; ++row) {
      const std::int64_t k = row / of.n[1], j = row % of.n[1];
      const device_ptr<const Word> from{reinterpret_cast<const Word*>(of.from.address())};
      const device_ptr<Word> to{reinterpret_cast<Word*>(of.to.address())};
      const Word* const source = (from + k * of.from_strides[0] + j * of.from_strides[1]).get();
      Word* const target = (to + k * of.to_strides[0] + j * of.to_strides[1]).get();
      for (std::int64_t word = 0; word < of.n[2]; ++word) target[word] = source[word];
    }
  }
};

template <class Word>
void launch_of(const zone_launch& where, const char* name) {
  const device_ptr<const face_move> moves{static_cast<const face_move*>(where.entries)};
  const device_ptr<const zone_chunk> chunks{where.chunks};
  if (where.dev == nullptr)
    launch_here<move_rows<Word>>({.x = where.n_chunks}, name, moves, chunks);
  else
    launch<move_points<Word>>(*where.dev, where.stream, {.x = where.n_chunks * chunk_points}, name, moves,
                              chunks);
}

}  // namespace

void launch_face_moves(const zone_launch& where, int word_bytes, const char* name) {
  if (word_bytes == 8) return launch_of<std::uint64_t>(where, name);
  if (word_bytes == 4) return launch_of<std::uint32_t>(where, name);
  launch_of<std::uint8_t>(where, name);
}

}  // namespace yoke::detail
