// work-group: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// Inputs: u32 x[n]
// Outputs: u32 before[n], u32 total[ceil(n / 100)]
// Strategy: reduce-then-scan
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// -cl-std=CL3.0 or CL2.0 instead enables functions of newer versions, on devices that support them.
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   groups: ceil(n / 100) work-groups of 100 work-items

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// The language's own work-group functions are used if the compiler guarantees them, unless the build
// option -DGROUPWISE_PORTABLE is given. The results are the same.
#ifndef GROUPWISE_PORTABLE
#if defined(__opencl_c_work_group_collective_functions) || (__OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300)
#define GROUPWISE_COLLECTIVES
#endif
#endif

// Work-groups of 100, one item to a work-item.
__kernel __attribute__((reqd_work_group_size(100, 1, 1)))
void groups(
  const uint n, // number of items
  __global const uint* restrict x, // input, n elements
  __global uint* before, // output, n elements
  __global uint* total) // output, ceil(n / 100) elements
{
#if !defined(GROUPWISE_COLLECTIVES)
  __local uint lanes_u32[256];
#endif
  uint lane = (uint)get_local_id(0);
  uint item = ((uint)get_group_id(0) * 100u) + lane;
  bool exists = item < n;
  uint i = min(item, n - 1u);
  uint mine = x[i];
  // across the work-group: scan-exclusive add, reduce add
  uint scan_exclusive = 0u;
  uint reduce = 0u;
#ifdef GROUPWISE_COLLECTIVES
  {
    scan_exclusive = work_group_scan_exclusive_add(exists ? mine : 0u);
    reduce = work_group_reduce_add(exists ? mine : 0u);
  }
#else
  {
    uint total_2 = exists ? mine : 0u;
    uint lower[7] = {0};
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < 7u; round++) {
      uint bit = 1u << round;
      lanes_u32[((round & 1u) * 128u) + lane] = total_2;
      barrier(CLK_LOCAL_MEM_FENCE);
      uint first = (lane ^ bit) & (0u - bit);
      uint theirs = (first < 100u) ? lanes_u32[((round & 1u) * 128u) + min(first, 99u)] : 0u;
      lower[round] = ((lane & bit) != 0u) ? theirs : total_2;
      total_2 = total_2 + theirs;
    }
    uint carry = 0u;
    for (uint step = 0u; step < 7u; step++) {
      uint round = 6u - step;
      carry = ((lane & (1u << round)) != 0u) ? (carry + lower[round]) : carry;
    }
    scan_exclusive = carry;
    reduce = total_2;
  }
#endif
  if (exists) {
    before[i] = scan_exclusive;
    if (lane == 0u) { total[i / 100u] = reduce; }
  }
}
