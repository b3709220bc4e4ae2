/// Heat in a rod that processes share: each has a piece of it in an array, with a point of each neighbour,
/// which MPI brings between the loops.
///
///   mpirun -np 2 --map-by slot:PE=2 --bind-to core ./rod_ranks [points of each [steps]]
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mpi.h>
#include <vector>

#include <yoke/arrays.hpp>

using namespace yoke::loops;
namespace dist = yoke::dist;

namespace {

YOKE_HD double warmed(double left, double here, double right) {
  return here + 0.25 * (left + right - 2 * here);
}

struct warm {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> old,
                          yoke::view<double, 1> next) const {
    next(at) = warmed(old(at.i - 1), old(at), old(at.i + 1));
  }
};
struct pick_ends {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<const double, 1> rod, yoke::view<double, 1> ends,
                          std::int64_t n) const {
    ends(at) = rod(at.i == 0 ? 1 : n);
  }
};
struct put {
  YOKE_HD void operator()(yoke::loop_index<1> at, yoke::view<double, 1> rod, double value) const {
    rod(at) = value;
  }
};

struct neighbours {
  int left = MPI_PROC_NULL, right = MPI_PROC_NULL;
};

/// Points 0 and n + 1 of `rod` become those of the neighbours; `ends` has two elements.
void exchange(yoke::runtime& rt, yoke::array<double, 1>& rod, yoke::array<double, 1>& ends,
              const neighbours& of) {
  const std::int64_t n = rod.extent(0) - 2;
  yoke::for_each<pick_ends>(rt, {2}, in(rod, yoke::everywhere), out(ends), n);
  std::array<double, 2> mine{}, theirs{};
  ends.gather(mine);
  MPI_Sendrecv(&mine[0], 1, MPI_DOUBLE, of.left, 0, &theirs[1], 1, MPI_DOUBLE, of.right, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(&mine[1], 1, MPI_DOUBLE, of.right, 1, &theirs[0], 1, MPI_DOUBLE, of.left, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  if (of.left != MPI_PROC_NULL) yoke::for_each<put>(rt, {{0, 1}}, inout(rod), theirs[0]);
  if (of.right != MPI_PROC_NULL) yoke::for_each<put>(rt, {{n + 1, n + 2}}, inout(rod), theirs[1]);
}

/// The first point is hot, and stays so, as the last one stays cold.
std::vector<double> serial_solution(std::int64_t points, int steps) {
  std::vector<double> old(static_cast<std::size_t>(points) + 2);
  old.front() = 1;
  std::vector<double> next = old;
  for (int k = 0; k < steps; ++k, swap(old, next))
    for (std::size_t i = 1; i + 1 < old.size(); ++i) next[i] = warmed(old[i - 1], old[i], old[i + 1]);
  return old;
}

std::vector<double> piece_after(std::int64_t n, int steps, const neighbours& of) {
  std::vector<double> piece(static_cast<std::size_t>(n) + 2);
  if (of.left == MPI_PROC_NULL) piece.front() = 1;
  yoke::runtime rt;
  yoke::array<double, 1> rod{rt, {n + 2}, {dist::block.halo(1)}, yoke::attach(piece)};
  yoke::array<double, 1> next{rt, {n + 2}, dist::as(rod)}, ends{rt, {2}, {dist::duplicate}};
  yoke::copy(rod, next);
  for (int k = 0; k < steps; ++k) {
    exchange(rt, rod, ends, of);
    yoke::for_each<warm>(rt, {{1, n + 1}}, in(rod), out(next));
    swap(rod, next);
  }
  rod.detach();
  return piece;
}

int run(std::int64_t n, int steps) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const neighbours of{rank > 0 ? rank - 1 : MPI_PROC_NULL, rank + 1 < size ? rank + 1 : MPI_PROC_NULL};
  const std::vector<double> piece = piece_after(n, steps, of), wanted = serial_solution(size * n, steps);
  const bool is_right = std::equal(piece.begin() + 1, piece.end() - 1, wanted.begin() + 1 + rank * n);
  int wrong = is_right ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%d ranks of %lld points: %s the serial solution\n", size, static_cast<long long>(n),
                wrong == 0 ? "equal to" : "NOT");
  return wrong;
}

}  // namespace

int main(int argc, char** argv) try {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  const int status = run(argc > 1 ? std::atoll(argv[1]) : 1000, argc > 2 ? std::atoi(argv[2]) : 100);
  MPI_Finalize();
  return status;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "rod_ranks: %s\n", problem.what());
  return EXIT_FAILURE;
}
