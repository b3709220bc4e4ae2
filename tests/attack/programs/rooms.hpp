#pragma once
/// The kinds of rooms.

#include "room.hpp"

#include <memory>

namespace attack {

/// All must outlive the room. Errors: those of Yoke.
std::unique_ptr<room> make_array_room(yoke::runtime& rt, dice& d, journal& tells);
std::unique_ptr<room> make_scan_room(yoke::runtime& rt, dice& d, journal& tells);
std::unique_ptr<room> make_placed_room(yoke::runtime& rt, dice& d, journal& tells);
std::unique_ptr<room> make_loop_room(yoke::runtime& rt, dice& d, journal& tells);

}  // namespace attack
