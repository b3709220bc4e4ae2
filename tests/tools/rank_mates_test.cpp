// How ranks of a launcher know each other, and meet.
#include "rank_mates.hpp"

#include <filesystem>
#include <fstream>
#include <support/catch.hpp>
#include <thread>
#include <unistd.h>

using tools::launch_in;
using tools::meet;
using tools::rank_mate;

namespace {

namespace fs = std::filesystem;

struct folder {
  fs::path path = fs::temp_directory_path() / ("yoke-mates-" + std::to_string(getpid()));
  ~folder() { fs::remove_all(path); }
};

std::vector<rank_mate> met_at(const folder& at, int place, int n, yoke::seconds patience) {
  return meet({.rank = 10 + place, .place = place, .n_of_node = n},
              {10 + place, {place}, {2 * place}, {"cuda:" + std::to_string(place)}}, at.path, patience);
}

}  // namespace

TEST_CASE("launchers say who a rank is", "[ranks]") {
  const auto open = launch_in({{"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
                               {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                               {"OMPI_COMM_WORLD_RANK", "5"},
                               {"PMIX_NAMESPACE", "77.1"}},
                              "9-9");
  REQUIRE(open);
  CHECK(std::tuple{open->rank, open->place, open->n_of_node, open->job} ==
        std::tuple{5, 1, 4, std::string{"77-1"}});
  const auto mpich =
      launch_in({{"MPI_LOCALNRANKS", "2"}, {"MPI_LOCALRANKID", "0"}, {"PMI_RANK", "2"}}, "9-9");
  REQUIRE(mpich);
  CHECK(std::tuple{mpich->rank, mpich->place, mpich->job} == std::tuple{2, 0, std::string{"9-9"}});
  const auto slurm = launch_in({{"SLURM_STEP_TASKS_PER_NODE", "3(x2)"},
                                {"SLURM_LOCALID", "2"},
                                {"SLURM_PROCID", "5"},
                                {"SLURM_JOB_ID", "8"},
                                {"SLURM_STEP_ID", "1"}},
                               "9-9");
  REQUIRE(slurm);
  CHECK(std::tuple{slurm->n_of_node, slurm->job} == std::tuple{3, std::string{"8-1"}});
}

TEST_CASE("who is alone on a node, or not launched, is no rank", "[ranks]") {
  CHECK_FALSE(launch_in({}, "9-9"));
  CHECK_FALSE(launch_in({{"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "0"}}, "9-9"));
  CHECK_FALSE(launch_in({{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}, "9-9"));
  CHECK_FALSE(launch_in({{"MPI_LOCALNRANKS", "2"}, {"MPI_LOCALRANKID", "2"}}, "9-9"));
}

TEST_CASE("ranks that meet know what each has, and leave nothing", "[ranks]") {
  const folder at;
  std::vector<std::vector<rank_mate>> seen(3);
  {
    std::vector<std::jthread> all;
    for (int place = 0; place < 3; ++place)
      all.emplace_back([&, place] { seen[static_cast<std::size_t>(place)] = met_at(at, place, 3, 60); });
  }
  for (const auto& each : seen) {
    REQUIRE(each.size() == 3);
    for (int place = 0; place < 3; ++place) {
      const rank_mate& of = each[static_cast<std::size_t>(place)];
      CHECK(of.rank == 10 + place);
      CHECK(of.cpus == std::vector{place});
      CHECK(of.cores == std::vector{2 * place});
      CHECK(of.gpus == std::vector{"cuda:" + std::to_string(place)});
    }
  }
  CHECK_FALSE(fs::exists(at.path));
}

TEST_CASE("who meets nobody goes on, and leaves nothing", "[ranks]") {
  const folder at;
  CHECK(met_at(at, 1, 2, 0).empty());
  CHECK_FALSE(fs::exists(at.path));
}

TEST_CASE("what stands in the folder may be anything", "[ranks]") {
  const folder at;
  fs::create_directory(at.path);
  for (const char* const name : {"1", "1.seen"}) std::ofstream{at.path / name} << R"({"rank": "many"})";
  CHECK(met_at(at, 0, 2, 60).empty());
  CHECK_FALSE(fs::exists(at.path));
}
