#include "array_calls.hpp"
#include "array_moves.hpp"
#include "rooms.hpp"

namespace attack {

std::unique_ptr<room> make_array_room(yoke::runtime& rt, dice& d, journal& tells) {
  switch (d.upto(2)) {
    case 0:
      tells.add("room: arrays of one dimension");
      return std::make_unique<array_room<1>>(rt, d, tells);
    case 1:
      tells.add("room: arrays of two dimensions");
      return std::make_unique<array_room<2>>(rt, d, tells);
    default:
      tells.add("room: arrays of three dimensions");
      return std::make_unique<array_room<3>>(rt, d, tells);
  }
}

}  // namespace attack
