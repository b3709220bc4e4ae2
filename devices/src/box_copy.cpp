#include <fmt/format.h>
#include <utility>

#include <yoke/box_copy.hpp>
#include <yoke/detail/checked_size.hpp>
#include <yoke/error.hpp>

namespace yoke::detail {

namespace {

const char* direction(copy_kind kind) {
  switch (kind) {
    case copy_kind::host_to_device:
      return "from the host to the device";
    case copy_kind::device_to_host:
      return "from the device to the host";
    case copy_kind::device_to_device:
      return "from device to device";
  }
  return "";
}

/// Whether the end has as many addresses as it needs.
bool fits_memory(const box_copy& what, const box_pitch& pitch) {
  const auto planes = product_of({what.planes - 1, pitch.plane}),
             rows = product_of({what.rows - 1, pitch.row});
  const auto before_last = planes && rows ? sum_of(*planes, *rows) : std::nullopt;
  return before_last && sum_of(*before_last, what.bytes);
}

void require_end(const box_copy& what, const box_pitch& pitch, const char* end, const std::string& device) {
  const auto refuse = [&](const char* steps, std::size_t found, std::size_t least) {
    throw device_error{fmt::format("{}: {}: the {} of the {} are {} bytes apart; they must be {} at least",
                                   device, in_words(what), steps, end, found, least),
                       device_failure::refused};
  };
  if (!fits_memory(what, pitch))
    throw device_error{
        fmt::format("{}: {}: the {} would be larger than all memory", device, in_words(what), end),
        device_failure::refused};
  if (what.rows > 1 && pitch.row < what.bytes) refuse("rows", pitch.row, what.bytes);
  const std::size_t plane = (what.rows - 1) * pitch.row + what.bytes;
  if (what.planes > 1 && pitch.plane < plane) refuse("planes", pitch.plane, plane);
}

}  // namespace

box_copy simplified(box_copy what) {
  if (what.rows > 1 && what.to_pitch.row == what.bytes && what.from_pitch.row == what.bytes) {
    what.bytes *= what.rows;
    what.rows = 1;
  }
  if (what.rows > 1 || what.planes == 1) return what;
  what.rows = std::exchange(what.planes, 1);
  what.to_pitch.row = what.to_pitch.plane;
  what.from_pitch.row = what.from_pitch.plane;
  return simplified(what);
}

namespace {

/// The same rows without those before `rows` and `planes`.
void skip(box_copy& what, std::size_t planes, std::size_t rows, std::size_t bytes) {
  what.to =
      static_cast<std::byte*>(what.to) + planes * what.to_pitch.plane + rows * what.to_pitch.row + bytes;
  what.from = static_cast<const std::byte*>(what.from) + planes * what.from_pitch.plane +
              rows * what.from_pitch.row + bytes;
  what.planes -= planes;
  what.rows -= rows;
  what.bytes -= bytes;
}

}  // namespace

std::pair<box_copy, box_copy> halves(const box_copy& what) {
  box_copy first = what, rest = what;
  const bool by_planes = what.planes > 1;
  (by_planes ? first.planes : first.rows) /= 2;
  skip(rest, by_planes ? first.planes : 0, by_planes ? 0 : first.rows, 0);
  return {first, rest};
}

std::pair<box_copy, box_copy> cut(const box_copy& row, std::size_t bytes) {
  box_copy first = row, rest = row;
  first.bytes = bytes;
  skip(rest, 0, 0, bytes);
  return {first, rest};
}

std::string in_words(const box_copy& what) {
  if (what.planes == 1 && what.rows == 1)
    return fmt::format("copying {} bytes {}", what.bytes, direction(what.kind));
  return fmt::format("copying {} x {} rows of {} bytes {}", what.planes, what.rows, what.bytes,
                     direction(what.kind));
}

void require_box(const box_copy& what, const std::string& device) {
  if (what.planes == 1 && what.rows == 1) return;
  require_end(what, what.to_pitch, "destination", device);
  require_end(what, what.from_pitch, "source", device);
}

}  // namespace yoke::detail
