#include "blas.hpp"

#include <yoke/error.hpp>

namespace apps::blas {

void multiply(int, std::int64_t, std::int64_t, std::int64_t, const double*, std::int64_t, const double*,
              std::int64_t, double*, std::int64_t) {
  throw yoke::config_error{
      "--blas: this build has no OpenBLAS; install it (libopenblas0-pthread) and configure anew"};
}

}  // namespace apps::blas
