// What messages between two ranks take: mpirun -np 2 link_program [exchanges]. Both send and receive as much
// at once. A line each: bytes, and the median in seconds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <yoke/mpi_ranks.hpp>

namespace {

double median_of(yoke::mpi_ranks& all, std::size_t bytes, int exchanges) {
  std::vector<std::byte> out(bytes), in(bytes);
  const yoke::ranks::message sent{1 - all.rank(), {out}}, received{1 - all.rank(), {in}};
  const auto messages = all.make_exchange(1, {&sent, 1}, {&received, 1});
  std::vector<double> took;
  for (int i = 0; i < exchanges; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    messages->start();
    while (!messages->is_over()) {
    }
    const std::chrono::duration<double> all_of_it = std::chrono::steady_clock::now() - begin;
    took.push_back(all_of_it.count());
  }
  std::ranges::nth_element(took, took.begin() + exchanges / 2);
  return took[static_cast<std::size_t>(exchanges / 2)];
}

}  // namespace

int main(int argc, char** argv) {
  yoke::mpi_ranks all;
  const int exchanges = argc > 1 ? std::atoi(argv[1]) : 400;
  if (all.size() != 2 || exchanges < 1) {
    std::fprintf(stderr, "link_program: wants two ranks, and a number of exchanges\n");
    return EXIT_FAILURE;
  }
  for (std::size_t bytes = 1 << 10; bytes <= 1 << 20; bytes *= 2) {
    const double seconds = median_of(all, bytes, exchanges);
    if (all.rank() == 0) std::printf("%zu %.9f\n", bytes, seconds);
  }
}
