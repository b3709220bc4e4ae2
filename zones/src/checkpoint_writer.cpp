#include "checkpoint_writer.hpp"

#include "checkpoint_file.hpp"
#include "rank_votes.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fmt/format.h>

#include <yoke/affinity.hpp>
#include <yoke/detail/error_text.hpp>
#include <yoke/detail/spin.hpp>
#include <yoke/error.hpp>
#include <yoke/zone_checkpoint.hpp>

namespace yoke {
namespace detail {

namespace {

constexpr std::size_t sum_bytes = sizeof(std::uint64_t);

}  // namespace

checkpoint_writer::checkpoint_writer(std::shared_ptr<zones_core> of, std::string path, std::string what)
    : core_{std::move(of)}, path_{std::move(path)}, what_{std::move(what)} {
  core_->refuse_in_region("a checkpoint is made");
  together([&] {
    if (is_first()) check_writable();
  });
  if (core_->among() != nullptr) make_exchange();
}

checkpoint_writer::~checkpoint_writer() {
  if (writing_.joinable()) writing_.join();
}

bool checkpoint_writer::is_first() const { return core_->among() == nullptr || core_->among()->rank() == 0; }

template <class Work>
void checkpoint_writer::together(const Work& work) const {
  std::exception_ptr own;
  std::string text;
  try {
    work();
  } catch (...) {
    own = std::current_exception();
    text = text_of(own);
  }
  if (core_->among() != nullptr) {
    const auto all = gathered<char>(*core_->among(), std::span<const char>{text});
    const auto failed = std::ranges::find_if(all, [](const auto& each) { return !each.empty(); });
    if (own == nullptr && failed != all.end())
      throw error{
          fmt::format("rank {}: {}", failed - all.begin(), std::string(failed->begin(), failed->end()))};
  }
  if (own != nullptr) std::rethrow_exception(own);
}

void checkpoint_writer::check_writable() const {
  namespace fs = std::filesystem;
  if (path_.empty()) throw error{"a checkpoint: the path is empty"};
  std::error_code unknown;
  if (fs::exists(path_, unknown) && !fs::is_regular_file(path_, unknown))
    throw error{fmt::format("{}: is no regular file; a checkpoint takes the place of one", path_)};
  {
    const checkpoint_file made{part_path(), checkpoint_file::mode::creating};
  }
  fs::remove(part_path(), unknown);
}

/// One byte of each rank for rank 0.
void checkpoint_writer::make_exchange() {
  ranks& among = *core_->among();
  done_.resize(static_cast<std::size_t>(among.size()));
  const std::span all{done_};
  std::vector<ranks::message> sent, received;
  if (is_first())
    for (int rank = 1; rank < among.size(); ++rank)
      received.push_back({rank, {all.subspan(static_cast<std::size_t>(rank), 1)}});
  else
    sent.push_back({0, {all.subspan(static_cast<std::size_t>(among.rank()), 1)}});
  tell_ = among.make_exchange(core_->take_checkpoint_tag(), sent, received);
}

void checkpoint_writer::add(const zone_use& use) {
  if (use.of != core_.get())
    throw usage_error{fmt::format("{}: a field of other zones than those of the checkpoint", path_)};
  if (layout_) throw usage_error{fmt::format("{}: a field is added after the first save or load", path_)};
  fields_.push_back(use.field);
}

const checkpoint_layout& checkpoint_writer::layout() {
  if (layout_) return *layout_;
  checkpoint_contents of{what_, {core_->boxes().begin(), core_->boxes().end()}, {}};
  for (const int each : fields_) {
    const zone_field& field = core_->field(each);
    if (field.storage < 0) throw usage_error{fmt::format("{}: {} has ended", path_, field.name)};
    of.fields.push_back({field.name, core_->storage(field.storage).form});
  }
  for (std::size_t field = 0; field < fields_.size(); ++field)
    for (std::size_t zone = 0; zone < of.zones.size(); ++zone)
      if (core_->is_here(static_cast<int>(zone))) parts_.push_back({field, zone});
  return layout_.emplace(std::move(of));
}

void* checkpoint_writer::host(const part& of, bool writes) const {
  return core_->host(fields_[of.field], static_cast<int>(of.zone), writes);
}

// Writing.

void checkpoint_writer::save(std::int64_t step) {
  wait();
  together([&] {
    stage();
    if (is_first()) create(step);
  });
  writing_ = std::thread{[this] {
    unbind_this_thread();  // the caller's CPU may be that of a unit
    write_staged();
    tell_and_name();
  }};
}

std::size_t checkpoint_writer::chunk_bytes(const part& of) const {
  return checkpoint_layout::aligned(sum_bytes + layout_->bytes(of.field, of.zone));
}

namespace {

struct copied {
  std::byte* to;
  const void* from;
  std::size_t bytes;
};
/// Nothing computes meanwhile: by some threads, if memory gives one less than it has.
void copy_all(const std::vector<copied>& all) {
  const std::size_t n = std::min({std::size_t{4}, allowed_cpus_at_start().size(), all.size()});
  const auto copy_some = [&](std::size_t from) {
    for (std::size_t i = from; i < all.size(); i += n) std::memcpy(all[i].to, all[i].from, all[i].bytes);
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < n; ++i)
    others.emplace_back([&copy_some, i] {
      unbind_this_thread();
      copy_some(i);
    });
  if (n > 0) copy_some(0);
}

}  // namespace

std::byte* checkpoint_writer::staged() const {
  const auto address = reinterpret_cast<std::uintptr_t>(staged_.data());
  return staged_.data() + (checkpoint_layout::aligned(address) - address);
}

/// The sums are the writer's.
void checkpoint_writer::stage() {
  std::size_t bytes = 0;
  for (const part& each : parts_) bytes += chunk_bytes(each);
  if (bytes != staged_bytes_)
    staged_ = host_slab{bytes + checkpoint_layout::alignment, fmt::format("a copy of {}", path_)};
  staged_bytes_ = bytes;
  std::vector<copied> all;
  std::byte* to = staged();
  for (const part& each : parts_) {
    all.push_back({to + sum_bytes, host(each, false), layout_->bytes(each.field, each.zone)});
    to += chunk_bytes(each);
  }
  copy_all(all);
}

void checkpoint_writer::create(std::int64_t step) const {
  const checkpoint_file made{part_path(), checkpoint_file::mode::creating};
  made.write(0, layout_->header(step));
  const std::byte last{0};
  made.write(layout_->file_bytes() - 1, {&last, 1});
}

void checkpoint_writer::write_staged() {
  problem_.clear();
  try {
    const checkpoint_file to{part_path(), checkpoint_file::mode::writing};
    std::byte* from = staged();
    for (std::size_t first = 0, last = 0; first < parts_.size(); first = last) {
      const std::size_t at = layout_->offset(parts_[first].field, parts_[first].zone);
      std::size_t bytes = 0;
      for (; last < parts_.size() && layout_->offset(parts_[last].field, parts_[last].zone) == at + bytes;
           ++last) {
        const std::size_t n = layout_->bytes(parts_[last].field, parts_[last].zone);
        const std::uint64_t sum = checksum_of({from + bytes + sum_bytes, n});
        std::memcpy(from + bytes, &sum, sum_bytes);
        bytes += chunk_bytes(parts_[last]);
      }
      to.write(at, {from, bytes});
      from += bytes;
    }
    to.flush();
  } catch (...) {
    problem_ = text_of(std::current_exception());
  }
}

void checkpoint_writer::tell_and_name() {
  try {
    bool are_done = problem_.empty();
    if (tell_ != nullptr) {
      done_[static_cast<std::size_t>(core_->among()->rank())] = std::byte{problem_.empty()};
      tell_->start();
      nap_until([&] { return tell_->is_over(); });
      are_done = std::ranges::find(done_, std::byte{0}) == done_.end();
    }
    if (!is_first()) return;
    if (are_done) return replace_file(part_path(), path_);
    std::error_code stays;
    std::filesystem::remove(part_path(), stays);
  } catch (...) {
    problem_ = text_of(std::current_exception());
  }
}

void checkpoint_writer::wait() {
  layout();
  if (!writing_.joinable()) return;
  writing_.join();
  together([&] {
    if (!problem_.empty()) throw error{problem_};
  });
}

// Reading.

bool checkpoint_writer::exists() const {
  std::error_code unknown;
  const char there = is_first() && std::filesystem::is_regular_file(path_, unknown) ? 1 : 0;
  if (core_->among() == nullptr) return there != 0;
  return gathered<char>(*core_->among(), std::span{&there, 1})[0].at(0) != 0;
}

void checkpoint_writer::check_file(std::int64_t& step) {
  const checkpoint_file from{path_, checkpoint_file::mode::reading};
  std::vector<std::byte> bytes(std::min(from.size(), layout_->header_bytes()));
  from.read(0, bytes);
  step = layout_->step_in(bytes, path_);
  if (from.size() != layout_->file_bytes())
    throw error{
        fmt::format("{}: has {} bytes, a complete one {}", path_, from.size(), layout_->file_bytes())};
  for (const part& each : parts_) {
    bytes.resize(sum_bytes + layout_->bytes(each.field, each.zone));
    from.read(layout_->offset(each.field, each.zone), bytes);
    std::uint64_t sum = 0;
    std::memcpy(&sum, bytes.data(), sum_bytes);
    if (sum != checksum_of(std::span{bytes}.subspan(sum_bytes)))
      throw error{fmt::format("{}: zone {} of {} differs from its checksum", path_, each.zone,
                              core_->field(fields_[each.field]).name)};
  }
}

std::int64_t checkpoint_writer::load() {
  wait();
  std::int64_t step = 0;
  together([&] { check_file(step); });
  together([&] {
    const checkpoint_file from{path_, checkpoint_file::mode::reading};
    for (const part& each : parts_)
      from.read(layout_->offset(each.field, each.zone) + sum_bytes,
                {static_cast<std::byte*>(host(each, true)), layout_->bytes(each.field, each.zone)});
  });
  return step;
}

}  // namespace detail

zone_checkpoint::zone_checkpoint(zones& of, std::string path, std::string what)
    : file_{std::make_unique<detail::checkpoint_writer>(detail::shared_core_of(of), std::move(path),
                                                        std::move(what))} {}
zone_checkpoint::~zone_checkpoint() = default;
void zone_checkpoint::add(const detail::zone_use& use) { file_->add(use); }
void zone_checkpoint::save(std::int64_t step) { file_->save(step); }
void zone_checkpoint::wait() { file_->wait(); }
bool zone_checkpoint::exists() const { return file_->exists(); }
std::int64_t zone_checkpoint::load() { return file_->load(); }

}  // namespace yoke
