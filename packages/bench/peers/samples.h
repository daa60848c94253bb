// Repeated measurement until the noise is small, by the rule of packages/bench/src/measure/samples.ts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

constexpr size_t kLeastRuns = 9;
constexpr size_t kMostRuns = 99;
constexpr double kSpread = 0.01;
constexpr double kLimitMs = 2000;

struct Samples {
  std::vector<double> times_ms;
  // Why the measurement ended: "spread", "runs" or "time".
  const char *stopped;
};

// Quantile of ascending numbers, linear between neighbours.
inline double Quantile(const std::vector<double> &sorted, double share) {
  double at = share * double(sorted.size() - 1);
  size_t below = size_t(at);
  size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - double(below)) * (sorted[above] - sorted[below]);
}

// Interquartile range over median.
inline double Spread(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  double range = Quantile(times, 0.75) - Quantile(times, 0.25);
  return range == 0 ? 0 : range / Quantile(times, 0.5);
}

// Calls `measure`, which returns milliseconds, until a limit is reached. `now` gives the milliseconds of a clock.
template <class Measure, class Now>
Samples SamplesOf(Measure measure, Now now) {
  double begun = now();
  std::vector<double> times;
  for (;;) {
    times.push_back(measure());
    if (times.size() < kLeastRuns) continue;
    if (Spread(times) <= kSpread) return {times, "spread"};
    if (times.size() >= kMostRuns) return {times, "runs"};
    if (now() - begun >= kLimitMs) return {times, "time"};
  }
}
