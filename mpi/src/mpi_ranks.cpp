#include "device_messages.hpp"
#include "mpi_calls.hpp"
#include "shared_cpus.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <limits>
#include <mpi.h>
#include <utility>

#include <yoke/affinity.hpp>
#include <yoke/backends.hpp>
#include <yoke/detail/spin.hpp>
#include <yoke/error.hpp>
#include <yoke/mpi_ranks.hpp>
#include <yoke/rank_of_process.hpp>
#include <yoke/settings.hpp>
#include <yoke/topology.hpp>

namespace yoke {

using detail::check;
using detail::is_finalized;
using detail::refuse_after_the_end;
using detail::wait_for;

namespace {

bool is_initialized() {
  int is = 0;
  MPI_Initialized(&is);
  return is != 0;
}
/// What launchers leave in the environment of a rank: Open MPI, MPICH and others by PMI, Slurm.
bool is_launched() {
  constexpr const char* marks[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE",
                                   "SLURM_PROCID"};
  for (const char* const each : marks)
    if (detail::get_environment(each)) return true;
  return false;
}

/// What its drivers read to choose devices. Slurm shows a rank its own where they are counted for each, under
/// equal numbers.
std::string visible_to_drivers() {
  std::string all;
  for (const backend& each : all_backends())
    for (const char* const list : each.numbering ? each.numbering->lists : std::vector<const char*>{})
      if (const auto text = detail::get_environment(list)) all += fmt::format("{}={};", list, *text);
  if (detail::get_environment("SLURM_GPUS_PER_TASK"))
    all += fmt::format("of rank {}", detail::get_environment("SLURM_PROCID").value_or("?"));
  return all;
}

/// Others wait for this process, or will: so MPI is not finalized with them.
void end_all_at_exit() {
  if (!is_finalized()) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

}  // namespace

struct mpi_ranks::state {
  bool is_own = false;  ///< MPI was initialized here
  int uncaught = std::uncaught_exceptions();
  MPI_Comm among = MPI_COMM_NULL;
  int size = 1, rank = 0;
  bool told = false;  ///< why messages leave from host memory
};

mpi_ranks::mpi_ranks() {
  refuse_after_the_end("mpi_ranks");
  const bool was_there = is_initialized();
  if (!was_there && !is_launched()) return;
  int level = 0;
  if (was_there)
    check(MPI_Query_thread(&level), "MPI_Query_thread");
  else
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread");
  state_ = std::make_unique<state>();
  state_->is_own = !was_there;
  if (level < MPI_THREAD_MULTIPLE)
    throw usage_error{
        was_there
            ? "MPI was initialized without MPI_THREAD_MULTIPLE, which mpi_ranks needs; ask MPI_Init_thread "
              "for it, or make mpi_ranks before MPI is initialized"
            : "this MPI has no MPI_THREAD_MULTIPLE, which mpi_ranks needs; take a library that has it"};
  check(MPI_Comm_dup(MPI_COMM_WORLD, &state_->among), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(state_->among, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_size(state_->among, &state_->size), "MPI_Comm_size");
  check(MPI_Comm_rank(state_->among, &state_->rank), "MPI_Comm_rank");
  if (size() == 1) return;
  const std::vector<detail::node_of_rank> all = nodes();
  share_cpus(all);
  tell_process(all);
}

/// Rank 0 says so on stderr.
void mpi_ranks::share_cpus(std::span<const detail::node_of_rank> nodes) {
  const std::vector<int> cpus = allowed_cpus_at_start();
  const auto lists = gather(std::as_bytes(std::span{cpus}));
  std::vector<detail::rank_cpus> all;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    detail::rank_cpus& each = all.emplace_back(nodes[i]);
    each.cpus.resize(lists[i].size() / sizeof(int));
    std::memcpy(each.cpus.data(), lists[i].data(), lists[i].size());
  }
  if (const std::string note = detail::note_of_shared_cpus(all); !note.empty() && rank() == 0)
    std::fprintf(stderr, "yoke: %s\n", note.c_str());
  const detail::cpu_share mine = detail::shares_of_cpus(all)[static_cast<std::size_t>(rank())];
  if (mine.last - mine.first == std::ssize(cpus)) return;
  std::vector<int> kept;
  const topology machine = topology::of_this_machine();
  for (const cpu_info& each : machine.cpus()) kept.push_back(each.cpu);
  keep_to_cpus({kept.begin() + mine.first, kept.begin() + mine.last});
}

/// The runtime takes its devices, and its configuration of a list, by that.
void mpi_ranks::tell_process(std::span<const detail::node_of_rank> nodes) {
  const auto own = [](const char* name) { return detail::get_environment(name).value_or(""); };
  const std::vector<std::string> cus = gathered(own("YOKE_CUS")), devices = gathered(own("YOKE_DEVICES")),
                                 visible = gathered(visible_to_drivers());
  const detail::node_of_rank& here = nodes[static_cast<std::size_t>(rank())];
  rank_of_process all{.rank = rank(), .size = size(), .node = here.name};
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].number == here.number)
      all.beside.push_back({static_cast<int>(i), cus[i], devices[i], visible[i]});
  set_this_rank(std::move(all));
}

std::vector<std::string> mpi_ranks::gathered(const std::string& mine) {
  std::vector<std::string> all;
  for (const std::vector<std::byte>& each : gather(std::as_bytes(std::span{mine})))
    all.emplace_back(reinterpret_cast<const char*>(each.data()), each.size());
  return all;
}

/// By the memory that ranks share; in containers none do, and the name of the processor decides.
std::vector<detail::node_of_rank> mpi_ranks::nodes() {
  MPI_Comm beside = MPI_COMM_NULL;
  check(MPI_Comm_split_type(state_->among, MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &beside),
        "MPI_Comm_split_type");
  detail::rank_place mine;
  check(MPI_Comm_size(beside, &mine.n_beside), "MPI_Comm_size");
  mine.first_beside = rank();
  check(MPI_Bcast(&mine.first_beside, 1, MPI_INT, 0, beside), "MPI_Bcast");
  check(MPI_Comm_free(&beside), "MPI_Comm_free");
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  check(MPI_Get_processor_name(name, &length), "MPI_Get_processor_name");
  const std::vector<std::string> names = gathered({name, static_cast<std::size_t>(length)});
  const auto places = gather(std::as_bytes(std::span{&mine, 1}));
  std::vector<detail::rank_place> all(names.size());
  for (std::size_t i = 0; i < all.size(); ++i) std::memcpy(&all[i], places[i].data(), sizeof mine);
  return detail::nodes_of(names, all);
}

mpi_ranks::~mpi_ranks() {
  if (state_ == nullptr || is_finalized()) return;
  if (std::uncaught_exceptions() > state_->uncaught) {  // main has yet to say which
    if (size() > 1) std::atexit(end_all_at_exit);
    return;
  }
  if (state_->among != MPI_COMM_NULL) MPI_Comm_free(&state_->among);
  if (state_->is_own) MPI_Finalize();
}

int mpi_ranks::size() const { return state_ != nullptr ? state_->size : 1; }
int mpi_ranks::rank() const { return state_ != nullptr ? state_->rank : 0; }

std::vector<std::vector<std::byte>> mpi_ranks::gather(std::span<const std::byte> mine) {
  if (size() == 1) return {{mine.begin(), mine.end()}};
  refuse_after_the_end("mpi_ranks");
  if (mine.size() > std::numeric_limits<int>::max() / static_cast<std::size_t>(size()))
    throw usage_error{fmt::format("{} bytes of each of {} ranks; together at most {} are accepted",
                                  mine.size(), size(), std::numeric_limits<int>::max())};
  const auto n = static_cast<std::size_t>(size());
  const int own = static_cast<int>(mine.size());
  std::vector<int> sizes(n), places(n);
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Iallgather(&own, 1, MPI_INT, sizes.data(), 1, MPI_INT, state_->among, &request),
        "MPI_Iallgather");
  wait_for(request, "MPI_Iallgather");
  for (std::size_t i = 1; i < n; ++i) places[i] = places[i - 1] + sizes[i - 1];
  std::vector<std::byte> all(static_cast<std::size_t>(places.back()) +
                             static_cast<std::size_t>(sizes.back()));
  check(MPI_Iallgatherv(mine.data(), own, MPI_BYTE, all.data(), sizes.data(), places.data(), MPI_BYTE,
                        state_->among, &request),
        "MPI_Iallgatherv");
  wait_for(request, "MPI_Iallgatherv");
  std::vector<std::vector<std::byte>> found;
  for (std::size_t i = 0; i < n; ++i)
    found.emplace_back(all.begin() + places[i], all.begin() + places[i] + sizes[i]);
  return found;
}

std::unique_ptr<ranks::exchange> mpi_ranks::make_exchange(int tag, std::span<const message> sent,
                                                          std::span<const message> received) {
  refuse_after_the_end("mpi_ranks");
  constexpr int most = 32767;  // what each MPI has
  return std::make_unique<detail::requests>(state_->among, tag % (most + 1), sent, received);
}

/// One that has failed to make something ready is asked by the others all the same.
bool mpi_ranks::takes_devices(std::span<device* const> here) {
  refuse_after_the_end("mpi_ranks");
  const detail::device_setting how = detail::setting_of_devices();
  const detail::device_vote mine{how, static_cast<int>(here.size()), detail::first_not_taken(how, here)};
  std::vector<detail::device_vote> all;
  for (const std::string& each : gathered(mine.text())) all.push_back(detail::device_vote::of(each));
  std::string why = detail::why_from_host(all);
  if (why.empty() && detail::most_devices(all) == 0) return false;
  if (why.empty()) {
    const detail::message_ring ring{state_->among, rank(), size(), detail::most_devices(all)};
    const std::vector<std::string> problems = gathered(ring.problem_with(here));
    why = detail::first_problem(problems);
  }
  if (detail::is_wanted(all) && !why.empty() && rank() == 0 && !std::exchange(state_->told, true))
    std::fprintf(stderr, "yoke: YOKE_MPI_DEVICES: %s; messages leave from host memory\n", why.c_str());
  return why.empty();
}

void mpi_ranks::end_all(const std::string& why) noexcept {
  std::fprintf(stderr, "yoke: rank %d: %s\n", rank(), why.c_str());
  std::fflush(nullptr);
  if (state_ != nullptr && !is_finalized()) MPI_Abort(state_->among, EXIT_FAILURE);
  std::abort();
}

}  // namespace yoke
