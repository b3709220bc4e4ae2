#include "audit.hpp"

#include <fmt/format.h>
#include <functional>
#include <map>

#include <yoke/backends.hpp>
#include <yoke/device_list.hpp>
#include <yoke/error.hpp>
#include <yoke/kept_profiles.hpp>
#include <yoke/places.hpp>
#include <yoke/runtime.hpp>

namespace tools {

namespace {

/// Runs what refuses by an error, and takes the error for a finding.
template <class Check>
void expect(findings& found, const std::string& mend, const Check& check) {
  try {
    check();
  } catch (const yoke::config_error& refusal) {
    found.push_back({true, refusal.what(), mend});
  }
}

yoke::settings settings_in(const surroundings& around) {
  yoke::settings all;
  for (const auto& [name, value] : around.variables) {
    if (name.starts_with("YOKE_")) all.others.push_back({value, name});
  }
  return all;
}

using value_check = std::function<void(const yoke::sourced&)>;

/// What the value of each variable must pass.
std::map<std::string, value_check> value_checks(bool& smt) {
  const auto flag = [](const yoke::sourced& text) { static_cast<void>(yoke::parse_flag(text)); };
  std::map<std::string, value_check> all{
      {"YOKE_DEVICES", [](const auto& text) { static_cast<void>(yoke::parse_device_list(text)); }},
      {"YOKE_SCHEDULE", [](const auto& text) { yoke::check_schedule(text); }},
      {"YOKE_PROFILE", [](const auto& text) { static_cast<void>(yoke::profile_file(text)); }},
      {"YOKE_SMT", [&smt](const auto& text) { smt = yoke::parse_flag(text); }},
      {"YOKE_CHECK", flag},
      {"YOKE_DISPLAY_ENV", flag}};
  for (const yoke::backend& each : yoke::all_backends())
    if (each.options && each.options->check != nullptr)
      all[std::string{each.options->variable.name}] = each.options->check;
  return all;
}

void audit_values(audit_subject& of, findings& found) {
  for (const auto& [name, check] : value_checks(of.smt)) {
    const std::string* value = of.around.find(name);
    if (value != nullptr) expect(found, "unset " + name, [&] { check({*value, name}); });
  }
}

void audit_settings(audit_subject& of, findings& found) {
  expect(found, "unset the variable, or spell it as the message says",
         [&] { settings_in(of.around).check_names(yoke::backend_settings()); });
  audit_values(of, found);
  if (!of.around.can_trace)
    found.push_back(
        {true, fmt::format("YOKE_TRACE={}: no file can be written there", *of.around.find("YOKE_TRACE")),
         "unset YOKE_TRACE"});
  if (of.cus.value.empty()) return;
  expect(found, "export YOKE_CUS=NxM+G, as yoke info proposes",
         [&] { of.shape = parse_configuration(of.cus); });
}

bool are_emulated(const surroundings& around) {
  const std::string* devices = around.find("YOKE_DEVICES");
  return devices != nullptr && devices->starts_with("emulated:");
}

/// The last words of a refusal name what fits.
std::string that_fits(const std::string& refusal) {
  return "export YOKE_CUS=" + refusal.substr(refusal.rfind(' ') + 1);
}

void audit_size(const audit_subject& of, findings& found) {
  if (!of.shape) return;
  try {
    assign_places(*of.shape, of.cus, of.around.machine, of.smt, are_emulated(of.around));
  } catch (const yoke::config_error& refusal) {
    found.push_back({true, refusal.what(), that_fits(refusal.what())});
  }
}

}  // namespace

findings audit(const surroundings& around, const std::string& cus) {
  audit_subject of{.around = around};
  const std::string* given = around.find("YOKE_CUS");
  of.cus =
      !cus.empty() ? yoke::sourced{cus, "--cus"} : yoke::sourced{given != nullptr ? *given : "", "YOKE_CUS"};
  findings found;
  audit_settings(of, found);
  audit_size(of, found);
  audit_openmp(of, found);
  audit_cpus(of, found);
  audit_ranks(of, found);
  audit_devices(of, found);
  return found;
}

}  // namespace tools
