#include "piece_places.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace yoke::scheduling {

std::uint32_t piece_places::number_of(std::uint64_t piece, std::size_t bytes) {
  const auto [at, is_new] = numbers_.try_emplace(piece, none);
  if (is_new) {
    at->second = pieces_.take();
    pieces_[at->second] = {};
  }
  pieces_[at->second].bytes = bytes;
  return at->second;
}

seconds piece_places::copy_time(std::uint32_t piece, std::size_t space) const {
  const state& of = pieces_[piece];
  if ((of.held_in & bit(space)) != 0) return 0;
  seconds least = std::numeric_limits<seconds>::infinity();
  for (std::uint64_t left = of.held_in; left != 0; left &= left - 1) {
    const auto from = static_cast<std::size_t>(std::countr_zero(left));
    least = std::min(least, machine_.way(from, space).time_of(of.bytes));
  }
  return least;
}

void piece_places::write(std::uint32_t piece, std::size_t space, seconds end, std::uint64_t writer) {
  state& of = pieces_[piece];
  of.held_in = bit(space);
  of.written_at = end;
  of.writer = writer;
}

void piece_places::written(std::uint32_t piece, seconds at, std::uint64_t writer) {
  if (state& of = pieces_[piece]; of.writer == writer) of.written_at = at;
}

void piece_places::is_in(std::uint64_t piece, std::size_t space) {
  const auto at = numbers_.find(piece);
  const std::uint32_t number = at != numbers_.end() ? at->second : number_of(piece, 0);
  pieces_[number].held_in = bit(space);
}

void piece_places::forget(std::uint64_t piece) {
  const auto at = numbers_.find(piece);
  if (at == numbers_.end()) return;
  pieces_.give(at->second);
  numbers_.erase(at);
}

}  // namespace yoke::scheduling
