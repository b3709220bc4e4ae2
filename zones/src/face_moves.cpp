#include "face_moves.hpp"

#include <algorithm>

namespace yoke::detail {

namespace {

face_box face_at(const field_form& form, const zone_box& zone, side at, std::int64_t begin,
                 std::int64_t layers) {
  const auto dimension = static_cast<std::size_t>(at.dimension);
  face_box face{&form, zone, {0, 0, 0}, {zone.n[0], zone.n[1], zone.n[2]}};
  face.begin[dimension] = begin;
  face.n[dimension] = layers;
  for (std::size_t d = 0; form.has_corners && d < dimension;
       ++d) {  // with halos that an earlier round has filled
    face.begin[d] = -form.halo[d];
    face.n[d] += 2 * form.halo[d];
  }
  return face;
}

/// Of points in memory, in words.
struct strides {
  std::int64_t of[3];
  std::int64_t first;  ///< bytes from the beginning of the memory
};

std::int64_t words_of_element(const field_form& form) {
  return static_cast<std::int64_t>(form.element.bytes) / word_bytes(form);
}

strides in_field(const face_box& face, std::int64_t component) {
  const auto all = face.form->extents(face.zone);
  const std::int64_t words = words_of_element(*face.form);
  strides found{{all[1] * all[2] * words, all[2] * words, words}, 0};
  std::int64_t at[3];
  for (int d = 0; d < 3; ++d) at[d] = face.begin[d] + face.form->halo[static_cast<std::size_t>(d)];
  const std::int64_t element =
      component * face.form->elements_of_component(face.zone) + (at[0] * all[1] + at[1]) * all[2] + at[2];
  found.first = element * static_cast<std::int64_t>(face.form->element.bytes);
  return found;
}

std::int64_t bytes_of_component(const face_box& face) {
  return face.n[0] * face.n[1] * face.n[2] * static_cast<std::int64_t>(face.form->element.bytes);
}

strides packed(const face_box& face, std::int64_t component) {
  const std::int64_t words = words_of_element(*face.form);
  return {{face.n[1] * face.n[2] * words, face.n[2] * words, words}, component * bytes_of_component(face)};
}

/// A field has less than 2^31 words in a zone (zones_core::add_field).
std::int32_t short_of(std::int64_t words) { return static_cast<std::int32_t>(words); }

face_move move(const face_box& shape, const void* from, const strides& there, void* to, const strides& here) {
  face_move made;
  made.from = device_ptr<const std::byte>{static_cast<const std::byte*>(from) + there.first};
  made.to = device_ptr<std::byte>{static_cast<std::byte*>(to) + here.first};
  made.n[0] = short_of(shape.n[0]);
  made.n[1] = short_of(shape.n[1]);
  made.n[2] = short_of(shape.n[2] * words_of_element(*shape.form));
  for (int d = 0; d < 2; ++d) {
    made.from_strides[d] = short_of(there.of[d]);
    made.to_strides[d] = short_of(here.of[d]);
  }
  return made;
}

/// Strides of the giver along each dimension of the taker, from the point that is the taker's first.
strides turned(const face_box& from, const strides& own, const zone_turn& turn) {
  strides made{{0, 0, 0}, own.first};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto other = static_cast<std::size_t>(turn.of[d]);
    made.of[d] = turn.is_backwards[d] ? -own.of[other] : own.of[other];
    if (turn.is_backwards[d]) made.first += (from.n[other] - 1) * own.of[other] * word_bytes(*from.form);
  }
  return made;
}

/// Where rows of the taker are no rows of the giver: point by point, in layers along the thinnest dimension.
void add_turned(std::vector<face_move>& all, const face_box& shape, const void* from, const strides& there,
                void* to, const strides& here) {
  const auto layer = static_cast<std::size_t>(std::min_element(shape.n, shape.n + 3) - shape.n);
  const std::size_t rows = layer == 0 ? 1 : 0, points = layer == 2 ? 1 : 2;
  const std::int64_t bytes = word_bytes(*shape.form);
  for (std::int64_t i = 0; i < shape.n[layer]; ++i) {
    face_move made;
    made.from = device_ptr<const std::byte>{static_cast<const std::byte*>(from) + there.first +
                                            i * there.of[layer] * bytes};
    made.to = device_ptr<std::byte>{static_cast<std::byte*>(to) + here.first + i * here.of[layer] * bytes};
    made.n[0] = short_of(shape.n[rows]);
    made.n[1] = short_of(shape.n[points]);
    made.n[2] = short_of(words_of_element(*shape.form));
    made.from_strides[0] = short_of(there.of[rows]);
    made.from_strides[1] = short_of(there.of[points]);
    made.to_strides[0] = short_of(here.of[rows]);
    made.to_strides[1] = short_of(here.of[points]);
    all.push_back(made);
  }
}

/// `here(to, c)`: strides of component c.
template <class Strides>
void add_all(std::vector<face_move>& all, const face_box& from, const void* from_memory,
             const zone_turn& turn, const face_box& to, void* to_memory, const Strides& here) {
  for (std::int64_t c = 0; c < to.form->element.components; ++c) {
    const strides there = in_field(from, c);
    if (turn.is_none())
      all.push_back(move(to, from_memory, there, to_memory, here(to, c)));
    else
      add_turned(all, to, from_memory, turned(from, there, turn), to_memory, here(to, c));
  }
}

}  // namespace

face_box inner_face(const field_form& form, const zone_box& zone, side at, std::int64_t layers) {
  const auto d = static_cast<std::size_t>(at.dimension);
  return face_at(form, zone, at, at.is_high ? zone.n[d] - layers : 0, layers);
}

face_box outer_face(const field_form& form, const zone_box& zone, side at) {
  const auto d = static_cast<std::size_t>(at.dimension);
  return face_at(form, zone, at, at.is_high ? zone.n[d] : -form.halo[d], form.halo[d]);
}

std::size_t bytes_of(const face_box& face) {
  return static_cast<std::size_t>(face.form->element.components * bytes_of_component(face));
}

int word_bytes(const field_form& form) {
  if (form.element.bytes % 8 == 0 && form.element.alignment % 8 == 0) return 8;
  if (form.element.bytes % 4 == 0 && form.element.alignment % 4 == 0) return 4;
  return 1;
}

void add_moves_between(std::vector<face_move>& all, const face_box& from, const void* from_memory,
                       const zone_turn& turn, const face_box& to, void* to_memory) {
  add_all(all, from, from_memory, turn, to, to_memory, in_field);
}
void add_moves_out(std::vector<face_move>& all, const face_box& from, const void* memory,
                   const zone_turn& turn, const face_box& to, void* message) {
  add_all(all, from, memory, turn, to, message, packed);
}
void add_moves_in(std::vector<face_move>& all, const void* message, const face_box& to, void* memory) {
  for (std::int64_t c = 0; c < to.form->element.components; ++c)
    all.push_back(move(to, message, packed(to, c), memory, in_field(to, c)));
}

}  // namespace yoke::detail
