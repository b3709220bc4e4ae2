#pragma once
/// The network between nodes of a cluster.

#include "json_fields.hpp"

#include <cstddef>

namespace tools {

/// Links between nodes, each of which has one adapter. What is not given in a file is that of 400 Gb/s
/// InfiniBand between hosts.
struct fat_tree {
  double bandwidth = 50e9;  ///< bytes/s of a node, each way at once
  double latency = 1.2e-6;  ///< s, through one switch
  double hop = 0.3e-6;      ///< s, through each further one
  int ports = 64;           ///< of a switch; half of them go down
  double taper = 1;         ///< ports down for one up, where messages leave the first switch
  double message = 2e-6;    ///< s of a host for each message that it sends and takes

  int switches(int nodes) const;  ///< on the longest way
  /// Until messages between a node and as many others have arrived, `bytes` together each way.
  double time(int nodes, int messages, std::size_t bytes) const;
};
/// What of it is given. Errors: config_error naming the place.
fat_tree read_network(json_fields in);
json as_json(const fat_tree& network);

}  // namespace tools
