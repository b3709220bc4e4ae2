#pragma once
/// Which CPUs and GPUs other processes with Yoke use at this moment.

#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <yoke/compute_units.hpp>

namespace yoke::detail {

/// Locks of this process in a file of the user's that has a byte for each CPU and GPU. The system drops them
/// when a process ends, however it does; nothing is ever written. Thread-safe.
class in_use_table {
 public:
  /// Of this process; its file is in XDG_RUNTIME_DIR, else in the folder for temporary files.
  static in_use_table& of_process();
  /// Where the file cannot be had, nobody knows of anybody.
  explicit in_use_table(const std::string& path);
  ~in_use_table();
  in_use_table(const in_use_table&) = delete;
  in_use_table& operator=(const in_use_table&) = delete;

  /// From now on this process uses them, once more; gives those that another process uses, with its number.
  std::map<long, int> take(std::span<const long> bytes);
  void give_back(std::span<const long> bytes);

 private:
  int descriptor_;
  std::mutex lock_;
  std::map<long, int> taken_;  ///< how often
};

/// The CPUs and GPUs of a runtime, for its life.
class claim {
 public:
  claim(const compute_units& units, in_use_table& table);
  ~claim() { table_.give_back(bytes_); }
  claim(const claim&) = delete;
  claim& operator=(const claim&) = delete;

  /// One line that names what is in use and by whom; empty where nothing is.
  const std::string& note() const { return note_; }

 private:
  in_use_table& table_;
  std::vector<long> bytes_;
  std::string note_;
};

}  // namespace yoke::detail
