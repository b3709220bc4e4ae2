#include "options.hpp"

#include "common/problem.hpp"
#include "option_files.hpp"
#include "program/option_texts.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include <yoke/error.hpp>
#include <yoke/runtime.hpp>
#include <yoke/version.hpp>

namespace npb {

namespace {

constexpr int max_steps = 1'000'000;
constexpr int max_extent = 100'000;
/// The stencils of SPEC.md §2 need so many points in each direction.
constexpr int min_points = 6;

/// As they come from the command line; empty: not given.
struct texts {
  std::string problem_class, steps, grid, zones, cus, devices, schedule, exchange, peer_faces, profile, trace,
      json, march, checkpoint, every;
};

[[noreturn]] void reject(std::string_view option, std::string_view value, const std::string& why) {
  throw yoke::config_error{fmt::format("{} {}: {}", option, value, why)};
}

std::optional<int> whole_number(std::string_view text, int smallest, int largest) {
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = failure == std::errc{} && end == text.data() + text.size();
  if (!all || value < smallest || value > largest) return std::nullopt;
  return value;
}

char class_of(const std::string& text) {
  const char letter = text.size() == 1 ? static_cast<char>(text[0] & ~0x20) : ' ';
  if (std::ranges::find(all_classes, letter) == all_classes.end())
    reject("--class", text, fmt::format("no such class; one of {}", fmt::join(all_classes, ", ")));
  return letter;
}

int steps_of(const std::string& text) {
  const auto steps = whole_number(text, 1, max_steps);
  if (!steps)
    reject("--steps", text, fmt::format("not a number of steps; a whole number from 1 to {}", max_steps));
  return *steps;
}

/// `count` whole numbers separated by 'x'; empty when `text` is not that.
std::vector<int> extents(std::string_view text, std::size_t count) {
  std::vector<int> values;
  while (true) {
    const std::size_t end = text.find('x');
    const auto value = whole_number(text.substr(0, end), 1, max_extent);
    if (!value) return {};
    values.push_back(*value);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return values.size() == count ? values : std::vector<int>{};
}

grid_size grid_of(const std::string& text) {
  const std::vector<int> n = extents(text, 3);
  if (n.empty()) reject("--grid", text, "not a grid; XxYxZ points, as 64x64x8");
  if (n[2] < min_points) reject("--grid", text, fmt::format("Z must be at least {} points", min_points));
  return {n[0], n[1], n[2]};
}

zone_grid zones_of(const std::string& text) {
  const std::vector<int> n = extents(text, 2);
  if (n.empty()) reject("--zones", text, "not a zone grid; XxY zones, as 4x4");
  return {n[0], n[1]};
}

exchange_mode exchange_of(const std::string& text) {
  if (text == "dataflow") return exchange_mode::dataflow;
  if (text == "barrier") return exchange_mode::barrier;
  reject("--exchange", text, "no such form of the exchange; one of dataflow, barrier");
}

peer_faces peer_faces_of(const std::string& text) {
  if (text == "direct") return peer_faces::direct;
  if (text == "host") return peer_faces::host;
  if (text == "frozen") return peer_faces::frozen;
  reject("--peer-faces", text, "no such way for faces between two devices; one of direct, host, frozen");
}

void read_checkpoint(const bench::option_texts& line, const texts& t, options& o) {
  o.checkpoint = t.checkpoint;
  if (line.has("--checkpoint") && t.checkpoint.empty())
    throw yoke::config_error{"--checkpoint: the path is empty"};
  for (const char* const each : {"--every", "--restart"})
    if (line.has(each) && !line.has("--checkpoint"))
      throw yoke::config_error{fmt::format("{}: which file? give --checkpoint FILE", each)};
  if (!line.has("--every")) return;
  const auto every = whole_number(t.every, 1, max_steps);
  if (!every)
    reject("--every", t.every, fmt::format("not a number of steps; a whole number from 1 to {}", max_steps));
  o.every = *every;
}

bool is_over_zones(const std::string& text) {
  if (text == "zones") return true;
  if (text == "own") return false;
  reject("--march", text, "no such way through the steps; one of own, zones");
}

/// What yoke::zones has no counterpart of, or several ranks.
void check_zones(const bench::option_texts& line, const options& o, int n_ranks) {
  if (!o.over_zones) return;
  for (const char* const each :
       {"--exchange", "--peer-faces", "--links", "--no-graph", "--solo", "--samples"})
    if (line.has(each))
      throw yoke::config_error{
          fmt::format("{}: not {}; leave it out", each,
                      n_ranks > 1 ? fmt::format("on several ranks, of which there are {}", n_ranks)
                                  : "over yoke::zones")};
}

std::optional<yoke::sourced> given(const bench::option_texts& line, const char* option,
                                   const std::string& text) {
  if (!line.has(option)) return std::nullopt;
  return yoke::sourced{text, option};
}

std::string examples(const std::string& program) {
  return fmt::format(
      "Without a verdict (--steps, --grid, --zones, --peer-faces frozen) the norms are printed and the exit "
      "status is 0.\n"
      "Exit status: 0 verified, 1 not verified or failed while running, 2 wrong usage.\n\n"
      "Examples:\n"
      "  {0}                                   class W on all CPUs and devices\n"
      "  {0} --class A --cus 2x1               two compute units of one CPU\n"
      "  {0} --class A --cus 1x1+1 --devices emulated:1 --schedule static-hybrid,pcf=3\n"
      "  {0} --class C --cus +1 --devices cuda:0\n"
      "  {0} --class C --cus 15x1+1 --devices cuda:0@8\n"
      "  mpirun -np 4 {0} --class B            zones shared by four ranks\n"
      "  {0} --class B --checkpoint b.ckpt --every 50   (killed: the same and --restart)\n"
      "  {0} --grid 96x96x12 --zones 3x3 --steps 20 --json run.json --trace run.trace.json\n",
      program);
}

void add_options(bench::option_texts& line, texts& t, options& o) {
  line.add("--class", t.problem_class, "S, W, A, B, C, D, E or F (default W)", "CLASS");
  line.add("--steps", t.steps, "time steps instead of the class's number", "N");
  line.add("--cus", t.cus, "compute units: N CPU CUs of M CPUs and G GPU CUs (YOKE_CUS)", "NxM+G");
  line.add("--devices", t.devices, "auto, none, cuda:0,1, cuda:0/4 (slices), emulated:2, … (YOKE_DEVICES)",
           "LIST");
  line.add("--schedule", t.schedule, "which CU runs which zone (YOKE_SCHEDULE)", "NAME[,k=v…]");
  line.add("--grid", t.grid, "points, instead of the class's grid", "XxYxZ");
  line.add("--zones", t.zones, "zones, instead of the class's", "XxY");
  line.add("--exchange", t.exchange,
           "dataflow: a zone runs when its faces have arrived (default); barrier: all zones step together",
           "FORM");
  line.add("--peer-faces", t.peer_faces,
           "faces between two devices: direct where they reach each other (default); host: through host "
           "memory; frozen: not at all, which measures what they cost and verifies nothing",
           "WAY");
  line.add(
      "--march", t.march,
      "what takes zones through the steps: own, the benchmark's driver (default in one process), or zones, "
      "the library's yoke::zones (always on several ranks)",
      "WAY");
  line.add("--checkpoint", t.checkpoint, "keep the state in a file, over yoke::zones", "FILE");
  line.add("--every", t.every, "steps from one checkpoint to the next (default 100)", "N");
  line.add_flag("--restart", o.restart, "go on from the checkpoint, on any ranks and CUs");
  line.add_flag("--links", o.links, "measure the bandwidth between memories before the run");
  line.add_flag("--no-graph", "launch every step of a batch on a device anew, not as a graph",
                [&] { o.graphs = false; });
  line.add_flag("--solo", o.solo, "measure the CPU CUs and each GPU alone before the run");
  line.add_flag("--explain", o.explain, "say why: the map, the speeds, what was lost where");
  line.add("--profile", t.profile, "where learnt speeds are kept for the next run, or none (YOKE_PROFILE)",
           "FILE");
  line.add("--trace", t.trace, "write a trace that Perfetto opens (YOKE_TRACE)", "FILE");
  line.add("--json", t.json, "write the result as JSON", "FILE");
  line.add_flag("--samples", o.samples, "keep what every zone took in every step in the JSON");
  line.add_flag("--quiet", o.quiet, "print the verdict line only");
}

void read_texts(const bench::option_texts& line, const texts& t, options& o, int n_ranks) {
  if (line.has("--class")) o.problem_class = class_of(t.problem_class);
  if (line.has("--steps")) o.steps = steps_of(t.steps);
  if (line.has("--grid")) o.grid = grid_of(t.grid);
  if (line.has("--zones")) o.zones = zones_of(t.zones);
  if (line.has("--exchange")) o.exchange = exchange_of(t.exchange);
  if (line.has("--peer-faces")) o.between_devices = peer_faces_of(t.peer_faces);
  read_checkpoint(line, t, o);
  o.over_zones = n_ranks > 1 || !o.checkpoint.empty();
  if (line.has("--march") && !is_over_zones(t.march)) {
    if (n_ranks > 1) reject("--march", t.march, fmt::format("not on {} ranks; zones", n_ranks));
    if (o.over_zones) reject("--march", t.march, "makes no checkpoints; zones");
  }
  o.over_zones = o.over_zones || t.march == "zones";
  check_zones(line, o, n_ranks);
  o.cus = given(line, "--cus", t.cus);
  o.devices = given(line, "--devices", t.devices);
  o.schedule = given(line, "--schedule", t.schedule);
  o.profile = given(line, "--profile", t.profile);
  if (o.schedule) yoke::check_schedule(*o.schedule);
}

void refuse_extras(const bench::option_texts& line) {
  const std::vector<std::string> extras = line.others();
  if (extras.empty()) return;
  const bool option = extras.front().starts_with("-");
  throw yoke::config_error{fmt::format("{}: {}; --help lists the options",
                                       extras.front().empty() ? "\"\"" : extras.front(),
                                       option ? "no such option" : "not an option")};
}

}  // namespace

std::optional<options> parse_options(int argc, const char* const* argv, const std::string& program,
                                     std::string& text, int n_ranks, int rank) {
  options result;
  texts t;
  bench::option_texts line{program, "NPB multi-zone benchmark " + program + " on CPU and GPU compute units",
                           examples(program)};
  add_options(line, t, result);
  switch (line.parse(argc, argv)) {
    case bench::option_texts::asked::help:
      text = line.help();
      return std::nullopt;
    case bench::option_texts::asked::version:
      text = fmt::format("{} (Yoke) {}\n", program, yoke::version());
      return std::nullopt;
    case bench::option_texts::asked::work:
      break;
  }
  refuse_extras(line);
  read_texts(line, t, result, n_ranks);
  if (rank == 0)
    open_files(line.has("--json") ? std::optional{t.json} : std::nullopt, given(line, "--trace", t.trace),
               result);
  return result;
}

}  // namespace npb
