#include "face_moves.hpp"

namespace yoke::detail {

namespace {

face_box face_at(const field_form& form, const zone_box& zone, int dimension, std::int64_t begin) {
  face_box face{&form, zone, {0, 0, 0}, {zone.n[0], zone.n[1], zone.n[2]}};
  face.begin[dimension] = begin;
  face.n[dimension] = form.halo[static_cast<std::size_t>(dimension)];
  for (int d = 0; form.has_corners && d < dimension; ++d) {  // with halos that an earlier round has filled
    face.begin[d] = -form.halo[static_cast<std::size_t>(d)];
    face.n[d] += 2 * form.halo[static_cast<std::size_t>(d)];
  }
  return face;
}

struct strides {
  std::int64_t of[2];
  std::int64_t first;  ///< bytes from the beginning of the memory
};

std::int64_t words_of_element(const field_form& form) {
  return static_cast<std::int64_t>(form.element.bytes) / word_bytes(form);
}

strides in_field(const face_box& face, std::int64_t component) {
  const auto all = face.form->extents(face.zone);
  const std::int64_t words = words_of_element(*face.form);
  strides found{{all[1] * all[2] * words, all[2] * words}, 0};
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
  return {{face.n[1] * face.n[2] * words, face.n[2] * words}, component * bytes_of_component(face)};
}

face_move move(const face_box& shape, const void* from, const strides& there, void* to, const strides& here) {
  face_move made;
  made.from = device_ptr<const std::byte>{static_cast<const std::byte*>(from) + there.first};
  made.to = device_ptr<std::byte>{static_cast<std::byte*>(to) + here.first};
  // A field has less than 2^31 words in a zone (zones_core::add_field).
  made.n[0] = static_cast<std::int32_t>(shape.n[0]);
  made.n[1] = static_cast<std::int32_t>(shape.n[1]);
  made.n[2] = static_cast<std::int32_t>(shape.n[2] * words_of_element(*shape.form));
  for (int d = 0; d < 2; ++d) {
    made.from_strides[d] = static_cast<std::int32_t>(there.of[d]);
    made.to_strides[d] = static_cast<std::int32_t>(here.of[d]);
  }
  return made;
}

}  // namespace

face_box inner_face(const field_form& form, const zone_box& zone, int dimension, bool is_high) {
  const auto d = static_cast<std::size_t>(dimension);
  return face_at(form, zone, dimension, is_high ? zone.n[d] - form.halo[d] : 0);
}

face_box outer_face(const field_form& form, const zone_box& zone, int dimension, bool is_high) {
  const auto d = static_cast<std::size_t>(dimension);
  return face_at(form, zone, dimension, is_high ? zone.n[d] : -form.halo[d]);
}

std::size_t bytes_of(const face_box& face) {
  return static_cast<std::size_t>(face.form->element.components * bytes_of_component(face));
}

int word_bytes(const field_form& form) {
  if (form.element.bytes % 8 == 0 && form.element.alignment % 8 == 0) return 8;
  if (form.element.bytes % 4 == 0 && form.element.alignment % 4 == 0) return 4;
  return 1;
}

void add_move_between(std::vector<face_move>& all, const face_box& from, const void* from_memory,
                      const face_box& to, void* to_memory) {
  for (std::int64_t c = 0; c < from.form->element.components; ++c)
    all.push_back(move(from, from_memory, in_field(from, c), to_memory, in_field(to, c)));
}
void add_move_out(std::vector<face_move>& all, const face_box& from, const void* memory, void* message) {
  for (std::int64_t c = 0; c < from.form->element.components; ++c)
    all.push_back(move(from, memory, in_field(from, c), message, packed(from, c)));
}
void add_move_in(std::vector<face_move>& all, const void* message, const face_box& to, void* memory) {
  for (std::int64_t c = 0; c < to.form->element.components; ++c)
    all.push_back(move(to, message, packed(to, c), memory, in_field(to, c)));
}

}  // namespace yoke::detail
