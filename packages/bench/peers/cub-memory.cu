// Bytes of temporary storage that CUB asks for: the first call of each algorithm, which launches nothing. Arguments are numbers of items.
//   nvcc -std=c++17 -arch=sm_90 -Xcicc -O0 -Xptxas -O0 -cudart shared cub-memory.cu -o cub-memory && ./cub-memory 268435456
// On a machine without a device, no-device.c answers for an H100:
//   cc -shared -fPIC no-device.c -o no-device.so && LD_PRELOAD=./no-device.so ./cub-memory 268435456
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class F> void row(const char *name, u64 n, F f) {
  size_t bytes = 0;
  const cudaError_t error = f(static_cast<void *>(nullptr), bytes);
  if (error != cudaSuccess) { std::fprintf(stderr, "%s: %s\n", name, cudaGetErrorName(error)); std::exit(1); }
  std::printf("{\"name\":\"%s\",\"n\":%llu,\"bytes\":%zu}\n", name, static_cast<unsigned long long>(n), bytes);
}
#define CALL(...) [&](void *d, size_t &b) { return __VA_ARGS__; }

template <class T> void scans(const char *name, int n) {
  T *x = nullptr;
  row(name, n, CALL(cub::DeviceScan::InclusiveSum(d, b, x, x, n)));
}

int main(int argc, char **argv) {
  std::printf("{\"version\":\"%d.%d.%d\"}\n", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
  for (int i = 1; i < argc; i++) {
    const int n = static_cast<int>(std::strtoull(argv[i], nullptr, 10));
    u32 *x = nullptr, *y = nullptr, *z = nullptr;
    std::uint8_t *flags = nullptr;
    int *offsets = nullptr;
    float *f = nullptr;
    row("reduce add u32", n, CALL(cub::DeviceReduce::Sum(d, b, x, y, n)));
    scans<u32>("scan add u32", n);
    scans<float>("scan add f32", n);
    scans<double>("scan add f64", n);
    row("scan u32 of rows of 100", n, CALL(cub::DeviceScan::InclusiveSumByKey(d, b, x, y, z, n)));
    row("compact", n, CALL(cub::DeviceSelect::Flagged(d, b, x, flags, y, z, n)));
    row("partition", n, CALL(cub::DevicePartition::Flagged(d, b, x, flags, y, z, n)));
    row("unique", n, CALL(cub::DeviceSelect::Unique(d, b, x, y, z, n)));
    row("run-length encode", n, CALL(cub::DeviceRunLengthEncode::Encode(d, b, x, y, z, z, n)));
    row("reduce by key", n, CALL(cub::DeviceReduce::ReduceByKey(d, b, x, y, x, z, z, ::cuda::std::plus<>{}, n)));
    row("histogram of 256 bins", n, CALL(cub::DeviceHistogram::HistogramEven(d, b, x, y, 257, 0u, 256u, n)));
    row("histogram of 256 bins of f32", n, CALL(cub::DeviceHistogram::HistogramEven(d, b, f, y, 257, 0.0f, 1.0f, n)));
    row("histogram by 257 edges of f32", n, CALL(cub::DeviceHistogram::HistogramRange(d, b, f, y, 257, f, n)));
    row("radix sort", n, CALL(cub::DeviceRadixSort::SortKeys(d, b, x, y, n)));
    row("radix sort of pairs", n, CALL(cub::DeviceRadixSort::SortPairs(d, b, x, y, x, z, n)));
    cub::DoubleBuffer<u32> keys(x, y), values(x, y);
    row("radix sort, DoubleBuffer", n, CALL(cub::DeviceRadixSort::SortKeys(d, b, keys, n)));
    row("radix sort of pairs, DoubleBuffer", n, CALL(cub::DeviceRadixSort::SortPairs(d, b, keys, values, n)));
    row("segmented reduce", n, CALL(cub::DeviceSegmentedReduce::Sum(d, b, x, y, n / 16, offsets, offsets + 1)));
    row("segmented sort", n, CALL(cub::DeviceSegmentedSort::SortKeys(d, b, f, f, n, n / 16, offsets, offsets + 1)));
    cub::DoubleBuffer<float> floats(f, f);
    row("segmented sort, DoubleBuffer", n, CALL(cub::DeviceSegmentedSort::SortKeys(d, b, floats, n, n / 16, offsets, offsets + 1)));
    row("sort of rows of 100", n, CALL(cub::DeviceSegmentedSort::SortPairs(d, b, x, y, x, z, n, n / 100, offsets, offsets + 1)));
    row("merge", n, CALL(cub::DeviceMerge::MergeKeys(d, b, x, n / 2, y, n / 2, z)));
  }
}
