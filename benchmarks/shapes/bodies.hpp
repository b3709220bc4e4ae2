#pragma once
/// Four bodies of loops over n x n, each launched in many shapes.

#include <cstdint>
#include <string>
#include <vector>

#include <yoke/clock.hpp>
#include <yoke/runtime.hpp>

namespace shapes {

struct sampling {
  int samples = 7;
  double sample_ms = 5;
};

/// Seconds of a run, back to back, of one body in one shape: medians of the samples.
struct shape_time {
  std::string shape;  ///< "64x2", "64x2, several rows a thread", "by its words"
  std::vector<yoke::seconds> samples;
};

struct body_times {
  std::string name;
  std::string words;
  std::vector<shape_time> shapes;  ///< the first one is what follows from the words
};

/// `n`: the side of the matrices.
std::vector<body_times> sweep(yoke::runtime& rt, std::int64_t n, const sampling& how);

}  // namespace shapes
