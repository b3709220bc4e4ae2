#include "storage_faces.hpp"

#include <fmt/format.h>

#include <yoke/error.hpp>

namespace yoke::detail {

face_message::face_message(zones_core& of, unit_id from, unit_id to, std::size_t bytes)
    : bytes_{bytes}, addresses_(of.rt().devices().size() + 1) {
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
  piece_ = owned_piece{of.engine().get(), name, bytes, addresses_};
}

std::vector<std::vector<storage_faces::ends>> storage_faces::ends_by_round() const {
  std::vector<std::vector<ends>> all(of_.form.has_corners ? 3 : 1);
  for (const zone_join& each : core_.joins()) {
    if (of_.form.halo[static_cast<std::size_t>(each.dimension)] == 0) continue;
    std::vector<ends>& to = all[of_.form.has_corners ? static_cast<std::size_t>(each.dimension) : 0];
    to.push_back({each.low_of, each.high_of, each.dimension, false});
    to.push_back({each.high_of, each.low_of, each.dimension, true});
  }
  std::erase_if(all, [](const std::vector<ends>& each) { return each.empty(); });
  return all;
}

std::size_t storage_faces::bytes_of_face(const ends& each) const {
  const zone_box& box = core_.boxes()[static_cast<std::size_t>(each.giver)];
  return bytes_of(inner_face(of_.form, box, each.dimension, each.is_high));
}

storage_faces::storage_faces(zones_core& of, int storage) : core_{of}, of_{of.storage(storage)} {
  for (const std::vector<ends>& each : ends_by_round()) rounds_.push_back(made_of(each));
}

storage_faces::round storage_faces::made_of(const std::vector<ends>& all) const {
  const std::size_t n = core_.layout().zones_of.size();
  round made{{},
             std::vector<std::vector<face_move>>(n),
             std::vector<std::vector<face_move>>(n),
             std::vector<std::vector<face_move>>(n)};
  std::map<unit_pair, std::size_t> sizes, filled;
  const auto pair_of = [&](const ends& each) {
    return unit_pair{core_.layout().unit_of(each.giver), core_.layout().unit_of(each.taker)};
  };
  for (const ends& each : all)
    if (const unit_pair pair = pair_of(each); pair.first != pair.second) sizes[pair] += bytes_of_face(each);
  for (const auto& [pair, bytes] : sizes)
    made.messages[pair] = std::make_unique<face_message>(core_, pair.first, pair.second, bytes);
  for (const ends& each : all) add(made, each, filled[pair_of(each)]);
  return made;
}

void storage_faces::add(round& made, const ends& each, std::size_t& filled) const {
  const unit_id from = core_.layout().unit_of(each.giver), to = core_.layout().unit_of(each.taker);
  const auto box_of = [&](int zone) { return core_.boxes()[static_cast<std::size_t>(zone)]; };
  const face_box given = inner_face(of_.form, box_of(each.giver), each.dimension, each.is_high);
  const face_box taken = outer_face(of_.form, box_of(each.taker), each.dimension, !each.is_high);
  void* const source = of_.memory->at_unit(each.giver);
  void* const target = of_.memory->at_unit(each.taker);
  if (from == to) {
    made.within[static_cast<std::size_t>(from)].push_back(move_between(given, source, taken, target));
    return;
  }
  const face_message& by = *made.messages.at({from, to});
  const auto space_of = [&](unit_id unit) { return core_.rt().units().at(unit).space; };
  made.out[static_cast<std::size_t>(from)].push_back(move_out(given, source, by.at(space_of(from)) + filled));
  made.in[static_cast<std::size_t>(to)].push_back(move_in(by.at(space_of(to)) + filled, taken, target));
  filled += bytes_of_face(each);
}

void storage_faces::add_filling(unit_work& to, unit_id unit, int number) const {
  const round& of = rounds_[static_cast<std::size_t>(number)];
  std::vector<face_move> all = of.within[static_cast<std::size_t>(unit)];
  const std::vector<face_move>& arriving = of.in[static_cast<std::size_t>(unit)];
  all.insert(all.end(), arriving.begin(), arriving.end());
  if (all.empty()) return;
  to.add_moves("halos", of_.form, all);
  to.use(of_.memory->piece_of(unit), flow::role::inout);
  for (const auto& [pair, message] : of.messages)
    if (pair.second == unit) to.use(message->what(), flow::role::in);
}

void storage_faces::add_sending(unit_work& to, unit_id unit, int number) const {
  const round& of = rounds_[static_cast<std::size_t>(number)];
  const std::vector<face_move>& leaving = of.out[static_cast<std::size_t>(unit)];
  if (leaving.empty()) return;
  to.add_moves("faces", of_.form, leaving);
  to.mark_end();
  to.use(of_.memory->piece_of(unit), flow::role::in);
  for (const auto& [pair, message] : of.messages)
    if (pair.first == unit) to.use(message->what(), flow::role::out);
}

bool storage_faces::has_messages(unit_id unit) const {
  for (const round& each : rounds_)
    for (const auto& [pair, message] : each.messages)
      if (pair.first == unit || pair.second == unit) return true;
  return false;
}

std::map<std::pair<unit_id, unit_id>, std::size_t> storage_faces::bytes() const {
  std::map<unit_pair, std::size_t> all;
  for (const round& each : rounds_)
    for (const auto& [pair, message] : each.messages) all[pair] += message->bytes();
  return all;
}

}  // namespace yoke::detail
