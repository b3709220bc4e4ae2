#include "memory_plan.hpp"

#include "common/norm_rows.hpp"
#include "driver/faces/face_kernels.hpp"
#include "driver/faces/faces.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <string_view>
#include <utility>

#include <yoke/error.hpp>

namespace npb {

namespace {

constexpr std::size_t kept_back = 64;  ///< the part of a memory that is not touched
constexpr std::size_t page = 4096;
/// Of host memory: zone store, faces, plans and records keep less than that of a zone.
constexpr std::size_t host_records = 4096;
/// Under a limit of data or addresses: stacks and heaps of threads.
constexpr std::size_t of_threads = std::size_t{64} << 20;
constexpr std::size_t gpu_page = std::size_t{2} << 20;

constexpr std::size_t aligned(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

/// Device memory that an allocation takes.
std::size_t footprint(std::size_t bytes, bool is_gpu) {
  return aligned(bytes, is_gpu && bytes >= gpu_page / 2 ? gpu_page : 256);
}

/// Of both parities.
std::size_t bytes_of_faces(const problem& p) {
  std::size_t doubles = 0;
  for (const zone& z : p.zones)
    for (const side s : all_sides) doubles += static_cast<std::size_t>(inner_plane(z.shape, s).size());
  return 2 * doubles * sizeof(double);
}

/// As device_setup has them: those of all zones, but 16 MiB at most, or the largest zone's.
std::size_t bytes_of_sums(const problem& p) {
  std::size_t total = 0, largest = 0;
  for (const zone& z : p.zones) {
    const auto size = static_cast<std::size_t>(norm_rows{p.kind, z.shape}.size());
    total += size;
    largest = std::max(largest, size);
  }
  return std::max(largest, std::min(total, std::size_t{2} << 20)) * sizeof(double);
}

/// Of a GPU CU: zones for set-up, for hostless zones and for two parities, each plain and with takers of
/// faces; faces that are shown, copied, unpacked and packed.
std::size_t bytes_of_tables(const problem& p) {
  constexpr std::size_t of_zone = 7 * sizeof(device_zone) + std::size_t{6} * n_sides * sizeof(face_job);
  return p.zones.size() * of_zone + 64 * page;
}

std::string in_words(std::size_t bytes) {
  constexpr std::size_t mega = 1'000'000, giga = 1'000'000'000;
  if (bytes < 10 * mega) return fmt::format("{} bytes", bytes);
  const auto [unit, name] = bytes < giga ? std::pair{mega, "MB"} : std::pair{giga, "GB"};
  return fmt::format("{} bytes ({:.4g} {})", bytes, static_cast<double>(bytes) / static_cast<double>(unit),
                     name);
}

}  // namespace

memory_plan::memory_plan(const benchmark& what, const yoke::runtime& rt, const yoke::host_memory& host)
    : what_{what}, rt_{rt}, addresses_{host.addresses} {
  const std::unique_ptr<device_solver> solver = what.make_device_solver();
  for (const zone& z : what.what().zones) {
    zones_.push_back(bytes_of(z.shape, *solver));
    fields_ += zones_.back().fields;
    largest_ = std::max({largest_, zones_.back().fields, zones_.back().on_device});
  }
  add_spaces(host);
  find_tight_spaces();
  if (!would_fit(what.what())) refuse();
}

memory_plan::zone_bytes memory_plan::bytes_of(const zone_shape& shape, const device_solver& solver) const {
  const bool has_gpu =
      std::ranges::any_of(rt_.devices(), [](const yoke::device* dev) { return !dev->info().emulated; });
  const std::size_t field = shape.field_size() * sizeof(double), n = what_.has_residual() ? 3 : 2;
  return {n * field, n * footprint(field, has_gpu) + aligned(solver.scratch_bytes(shape), 256)};
}

void memory_plan::add_spaces(const yoke::host_memory& host) {
  std::size_t on_device = 0;
  for (const zone_bytes& zone : zones_) on_device += zone.on_device;
  std::size_t usable = host.free - host.free / kept_back;
  if (host.is_limit) {
    const std::size_t threads = of_threads * static_cast<std::size_t>(1 + rt_.units().shape().gpu_units);
    usable = usable > threads ? usable - threads : 0;
  }
  spaces_.push_back({.name = "host memory", .free = usable, .all_zones = fields_});
  for (const yoke::device* dev : rt_.devices()) {
    const std::size_t free = dev->memory_free();
    spaces_.push_back({.name = dev->info().name,
                       .free = dev->info().emulated ? free : free - free / kept_back,
                       .all_zones = on_device});
  }
  for (const yoke::compute_unit& unit : rt_.units().all())
    spaces_[static_cast<std::size_t>(unit.space)].has_units = true;
  for (std::size_t s = 0; s < spaces_.size(); ++s)
    spaces_[s].beside = s == 0 ? beside_on_host(what_.what())
                               : beside_on_device(what_.what(), yoke::space_id{static_cast<int>(s)});
}

/// Faces, with a copy of those whose messages are gathered first; solvers, and what set-up samples.
std::size_t memory_plan::beside_on_host(const problem& p) const {
  std::size_t bytes = p.zones.size() * (host_records + 3 * page);
  const zone_shape largest = p.largest_zone();
  const std::size_t field = largest.field_size() * sizeof(double);
  bool has_gpus = false;
  for (const yoke::compute_unit& unit : rt_.units().all()) {
    if (unit.dev != nullptr) {
      has_gpus = true;
      bytes += bytes_of_sums(p) + bytes_of_tables(p);
      continue;
    }
    const std::size_t threads = std::max<std::size_t>(1, unit.cpus.size());
    bytes += what_.host_scratch_bytes(static_cast<int>(threads), largest);
    if (threads > 1) bytes += threads * what_.host_scratch_bytes(1, largest);
    bytes += std::min(threads, p.zones.size()) * field;
  }
  return bytes + (has_gpus ? 2 : 1) * bytes_of_faces(p);
}

std::size_t memory_plan::bytes_of_work(const problem& p) const {
  const std::unique_ptr<device_solver> solver = what_.make_device_solver();
  std::size_t bytes = 0;
  for (const zone& z : p.zones) bytes += aligned(solver->scratch_bytes(z.shape), 256);
  return bytes;
}

/// Messages are of faces between two spaces only. At most half of all faces enter a space and half leave it,
/// in two parities. Of several CUs in one space each may keep the work memory of zones that another one has
/// now.
std::size_t memory_plan::beside_on_device(const problem& p, yoke::space_id space) const {
  std::size_t own = 0, others = 0;
  for (const yoke::compute_unit& unit : rt_.units().all()) ++(unit.space == space ? own : others);
  const std::size_t messages = others > 0 ? bytes_of_faces(p) : 0;
  const std::size_t kept = own > 1 ? (own - 1) * bytes_of_work(p) : 0;
  const std::size_t bytes =
      bytes_of_faces(p) + messages + kept + own * (bytes_of_sums(p) + bytes_of_tables(p) + 2 * page);
  return aligned(bytes,
                 rt_.devices()[static_cast<std::size_t>(space - 1)]->info().emulated ? page : gpu_page);
}

/// Emulated devices have their memory from the host: where both copies of a zone are too much, none is left.
void memory_plan::find_tight_spaces() {
  std::size_t emulated = 0;
  for (std::size_t s = 0; s < spaces_.size(); ++s) {
    const space_memory& space = spaces_[s];
    tight_.push_back(space.has_units && !space.holds_all() ? 1 : 0);
    is_short_ = is_short_ || tight_.back() != 0;
    if (s > 0 && rt_.devices()[s - 1]->info().emulated)
      emulated += std::min(space.free, space.beside + space.all_zones);
  }
  if (spaces_.front().for_zones() < spaces_.front().all_zones + emulated) tight_.front() = 1;
}

std::size_t memory_plan::bytes(int zone, yoke::space_id space) const {
  const zone_bytes& of = zones_[static_cast<std::size_t>(zone)];
  return space == yoke::host_space ? of.fields : of.on_device;
}

void memory_plan::limit(yoke::workload& work) const {
  work.gpu_bytes.clear();
  for (const zone_bytes& zone : zones_) work.gpu_bytes.push_back(zone.on_device - zone.fields);
  work.room.clear();
  for (const space_memory& space : spaces_) {
    const std::size_t free = space.for_zones();
    const bool is_host = work.room.empty();
    if (space.holds_all())
      work.room.push_back(is_host ? 0 : free);
    else
      work.room.push_back(free > largest_ ? free - largest_ : 1);
  }
}

/// As divisible work: what does not fit so fits in no other way.
bool memory_plan::would_fit(const problem& p) const {
  const std::unique_ptr<device_solver> solver = what_.make_device_solver();
  zone_bytes all;
  for (const zone& z : p.zones) {
    const zone_bytes one = bytes_of(z.shape, *solver);
    all.fields += one.fields;
    all.on_device += one.on_device;
  }
  double part = 0, in_host_memory = static_cast<double>(beside_on_host(p));
  for (std::size_t s = 0; s < spaces_.size(); ++s) {
    const std::size_t beside =
        s == 0 ? beside_on_host(p) : beside_on_device(p, yoke::space_id{static_cast<int>(s)});
    const std::size_t needed = s == 0 ? all.fields : all.on_device;
    if (s > 0 && rt_.devices()[s - 1]->info().emulated) in_host_memory += static_cast<double>(beside);
    if (spaces_[s].has_units && spaces_[s].free < beside) return false;
    if (spaces_[s].has_units)
      part += static_cast<double>(spaces_[s].free - beside) / static_cast<double>(needed);
  }
  const bool all_in_host_memory =
      std::ranges::all_of(rt_.devices(), [](const yoke::device* dev) { return dev->info().emulated; });
  if (all_in_host_memory) in_host_memory += static_cast<double>(all.fields);
  return part >= 1 && in_host_memory <= static_cast<double>(spaces_.front().free) &&
         all.fields + beside_on_host(p) <= addresses_;
}

std::string memory_plan::text() const {
  std::string text;
  for (const space_memory& space : spaces_) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{}: {} free", space.name, in_words(space.free));
    if (space.has_units) text += fmt::format(" for {} of zones", in_words(space.all_zones));
    text += fmt::format(" and {} beside", in_words(space.beside));
  }
  return text;
}

/// What to do: a device may lack the room for what it needs beside zones, whatever other memories have.
std::string memory_plan::advice() const {
  std::string names;
  for (std::size_t s = 1; s < spaces_.size(); ++s)
    if (spaces_[s].has_units && spaces_[s].free < spaces_[s].beside)
      names += (names.empty() ? "" : ", ") + spaces_[s].name;
  if (names.empty()) return "use more devices, CPU CUs or a smaller problem";
  return fmt::format("too little is free beside zones on {}: leave that out, or use a smaller problem",
                     names);
}

void memory_plan::refuse() const {
  const problem& p = what_.what();
  std::string fits;
  for (const char letter : all_classes)
    if (p.class_name != std::string_view{&letter, 1} && would_fit(make_problem(p.kind, letter)))
      fits = fmt::format("; class {} would fit", letter);
  std::size_t free = 0;
  for (const space_memory& space : spaces_) free += space.has_units ? space.for_zones() : 0;
  throw yoke::out_of_memory{
      fmt::format("{} class {} does not fit into memory: {} zones need {} on CPU CUs{}; {}{}; {}", p.name,
                  p.class_name, zones_.size(), in_words(fields_),
                  addresses_ < fields_ ? fmt::format(", and {} of addresses are left (ulimit -v)", addresses_)
                                       : std::string{},
                  text(), fits, advice()),
      fields_, free};
}

void memory_plan::check(const std::vector<yoke::unit_id>& map) const {
  std::vector<std::size_t> wanted(spaces_.size()), n(spaces_.size());
  for (int zone = 0; zone < std::ssize(map); ++zone) {
    const yoke::space_id space = rt_.units().at(map[static_cast<std::size_t>(zone)]).space;
    wanted[static_cast<std::size_t>(space)] += bytes(zone, space);
    ++n[static_cast<std::size_t>(space)];
  }
  for (std::size_t s = 0; s < spaces_.size(); ++s) {
    const space_memory& space = spaces_[s];
    if (wanted[s] <= space.for_zones()) continue;
    throw yoke::out_of_memory{
        fmt::format("{}: the schedule gives it {} of {} zones, which need {} there, beside {} for faces, "
                    "tables and norms; {} are free, enough for about {} zones; auto, cost, pool and other "
                    "schedules that know memory leave zones where there is room",
                    space.name, n[s], zones_.size(), in_words(wanted[s]), in_words(space.beside),
                    in_words(space.free), space.for_zones() * n[s] / wanted[s]),
        wanted[s] + space.beside, space.free};
  }
}

std::string memory_plan::note(const std::vector<yoke::space_id>& places) const {
  std::string text;
  for (std::size_t s = 0; s < spaces_.size(); ++s) {
    const space_memory& space = spaces_[s];
    if (!space.has_units) continue;
    const auto n = std::ranges::count(places, yoke::space_id{static_cast<int>(s)});
    text += fmt::format("{}{} of {} zones in {}{}", text.empty() ? "" : ", ", n, zones_.size(), space.name,
                        space.holds_all() ? std::string{}
                                          : fmt::format(", which has {} for {}", in_words(space.for_zones()),
                                                        in_words(space.all_zones)));
  }
  return "memory is short: " + text;
}

}  // namespace npb
