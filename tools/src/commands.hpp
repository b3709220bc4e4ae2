#pragma once
/// The commands: what each was given, and its run, which returns the exit status.

#include "machine.hpp"

#include <string>
#include <vector>

namespace tools {

struct info_options {
  machine_option machine;
  bool links = false;  ///< measured
  bool json = false;
};
struct places_options {
  machine_option machine;
  std::string cus;
  std::string devices;
  bool json = false;
};
struct exec_options {
  std::string cus;
  std::string devices;
  std::string schedule;
  bool json = false;
  bool smt = false;
  std::vector<std::string> program;
};
struct check_options {
  std::string cus;
  bool json = false;
  std::vector<std::string> program;
};
struct profile_options {
  std::string action;
  std::vector<std::string> words;  ///< of the entries that are meant: all of them
  std::string file;
  bool json = false;
};

struct simulate_options {
  std::string machine;  ///< a file
  std::string tasks;    ///< a file
  std::string class_name;
  std::string graph;
  std::string cus;
  std::vector<std::string> schedules;
  std::vector<std::string> calibrate;
  std::string trace;
  std::string order = "barrier";
  int passes = 60;
  int nodes = 0;      ///< 0: one machine, in virtual time
  bool weak = false;  ///< the zones of the class on each node
  unsigned seed = 1;
  bool json = false;
};

struct compare_options {
  std::vector<std::string> cus;
  std::vector<std::string> schedules;
  std::string devices;
  std::string rate;     ///< a regular expression
  std::string machine;  ///< a file; empty: this one
  std::vector<std::string> classes;
  std::vector<std::string> tasks;
  std::string order = "barrier";  ///< with machine
  std::string out = "compare";
  double budget = 600;
  double accuracy = 2;
  bool json = false;
  std::vector<std::string> program;  ///< several, with "--" between them
};

/// Exit statuses.
inline constexpr int fine = 0;
inline constexpr int found_wrong = 1;
inline constexpr int bad_usage = 2;
inline constexpr int cannot_run = 127;  ///< as shells say it

int run_info(const info_options& options);
int run_places(const places_options& options);
/// Becomes the program; returns only where it is not to be run.
int run_exec(const exec_options& options);
int run_check(const check_options& options);
int run_profile(const profile_options& options);
int run_simulate(const simulate_options& options);
/// Becomes the Python program that does it.
int run_compare(const compare_options& options);

/// Reads the arguments, runs the command, and says what went wrong.
int run_command_line(int argc, char** argv);

}  // namespace tools
