#include "exchange.hpp"

#include <algorithm>

namespace yoke::detail {

halo_exchange::halo_exchange(contents& of, const halo_state& wanted, ordered_copies& copies) : of_{of} {
  for (store& part : of_.gpus()) of_.load(part);
  of_.current = {.low = std::max(wanted.low, of_.current.low),
                 .high = std::max(wanted.high, of_.current.high),
                 .inner = wanted.inner || of_.current.inner};
  const auto queue = [&](store& to) {
    const bound all = current_rows(to);
    queue_rows(to, {all.begin, to.own.begin}, copies);
    queue_rows(to, {to.own.end, all.end}, copies);
  };
  queue(of_.host());
  for (store& part : of_.gpus()) queue(part);
  // The copies above are queued on the device that gets them, so that pads come after them.
  for (const store& part : of_.gpus()) fill_pads(part);
}

void halo_exchange::finish_on_host() const { fill_pads(of_.host()); }

bound halo_exchange::current_rows(const store& in) const {
  if (!in.has_rows()) return in.own;
  return {std::max(in.own.begin - of_.current.low, in.room.begin),
          std::min(in.own.end + of_.current.high, in.room.end)};
}

const store& halo_exchange::home_of(std::int64_t row, const store& asking) const {
  if (!of_.shape().distributed) return asking;
  const std::vector<std::int64_t>& cuts = of_.shape().cuts;
  const auto above = std::ranges::upper_bound(cuts, row);
  return of_.of_unit(static_cast<int>(above - cuts.begin()) - 1);
}

void halo_exchange::queue_rows(store& to, bound rows, ordered_copies& copies) const {
  const dimension& first = of_.shape()[0];
  for (std::int64_t row = rows.begin, last; row < rows.end; row = last) {
    const std::int64_t source = first.inside(row);
    const store& home = home_of(source, to);
    last = row + 1;
    while (last < rows.end && first.inside(last) == source + (last - row) &&
           &home_of(first.inside(last), to) == &home)
      ++last;
    copies.add(home.gpu, to.gpu,
               {.to = of_.row(to, row),
                .from = of_.row(home, source),
                .bytes = of_.shape().row_bytes() * static_cast<std::size_t>(last - row)});
  }
}

// Dimension after dimension, so that corners get what the dimensions before have put there.
void halo_exchange::fill_pads(const store& in) const {
  const layout& shape = of_.shape();
  if (!of_.current.inner || in.first == nullptr || !in.has_rows()) return;
  const bound rows = current_rows(in);
  std::size_t outer = static_cast<std::size_t>(rows.size());
  for (int d = 1; d < shape.dimensions; ++d) {
    const dimension& of = shape[d];
    const std::size_t bytes = static_cast<std::size_t>(shape.stride(d)) * shape.element;
    const std::size_t pitch = bytes * static_cast<std::size_t>(of.padded());
    std::byte* const origin = of_.row(in, rows.begin) + bytes * static_cast<std::size_t>(of.pad_low());
    const auto at = [&](std::int64_t index) { return origin + static_cast<std::int64_t>(bytes) * index; };
    const auto fill = [&](std::int64_t index) {
      queue_copy(in.gpu, in.gpu,
                 {.to = at(index),
                  .from = at(of.inside(index)),
                  .bytes = bytes,
                  .rows = outer,
                  .to_pitch = {.row = pitch},
                  .from_pitch = {.row = pitch}});
    };
    for (std::int64_t index = -of.pad_low(); index < 0; ++index) fill(index);
    for (std::int64_t index = of.extent; index < of.extent + of.pad_high(); ++index) fill(index);
    outer *= static_cast<std::size_t>(of.padded());
  }
}

}  // namespace yoke::detail
