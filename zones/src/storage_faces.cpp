#include "storage_faces.hpp"

#include <fmt/format.h>

#include <yoke/error.hpp>

namespace yoke::detail {

std::string name_of(face_end end) {
  return is_rank(end) ? fmt::format("rank {}", rank_at(end)) : fmt::format("unit {}", static_cast<int>(end));
}

namespace {

/// Where a unit packs, and where another rank has its end: on the host, if not where that of the unit is.
struct end_memory {
  device* dev = nullptr;
  space_id space = host_space;
};
end_memory memory_of(const zones_core& of, face_end end, face_end other) {
  if (is_rank(end) && (is_rank(other) || !of.sends_from_devices())) return {};
  if (is_rank(end)) end = other;
  const compute_unit& unit = of.rt().units().at(unit_id{static_cast<int>(end)});
  return {unit.dev, unit.space};
}

}  // namespace

face_message::face_message(zones_core& of, face_end from, face_end to, std::size_t bytes)
    : bytes_{bytes}, addresses_(of.rt().devices().size() + 1) {
  const std::string name = fmt::format("faces of {} for {}", name_of(from), name_of(to));
  const end_memory giver = memory_of(of, from, to), taker = memory_of(of, to, from);
  const auto on_device = [&](const end_memory& unit, device_slab& slab) {
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

std::vector<std::vector<face_ends>> storage_faces::ends_by_round() const {
  std::vector<std::vector<face_ends>> all(of_.form.has_corners ? 3 : 1);
  for (const zone_join& join : core_.joins())
    for (const face_ends& each : ends_of(join)) {
      const auto dimension = static_cast<std::size_t>(each.taker.at.dimension);
      if (of_.form.halo[dimension] > 0) all[of_.form.has_corners ? dimension : 0].push_back(each);
    }
  std::erase_if(all, [](const std::vector<face_ends>& each) { return each.empty(); });
  return all;
}

face_box storage_faces::taken_at(const face_ends& each) const {
  return outer_face(of_.form, core_.boxes()[static_cast<std::size_t>(each.taker.zone)], each.taker.at);
}

storage_faces::storage_faces(zones_core& of, int storage)
    : core_{of}, number_{storage}, of_{of.storage(storage)} {
  for (const std::vector<face_ends>& each : ends_by_round()) rounds_.push_back(made_of(each, rounds()));
}

storage_faces::way storage_faces::way_of(const face_ends& each) const {
  const auto end_of = [&](int zone) {
    return core_.is_here(zone) ? end_at(core_.layout().unit_of(zone)) : end_at_rank(core_.rank_of(zone));
  };
  return {end_of(each.giver.zone), end_of(each.taker.zone)};
}

storage_faces::round storage_faces::made_of(const std::vector<face_ends>& all, int number) const {
  const std::size_t n = core_.layout().zones_of.size();
  round made;
  made.within.resize(n);
  made.not_handed.resize(n);
  made.out.resize(n);
  made.in.resize(n);
  std::map<way, std::size_t> sizes, filled;
  for (const face_ends& each : all) {
    const way by = way_of(each);
    if (by.first != by.second && !(is_rank(by.first) && is_rank(by.second)))
      sizes[by] += bytes_of(taken_at(each));
  }
  for (const auto& [by, bytes] : sizes)
    made.messages[by] = std::make_unique<face_message>(core_, by.first, by.second, bytes);
  for (const face_ends& each : all) add(made, each, filled[way_of(each)]);
  made.exchange = exchange_of(made, number);
  return made;
}

/// On all ranks faces are in the same order, whatever unit has them.
void storage_faces::add(round& made, const face_ends& each, std::size_t& filled) const {
  const auto [from, to] = way_of(each);
  if (is_rank(from) && is_rank(to)) return;
  const face_box taken = taken_at(each);
  const face_box given = inner_face(of_.form, core_.boxes()[static_cast<std::size_t>(each.giver.zone)],
                                    each.giver.at, taken.n[each.taker.at.dimension]);
  const auto of_unit = [](face_end end) { return static_cast<std::size_t>(end); };
  if (from == to) {
    zone_moves here;
    add_moves_between(here.moves, given, of_.memory->at_unit(each.giver.zone), each.turn, taken,
                      of_.memory->at_unit(each.taker.zone));
    here.are_of(each.taker.zone);
    made.within[of_unit(from)].add(here);
    if (!each.turn.is_none() || core_.batch_of(each.giver.zone) != core_.batch_of(each.taker.zone))
      made.not_handed[of_unit(from)].add(here);
    return;
  }
  const face_message& by = *made.messages.at({from, to});
  const std::size_t bytes = bytes_of(taken);
  std::byte* const out_of = by.at(memory_of(core_, from, to).space) + filled;
  std::byte* const into = by.at(memory_of(core_, to, from).space) + filled;
  if (is_rank(to)) made.sent[rank_at(to)].parts.emplace_back(into, bytes);
  if (is_rank(from)) made.received[rank_at(from)].parts.emplace_back(out_of, bytes);
  if (!is_rank(from)) {
    zone_moves& out = made.out[of_unit(from)];
    add_moves_out(out.moves, given, of_.memory->at_unit(each.giver.zone), each.turn, taken, out_of);
    out.are_of(each.giver.zone);
  }
  if (!is_rank(to)) {
    zone_moves& in = made.in[of_unit(to)];
    add_moves_in(in.moves, into, taken, of_.memory->at_unit(each.taker.zone));
    in.are_of(each.taker.zone);
  }
  filled += bytes;
}

/// Rounds of three dimensions have tags of their own.
flow::step storage_faces::exchange_of(const round& made, int number) const {
  const auto list_of = [](const std::map<int, ranks::message>& by_rank) {
    std::vector<ranks::message> all;
    for (const auto& [rank, message] : by_rank) all.push_back({rank, message.parts});
    return all;
  };
  if (made.sent.empty() && made.received.empty()) return {};
  std::shared_ptr<ranks::exchange> messages =
      core_.among()->make_exchange(3 * number_ + number, list_of(made.sent), list_of(made.received));
  flow::step next{
      std::make_shared<flow::plan>(flow::plan{.name = "faces of other ranks",
                                              .run = [messages](const flow::site&) { messages->start(); },
                                              .is_over = [messages] { return messages->is_over(); }})};
  for (const auto& [by, message] : made.messages) {
    const auto at = [&](face_end end, face_end other) { return memory_of(core_, end, other).space; };
    if (is_rank(by.second))
      next.arguments.push_back({message->what(), flow::role::in, at(by.second, by.first)});
    if (is_rank(by.first))
      next.arguments.push_back({message->what(), flow::role::out, at(by.first, by.second)});
  }
  return next;
}

const flow::step* storage_faces::exchange(int round) const {
  const flow::step& found = rounds_[static_cast<std::size_t>(round)].exchange;
  return found.what == nullptr ? nullptr : &found;
}

void storage_faces::add_filling(unit_work& to, unit_id unit, int number, what of_it) const {
  const round& of = rounds_[static_cast<std::size_t>(number)];
  const auto u = static_cast<std::size_t>(unit);
  zone_moves all = of_it == what::not_handed ? of.not_handed[u] : of.within[u];
  if (of_it != what::within) all.add(of.in[u]);
  if (all.moves.empty()) return;
  to.add_moves("halos", of_.form, all);
  to.use(of_.memory->piece_of(unit), flow::role::inout);
  if (of_it == what::within) return;
  for (const auto& [pair, message] : of.messages)
    if (pair.second == end_at(unit)) to.use(message->what(), flow::role::in);
}

void storage_faces::add_sending(unit_work& to, unit_id unit, int number) const {
  const round& of = rounds_[static_cast<std::size_t>(number)];
  const zone_moves& leaving = of.out[static_cast<std::size_t>(unit)];
  if (leaving.moves.empty()) return;
  to.add_moves("faces", of_.form, leaving);
  to.mark_end();
  to.use(of_.memory->piece_of(unit), flow::role::in);
  for (const auto& [pair, message] : of.messages)
    if (pair.first == end_at(unit)) to.use(message->what(), flow::role::out);
}

bool storage_faces::has_messages(unit_id unit) const {
  for (const round& each : rounds_)
    for (const auto& [pair, message] : each.messages)
      if (pair.first == end_at(unit) || pair.second == end_at(unit)) return true;
  return false;
}

std::map<storage_faces::way, std::size_t> storage_faces::bytes() const {
  std::map<way, std::size_t> all;
  for (const round& each : rounds_)
    for (const auto& [pair, message] : each.messages) all[pair] += message->bytes();
  return all;
}

}  // namespace yoke::detail
