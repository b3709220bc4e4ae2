#pragma once
/// Random zones, fields, steps and schedules, beside what they do in plain memory. On several ranks each does
/// all in plain memory, and compares the zones that it has.

#include "model.hpp"

#include <fmt/format.h>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <yoke/runtime.hpp>
#include <yoke/zones.hpp>

namespace zone_tests {

template <int D>
class program {
 public:
  /// `among`: null where there are no other ranks.
  program(yoke::runtime& rt, yoke::ranks* among, std::uint64_t seed) : rt_{rt}, random_{seed} {
    make_grid();
    const auto extents_of = [&](int zone) {
      yoke::zone_extents<D> n{};
      for (int d = 0; d < D; ++d) n[index(d)] = grid_.extents[index(zone)][index(d)];
      return n;
    };
    const int n = static_cast<int>(grid_.extents.size());
    const yoke::zone_options options{.schedule = any_schedule()};
    blocks_ = among != nullptr ? std::make_unique<yoke::zones>(rt_, *among, n, extents_of, options)
                               : std::make_unique<yoke::zones>(rt_, n, extents_of, options);
    for (const model_join& each : grid_.joins)
      blocks_->join({each.high_of, yoke::side::high(each.dimension)},
                    {each.low_of, yoke::side::low(each.dimension)});
    make_fields();
  }

  /// What is wrong; empty where nothing is.
  std::string run() {
    for (int i = 0; i < 1 + below(3); ++i) record();
    for (int i = 0; i < 3 + below(4); ++i) {
      const auto which = index(below(std::ssize(steps_)));
      const int steps = below(6);
      steps_[which].replay(steps);
      for (int k = 0; k < steps; ++k) follow(lists_[which]);
      if (below(3) == 0) write_one();
      if (below(2) == 0)
        if (std::string wrong = compare(below(std::ssize(fields_))); !wrong.empty()) return wrong;
    }
    for (int field = 0; field < std::ssize(fields_); ++field)
      if (std::string wrong = compare(field); !wrong.empty()) return wrong;
    blocks_->wait();
    return "";
  }

 private:
  struct entry {
    enum class kind { smooth, change, swap, send } what;
    int a, b;
    reach far;
    number factor;
  };
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
  int below(std::int64_t most) { return static_cast<int>(random_() % static_cast<std::uint64_t>(most)); }
  std::string any_schedule() {
    const char* const all[] = {"", "static", "dynamic", "static-hybrid,pcf=2", "cost"};
    return all[below(5)];
  }

  /// Zones in a grid of two dimensions, or a row of them, of uneven widths; some sides stay unjoined.
  void make_grid() {
    grid_.dimensions = D;
    const int rows = D > 1 ? 1 + below(3) : 1, columns = 1 + below(4), second = D > 1 ? 1 : 0;
    std::vector<std::int64_t> heights, widths;
    for (int r = 0; r < rows; ++r) heights.push_back(2 + below(9));
    for (int c = 0; c < columns; ++c) widths.push_back(2 + below(20));
    const std::int64_t depth = 2 + below(5);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        std::array<std::int64_t, 3> n{1, 1, 1};
        if (D > 1) n[0] = heights[index(r)];
        n[index(second)] = widths[index(c)];
        if (D > 2) n[2] = depth;
        grid_.extents.push_back(n);
      }
    const bool goes_round[] = {below(2) == 0, below(2) == 0};
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        const int zone = r * columns + c;
        if (c + 1 < columns || goes_round[0]) join(zone, r * columns + (c + 1) % columns, second);
        if (D > 1 && (r + 1 < rows || goes_round[1])) join(zone, (r + 1) % rows * columns + c, 0);
      }
  }
  void join(int high_of, int low_of, int dimension) {
    if (below(8) != 0) grid_.joins.push_back({.low_of = low_of, .high_of = high_of, .dimension = dimension});
  }
  void make_fields() {
    for (int d = 0; d < D; ++d) halo_[index(d)] = below(3);
    yoke::halo halo = D == 1   ? yoke::halo{halo_[0]}
                      : D == 2 ? yoke::halo{halo_[0], halo_[1]}
                               : yoke::halo{halo_[0], halo_[1], halo_[2]};
    has_corners_ = below(2) == 0;
    if (has_corners_) halo = halo.with_corners();
    for (int i = 0; i < 2 + below(3); ++i) {
      fields_.push_back(std::make_unique<yoke::zoned<number, D>>(*blocks_, halo, fmt::format("field {}", i)));
      models_.emplace_back(grid_, halo_, has_corners_);
      for (int zone = 0; zone < std::ssize(grid_.extents); ++zone) write(i, zone);
    }
  }
  void write(int field, int zone) {
    models_[index(field)].for_each_point(zone, [&](const std::array<std::int64_t, 3>& where) {
      models_[index(field)](zone, where) = random_() % 1000;
    });
    if (!blocks_->is_here(zone)) return;
    const auto host = fields_[index(field)]->host(zone);
    models_[index(field)].for_each_point(zone, [&](const std::array<std::int64_t, 3>& where) {
      host(loop_index_of<D>(where.data())) = models_[index(field)](zone, where);
    });
  }
  void write_one() { write(below(std::ssize(fields_)), below(std::ssize(grid_.extents))); }

  void record() {
    std::vector<entry> list;
    for (int i = 0; i < 1 + below(4); ++i) {
      const int a = below(std::ssize(fields_)),
                b = (a + 1 + below(std::ssize(fields_) - 1)) % static_cast<int>(fields_.size());
      entry next{static_cast<typename entry::kind>(below(has_corners_ ? 3 : 4)),
                 a,
                 b,
                 {},
                 static_cast<number>(below(100))};
      for (int d = 0; d < D; ++d) next.far.of[d] = below(halo_[index(d)] + 1);
      next.far.has_corners = has_corners_ && below(2) == 0;
      list.push_back(next);
    }
    steps_.push_back(blocks_->record([&](yoke::zone_step& s) {
      for (const entry& each : list) {
        auto &a = *fields_[index(each.a)], &b = *fields_[index(each.b)];
        if (each.what == entry::kind::smooth) smooth<D>(s, a, b, each.far);
        if (each.what == entry::kind::change) change<D>(s, a, each.factor);
        if (each.what == entry::kind::swap) s.swap(a, b);
        if (each.what == entry::kind::send) change_and_send<D>(s, a, each.factor, halo_);
      }
    }));
    lists_.push_back(std::move(list));
  }
  void follow(const std::vector<entry>& list) {
    for (const entry& each : list) {
      model_field &a = models_[index(each.a)], &b = models_[index(each.b)];
      if (each.what == entry::kind::smooth) a.smooth_into(b, each.far);
      if (each.what == entry::kind::change || each.what == entry::kind::send) a.change(each.factor);
      if (each.what == entry::kind::swap) a.swap(b);
    }
  }
  std::string compare(int field) {
    std::string wrong;
    if (below(2) == 0 &&
        sum_of_inverses<D>(*blocks_, *fields_[index(field)]) != models_[index(field)].sum_of_inverses())
      return fmt::format("the sum of field {}", field);
    if (below(4) == 0 && largest<D>(*blocks_, *fields_[index(field)]) != models_[index(field)].largest())
      return fmt::format("the largest of field {}", field);
    for (int zone = 0; zone < std::ssize(grid_.extents); ++zone) {
      if (!blocks_->is_here(zone)) continue;
      const auto host = std::as_const(*fields_[index(field)]).host(zone);
      models_[index(field)].for_each_point(zone, [&](const std::array<std::int64_t, 3>& where) {
        if (wrong.empty() && models_[index(field)](zone, where) != host(loop_index_of<D>(where.data())))
          wrong = fmt::format("field {}, zone {} at {}, {}, {}", field, zone, where[0], where[1], where[2]);
      });
    }
    return wrong;
  }

  yoke::runtime& rt_;
  std::mt19937_64 random_;
  model_grid grid_;
  std::array<std::int64_t, 3> halo_{0, 0, 0};
  bool has_corners_ = false;
  std::unique_ptr<yoke::zones> blocks_;
  std::vector<std::unique_ptr<yoke::zoned<number, D>>> fields_;
  std::vector<model_field> models_;
  std::vector<yoke::zone_recording> steps_;
  std::vector<std::vector<entry>> lists_;
};

inline std::string run_random(yoke::runtime& rt, yoke::ranks* among, std::uint64_t seed) {
  if (seed % 3 == 0) return program<1>{rt, among, seed}.run();
  if (seed % 3 == 1) return program<2>{rt, among, seed}.run();
  return program<3>{rt, among, seed}.run();
}

}  // namespace zone_tests
