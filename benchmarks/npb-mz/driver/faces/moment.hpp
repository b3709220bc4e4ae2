#pragma once
/// When something is, or was, true of a face.

namespace npb {

/// The beginning of a step, among those since the faces of all zones were last shown anew: what was noted
/// down before that never equals what is now.
struct moment {
  long generation = -1;  ///< of the faces (face_store)
  int step = -1;
  bool operator==(const moment&) const = default;

  moment next() const { return {generation, step + 1}; }
  /// Which of the two slots of a face is used.
  int parity() const { return step & 1; }
};

}  // namespace npb
