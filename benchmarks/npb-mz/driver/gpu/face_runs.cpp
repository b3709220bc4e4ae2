#include "face_runs.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace npb {

namespace {

std::vector<std::size_t> by_address(std::span<const face_slot> faces) {
  std::vector<std::size_t> order(faces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (faces[a].space != faces[b].space) return faces[a].space < faces[b].space;
    return std::less<>{}(faces[a].address, faces[b].address);
  });
  return order;
}

bool continues(const std::vector<face_run>& runs, const face_slot& next) {
  if (runs.empty() || runs.back().space != next.space) return false;
  return runs.back().slots + runs.back().bytes == reinterpret_cast<std::byte*>(next.address);
}

}  // namespace

std::size_t bytes_of(std::span<const face_slot> faces) {
  std::size_t bytes = 0;
  for (const face_slot& f : faces) bytes += f.size * sizeof(double);
  return bytes;
}

packed_faces pack_side_by_side(std::span<const face_slot> faces, std::byte* buffer) {
  packed_faces packed{.runs = {}, .places = std::vector<double*>(faces.size())};
  for (const std::size_t i : by_address(faces)) {
    const std::size_t bytes = faces[i].size * sizeof(double);
    if (continues(packed.runs, faces[i]))
      packed.runs.back().bytes += bytes;
    else
      packed.runs.push_back({reinterpret_cast<std::byte*>(faces[i].address), buffer, bytes, faces[i].space});
    packed.places[i] = reinterpret_cast<double*>(buffer);
    buffer += bytes;
  }
  return packed;
}

}  // namespace npb
