#include <algorithm>
#include <fmt/format.h>

#include <yoke/backends.hpp>
#include <yoke/error.hpp>

namespace yoke {

int backend::count(std::string& why) const {
  if (built()) return count_devices(why);
  why = missing;
  return 0;
}

std::string backend::refuses(int index) const {
  return built() && refuse_device != nullptr ? refuse_device(index) : "";
}

std::unique_ptr<device> backend::open(const device_request& request,
                                      const std::optional<sourced>& with) const {
  if (!built()) throw config_error{fmt::format("{}:{}: {}", name, request.index, missing)};
  return open_device(request, with);
}

std::vector<std::unique_ptr<device>> backend::split(device& whole,
                                                    std::span<const device_request> requests) const {
  if (split_device == nullptr)
    throw config_error{fmt::format("{}: devices of {} have no slices; ask for all of it, {}",
                                   name_of(requests.front()), name, name_of_device(requests.front()))};
  return split_device(whole, requests);
}

std::span<const backend> all_backends() {
  static const std::vector<backend> list = detail::listed_backends();
  return list;
}

const backend* find_backend(std::string_view name) {
  const auto list = all_backends();
  const auto found = std::ranges::find(list, name, &backend::name);
  return found == list.end() ? nullptr : &*found;
}

std::vector<setting_info> backend_settings() {
  std::vector<setting_info> variables;
  for (const backend& each : all_backends())
    if (each.options) variables.push_back(each.options->variable);
  return variables;
}

}  // namespace yoke
