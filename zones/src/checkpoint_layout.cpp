#include "checkpoint_layout.hpp"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <string_view>

#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

constexpr std::string_view magic = "YokeZone";
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::uint32_t version = 2;

class writer {
 public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void add(const T& value) {
    const auto bytes = std::as_bytes(std::span{&value, 1});
    all_.insert(all_.end(), bytes.begin(), bytes.end());
  }
  void add(std::string_view text) {
    add(text.size());
    for (const char each : text) add(each);
  }
  const std::vector<std::byte>& all() const { return all_; }

 private:
  std::vector<std::byte> all_;
};

/// Errors: error where there is not so much.
class reader {
 public:
  reader(std::span<const std::byte> all, const std::string& path) : left_{all}, path_{path} {}
  template <class T>
  T take() {
    T value{};
    std::memcpy(&value, next(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string take_text() {
    const auto size = take<std::size_t>();
    const auto bytes = next(size);
    return {reinterpret_cast<const char*>(bytes.data()), size};
  }
  std::span<const std::byte> next(std::size_t n) {
    if (n > left_.size())
      throw error{fmt::format("{}: ends within its header; it is no complete checkpoint", path_)};
    const auto found = left_.first(n);
    left_ = left_.subspan(n);
    return found;
  }

 private:
  std::span<const std::byte> left_;
  const std::string& path_;
};

/// Beginning of the header, with the same place in all versions and orders of bytes.
struct preamble {
  std::array<char, magic.size()> name{};
  std::uint32_t order = byte_order;
  std::uint32_t version_of = version;
};

std::string text_of(const field_form& form) {
  return fmt::format("{} x {} bytes, halo {} {} {}", form.element.components, form.element.bytes,
                     form.halo[0], form.halo[1], form.halo[2]);
}

}  // namespace

/// Words in turn, so that a CPU need not wait for one before it takes the next.
std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  constexpr std::uint64_t prime = 1099511628211u, start = 14695981039346656037u;
  constexpr std::size_t n = 4, word_bytes = sizeof(std::uint64_t);
  const auto mixed = [](std::uint64_t sum, std::uint64_t word) {
    sum = (sum ^ word) * prime;
    return sum ^ (sum >> 29);
  };
  std::array<std::uint64_t, n> sums{start, start + 1, start + 2, start + 3};
  std::size_t at = 0;
  for (; at + n * word_bytes <= bytes.size(); at += n * word_bytes) {
    std::array<std::uint64_t, n> words{};
    std::memcpy(words.data(), bytes.data() + at, sizeof words);
    for (std::size_t i = 0; i < n; ++i) sums[i] = mixed(sums[i], words[i]);
  }
  std::uint64_t sum = start;
  for (const std::uint64_t each : sums) sum = mixed(sum, each);
  for (; at < bytes.size(); ++at) sum = mixed(sum, static_cast<std::uint64_t>(bytes[at]));
  return sum;
}

checkpoint_layout::checkpoint_layout(checkpoint_contents of) : of_{std::move(of)} {
  header_bytes_ = header(0).size();
  std::size_t at = aligned(header_bytes_);
  for (std::size_t field = 0; field < of_.fields.size(); ++field)
    for (std::size_t zone = 0; zone < of_.zones.size(); ++zone) {
      offsets_.push_back(at);
      at = aligned(at + sizeof(std::uint64_t) + bytes(field, zone));
    }
  file_bytes_ = at;
}

std::size_t checkpoint_layout::bytes(std::size_t field, std::size_t zone) const {
  const field_form& form = of_.fields[field].form;
  return static_cast<std::size_t>(form.elements(of_.zones[zone])) * form.element.bytes;
}

std::vector<std::byte> checkpoint_layout::header(std::int64_t step) const {
  writer to;
  preamble first;
  std::memcpy(first.name.data(), magic.data(), magic.size());
  to.add(first);
  to.add(step);
  to.add(std::string_view{of_.what});
  to.add(of_.zones.size());
  for (const zone_box& each : of_.zones) to.add(each.n);
  to.add(of_.fields.size());
  for (const checkpoint_field& each : of_.fields) {
    to.add(std::string_view{each.name});
    to.add(each.form.element.bytes);
    to.add(each.form.element.components);
    to.add(each.form.halo);
  }
  to.add(checksum_of(to.all()));
  return to.all();
}

std::int64_t checkpoint_layout::step_in(std::span<const std::byte> header, const std::string& path) const {
  const auto refuse = [&](const std::string& why) { throw error{fmt::format("{}: {}", path, why)}; };
  reader from{header, path};
  const auto first = from.take<preamble>();
  if (std::string_view{first.name.data(), first.name.size()} != magic) refuse("is no checkpoint of zones");
  if (first.order != byte_order) refuse("was written by a machine with another order of bytes");
  if (first.version_of != version)
    refuse(fmt::format("has version {} of its format; this program reads {}", first.version_of, version));
  const auto step = from.take<std::int64_t>();
  if (const std::string what = from.take_text(); what != of_.what)
    refuse(fmt::format("is of \"{}\", this run of \"{}\"", what, of_.what));
  if (const auto n = from.take<std::size_t>(); n != of_.zones.size())
    refuse(fmt::format("has {} zones, this run {}", n, of_.zones.size()));
  for (std::size_t zone = 0; zone < of_.zones.size(); ++zone)
    if (from.take<decltype(zone_box::n)>() != of_.zones[zone].n)
      refuse(fmt::format("has other extents of zone {} than this run", zone));
  if (const auto n = from.take<std::size_t>(); n != of_.fields.size())
    refuse(fmt::format("has {} fields, this run {}", n, of_.fields.size()));
  for (const checkpoint_field& each : of_.fields) {
    if (const std::string name = from.take_text(); name != each.name)
      refuse(fmt::format("has a field {} where this run has {}", name, each.name));
    field_form form;
    form.element.bytes = from.take<std::size_t>();
    form.element.components = from.take<std::int64_t>();
    form.halo = from.take<decltype(form.halo)>();
    if (text_of(form) != text_of(each.form))
      refuse(fmt::format("has {} with {}, this run with {}", each.name, text_of(form), text_of(each.form)));
  }
  const std::size_t done = header.size() - sizeof(std::uint64_t);
  if (from.take<std::uint64_t>() != checksum_of(header.first(done)))
    refuse("differs from the checksum of its header");
  return step;
}

}  // namespace yoke::detail
