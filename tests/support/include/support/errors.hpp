#pragma once
/// What tests of errors and of parsers share.

#include "catch.hpp"

#include <initializer_list>
#include <random>
#include <string>
#include <string_view>

#include <yoke/error.hpp>

namespace support {

/// The message of the error that `call` throws; another text when it throws nothing.
template <class Error = yoke::config_error, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& failure) {
    return failure.what();
  }
  return "(nothing was thrown)";
}

/// Of a call that is wrong usage.
template <class Call>
std::string refusal(const Call& call) {
  return message_of<yoke::usage_error>(call);
}

using tokens = std::initializer_list<std::string_view>;

/// Which of these numbers and names a message lacks, one a line; empty where it has all, whatever stands
/// between.
inline std::string lacks(std::string_view message, tokens wanted) {
  std::string missing;
  for (const std::string_view each : wanted)
    if (message.find(each) == message.npos)
      missing += std::string{each} + " is missing in: " + std::string{message} + "\n";
  return missing;
}

/// A few of `vocabulary` in a row, and now and then any byte.
inline std::string random_text(std::mt19937& random, tokens vocabulary) {
  std::string text;
  for (auto left = random() % 8; left > 0; --left) {
    const bool any_byte = random() % 50 == 0;
    if (any_byte) text += static_cast<char>(random() % 255 + 1);
    if (!any_byte) text += vocabulary.begin()[random() % vocabulary.size()];
  }
  return text;
}

/// Calls `parse` with many random texts and returns how many it accepted; -1 when it threw anything but a
/// config_error. The check of that prints the seed, and the text.
template <class Parse>
int accepted_texts(tokens vocabulary, const Parse& parse) {
  const std::uint32_t seed_used = seed();
  UNSCOPED_INFO("--rng-seed " << seed_used);
  std::mt19937 random{seed_used};
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = random_text(random, vocabulary);
    try {
      parse(text);
      ++accepted;
    } catch (const yoke::config_error&) {  // a mistake in the text
    } catch (...) {
      UNSCOPED_INFO("text: " << text);
      return -1;
    }
  }
  return accepted;
}

}  // namespace support
