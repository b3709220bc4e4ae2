#include "unit_work.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

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

void zone_moves::add(const zone_moves& more) {
  moves.insert(moves.end(), more.moves.begin(), more.moves.end());
  zones.insert(zones.end(), more.zones.begin(), more.zones.end());
}

void unit_work::add_moves(std::string name, const field_form& form, const zone_moves& all) {
  if (all.moves.empty()) return;
  unit_launch next;
  next.name = std::move(name);
  next.word_bytes = word_bytes(form);
  std::vector<std::size_t> order(all.moves.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (shared_ != nullptr)
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair{all.zones[i], i}; });
  std::vector<face_move> moves;
  std::vector<zone_chunk> chunks;
  for (const std::size_t i : order) {
    const auto entry = static_cast<std::int32_t>(moves.size());
    moves.push_back(all.moves[i]);
    const std::int64_t first = std::ssize(chunks);
    if (unit_->dev != nullptr)
      add_points(chunks, entry, moves.back().words(), least_passes);
    else
      add_rows(chunks, entry, moves.back().n[0] * moves.back().n[1], moves.back().n[2]);
    if (shared_ == nullptr) continue;
    if (next.shares.empty() || next.shares.back().zone != all.zones[i])
      next.shares.push_back({all.zones[i], first, 0, {}, nullptr});
    next.shares.back().n_chunks = std::ssize(chunks) - next.shares.back().first_chunk;
  }
  next.entries_at = add_to_table(moves.data(), moves.size() * sizeof(face_move));
  add_chunks(next, std::move(chunks));
  launches_.push_back(std::move(next));
}

/// The zone at `place` of the batch.
void unit_work::add_share(unit_launch& to, const zone_operation& what, std::size_t place,
                          std::int64_t first_chunk, std::int64_t n_chunks) const {
  const zone_memory& zone = to.batch[place];
  const auto member = static_cast<std::size_t>(shared_->member_of[static_cast<std::size_t>(zone.zone)]);
  launch_share made{zone.zone, first_chunk, n_chunks, {zone}, nullptr};
  for (int& each : made.batch[0].neighbours)
    each = each == static_cast<int>(place) ? 0 : -1;  // joined to itself, or to one of another batch
  made.call = what.call->made_for(shared_->pool->member(member), made.batch);
  if (made.call == nullptr) made.call = what.call;
  to.shares.push_back(std::move(made));
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
  next.entries_at = add_to_table(entries.data(), entries.size());
  add_chunks(next, std::move(chunks));
  launches_.push_back(std::move(next));
}

void unit_work::use(versions::piece what, flow::role as) { flow::add(arguments_, {what, as}); }

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

  std::vector<shared_launch> for_pool{};

  void run(const flow::site& at) const {
    for (const unit_launch& each : launches) {
      const launch_share all{0, 0, each.n_chunks, {}, nullptr};
      launch(each, where(each, all, *unit, at), each.call.get(), each.batch);
    }
  }
  void share_out() {
    for (const unit_launch& each : launches) {
      shared_launch& made = for_pool.emplace_back();
      made.share_of.assign(shared->weights.size(), -1);
      for (const launch_share& part : each.shares) {
        made.share_of[static_cast<std::size_t>(part.zone)] = static_cast<std::int32_t>(made.weights.size());
        made.weights.push_back(each.call == nullptr ? 0
                                                    : shared->weights[static_cast<std::size_t>(part.zone)]);
      }
      made.run = [this, &each](std::uint32_t number, const compute_unit& on) { run_share(each, number, on); };
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
  void run_share(const unit_launch& of, std::uint32_t number, const compute_unit& on) const {
    const launch_share& part = of.shares[number];
    launch(of, where(of, part, on, {}), part.call.get(), part.batch);
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
  auto plan = std::make_shared<flow::plan>(flow::plan{name_, {}, marks_end_});
  if (shared_ == nullptr) {
    plan->run = [made](const flow::site& at) { made->run(at); };
  } else {
    made->share_out();
    for (const shared_launch& each : made->for_pool) shared_launches_.push_back(&each);
    plan->run = [made, all = shared_launches_](const flow::site& at) {
      made->shared->pool->begin({all, at.over});
    };
  }
  step_ = {std::move(plan), std::move(arguments_)};
}

}  // namespace yoke::detail
