#pragma once
/// What the applications have in common.
#include "apps.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <yoke/arrays.hpp>

namespace apps {

using values = std::vector<double>;

/// The same numbers for both forms, in which a wrong cut shows.
values wave(std::int64_t n);
bool close(double a, double b);

/// What every application has: a runtime, and a number of threads for its plain form.
class base : public app {
 public:
  base(yoke::runtime& rt, const sizes& of) : rt_{rt}, threads_{of.threads} {}
  void finish() override;

 protected:
  yoke::runtime& rt() const { return rt_; }
  int threads() const { return threads_; }
  /// `moved`: doubles that a run reads and writes.
  void describe(const char* called, std::string as, double moved);

 private:
  yoke::runtime& rt_;
  int threads_;
};

template <class App>
known_app known(const char* name) {
  return {name, [](yoke::runtime& rt, const sizes& of) { return std::make_unique<App>(rt, of); }};
}

}  // namespace apps
