#include "distributions.hpp"

#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

#include <yoke/error.hpp>

namespace conformance {

namespace {

using std::int64_t;
using yoke::distribution;
using yoke::runtime;
using kind = distribution::kind;
using forms = std::vector<distribution_form>;

/// 0, 1, 2, … or the same from the back; 1 for a unit that is alone.
std::vector<double> slope(const runtime& rt, bool is_rising) {
  std::vector<double> weights(static_cast<std::size_t>(rt.units().size()));
  if (is_rising)
    std::iota(weights.begin(), weights.end(), 0.0);
  else
    std::iota(weights.rbegin(), weights.rend(), 0.0);
  if (weights.size() == 1) weights = {1};
  return weights;
}

#define YOKE_NAMED(name) std::pair{kind::name, #name},
constexpr std::array all_kinds{YOKE_FOR_EACH_DISTRIBUTION(YOKE_NAMED)};
#undef YOKE_NAMED

bool takes(runtime& rt, int64_t n, const distribution& how) {
  try {
    const yoke::array<char, 1> x{rt, {n}, {how}};
    return true;
  } catch (const yoke::usage_error&) {
    return false;
  }
}

forms with_lengths(runtime& rt, const std::string& name, const distribution& plain) {
  const int64_t many = 10 * rt.units().size();
  if (!takes(rt, many, plain(many))) return {};
  forms made{{name + "(k), a block for each unit or fewer",
              [plain](runtime& of, int64_t n) { return plain(n / of.units().size() + 1); }},
             {name + "(k), all on the first unit", [plain](runtime&, int64_t n) { return plain(n + 1); }}};
  const bool go_round = takes(rt, many, plain(1));
  if (go_round) made.push_back({name + "(3)", [plain](runtime&, int64_t) { return plain(3); }});
  return made;
}

forms with_weights(const std::string& name) {
  return {
      {name + ", more to the last", [](runtime& rt, int64_t) { return distribution{slope(rt, true)}; }},
      {name + ", more to the first", [](runtime& rt, int64_t) { return distribution{slope(rt, false)}; }}};
}

/// n elements of rows of all lengths, the first ones empty.
std::vector<int64_t> offsets_of(int64_t n) {
  const int64_t rows = n / 2 + 3;
  std::vector<int64_t> offsets;
  for (int64_t row = 0; row <= rows; ++row) offsets.push_back(n * row * row / (rows * rows));
  return offsets;
}

forms with_rows(const std::string& name) {
  const auto by = [&](const char* what, const auto& rows) {
    return distribution_form{
        name + what, [rows](runtime& rt, int64_t n) { return yoke::dist::by(offsets_of(n), rows(rt)); }};
  };
  return {by(", rows balanced", [](runtime&) { return yoke::dist::balanced; }),
          by(", rows in blocks", [](runtime&) { return yoke::dist::block; }),
          by(", rows with weights", [](runtime& rt) { return distribution{slope(rt, true)}; }),
          by(", rows everywhere", [](runtime&) { return yoke::dist::duplicate; })};
}

/// Those of a distribution that no other array is needed for.
forms forms_of(runtime& rt, kind which, const std::string& name) {
  if (which == kind::aligned) return {};
  if (which == kind::weighted) return with_weights(name);
  if (which == kind::by) return with_rows(name);
  const distribution plain{which};
  forms made{{name, [plain](runtime&, int64_t) { return plain; }}};
  for (distribution_form& each : with_lengths(rt, name, plain)) made.push_back(std::move(each));
  return made;
}

distribution_form along(const std::string& name, const distribution_form& other) {
  return {name + " " + other.name, [other](runtime& rt, int64_t n) {
            return yoke::dist::along(yoke::array<char, 1>{rt, {n}, {other.of(rt, n)}}, 0);
          }};
}

forms list_all() {
  runtime rt;
  forms all;
  for (const auto& [which, name] : all_kinds)
    for (distribution_form& each : forms_of(rt, which, name)) all.push_back(std::move(each));
  const std::size_t n_others = all.size();
  for (std::size_t i = 0; i < n_others; ++i) all.push_back(along("along", all[i]));
  return all;
}

}  // namespace

std::vector<distribution_form> distributions() {
  static const forms all = list_all();
  return all;
}

}  // namespace conformance
