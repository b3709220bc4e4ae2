#pragma once
/// Cutting anew what is there: only elements that change owner travel.

#include "../halos/exchange.hpp"
#include "../memory/contents.hpp"

#include <list>
#include <memory>
#include <vector>

namespace yoke::detail {

/// Parts by other cuts, beside the present ones. A memory that has room for its new elements is kept.
class moved_parts {
 public:
  /// `shape`: that of the contents but for the cuts. Errors: out_of_memory.
  moved_parts(contents& of, std::shared_ptr<const layout> shape);
  ~moved_parts();
  moved_parts(const moved_parts&) = delete;
  moved_parts& operator=(const moved_parts&) = delete;

  /// Before the first copy: copies wait for what their source had been given until then.
  void load();
  void queue(ordered_copies& copies);
  /// When everything has been copied.
  void take();

 private:
  bool can_hold(const store& in, const any_box& own) const;
  void make_gpus();
  void make_host();
  const store& memory_of(const store& next) const;
  void queue_elements(const store& to, ordered_copies& copies) const;

  contents& of_;
  std::shared_ptr<const layout> shape_;
  store host_;
  std::vector<store> gpus_;
};

/// All or none. Errors: device_error; all are as before then.
void move_all(std::list<moved_parts>& moves, array_context& context);

/// Gives each memory room for all elements, now and where they move. Errors: out_of_memory, device_error; it
/// is as before then.
void hold_everywhere(contents& what);

}  // namespace yoke::detail
