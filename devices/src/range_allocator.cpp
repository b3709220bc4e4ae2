#include <algorithm>
#include <iterator>

#include <yoke/detail/range_allocator.hpp>

namespace yoke::detail {

range_allocator::range_allocator(std::size_t bytes, std::size_t range)
    : free_bytes_{bytes / granule * granule} {
  if (free_bytes_ > 0) free_.emplace(0, std::max(bytes, range) / granule * granule);
}

std::optional<std::size_t> range_allocator::take(std::size_t bytes) {
  if (bytes > free_bytes_) return {};
  const std::size_t length = std::max(granule, (bytes + granule - 1) / granule * granule);
  if (length > free_bytes_) return {};
  const auto fits = [&](const auto& hole) { return hole.second >= length; };
  const auto hole = std::ranges::find_if(free_, fits);
  if (hole == free_.end()) return {};
  const auto [offset, available] = *hole;
  taken_.emplace(offset, taken_range{bytes, length});
  // Re-keying the node keeps the free list allocation-free, so nothing can fail half-way.
  auto node = free_.extract(hole);
  if (available > length) {
    node.key() = offset + length;
    node.mapped() = available - length;
    free_.insert(std::move(node));
  }
  free_bytes_ -= length;
  return offset;
}

std::optional<range_allocator::range> range_allocator::give_back(std::size_t offset) {
  const auto found = taken_.find(offset);
  if (found == taken_.end()) return {};
  range hole{offset, offset + found->second.length};
  free_bytes_ += found->second.length;
  taken_.erase(found);
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && next->first == hole.last) {
    hole.last += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == hole.first) {
      hole.first = before->first;
      before->second = hole.last - hole.first;
      return hole;
    }
  }
  free_.emplace_hint(next, hole.first, hole.last - hole.first);
  return hole;
}

bool range_allocator::contains(std::size_t offset, std::size_t bytes) const {
  auto after = taken_.upper_bound(offset);
  if (after == taken_.begin()) return false;
  const auto& [first, taken] = *std::prev(after);
  const std::size_t inside = offset - first;
  return inside <= taken.wanted && bytes <= taken.wanted - inside;
}

}  // namespace yoke::detail
