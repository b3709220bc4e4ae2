#include "driver/run/driver.hpp"

int main(int argc, char** argv) {
  return npb::run_program(argc, argv, npb::benchmark_kind::lu, npb::lu::make_benchmark);
}
