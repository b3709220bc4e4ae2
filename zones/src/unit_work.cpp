#include "unit_work.hpp"

#include <algorithm>
#include <cstring>

namespace yoke::detail {

std::size_t unit_work::add_to_table(const void* bytes, std::size_t n) {
  constexpr std::size_t alignment = 64;
  table_.resize((table_.size() + alignment - 1) / alignment * alignment);
  const std::size_t at = table_.size();
  table_.resize(at + n);
  if (n > 0) std::memcpy(table_.data() + at, bytes, n);
  return at;
}

namespace {

/// A CPU CU's chunks have about so many points: its team has enough to share, and is through in microseconds.
constexpr std::int64_t points_of_rows = 8192;
/// Blocks that a GPU should have at least, some for each place of its processors; beyond that threads get
/// more points, which read what they need of their zone once.
constexpr std::int64_t blocks_of_gpu = 4096;
constexpr std::int64_t least_passes = 4, most_passes = 16;

/// Chunks of something with so many points; each thread has `passes`.
void add_points(std::vector<zone_chunk>& to, std::int32_t entry, std::int64_t points, std::int64_t passes) {
  for (std::int64_t first = 0; first < points; first += passes * chunk_threads)
    to.push_back({entry, static_cast<std::int32_t>(passes), first});
}
/// Columns along the first dimension in equal parts of at most so many points; a thread has one.
void add_columns(std::vector<zone_chunk>& to, std::int32_t entry, const zone_box& box, int dimensions,
                 std::int64_t most) {
  const std::int64_t along = box.n[static_cast<std::size_t>(3 - dimensions)],
                     parts = (along + most - 1) / most, points = (along + parts - 1) / parts,
                     threads = (along + points - 1) / points * (box.points() / along);
  for (std::int64_t first = 0; first < threads; first += chunk_threads)
    to.push_back({entry, static_cast<std::int32_t>(points), first});
}
void add_rows(std::vector<zone_chunk>& to, std::int32_t entry, std::int64_t rows, std::int64_t row) {
  const std::int64_t each =
      std::clamp<std::int64_t>(points_of_rows / std::max<std::int64_t>(row, 1), 1, 1 << 20);
  for (std::int64_t first = 0; first < rows; first += each)
    to.push_back({entry, static_cast<std::int32_t>(std::min(each, rows - first)), first});
}
std::int64_t passes_for(std::int64_t points) {
  const std::int64_t wanted = points / (chunk_threads * blocks_of_gpu);
  return std::clamp(wanted / least_passes * least_passes, least_passes, most_passes);
}

}  // namespace

void unit_work::add_chunks(unit_launch& to, std::vector<zone_chunk> chunks) {
  to.n_chunks = std::ssize(chunks);
  to.chunks_at = add_to_table(chunks.data(), chunks.size() * sizeof(zone_chunk));
}

void unit_work::add_moves(std::string name, const field_form& form, std::span<const face_move> moves) {
  if (moves.empty()) return;
  unit_launch next;
  next.name = std::move(name);
  next.word_bytes = word_bytes(form);
  next.entries_at = add_to_table(moves.data(), moves.size_bytes());
  std::vector<zone_chunk> chunks;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto entry = static_cast<std::int32_t>(i);
    if (unit_->dev != nullptr)
      add_points(chunks, entry, moves[i].words(), least_passes);
    else
      add_rows(chunks, entry, moves[i].n[0] * moves[i].n[1], moves[i].n[2]);
  }
  add_chunks(next, std::move(chunks));
  if (shared_ != nullptr) share_out(next);
  launches_.push_back(std::move(next));
}

/// Copies of faces, in equal parts; whoever has time takes one.
void unit_work::share_out(unit_launch& moves) const {
  constexpr std::int64_t parts_for_each = 4;
  const auto members = static_cast<std::int64_t>(shared_->pool->size());
  const std::int64_t n = std::min(moves.n_chunks, parts_for_each * members);
  moves.by_member.resize(static_cast<std::size_t>(members));
  for (std::int64_t part = 0; part < n; ++part) {
    const std::int64_t first = part * moves.n_chunks / n, end = (part + 1) * moves.n_chunks / n;
    moves.by_member[static_cast<std::size_t>(part % members)].push_back(static_cast<std::uint32_t>(part));
    moves.shares.push_back({first, end - first, {}, nullptr});
  }
  moves.weights.resize(moves.shares.size());
}

/// The zone at `place` of the batch.
void unit_work::add_share(unit_launch& to, const zone_operation& what, std::size_t place,
                          std::int64_t first_chunk, std::int64_t n_chunks) const {
  const zone_memory& zone = to.batch[place];
  const auto member = static_cast<std::size_t>(shared_->member_of[static_cast<std::size_t>(zone.zone)]);
  launch_share made{first_chunk, n_chunks, {zone}, nullptr};
  made.batch[0].neighbours = {-1, -1, -1, -1, -1, -1};
  made.call = what.call->made_for(shared_->pool->member(member), made.batch);
  if (made.call == nullptr) made.call = what.call;
  to.by_member.resize(shared_->pool->size());
  to.by_member[member].push_back(static_cast<std::uint32_t>(to.shares.size()));
  to.shares.push_back(std::move(made));
  to.weights.push_back(shared_->weights[static_cast<std::size_t>(zone.zone)]);
}

void unit_work::add_call(const zone_operation& what, std::vector<zone_memory> batch, double* results) {
  if (batch.empty()) return;
  std::int64_t points = 0;
  for (const zone_memory& each : batch) points += each.box.points();
  unit_launch next;
  next.name = what.name;
  if (shared_ == nullptr) next.call = what.call->made_for(*unit_, batch);
  if (next.call == nullptr) next.call = what.call;
  next.batch = std::move(batch);
  next.results = results;
  const std::size_t each = next.call->entry_bytes();
  std::vector<std::byte> entries(each * next.batch.size());
  std::vector<zone_chunk> chunks;
  for (std::size_t i = 0; i < next.batch.size(); ++i) {
    const zone_box& box = next.batch[i].box;
    if (each > 0) next.call->write_entry(next.batch[i], entries.data() + i * each);
    const auto entry = static_cast<std::int32_t>(i);
    const std::int64_t first_chunk = std::ssize(chunks);
    if (next.call->has_results())
      add_points(chunks, entry, box.points(), chunk_points / chunk_threads);
    else if (unit_->dev != nullptr)
      add_columns(chunks, entry, box, next.call->dimensions(), passes_for(points));
    else
      add_rows(chunks, entry, box.rows(), box.n[2]);
    if (shared_ != nullptr) add_share(next, what, i, first_chunk, std::ssize(chunks) - first_chunk);
  }
  // What is long comes first, so that the last to end are short.
  for (auto& own : next.by_member)
    std::ranges::sort(own, [&](std::uint32_t a, std::uint32_t b) {
      return next.weights[a] != next.weights[b] ? next.weights[a] > next.weights[b] : a < b;
    });
  next.entries_at = add_to_table(entries.data(), entries.size());
  add_chunks(next, std::move(chunks));
  launches_.push_back(std::move(next));
}

void unit_work::use(versions::piece what, flow::role as) {
  const auto same = std::ranges::find(arguments_, what, &flow::argument::what);
  if (same == arguments_.end())
    arguments_.push_back({what, as});
  else if (same->as != as)
    same->as = flow::role::inout;
}

bool unit_work::is_recordable() const {
  return std::ranges::all_of(
      launches_, [](const unit_launch& each) { return each.call == nullptr || each.call->is_recordable(); });
}

bool unit_work::has_many_launches() const {
  return launches_.size() > 1 || std::ranges::any_of(launches_, [](const unit_launch& each) {
           return each.call != nullptr && each.call->may_launch_many();
         });
}

namespace {

/// Launches with their table where the unit reads it; lives as long as the plan.
struct placed_launches {
  const compute_unit* unit = nullptr;
  std::vector<unit_launch> launches;
  std::vector<std::byte> on_host;
  device_slab on_device;
  const std::byte* table = nullptr;

  std::shared_ptr<const shared_zones> shared;

  void run(const flow::site& at) const {
    for (const unit_launch& each : launches) {
      if (shared != nullptr) {
        run_shares(each);
        continue;
      }
      const launch_share all{0, each.n_chunks, {}, nullptr};
      launch(each, where(each, all, *unit, at), each.call.get(), each.batch);
    }
  }

 private:
  zone_launch where(const unit_launch& what, const launch_share& part, const compute_unit& on,
                    const flow::site& at) const {
    return {&on,
            at.dev,
            at.stream,
            table + what.entries_at,
            reinterpret_cast<const zone_chunk*>(table + what.chunks_at) + part.first_chunk,
            part.n_chunks,
            what.results == nullptr ? nullptr : what.results + part.first_chunk};
  }
  static void launch(const unit_launch& what, const zone_launch& there, const zone_call* call,
                     std::span<const zone_memory> batch) {
    if (call != nullptr)
      call->launch(there, batch);
    else
      launch_face_moves(there, what.word_bytes, what.name.c_str());
  }
  void run_shares(const unit_launch& of) const {
    shared->pool->run(of.by_member, of.weights, [&](std::uint32_t number, const compute_unit& on) {
      const launch_share& part = of.shares[number];
      launch(of, where(of, part, on, {}), part.call.get(), part.batch);
    });
  }
};

void upload(device& dev, void* to, std::span<const std::byte> table) {
  const owned_stream stream{dev, dev.create_stream()};
  dev.copy(stream, to, table.data(), table.size(), copy_kind::host_to_device);
  dev.synchronize(stream);
}

}  // namespace

void unit_work::complete() {
  auto made = std::make_shared<placed_launches>();
  made->unit = unit_;
  made->launches = launches_;
  made->shared = shared_;
  made->on_host = std::move(table_);
  made->table = made->on_host.data();
  if (unit_->dev != nullptr && !made->on_host.empty()) {
    made->on_device = device_slab{*unit_->dev, made->on_host.size(), "tables of zones and faces"};
    upload(*unit_->dev, made->on_device.data(), made->on_host);
    made->table = made->on_device.data();
  }
  auto plan = std::make_shared<flow::plan>(
      flow::plan{name_, [made](const flow::site& at) { made->run(at); }, marks_end_});
  step_ = {std::move(plan), std::move(arguments_)};
}

}  // namespace yoke::detail
