#include <fmt/format.h>
#include <limits>

#include <yoke/error.hpp>
#include <yoke/tiles.hpp>

namespace yoke::detail {

tiling_shape::tiling_shape(const matrix_tiling& of, std::string_view name) : of_{of}, name_{name} {
  const auto check = [&](const char* what, std::int64_t value) {
    if (value < 1) throw usage_error{fmt::format("tiles {}: {} is {}; 1 or more", name, what, value)};
  };
  check("rows", of.rows);
  check("columns", of.columns);
  check("tile_rows", of.tile_rows);
  check("tile_columns", of.tile_columns);
  if (of.rows > std::numeric_limits<std::int64_t>::max() / 16 / of.columns)
    throw usage_error{
        fmt::format("tiles {}: {} x {} elements; no memory has so many", name, of.rows, of.columns)};
}

std::size_t tiling_shape::place_of(std::int64_t i, std::int64_t j) const {
  if (i < 0 || i >= n_rows() || j < 0 || j >= n_columns())
    throw usage_error{fmt::format("tiles {}: tile ({}, {}); it has {} x {}, from (0, 0)", name_, i, j,
                                  n_rows(), n_columns())};
  return static_cast<std::size_t>(i * n_columns() + j);
}

std::string tiling_shape::name_of(std::int64_t i, std::int64_t j) const {
  return fmt::format("{}({}, {})", name_, i, j);
}

void tiling_shape::check_size(std::size_t elements, const char* call) const {
  const std::int64_t wanted = of_.rows * of_.columns;
  if (static_cast<std::int64_t>(elements) != wanted)
    throw usage_error{fmt::format("tiles {}: {} of {} elements; {} x {} are {}", name_, call, elements,
                                  of_.rows, of_.columns, wanted)};
}

}  // namespace yoke::detail
