#include "xml_of_hwloc.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace yoke::detail {

namespace {

/// [from, end); empty where there is no end.
std::string_view part(std::string_view text, std::size_t from, std::size_t end) {
  return end == std::string_view::npos || end < from ? std::string_view{} : text.substr(from, end - from);
}

/// The value of `name="…"`; empty where there is none.
std::string_view attribute(std::string_view tag, std::string_view name) {
  const std::string opening = fmt::format(" {}=\"", name);
  const std::size_t at = tag.find(opening);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + opening.size();
  return part(tag, begin, tag.find('"', begin));
}

std::string_view opening_tag(std::string_view text, std::string_view name) {
  const std::size_t begin = text.find(fmt::format("<{} ", name));
  return begin == std::string_view::npos ? std::string_view{} : part(text, begin, text.find('>', begin));
}

/// From the first opening to the last closing one: objects are inside one another.
std::string_view all_objects(std::string_view text) {
  constexpr std::string_view closing = "</object>";
  const std::size_t begin = text.find("<object "), end = text.rfind(closing);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
  return text.substr(begin, end + closing.size() - begin);
}

std::string kinds_of_cpus(std::string_view text) {
  constexpr std::string_view closing = "</cpukind>";
  std::string kinds;
  for (std::size_t at = text.find("<cpukind "); at != std::string_view::npos;
       at = text.find("<cpukind ", at + 1)) {
    const std::size_t tag = text.find('>', at);
    if (tag == std::string_view::npos) break;
    const bool is_closed = text[tag - 1] == '/';
    const std::size_t end = is_closed ? tag + 1 : text.find(closing, tag);
    if (end == std::string_view::npos) break;
    kinds += text.substr(at, end - at);
    if (!is_closed) kinds += closing;
    kinds += '\n';
  }
  return kinds;
}

/// hwloc 3 has a bit for each of storage, memory, GPU, coprocessor, network, OpenFabrics and DMA; hwloc 2 one
/// number.
int osdev_type_2(unsigned bits) {
  constexpr unsigned storage = 1, memory = 2, gpu = 4, coprocessor = 8, network = 16, fabric = 32, dma = 64;
  if ((bits & (storage | memory)) != 0) return 0;
  if ((bits & fabric) != 0) return 3;
  if ((bits & network) != 0) return 2;
  if ((bits & dma) != 0) return 4;
  if ((bits & coprocessor) != 0) return 5;
  return (bits & gpu) != 0 ? 1 : 0;
}

std::string with_types_of_hwloc_2(std::string_view objects) {
  constexpr std::string_view name = " osdev_type=\"";
  std::string text;
  for (std::size_t at = 0; at < objects.size();) {
    const std::size_t found = std::min(objects.find(name, at), objects.size());
    text += objects.substr(at, found - at);
    if (found == objects.size()) break;
    unsigned bits = 0;
    const char* const begin = objects.data() + found + name.size();
    const char* const end = std::from_chars(begin, objects.data() + objects.size(), bits).ptr;
    text += fmt::format("{}{}", name, osdev_type_2(bits));
    at = static_cast<std::size_t>(end - objects.data());
  }
  return text;
}

}  // namespace

std::string version_of_xml(std::string_view text) {
  return std::string{attribute(opening_tag(text, "topology"), "version")};
}

std::optional<std::string> as_of_hwloc_2(std::string_view text) {
  const std::string_view objects = all_objects(text);
  if (!version_of_xml(text).starts_with("3.") || objects.empty()) return std::nullopt;
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
      "<topology version=\"2.0\">\n{}\n{}</topology>\n",
      with_types_of_hwloc_2(objects),
      kinds_of_cpus(text.substr(static_cast<std::size_t>(objects.end() - text.begin()))));
}

}  // namespace yoke::detail
