#pragma once
/// A part of a random program: things of one kind beside their serial model, and what can be done with them.

#include "setting.hpp"

#include <string>
#include <string_view>

namespace attack {

/// A value is not that of the model, or an error is not the documented one.
struct difference {
  std::string what;
};

/// Notes down what is about to be done, for who looks for the cause.
class journal {
 public:
  virtual void add(std::string line) = 0;

 protected:
  ~journal() = default;
};

struct room {
  room() = default;
  virtual ~room() = default;
  room(const room&) = delete;
  room& operator=(const room&) = delete;

  /// One random operation, on things and on models. `may_throw`: bodies may. An operation that is refused, or
  /// finds no memory, leaves both as they were. Errors: difference; those of Yoke.
  virtual void step(bool may_throw) = 0;
  /// All values. Errors: difference.
  virtual void compare() = 0;
};

/// What an operation must throw: of `doing` an Error that says `says`. Others pass.
template <class Error, class Doing>
void must_throw(const char* what, std::string_view says, const Doing& doing) {
  try {
    doing();
  } catch (const Error& met) {
    if (std::string_view{met.what()}.find(says) != std::string_view::npos) return;
    throw difference{std::string{what} + " is refused with another message: " + met.what()};
  }
  throw difference{std::string{what} + " is not refused"};
}

}  // namespace attack
