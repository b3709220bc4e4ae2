#include "zone_program.hpp"

#include <fmt/format.h>

#include <yoke/error.hpp>
#include <yoke/zone_step.hpp>

namespace yoke {

halo::halo(std::initializer_list<std::int64_t> widths) {
  if (widths.size() > widths_.size())
    throw usage_error{fmt::format("a halo of {} dimensions; 1 to 3 are accepted", widths.size())};
  for (const std::int64_t each : widths) widths_[static_cast<std::size_t>(n_++)] = each;
}

namespace detail {

field_form form_of(int dimensions, const element_form& element, const halo& beside, const std::string& name) {
  if (beside.dimensions() != 0 && beside.dimensions() != dimensions)
    throw usage_error{
        fmt::format("{}: a halo of {} dimensions, the field has {}", name, beside.dimensions(), dimensions)};
  field_form form{.element = element, .dimensions = dimensions};
  form.has_corners = beside.has_corners();
  for (int d = 0; d < beside.dimensions(); ++d) {
    constexpr std::int64_t most = 1 << 20;
    if (beside[d] < 0 || beside[d] > most)
      throw usage_error{
          fmt::format("{}: a halo of {} in dimension {}; 0 to {} are accepted", name, beside[d], d, most)};
    form.halo[static_cast<std::size_t>(3 - dimensions + d)] = beside[d];
  }
  return form;
}

int add_field(zones_core& to, const field_form& form, std::string name) {
  return to.add_field(form, std::move(name));
}
void remove_field(zones_core& of, int field) noexcept { of.remove_field(field); }
void* host_zone(zones_core& of, int field, int zone, bool writes) { return of.host(field, zone, writes); }
const zone_box& box_of(const zones_core& of, int zone) { return of.boxes()[static_cast<std::size_t>(zone)]; }

zones_core& core_of(zones& of) { return *of.core_; }
std::shared_ptr<zones_core> shared_core_of(zones& of) { return of.core_; }

}  // namespace detail

zones::zones(runtime& rt, ranks* among, detail::zone_list all, const zone_options& options)
    : core_{std::make_shared<detail::zones_core>(rt, among, std::move(all), options)} {}
zones::~zones() = default;

int zones::size() const { return static_cast<int>(core_->boxes().size()); }
void zones::join(zone_end a, zone_end b, const zone_transform& turn) { core_->join(a, b, turn); }
void zones::wait() { core_->wait(); }
std::vector<unit_id> zones::map() { return core_->layout().dealt; }
int zones::rank_of(int zone) const { return core_->rank_of(zone); }
bool zones::is_here(int zone) const { return core_->is_here(zone); }

zone_recording zones::record(const std::function<void(zone_step&)>& step) {
  auto made = std::make_unique<detail::zone_program>(core_);
  zone_step listed{*made};
  step(listed);
  return zone_recording{std::move(made)};
}

void zone_step::add(detail::zone_operation next) { to_.add(std::move(next)); }
void zone_step::swap_fields(const detail::zone_use& a, const detail::zone_use& b) { to_.add_swap(a, b); }

zone_recording::zone_recording(std::unique_ptr<detail::zone_program> steps) : steps_{std::move(steps)} {}
zone_recording::~zone_recording() = default;
zone_recording::zone_recording(zone_recording&&) noexcept = default;
zone_recording& zone_recording::operator=(zone_recording&&) noexcept = default;

void zone_recording::replay(std::int64_t steps) { steps_->replay(steps); }
std::int64_t zone_recording::warm_up(std::int64_t steps) { return steps_->warm_up(steps); }
std::string zone_recording::explain() const { return steps_->explain(); }

}  // namespace yoke
