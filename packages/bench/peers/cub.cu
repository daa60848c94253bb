// CUB on the operands of packages/bench/src/primitives: every result is checked on the host, then timed by events.
// Arguments: SIZE:RECORDINGS[,...] [word...]. Prints a JSON line for the device, and one for each job and size with
// the milliseconds of one launch in each sample: a sample is as many launches between two events. Samples are taken until
// the rule of samples.h ends them.
#include <cub/cub.cuh>
#include <cuda_fp16.h>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "samples.h"

namespace {

constexpr double kBusyMs = 300;

void Check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

__host__ __device__ uint32_t Hash(uint32_t x) {
  x = (x ^ (x >> 15)) * 0x2c1b3c6du;
  x = (x ^ (x >> 12)) * 0x297a2d39u;
  return x ^ (x >> 15);
}

// Device memory that is freed with its scope.
template <class T>
struct Array {
  explicit Array(size_t count) : count(count) { Check(cudaMalloc(&data, (count ? count : 1) * sizeof(T))); }
  ~Array() { cudaFree(data); }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  std::vector<T> Read(size_t length) const {
    std::vector<T> host(length);
    Check(cudaMemcpy(host.data(), data, length * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
  T *data = nullptr;
  size_t count;
};

template <class T, class F>
__global__ void Fill(T *to, size_t n, F of) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) to[i] = of(uint32_t(i));
}
template <class T, class F>
void Make(Array<T> &array, F of) {
  Fill<<<unsigned((array.count + 255) / 256), 256>>>(array.data, array.count, of);
  Check(cudaGetLastError());
}

// w(i) of the sums, whose prefixes telescope: a[i] = w(i + 1) - w(i).
template <class T>
struct W {
  static constexpr bool kWhole = std::is_integral<T>::value;
  __host__ __device__ T operator()(uint32_t i) const {
    uint32_t h = Hash(i);
    if constexpr (!kWhole) return T(float(h & 15));
    else return sizeof(T) == 8 ? T(h * 0x100000001ull) : T(h);
  }
};
template <class T>
struct Difference {
  __host__ __device__ T operator()(uint32_t i) const { return W<T>()(i + 1) - W<T>()(i); }
};
template <class T>
struct Rising {
  int sign;
  __host__ __device__ T operator()(uint32_t i) const { return T(sign) * T(i + (Hash(i) & 4095)); }
};
struct Power {
  __host__ __device__ static float At(uint32_t i) { return float(1u << (Hash(i) & 7)); }
  __host__ __device__ float operator()(uint32_t i) const { return At(i + 1) / At(i); }
};
struct Add {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
struct Max {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
struct Min {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
struct Mul {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const { return a * b; }
};

struct Run {
  size_t n;
  int recordings;
};

// Calls with scratch memory, checks the result once, and prints the times.
using Call = std::function<cudaError_t(void *, size_t &)>;
void Report(const std::string &name, Run run, const Call &call, const std::function<bool()> &right) {
  size_t bytes = 0;
  Check(call(nullptr, bytes));
  Array<char> scratch(bytes);
  auto launch = [&] { Check(call(scratch.data, bytes)); };
  launch();
  Check(cudaDeviceSynchronize());
  if (!right()) {
    std::fprintf(stderr, "%s of %zu is wrong\n", name.c_str(), run.n);
    std::exit(1);
  }
  cudaEvent_t from, to;
  Check(cudaEventCreate(&from));
  Check(cudaEventCreate(&to));
  auto sample = [&] {
    Check(cudaEventRecord(from));
    for (int i = 0; i < run.recordings; i++) launch();
    Check(cudaEventRecord(to));
    Check(cudaEventSynchronize(to));
    float ms = 0;
    Check(cudaEventElapsedTime(&ms, from, to));
    return ms / run.recordings;
  };
  auto now = [] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  for (double begun = now(); now() - begun < kBusyMs;) sample();
  Samples samples = SamplesOf(sample, now);
  std::printf("{\"name\":\"%s\",\"n\":%zu,\"recordings\":%d,\"stopped\":\"%s\",\"timesMs\":[", name.c_str(), run.n,
              run.recordings, samples.stopped);
  for (size_t i = 0; i < samples.times_ms.size(); i++) std::printf("%s%.6g", i ? "," : "", samples.times_ms[i]);
  std::printf("]}\n");
  std::fflush(stdout);
  Check(cudaEventDestroy(from));
  Check(cudaEventDestroy(to));
}

// Whether elements are as a function of the index says, which is called in ascending order.
template <class T, class F>
bool Same(const Array<T> &got, size_t count, F want) {
  std::vector<T> host = got.Read(count);
  for (size_t i = 0; i < count; i++) {
    T wanted = want(uint32_t(i));
    if (memcmp(&host[i], &wanted, sizeof(T)) != 0) return false;
  }
  return true;
}

template <class T, class Make_, class Op, class Last>
void Collectives(const std::string &what, Run run, Make_ at, Op op, T identity, Last prefixes) {
  size_t n = run.n;
  Array<T> x(n), y(n);
  Make(x, at);
  Report("scan " + what, run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceScan::InclusiveScan(scratch, bytes, x.data, y.data, op, n); },
         [&] { return Same(y, n, prefixes()); });
  Report("reduce " + what, run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceReduce::Reduce(scratch, bytes, x.data, y.data, n, op, identity); },
         [&] {
           auto prefix = prefixes();
           T want = identity;
           for (size_t i = 0; i < n; i++) want = prefix(uint32_t(i));
           return Same(y, 1, [&](uint32_t) { return want; });
         });
}

template <class T>
void Sums(const char *type, Run run) {
  size_t n = run.n;
  std::string what = std::string("add ") + type;
  auto prefixes = [] { return [](uint32_t i) { return T(W<T>()(i + 1) - W<T>()(0)); }; };
  Array<T> x(n), y(n);
  Make(x, Difference<T>());
  // The library's own sums, which may know more about them than of an operator.
  Report("scan " + what, run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceScan::InclusiveSum(scratch, bytes, x.data, y.data, n); },
         [&] { return Same(y, n, prefixes()); });
  Report("exclusive scan " + what, run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceScan::ExclusiveSum(scratch, bytes, x.data, y.data, n); },
         [&] { return Same(y, n, [](uint32_t i) { return T(W<T>()(i) - W<T>()(0)); }); });
  Report("reduce " + what, run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceReduce::Sum(scratch, bytes, x.data, y.data, n); },
         [&] { return Same(y, 1, [&](uint32_t) { return prefixes()(uint32_t(n - 1)); }); });
}

// Running maxima (sign 1) and minima (sign -1) of values that rise or fall.
template <class T>
auto Extremes(int sign) {
  return [sign] {
    return [sign, most = T(0), isFirst = true](uint32_t i) mutable {
      T value = Rising<T>{sign}(i);
      if (isFirst || (sign > 0 ? most < value : value < most)) most = value;
      isFirst = false;
      return most;
    };
  };
}

struct Affine {
  uint32_t a, b;
};
struct Compose {
  __host__ __device__ Affine operator()(Affine first, Affine then) const {
    return {then.a * first.a, then.a * first.b + then.b};
  }
};
struct MapAt {
  __host__ __device__ Affine operator()(uint32_t i) const { return {Hash(i) | 1, Hash(i + 1)}; }
};

void Records(Run run) {
  size_t n = run.n;
  Array<Affine> x(n), y(n);
  Make(x, MapAt());
  Report("scan affine u32", run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceScan::InclusiveScan(scratch, bytes, x.data, y.data, Compose(), n); },
         [&] {
           Affine total{1, 0};
           return Same(y, n, [total](uint32_t i) mutable { return total = Compose()(total, MapAt()(i)); });
         });
}

struct Bits {
  uint32_t mask;
  int shift;
  __host__ __device__ uint32_t operator()(uint32_t i) const { return (Hash(i) & mask) >> shift; }
};
struct Flag {
  __host__ __device__ uint8_t operator()(uint32_t i) const { return Hash(i) & 1; }
};
struct KeyOfRun {
  __host__ __device__ uint32_t operator()(uint32_t i) const { return Hash(i >> 2) >> 30; }
};
struct Index {
  __host__ __device__ uint32_t operator()(uint32_t i) const { return i; }
};
struct Offset {
  uint32_t n, rows;
  __host__ __device__ uint32_t operator()(uint32_t row) const {
    if (row == 0) return 0;
    uint32_t inside = row * 16 + (Hash(row) & 16);
    return row >= rows || inside > n ? n : inside;
  }
};

// The runs of equal keys: their keys, lengths and sums.
struct Runs {
  std::vector<uint32_t> keys, lengths, sums;
};
Runs RunsOf(size_t n) {
  Runs runs;
  for (size_t i = 0; i < n; i++) {
    uint32_t key = KeyOfRun()(uint32_t(i));
    if (i == 0 || key != runs.keys.back()) {
      runs.keys.push_back(key);
      runs.lengths.push_back(0);
      runs.sums.push_back(0);
    }
    runs.lengths.back() += 1;
    runs.sums.back() += Hash(uint32_t(i));
  }
  return runs;
}
bool SameList(const Array<uint32_t> &got, const std::vector<uint32_t> &want) { return got.Read(want.size()) == want; }

void Selections(Run run) {
  size_t n = run.n;
  Array<uint32_t> x(n), keys(n), y(n), z(n), count(1);
  Array<uint8_t> flags(n);
  Make(x, Bits{~0u, 0});
  Make(keys, KeyOfRun());
  Make(flags, Flag());
  auto counted = [&](size_t want) { return count.Read(1)[0] == want; };
  Report("compact", run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceSelect::Flagged(scratch, bytes, x.data, flags.data, y.data, count.data, n); },
         [&] {
           std::vector<uint32_t> want;
           for (size_t i = 0; i < n; i++)
             if (Hash(uint32_t(i)) & 1) want.push_back(Hash(uint32_t(i)));
           return counted(want.size()) && SameList(y, want);
         });
  // CUB's own order: the items that are not kept follow in reverse.
  Report("partition", run,
         [&](void *scratch, size_t &bytes) { return cub::DevicePartition::Flagged(scratch, bytes, x.data, flags.data, y.data, count.data, n); },
         [&] {
           std::vector<uint32_t> want(n);
           size_t kept = 0, other = n;
           for (size_t i = 0; i < n; i++) want[Hash(uint32_t(i)) & 1 ? kept++ : --other] = Hash(uint32_t(i));
           return counted(kept) && SameList(y, want);
         });
  Runs runs = RunsOf(n);
  Report("unique", run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceSelect::Unique(scratch, bytes, keys.data, y.data, count.data, n); },
         [&] { return counted(runs.keys.size()) && SameList(y, runs.keys); });
  Report("run-length encode", run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceRunLengthEncode::Encode(scratch, bytes, keys.data, y.data, z.data, count.data, n); },
         [&] { return counted(runs.keys.size()) && SameList(y, runs.keys) && SameList(z, runs.lengths); });
  Report("reduce by key", run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceReduce::ReduceByKey(scratch, bytes, keys.data, y.data, x.data, z.data, count.data, Add(), n); },
         [&] { return counted(runs.keys.size()) && SameList(y, runs.keys) && SameList(z, runs.sums); });
}

void Histogram(Run run) {
  size_t n = run.n;
  Array<uint32_t> x(n), counts(256);
  Make(x, Bits{255, 0});
  Report("histogram of 256 bins", run,
         [&](void *scratch, size_t &bytes) {
           return cub::DeviceHistogram::HistogramEven(scratch, bytes, x.data, reinterpret_cast<int *>(counts.data), 257, 0u, 256u, int(n));
         },
         [&] {
           std::vector<uint32_t> want(256);
           for (size_t i = 0; i < n; i++) want[Hash(uint32_t(i)) & 255] += 1;
           return SameList(counts, want);
         });
}

struct Share {
  __host__ __device__ float operator()(uint32_t i) const { return float(Hash(i) >> 8) * 0x1p-24f; }
};
struct Edge {
  __host__ __device__ float operator()(uint32_t i) const { return float(i) / 256; }
};

void Shares(Run run) {
  size_t n = run.n;
  Array<float> x(n), edges(257);
  Array<int> counts(256);
  Make(x, Share());
  Make(edges, Edge());
  auto right = [&] {
    std::vector<int> want(256);
    for (size_t i = 0; i < n; i++) want[Hash(uint32_t(i)) >> 24] += 1;
    return counts.Read(256) == want;
  };
  Report("histogram of 256 bins of f32", run,
         [&](void *scratch, size_t &bytes) {
           return cub::DeviceHistogram::HistogramEven(scratch, bytes, x.data, counts.data, 257, 0.0f, 1.0f, int(n));
         },
         right);
  Report("histogram by 257 edges of f32", run,
         [&](void *scratch, size_t &bytes) {
           return cub::DeviceHistogram::HistogramRange(scratch, bytes, x.data, counts.data, 257, edges.data, int(n));
         },
         right);
}

struct RisingTo {
  uint32_t salt;
  __host__ __device__ uint32_t operator()(uint32_t i) const { return 4 * i + (Hash(i ^ salt) & 3); }
};
struct Multiple {
  uint32_t step;
  __host__ __device__ uint32_t operator()(uint32_t i) const { return i * step; }
};
struct Less {
  __host__ __device__ bool operator()(uint32_t a, uint32_t b) const { return a < b; }
};

// n items of each of two arrays.
void Merges(Run run) {
  size_t n = run.n;
  RisingTo first{0}, second{0x5bd1e995u};
  Array<uint32_t> a(n), b(n), y(2 * n);
  Make(a, first);
  Make(b, second);
  Report("merge", run,
         [&](void *scratch, size_t &bytes) {
           return cub::DeviceMerge::MergeKeys(scratch, bytes, a.data, n, b.data, n, y.data, Less());
         },
         [&] {
           return Same(y, 2 * n, [=](uint32_t k) {
             uint32_t one = first(k / 2), other = second(k / 2);
             return k & 1 ? std::max(one, other) : std::min(one, other);
           });
         });
}

void Searches(Run run) {
  size_t n = run.n;
  Multiple at{uint32_t(0xffffffffu / n)};
  Array<uint32_t> x(n), sorted(n), y(n);
  Make(x, Bits{~0u, 0});
  Make(sorted, at);
  Report("search", run,
         [&](void *scratch, size_t &bytes) {
           bytes = 1;
           if (scratch == nullptr) return cudaSuccess;
           thrust::lower_bound(thrust::cuda::par_nosync, sorted.data, sorted.data + n, x.data, x.data + n, y.data);
           return cudaGetLastError();
         },
         [&] {
           return Same(y, n, [=](uint32_t i) {
             uint32_t places = Hash(i) / at.step + (Hash(i) % at.step != 0);
             return std::min(uint32_t(n), places);
           });
         });
}

void SegmentedSorts(Run run) {
  size_t n = run.n, rows = (n + 15) / 16;
  Array<uint32_t> x(n), y(n), offsets(rows + 1);
  Offset at{uint32_t(n), uint32_t(rows)};
  Make(x, Bits{~0u, 0});
  Make(offsets, at);
  Report("segmented sort", run,
         [&](void *scratch, size_t &bytes) {
           return cub::DeviceSegmentedSort::SortKeys(scratch, bytes, x.data, y.data, n, rows, offsets.data, offsets.data + 1);
         },
         [&] {
           std::vector<uint32_t> want(n);
           for (size_t i = 0; i < n; i++) want[i] = Hash(uint32_t(i));
           for (uint32_t row = 0; row < rows; row++) std::sort(want.begin() + at(row), want.begin() + at(row + 1));
           return SameList(y, want);
         });
}

struct Small {
  __host__ __device__ uint32_t operator()(uint32_t i) const { return Hash(i) & 7; }
};
struct RowOf {
  uint32_t length;
  __host__ __device__ uint32_t operator()(uint32_t i) const { return i / length; }
};

// Scans of rows, which CUB computes as scans by key.
template <class T>
void Rows(const char *type, Run run) {
  for (uint32_t length : {8u, 100u, 10000u}) {
    size_t n = run.n - run.n % length;
    if (n == 0) continue;
    Array<T> x(n), y(n);
    Make(x, Small());
    auto rows = thrust::make_transform_iterator(thrust::make_counting_iterator(0u), RowOf{length});
    Report("scan " + std::string(type) + " of rows of " + std::to_string(length), run,
           [&](void *scratch, size_t &bytes) { return cub::DeviceScan::InclusiveSumByKey(scratch, bytes, rows, x.data, y.data, n); },
           [&] {
             return Same(y, n, [length, sum = T(0)](uint32_t i) mutable {
               if (i % length == 0) sum = 0;
               return sum += T(Small()(i));
             });
           });
  }
}

void Segments(Run run) {
  size_t n = run.n, rows = (n + 15) / 16;
  Array<uint32_t> x(n), y(rows), offsets(rows + 1);
  Offset at{uint32_t(n), uint32_t(rows)};
  Make(x, Bits{~0u, 0});
  Make(offsets, at);
  Report("segmented reduce", run,
         [&](void *scratch, size_t &bytes) {
           return cub::DeviceSegmentedReduce::Sum(scratch, bytes, x.data, y.data, int(rows), offsets.data, offsets.data + 1);
         },
         [&] {
           return Same(y, rows, [at](uint32_t row) {
             uint32_t sum = 0;
             for (uint32_t i = at(row); i < at(row + 1); i++) sum += Hash(i);
             return sum;
           });
         });
}

// Keys of sorts, and numbers that order them. No f32 is infinite, a NaN or a zero.
struct FloatKey {
  __host__ __device__ float operator()(uint32_t i) const {
    uint32_t bits = (Hash(i) & 0xbfffffffu) | 1;
    float key;
    memcpy(&key, &bits, sizeof key);
    return key;
  }
};
struct LongKey {
  __host__ __device__ uint64_t operator()(uint32_t i) const { return uint64_t(Hash(i ^ 0x5bd1e995u)) << 32 | Hash(i); }
};

// A sum of hashes, which does not depend on the order.
template <class T>
uint32_t SumOf(T key) {
  uint64_t bits = 0;
  memcpy(&bits, &key, sizeof key);
  return Hash(Hash(uint32_t(bits)) ^ uint32_t(bits >> 32));
}

// Keys ascend by what orders them, and are those of the input.
template <class T, class F, class O>
bool AreSorted(const Array<T> &y, size_t n, F at, O order) {
  std::vector<T> got = y.Read(n);
  uint32_t sum = 0;
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && order(got[i - 1]) > order(got[i])) return false;
    sum += SumOf(got[i]) - SumOf(at(uint32_t(i)));
  }
  return sum == 0;
}

template <class T, class F>
void SortsOf(const std::string &suffix, Run run, F at) {
  size_t n = run.n;
  Array<T> keys(n), y(n);
  Array<uint32_t> values(n), z(n);
  Make(keys, at);
  Make(values, Index());
  Report("radix sort" + suffix, run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(scratch, bytes, keys.data, y.data, n); },
         [&] { return AreSorted(y, n, at, [](T key) { return key; }); });
  Report("radix sort of pairs" + suffix, run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceRadixSort::SortPairs(scratch, bytes, keys.data, y.data, values.data, z.data, n); },
         [&] {
           std::vector<T> got = y.Read(n);
           std::vector<uint32_t> from = z.Read(n);
           for (size_t i = 0; i < n; i++)
             if (at(from[i]) != got[i] || (i > 0 && (got[i - 1] > got[i] || (got[i - 1] == got[i] && from[i - 1] >= from[i]))))
               return false;
           return true;
         });
}

void SortVariants(Run run) {
  size_t n = run.n;
  Bits at{~0u, 0};
  Array<uint32_t> keys(n), y(n);
  Make(keys, at);
  Report("radix sort descending", run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceRadixSort::SortKeysDescending(scratch, bytes, keys.data, y.data, n); },
         [&] { return AreSorted(y, n, at, [](uint32_t key) { return ~key; }); });
  Report("radix sort of bits 8 to 24", run,
         [&](void *scratch, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(scratch, bytes, keys.data, y.data, n, 8, 24); },
         [&] { return AreSorted(y, n, at, [](uint32_t key) { return key >> 8 & 0xffff; }); });
}

void Copy(Run run) {
  size_t n = run.n;
  Array<uint32_t> x(n), y(n);
  Make(x, Bits{~0u, 0});
  Report("copy", run,
         [&](void *scratch, size_t &bytes) {
           bytes = 1;
           if (scratch == nullptr) return cudaSuccess;
           return cudaMemcpyAsync(y.data, x.data, n * sizeof(uint32_t), cudaMemcpyDeviceToDevice);
         },
         [&] { return Same(y, n, Bits{~0u, 0}); });
}

// Groups of jobs, with the names by which they are chosen.
struct Group {
  const char *names;
  void (*run)(Run);
};
const Group kGroups[] = {
    {"copy", Copy},
    {"scan add u32, reduce add u32", [](Run run) { Sums<uint32_t>("u32", run); }},
    {"scan add i32, reduce add i32", [](Run run) { Sums<int32_t>("i32", run); }},
    {"scan add f32, reduce add f32", [](Run run) { Sums<float>("f32", run); }},
    {"scan add i64, reduce add i64", [](Run run) { Sums<int64_t>("i64", run); }},
    {"scan add u64, reduce add u64", [](Run run) { Sums<uint64_t>("u64", run); }},
    {"scan add f16, reduce add f16", [](Run run) { Sums<__half>("f16", run); }},
    {"scan add f64, reduce add f64", [](Run run) { Sums<double>("f64", run); }},
    {"scan max u32, reduce max u32",
     [](Run run) { Collectives<uint32_t>("max u32", run, Rising<uint32_t>{1}, Max(), 0, Extremes<uint32_t>(1)); }},
    {"scan max f32, reduce max f32",
     [](Run run) { Collectives<float>("max f32", run, Rising<float>{1}, Max(), -INFINITY, Extremes<float>(1)); }},
    {"scan min f32, reduce min f32",
     [](Run run) { Collectives<float>("min f32", run, Rising<float>{-1}, Min(), INFINITY, Extremes<float>(-1)); }},
    {"scan mul f32, reduce mul f32",
     [](Run run) {
       Collectives<float>("mul f32", run, Power(), Mul(), 1, [] { return [](uint32_t i) { return Power::At(i + 1) / Power::At(0); }; });
     }},
    {"scan affine u32", Records},
    {"compact, partition, unique, run-length encode, reduce by key", Selections},
    {"histogram of 256 bins", Histogram},
    {"radix sort, radix sort of pairs", [](Run run) { SortsOf<uint32_t>("", run, Bits{~0u, 0}); }},
    {"radix sort descending, radix sort of bits 8 to 24", SortVariants},
    {"radix sort by f32, radix sort of pairs by f32", [](Run run) { SortsOf<float>(" by f32", run, FloatKey()); }},
    {"radix sort by u64, radix sort of pairs by u64", [](Run run) { SortsOf<uint64_t>(" by u64", run, LongKey()); }},
    {"segmented reduce", Segments},
    {"segmented sort", SegmentedSorts},
    {"scan u32 of rows of 8, scan u32 of rows of 100, scan u32 of rows of 10000", [](Run run) { Rows<uint32_t>("u32", run); }},
    {"scan f32 of rows of 8, scan f32 of rows of 100, scan f32 of rows of 10000", [](Run run) { Rows<float>("f32", run); }},
    {"merge", Merges},
    {"search", Searches},
    {"histogram of 256 bins of f32, histogram by 257 edges of f32", Shares},
};

bool IsChosen(const char *names, int count, char **words) {
  if (count == 0) return true;
  for (int i = 0; i < count; i++)
    if (std::string(names).find(words[i]) != std::string::npos) return true;
  return false;
}

}  // namespace

int main(int count, char **arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: %s SIZE:RECORDINGS[,...] [word...]\n", arguments[0]);
    return 2;
  }
  cudaDeviceProp device;
  int driver = 0;
  Check(cudaGetDeviceProperties(&device, 0));
  Check(cudaDriverGetVersion(&driver));
  std::printf("{\"peer\":\"CUB\",\"version\":\"%d.%d.%d\",\"device\":\"%s\",\"driver\":\"CUDA %d.%d\"}\n", CUB_MAJOR_VERSION,
              CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION, device.name, driver / 1000, driver % 1000 / 10);
  for (char *at = arguments[1]; *at;) {
    Run run;
    run.n = std::strtoull(at, &at, 10);
    run.recordings = *at == ':' ? int(std::strtol(at + 1, &at, 10)) : 1;
    for (const Group &group : kGroups)
      if (IsChosen(group.names, count - 2, arguments + 2)) group.run(run);
    if (*at == ',') at++;
    else if (*at) return 2;
  }
  return 0;
}
