#!/usr/bin/env bash
# One would guess that `__launch_bounds__(256, 1)` changes nothing beside `__launch_bounds__(256)`: the second number is the least number of
# work-groups that a multiprocessor shall hold, and every kernel that can be launched fits once.
# nvcc 13.0.88 takes it as permission: a kernel of unrolled rounds of ballots gets 208 registers with the 1, and 80 without it, so that a
# multiprocessor of compute capability 9.0 holds one work-group in place of three. On an H200 a kernel of this kind, with 161 registers in place of 97,
# took 1.6 times as long. CUDA C++ Programming Guide 13.0, "Launch Bounds": without the number the compiler chooses registers by its heuristics.
# Needs python3 with venv; no GPU: ptxas prints the registers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv packages
packages/bin/pip install --quiet --disable-pip-version-check \
  nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-runtime==13.0.96
nvcc=$(find "$PWD/packages" -path "*/cu13/bin/nvcc")
chmod +x "$nvcc"
cat >rounds.cu <<'C'
#ifdef LEAST
#define BOUNDS __launch_bounds__(256, LEAST)
#else
#define BOUNDS __launch_bounds__(256)
#endif
extern "C" __global__ void BOUNDS
rounds(unsigned n, const unsigned *__restrict__ x, unsigned *y, const unsigned *__restrict__ places, unsigned shift) {
  __shared__ unsigned words[4096], distance[256], sums[8];
  const unsigned lane = threadIdx.x & 31, team = threadIdx.x / 32, first = blockIdx.x * 4096, begin = team * 512 + lane;
  const unsigned count = min(n - first, 4096u);
  unsigned keys[16], found[16];
  for (unsigned cell = threadIdx.x; cell < 2048; cell += 256) words[cell] = 0;
#pragma unroll
  for (int round = 0; round < 16; round++) {
    keys[round] = begin + round * 32 < count ? x[first + begin + round * 32] : 0;
    found[round] = keys[round] >> shift & 255;
  }
  __syncthreads();
#pragma unroll
  for (int round = 0; round < 16; round++) {
    const unsigned digit = found[round];
    const bool is_item = begin + round * 32 < count;
    unsigned same = __ballot_sync(0xffffffffu, is_item);
#pragma unroll
    for (int bit = 0; bit < 8; bit++) {
      const bool is_set = digit >> bit & 1;
      const unsigned having = __ballot_sync(0xffffffffu, is_set);
      same &= is_set ? having : ~having;
    }
    const unsigned last = 31 - __clz(same) & 31;
    unsigned taken = 0;
    if (is_item && lane == last) taken = atomicAdd(&words[team * 256 + digit], __popc(same));
    found[round] = digit << 16 | __shfl_sync(0xffffffffu, taken, last) + __popc(same & ((1u << lane) - 1));
  }
  __syncthreads();
  unsigned total = 0;
  for (int other = 0; other < 8; other++) total += words[other * 256 + threadIdx.x];
  unsigned next = total;
#pragma unroll
  for (int by = 1; by < 32; by <<= 1) {
    const unsigned below = __shfl_up_sync(0xffffffffu, next, by);
    if (lane >= by) next += below;
  }
  if (lane == 31) sums[team] = next;
  __syncthreads();
  next -= total;
  for (int other = 0; other < (int)team; other++) next += sums[other];
  distance[threadIdx.x] = places[blockIdx.x * 256 + threadIdx.x] - next;
  for (int other = 0; other < 8; other++) {
    const unsigned more = words[other * 256 + threadIdx.x];
    words[other * 256 + threadIdx.x] = next;
    next += more;
  }
  __syncthreads();
#pragma unroll
  for (int round = 0; round < 16; round++)
    if (begin + round * 32 < count) found[round] = words[team * 256 + (found[round] >> 16)] + (found[round] & 0xffff);
  __syncthreads();
#pragma unroll
  for (int round = 0; round < 16; round++)
    if (begin + round * 32 < count) words[found[round]] = keys[round];
  __syncthreads();
#pragma unroll
  for (int round = 0; round < 16; round++) {
    const unsigned place = round * 256 + threadIdx.x;
    if (place < count) y[place + distance[words[place] >> shift & 255]] = words[place];
  }
}
C
registers() {
  "$nvcc" -O3 -arch=sm_90 -cubin -Xptxas=-v "$@" rounds.cu -o rounds.cubin 2>&1 | grep -oE "Used [0-9]+ registers" | grep -oE "[0-9]+"
}
"$nvcc" --version | tail -2 | head -1
without=$(registers)
with=$(registers -DLEAST=1)
echo "registers: without the number $without, with 1 $with"
((with * 2 > without * 3))
