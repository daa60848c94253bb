// ledger: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// -cl-std=CL3.0 or CL2.0 instead opens what newer languages have, where the device offers them.
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   groups: ceil(n / 64) work-groups of 64

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// The language's own work-group functions are used where the compiler promises them, unless the build
// option -DGROUPWISE_PORTABLE says otherwise. The results are the same.
#ifndef GROUPWISE_PORTABLE
#if defined(__opencl_c_work_group_collective_functions) || (__OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300)
#define GROUPWISE_COLLECTIVES
#endif
#endif

// Work-groups of 64, one item to a work-item.
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void groups(
  const uint n, // number of items
  __global const long* restrict x, // input, n elements
  __global long* balance, // output, n elements
  __global long* lowest) // output, ceil(n / 64) elements
{
#if !defined(GROUPWISE_COLLECTIVES)
  __local long lanes_i64[128];
  __local long lanes_i64_2[128];
#endif
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint item = (group * 64u) + lane;
  const bool exists = item < n;
  const uint i = min(item, n - 1u);
  const long x_i = x[i];
  const long mine = x_i;
  const long mine_2 = x_i;
  // across the work-group: scan-inclusive add, reduce min
  long scan_inclusive = 0L;
  long reduce = 9223372036854775807L;
#ifdef GROUPWISE_COLLECTIVES
  {
    scan_inclusive = work_group_scan_inclusive_add(exists ? mine : 0L);
    reduce = work_group_reduce_min(exists ? mine_2 : 9223372036854775807L);
  }
#else
  {
    long total = exists ? mine : 0L;
    long total_2 = exists ? mine_2 : 9223372036854775807L;
    long sibling[6] = {0};
    long own[6] = {0};
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < 6u; round++) {
      const uint bit = 1u << round;
      const uint slot = ((round & 1u) * 64u) + lane;
      lanes_i64[slot] = total;
      lanes_i64_2[slot] = total_2;
      barrier(CLK_LOCAL_MEM_FENCE);
      const long theirs = lanes_i64[slot ^ bit];
      const long theirs_2 = lanes_i64_2[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      const long both = as_long(as_ulong(total) + as_ulong(theirs));
      const long both_2 = min(total_2, theirs_2);
      total = both;
      total_2 = both_2;
    }
    long carry = 0L;
    long inclusive = total;
    for (uint step = 0u; step < 6u; step++) {
      const uint round = 5u - step;
      const bool is_upper = (lane & (1u << round)) != 0u;
      const long block = is_upper ? sibling[round] : own[round];
      const long joined = as_long(as_ulong(carry) + as_ulong(block));
      inclusive = is_upper ? inclusive : joined;
      carry = is_upper ? joined : carry;
    }
    const long scan_inclusive_2 = inclusive;
    const long reduce_2 = total_2;
    scan_inclusive = scan_inclusive_2;
    reduce = reduce_2;
  }
#endif
  if (exists) {
    balance[i] = scan_inclusive;
    if (lane == 0u) {
      lowest[i / 64u] = reduce;
    }
  }
}
