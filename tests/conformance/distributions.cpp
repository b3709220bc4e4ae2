#include "distributions.hpp"

#include "../../arrays/src/distribution_kinds.hpp"

#include <cstddef>
#include <numeric>

namespace conformance {

namespace {

using std::int64_t;
using yoke::distribution;
using yoke::runtime;
using yoke::detail::distribution_kind;
using lengths = distribution_kind::lengths;
using needs = distribution_kind::needs;
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

forms with_lengths(const std::string& name, const distribution& plain, lengths allowed) {
  if (allowed == lengths::refused) return {};
  forms made{{name + "(k), a block for each unit or fewer",
              [plain](runtime& rt, int64_t n) { return plain(n / rt.units().size() + 1); }},
             {name + "(k), all on the first unit", [plain](runtime&, int64_t n) { return plain(n + 1); }}};
  if (allowed == lengths::of_blocks_in_turn)
    made.push_back({name + "(3)", [plain](runtime&, int64_t) { return plain(3); }});
  return made;
}

forms with_weights(const std::string& name) {
  return {
      {name + ", more to the last", [](runtime& rt, int64_t) { return distribution{slope(rt, true)}; }},
      {name + ", more to the first", [](runtime& rt, int64_t) { return distribution{slope(rt, false)}; }}};
}

/// Those of a distribution that no other array is needed for.
forms forms_of(distribution::kind which, const distribution_kind& kind) {
  const std::string name{kind.name};
  if (kind.made_of == needs::array) return {};
  if (kind.made_of == needs::weights) return with_weights(name);
  const distribution plain{which};
  forms made{{name, [plain](runtime&, int64_t) { return plain; }}};
  for (distribution_form& each : with_lengths(name, plain, kind.length)) made.push_back(std::move(each));
  return made;
}

distribution_form along(const std::string& name, const distribution_form& other) {
  return {name + " " + other.name, [other](runtime& rt, int64_t n) {
            return yoke::dist::along(yoke::array<char, 1>{rt, {n}, {other.of(rt, n)}}, 0);
          }};
}

}  // namespace

std::vector<distribution_form> distributions() {
  const auto kinds = yoke::detail::distribution_kinds();
  forms all;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (distribution_form& each : forms_of(static_cast<distribution::kind>(i), *kinds[i]))
      all.push_back(std::move(each));
  const std::size_t n_others = all.size();
  for (const distribution_kind* kind : kinds)
    for (std::size_t i = 0; kind->made_of == needs::array && i < n_others; ++i)
      all.push_back(along(std::string{kind->name}, all[i]));
  return all;
}

}  // namespace conformance
