#pragma once
/// Weights with which sums, products and squares stay finite, whatever weights a program gives.

#include <yoke/schedule.hpp>

namespace yoke::scheduling {

/// What all weights of a schedule's own are within; those of nearly every program are before.
inline constexpr double lightest = 1e-40, heaviest = 1e40;

/// By what the weights of `work` are multiplied, a power of two, so that no bit of their ratios changes; 1
/// where all are moderate.
double moderation_of(const workload& work);

/// The same work with moderate weights. What is lighter than 1e-40 of the heaviest task is taken for that:
/// it decides nothing beside it.
workload moderate(workload work);

}  // namespace yoke::scheduling
