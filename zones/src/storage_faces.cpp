#include "storage_faces.hpp"

#include <fmt/format.h>

#include <yoke/error.hpp>

namespace yoke::detail {

face_message::face_message(zones_core& of, unit_id from, unit_id to, std::size_t bytes)
    : engine_{of.engine()}, bytes_{bytes}, addresses_(of.rt().devices().size() + 1) {
  const std::string name = fmt::format("faces of unit {} for unit {}", int{from}, int{to});
  const compute_unit &giver = of.rt().units().at(from), &taker = of.rt().units().at(to);
  const auto on_device = [&](const compute_unit& unit, device_slab& slab) {
    void*& address = addresses_[static_cast<std::size_t>(unit.space)];
    if (unit.dev == nullptr || address != nullptr) return;
    slab = device_slab{*unit.dev, bytes, name};
    address = slab.data();
  };
  on_device(giver, from_);
  on_device(taker, to_);
  device* const any = giver.dev != nullptr ? giver.dev : taker.dev;
  if (any == nullptr) {
    host_ = host_slab{bytes, name};
    addresses_[0] = host_.data();
  } else if (giver.space != taker.space) {
    pinned_ = {any->allocate_pinned(bytes), {any}};
    if (pinned_ == nullptr)
      throw out_of_memory{fmt::format("{} bytes of pinned host memory are wanted for {}", bytes, name), bytes,
                          0};
    addresses_[0] = pinned_.get();
  }
  what_ = engine_.get().add(name, bytes, addresses_);
}

face_message::~face_message() {
  try {
    engine_.get().remove(what_);
  } catch (...) {  // NOLINT(bugprone-empty-catch)
    // In a forked child, which has none of the threads that use it.
  }
}

std::vector<storage_faces::ends> storage_faces::all_ends() const {
  std::vector<ends> all;
  for (const zone_join& each : core_.joins()) {
    if (of_.form.halo[static_cast<std::size_t>(each.dimension)] == 0) continue;
    all.push_back({each.low_of, each.high_of, each.dimension, false});
    all.push_back({each.high_of, each.low_of, each.dimension, true});
  }
  return all;
}

std::size_t storage_faces::bytes_of_face(const ends& each) const {
  const zone_box& box = core_.boxes()[static_cast<std::size_t>(each.giver)];
  return bytes_of(inner_face(of_.form, box, each.dimension, each.is_high));
}

storage_faces::storage_faces(zones_core& of, int storage)
    : core_{of},
      storage_{storage},
      of_{of.storage(storage)},
      within_(of.layout().zones_of.size()),
      out_(within_.size()),
      in_(within_.size()) {
  std::map<std::pair<unit_id, unit_id>, std::size_t> sizes;
  for (const ends& each : all_ends()) {
    const unit_id from = of.layout().unit_of(each.giver), to = of.layout().unit_of(each.taker);
    if (from != to) sizes[{from, to}] += bytes_of_face(each);
  }
  for (const auto& [pair, bytes] : sizes)
    messages_[pair] = std::make_unique<face_message>(of, pair.first, pair.second, bytes);
  std::map<std::pair<unit_id, unit_id>, std::size_t> filled;
  for (const ends& each : all_ends()) add(each, filled);
}

void storage_faces::add(const ends& each, std::map<std::pair<unit_id, unit_id>, std::size_t>& filled) {
  const zone_layout& layout = core_.layout();
  const unit_id from = layout.unit_of(each.giver), to = layout.unit_of(each.taker);
  const auto box_of = [&](int zone) { return core_.boxes()[static_cast<std::size_t>(zone)]; };
  const face_box given = inner_face(of_.form, box_of(each.giver), each.dimension, each.is_high);
  const face_box taken = outer_face(of_.form, box_of(each.taker), each.dimension, !each.is_high);
  void* const source = of_.memory->at_unit(each.giver);
  void* const target = of_.memory->at_unit(each.taker);
  if (from == to) {
    within_[static_cast<std::size_t>(from)].push_back(move_between(given, source, taken, target));
    return;
  }
  const face_message& by = *messages_.at({from, to});
  std::size_t& at = filled[{from, to}];
  const auto space_of = [&](unit_id unit) { return core_.rt().units().at(unit).space; };
  out_[static_cast<std::size_t>(from)].push_back(move_out(given, source, by.at(space_of(from)) + at));
  in_[static_cast<std::size_t>(to)].push_back(move_in(by.at(space_of(to)) + at, taken, target));
  at += bytes_of_face(each);
}

void storage_faces::add_filling(unit_work& to, unit_id unit) const {
  std::vector<face_move> all = within_[static_cast<std::size_t>(unit)];
  const std::vector<face_move>& arriving = in_[static_cast<std::size_t>(unit)];
  all.insert(all.end(), arriving.begin(), arriving.end());
  if (all.empty()) return;
  to.add_moves("halos", of_.form, all);
  to.use(of_.memory->piece_of(unit), flow::role::inout);
  for (const auto& [pair, message] : messages_)
    if (pair.second == unit) to.use(message->what(), flow::role::in);
}

void storage_faces::add_sending(unit_work& to, unit_id unit) const {
  const std::vector<face_move>& leaving = out_[static_cast<std::size_t>(unit)];
  if (leaving.empty()) return;
  to.add_moves("faces", of_.form, leaving);
  to.use(of_.memory->piece_of(unit), flow::role::in);
  for (const auto& [pair, message] : messages_)
    if (pair.first == unit) to.use(message->what(), flow::role::out);
}

bool storage_faces::has_messages(unit_id unit) const {
  for (const auto& [pair, message] : messages_)
    if (pair.first == unit || pair.second == unit) return true;
  return false;
}

std::map<std::pair<unit_id, unit_id>, std::size_t> storage_faces::bytes() const {
  std::map<std::pair<unit_id, unit_id>, std::size_t> all;
  for (const auto& [pair, message] : messages_) all[pair] = message->bytes();
  return all;
}

}  // namespace yoke::detail
