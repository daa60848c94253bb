// tiles: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// -cl-std=CL3.0 or CL2.0 instead opens what newer languages have, where the device offers them.
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   groups: (ceil(size_x / 8) * ceil(size_y / 4)) work-groups of 32

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// The language's own work-group functions are used where the compiler promises them, unless the build
// option -DGROUPWISE_PORTABLE says otherwise. The results are the same.
#ifndef GROUPWISE_PORTABLE
#if defined(__opencl_c_work_group_collective_functions) || (__OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300)
#define GROUPWISE_COLLECTIVES
#endif
#endif

// a / b towards 0; a / 0 is a, and the least integer / -1 is itself.
uint div_u32(const uint a, const uint b) {
  const uint divisor = (b == 0u) ? 1u : b;
  return a / divisor;
}

// Work-groups of 8 x 4, one item to a work-item.
// A lane is a local linear id: those of a smaller group have no gaps.
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void groups(
  const uint size_x, // items in the dimension
  const uint size_y, // items in the dimension
  const uint offset_x, // the first global id in the dimension
  const uint offset_y, // the first global id in the dimension
  __global const int* restrict x, // input, n elements
  __global int* within, // output, n elements
  __global int* relative, // output, n elements
  __global int* total, // output, (ceil(size_x / 8) * ceil(size_y / 4)) elements
  __global uint* border, // output, n elements
  __global uint* checker) // output, n elements
{
#if !defined(GROUPWISE_COLLECTIVES)
  __local int lanes_i32[64];
#endif
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint groups_x = (size_x / 8u) + (((size_x % 8u) != 0u) ? 1u : 0u);
  const uint group_y = div_u32(group, groups_x);
  const uint group_x = group - (group_y * groups_x);
  const uint start_x = group_x * 8u;
  const uint start_y = group_y * 4u;
  const uint extent_x = min(8u, size_x - start_x);
  const uint extent_y = min(4u, size_y - start_y);
  const uint count = extent_x * extent_y;
  const bool exists = lane < count;
  const uint lane_or_last = min(lane, count - 1u);
  const uint local_y = div_u32(lane_or_last, extent_x);
  const uint local_x = lane_or_last - (local_y * extent_x);
  const uint item_x = start_x + local_x;
  const uint item_y = start_y + local_y;
  const uint i = (item_y * size_x) + item_x;
  const int x_i = x[i];
  const int mine = x_i;
  // across the work-group: scan-inclusive add, reduce add
  int scan_inclusive = 0;
  int reduce = 0;
#ifdef GROUPWISE_COLLECTIVES
  {
    scan_inclusive = work_group_scan_inclusive_add(exists ? mine : 0);
    reduce = work_group_reduce_add(exists ? mine : 0);
  }
#else
  {
    int total_2 = exists ? mine : 0;
    int sibling[5] = {0};
    int own[5] = {0};
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < 5u; round++) {
      const uint bit = 1u << round;
      const uint slot = ((round & 1u) * 32u) + lane;
      lanes_i32[slot] = total_2;
      barrier(CLK_LOCAL_MEM_FENCE);
      const int theirs = lanes_i32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total_2;
      total_2 = as_int(as_uint(total_2) + as_uint(theirs));
    }
    int carry = 0;
    int inclusive = total_2;
    for (uint step = 0u; step < 5u; step++) {
      const uint round = 4u - step;
      const bool is_upper = (lane & (1u << round)) != 0u;
      const int block = is_upper ? sibling[round] : own[round];
      const int joined = as_int(as_uint(carry) + as_uint(block));
      inclusive = is_upper ? inclusive : joined;
      carry = is_upper ? joined : carry;
    }
    const int scan_inclusive_2 = inclusive;
    const int reduce_2 = total_2;
    scan_inclusive = scan_inclusive_2;
    reduce = reduce_2;
  }
#endif
  // broadcast; an index past the end means the last item
  const int mine_2 = x_i;
  int picked = 0;
#ifdef GROUPWISE_COLLECTIVES
  {
    picked = work_group_broadcast(mine_2, 0u);
  }
#else
  {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0u) {
      lanes_i32[0u] = mine_2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int announced = lanes_i32[0u];
    picked = announced;
  }
#endif
  if (exists) {
    within[i] = scan_inclusive;
    relative[i] = as_int(as_uint(x_i) - as_uint(picked));
    border[i] = (min(local_x, local_y) == 0u) ? 1u : 0u;
    const uint v12 = (item_x + offset_x) ^ (item_y + offset_y);
    checker[i] = v12 & 1u;
    if (lane == 0u) {
      total[group] = reduce;
    }
  }
}
