/// Placed objects and regions, asked for by all units and by the host.
#include "placed_kernels.hpp"
#include "rooms.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <utility>

#include <yoke/error.hpp>

namespace attack {

namespace {

constexpr std::size_t n_objects = 4;

class placed_room final : public room {
 public:
  placed_room(yoke::runtime& rt, dice& d, journal& tells)
      : rt_{rt},
        dice_{d},
        tells_{tells},
        n_{static_cast<std::size_t>(d.between(2, d.one_in(3) ? 3000 : 60))} {
    tells_.add(fmt::format("room: {} placed objects of {}", n_objects, n_));
    for (std::size_t i = 0; i < n_objects; ++i) make(i);
  }

  void step(bool may_throw) override {
    switch (dice_.upto(may_throw ? 14 : 13)) {
      case 0:
      case 1:
        return all_units_at_once();
      case 2:
        return migrate();
      case 3:
        return discard();
      case 4:
        return prefetch();
      case 5:
        return give_copy_back();
      case 6:
        return copy_to_other();
      case 7:
        return write_on_host();
      case 8:
        return compare();
      case 9:
        return end_and_make_anew();
      case 10:
        return refuse();
      case 14:
        return throw_in_kernel();
      default:
        return one_unit();
    }
  }

  void compare() override {
    tells_.add("read all on the host");
    for (std::size_t i = 0; i < n_objects; ++i) compare(i, std::as_const(objects_[i]).host());
  }

 private:
  void make(std::size_t i) {
    objects_[i] = {};
    model_[i].assign(n_, 0);
    for (std::size_t k = 0; k < n_; ++k) model_[i][k] = static_cast<value>(k * (i + 1) % 17);
    if (dice_.one_in(2)) {
      data_[i] = model_[i];
      objects_[i] = yoke::placed<value>{rt_, std::span{data_[i]}};
    } else {
      objects_[i] = yoke::placed<value>{rt_, n_};
      std::ranges::copy(model_[i], objects_[i].host().begin());
    }
  }

  std::size_t any_object() { return static_cast<std::size_t>(dice_.upto(n_objects - 1)); }
  yoke::space_id any_space() {
    return yoke::space_id{static_cast<int>(dice_.upto(std::ssize(rt_.devices())))};
  }
  int any_unit() { return static_cast<int>(dice_.upto(rt_.units().size() - 1)); }

  void compare(std::size_t i, std::span<const value> found) {
    if (std::ranges::equal(found, model_[i])) return;
    const auto at = std::ranges::mismatch(found, model_[i]).in1 - found.begin();
    throw difference{fmt::format("object {}: value {} is {}, in the model {}", i, at,
                                 found[static_cast<std::size_t>(at)],
                                 model_[i][static_cast<std::size_t>(at)])};
  }

  /// What a unit does with object i, which nobody else uses meanwhile but to read `from`.
  struct use {
    std::size_t i = 0, from = 0;
    int what = 0;
    value a = 1, b = 0;
    bool done = false;
  };
  use any_use(std::size_t i, std::size_t from) {
    return {.i = i,
            .from = from,
            .what = static_cast<int>(dice_.upto(5)),
            .a = dice_.between(1, 3),
            .b = dice_.upto(9)};
  }
  void do_here(use& of) {
    yoke::placed<value>& x = objects_[of.i];
    const yoke::placed<value>& y = objects_[of.from];
    if (of.what == 0) scale_here(x, of.a, of.b);
    if (of.what == 1) scale_at(x.here(), n_, of.a, of.b);
    if (of.what == 2) scale_at(yoke::placement::migrate_here<value>(x.key()), n_, of.a, of.b);
    if (of.what == 3) add_here(y, x);
    if (of.what == 4) add_at(y.read_here(), x.here(), n_);
    if (of.what == 5) yoke::bring_here(x, y);
    of.done = true;
  }
  void do_on_model(const use& of) {
    if (!of.done || of.what == 5) return;
    for (std::size_t k = 0; k < n_; ++k) {
      value& x = model_[of.i][k];
      x = of.what < 3 ? scaled(x, of.a, of.b) : added(model_[of.from][k], x);
    }
  }
  void tell(const use& of, int unit) {
    tells_.add(fmt::format("unit {}: use {} of object {}, beside {}", unit, of.what, of.i, of.from));
  }

  /// What was done counts, also where something else finds no memory.
  void in_units(std::vector<use>& by_unit, bool waits) {
    const auto on_models = [&] {
      for (const use& each : by_unit) do_on_model(each);
    };
    try {
      rt_.each_unit([&](yoke::unit_id unit) {
        use& mine = by_unit[static_cast<std::size_t>(int{unit})];
        if (mine.what < 0) return;
        do_here(mine);
        if (waits) yoke::cu::synchronize();
      });
    } catch (const yoke::out_of_memory&) {
      on_models();
      throw;
    }
    on_models();
  }

  void one_unit() {
    const int unit = any_unit();
    const std::size_t i = any_object();
    std::vector<use> by_unit(static_cast<std::size_t>(rt_.units().size()), use{.what = -1});
    use& of = by_unit[static_cast<std::size_t>(unit)];
    of = any_use(i, (i + 1 + static_cast<std::size_t>(dice_.upto(n_objects - 2))) % n_objects);
    tell(of, unit);
    in_units(by_unit, dice_.one_in(3));
  }

  /// Each writes an object of its own, and reads the last one.
  void all_units_at_once() {
    std::vector<use> by_unit;
    for (int unit = 0; unit < rt_.units().size(); ++unit) {
      by_unit.push_back(any_use(static_cast<std::size_t>(unit), n_objects - 1));
      if (unit >= static_cast<int>(n_objects) - 1) by_unit.back().what = -1;
      tell(by_unit.back(), unit);
    }
    in_units(by_unit, dice_.one_in(2));
  }

  void migrate() {
    const std::size_t i = any_object();
    const yoke::space_id to = any_space();
    tells_.add(fmt::format("migrate object {} to {}", i, int{to}));
    if (dice_.one_in(3)) {
      yoke::event moved = yoke::placement::migrate_async(objects_[i].key(), to);
      if (dice_.one_in(2)) moved.wait();
      return;
    }
    yoke::placement::migrate(objects_[i].key(), to);
  }

  /// Who discards overwrites all.
  void discard() {
    const std::size_t i = any_object();
    tells_.add(fmt::format("overwrite object {}, whose bytes are discarded", i));
    yoke::placement::migrate_discarding(objects_[i].key(), yoke::host_space);
    fill(i);
  }
  void fill(std::size_t i) {
    const value v = dice_.upto(1000);
    std::ranges::fill(objects_[i].host(), v);
    std::ranges::fill(model_[i], v);
  }
  void write_on_host() {
    const std::size_t i = any_object(),
                      k = static_cast<std::size_t>(dice_.upto(static_cast<std::int64_t>(n_) - 1));
    tells_.add(fmt::format("write value {} of object {} on the host", k, i));
    const value v = dice_.upto(1000);
    objects_[i].host()[k] = v;
    model_[i][k] = v;
  }

  void prefetch() {
    const std::size_t i = any_object();
    const yoke::unit_id unit{any_unit()};
    tells_.add(fmt::format("prefetch object {} to unit {}", i, int{unit}));
    if (dice_.one_in(2)) return yoke::prefetch(objects_[i], unit);
    yoke::prefetch(std::as_const(objects_[i]), unit);
  }

  /// Of a space where it is not placed.
  void give_copy_back() {
    const std::size_t i = any_object();
    const yoke::space_id space = any_space();
    const yoke::key key = objects_[i].key();
    if (space == yoke::host_space || space == objects_[i].where() ||
        yoke::placement::mem_addr(key, space) == nullptr)
      return;
    tells_.add(fmt::format("give the copy of object {} in {} back", i, int{space}));
    if (dice_.one_in(2)) return yoke::placement::dealloc(key, space);
    yoke::placement::dealloc_async(key, space).wait();
  }

  void copy_to_other() {
    const std::size_t i = any_object();
    const yoke::space_id to = any_space(), from = objects_[i].where();
    if (from < yoke::host_space || to == from) return;
    tells_.add(fmt::format("copy object {} to {}", i, int{to}));
    yoke::placement::alloc(objects_[i].key(), to);
    yoke::placement::copy(objects_[i].key(), from, to);
  }

  void end_and_make_anew() {
    const std::size_t i = any_object();
    tells_.add(fmt::format("make object {} anew", i));
    make(i);
  }

  void refuse() {
    const std::size_t i = any_object();
    tells_.add(fmt::format("refusals of object {}", i));
    must_throw<yoke::usage_error>("the end of a placed object's region", "",
                                  [&] { yoke::placement::unregister_mem(objects_[i].key()); });
    must_throw<yoke::usage_error>("a launch outside of parallel regions", "",
                                  [&] { scale_here(objects_[i], 1, 1); });
    must_throw<yoke::usage_error>("a space that does not exist", "", [&] {
      yoke::placement::migrate(objects_[i].key(), yoke::space_id{static_cast<int>(rt_.devices().size()) + 1});
    });
  }

  /// The bytes are undefined then; all else is whole. The unit waits for its stream at once, as what is
  /// queued behind it would be skipped. Who asks for that copy next would be told once more, so the object
  /// ends.
  void throw_in_kernel() {
    const std::size_t i = any_object();
    const int unit = any_unit();
    tells_.add(fmt::format("unit {}: a kernel over object {} throws", unit, i));
    try {
      rt_.each_unit([&](yoke::unit_id each) {
        if (each != unit) return;
        throw_here(objects_[i]);
        yoke::cu::synchronize();
      });
    } catch (const std::exception& error) {
      if (std::string_view{error.what()}.find(thrown_text) == std::string_view::npos) throw;
      make(i);
      return compare();
    }
    throw difference{"a kernel threw, and nobody was told"};
  }

  yoke::runtime& rt_;
  dice& dice_;
  journal& tells_;
  std::size_t n_;
  std::array<values, n_objects> data_, model_;
  std::array<yoke::placed<value>, n_objects> objects_;
};

}  // namespace

std::unique_ptr<room> make_placed_room(yoke::runtime& rt, dice& d, journal& tells) {
  return std::make_unique<placed_room>(rt, d, tells);
}

}  // namespace attack
