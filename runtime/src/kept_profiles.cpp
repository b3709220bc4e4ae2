#include "profile_store.hpp"

#include <yoke/error.hpp>
#include <yoke/kept_profiles.hpp>

namespace yoke {

namespace {

/// Whoever asks for the file itself has to hear what is wrong with it.
template <class Work>
auto or_refuse(const Work& work) {
  try {
    return work();
  } catch (const detail::profile_error& problem) {
    throw config_error{std::string{"profile: "} + problem.what()};
  }
}

}  // namespace

std::optional<std::string> profile_file(const std::optional<sourced>& place) {
  sourced given = place.value_or(sourced{"", "default"});
  const std::optional<detail::profile_path> found = detail::find_profile(given);
  return found ? std::optional{found->path} : std::nullopt;
}

std::vector<profile_entry> kept_profiles(const std::string& file) {
  return or_refuse([&] { return detail::read_book(file).entries(); });
}

std::size_t forget_profiles(const std::string& file, const std::function<bool(const profile_entry&)>& goes) {
  return or_refuse([&] { return detail::remove_from_file(file, goes); });
}

}  // namespace yoke
