#include "fat_tree.hpp"

#include <yoke/number_range.hpp>

namespace tools {

using yoke::detail::amounts, yoke::detail::amounts_or_none;

/// Each level has half of a switch's ports times as many nodes.
int fat_tree::switches(int nodes) const {
  int all = 1;
  for (double below = ports / 2.0; below < nodes; below *= ports / 2.0) all += 2;
  return all;
}

/// Messages leave one after the other; what comes takes its time at once with what goes.
double fat_tree::time(int nodes, int messages, std::size_t bytes) const {
  const int further = switches(nodes) - 1;
  const double narrow = further > 0 ? taper : 1;
  return messages * message + latency + further * hop + static_cast<double>(bytes) * narrow / bandwidth;
}

fat_tree read_network(json_fields in) {
  fat_tree made;
  made.bandwidth = in.number("bandwidth", amounts, made.bandwidth);
  made.latency = in.number("latency", amounts_or_none, made.latency);
  made.hop = in.number("hop", amounts_or_none, made.hop);
  made.ports = in.whole("ports", 4, made.ports);
  made.taper = in.number("taper", amounts, made.taper);
  made.message = in.number("message", amounts_or_none, made.message);
  in.finish();
  return made;
}

json as_json(const fat_tree& network) {
  return {{"bandwidth", network.bandwidth}, {"latency", network.latency}, {"hop", network.hop},
          {"ports", network.ports},         {"taper", network.taper},     {"message", network.message}};
}

}  // namespace tools
