// broadcast: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// -cl-std=CL3.0 or CL2.0 instead opens what newer languages have, where the device offers them.
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   groups: ceil(n / 64) work-groups of 64
//   finish: 1 work-groups of 1
//   map: ceil(n / 1024) work-groups of 256

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
  const uint at, // parameter
  __global const float* restrict x, // input, n elements
  __global float* ofGroup, // output, ceil(n / 64) elements
  __global float* last) // output, n elements
{
#if !defined(GROUPWISE_COLLECTIVES)
  __local float lanes_f32[1];
#endif
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint item = (group * 64u) + lane;
  const bool exists = item < n;
  const uint i = min(item, n - 1u);
  const uint count = min(64u, n - (group * 64u));
  // broadcast; an index past the end means the last item
  const float x_i = x[i];
  const float mine = x_i;
  const uint source = min(at, count - 1u);
  float picked = 0.0f;
#ifdef GROUPWISE_COLLECTIVES
  {
    picked = work_group_broadcast(mine, source);
  }
#else
  {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == source) {
      lanes_f32[0u] = mine;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float announced = lanes_f32[0u];
    picked = announced;
  }
#endif
  // broadcast; an index past the end means the last item
  const float mine_2 = x_i;
  const uint v7 = min(64u, n - ((i / 64u) * 64u));
  const uint source_2 = min(v7 - 1u, count - 1u);
  float picked_2 = 0.0f;
#ifdef GROUPWISE_COLLECTIVES
  {
    picked_2 = work_group_broadcast(mine_2, source_2);
  }
#else
  {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == source_2) {
      lanes_f32[0u] = mine_2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float announced = lanes_f32[0u];
    picked_2 = announced;
  }
#endif
  if (exists) {
    last[i] = picked_2;
    if (lane == 0u) {
      ofGroup[i / 64u] = picked;
    }
  }
}

// Results for the whole range, by one work-group.
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void finish(
  const uint n, // number of items
  const uint at, // parameter
  __global const float* restrict x, // input, n elements
  __global float* chosen, // output, 1 elements
  __global float* broadcast_3) // scratch, 1 elements
{
  const uint source = min(0u, n - 1u);
  const float x_i = x[source];
  const float picked = x_i;
  const uint source_2 = min(at, n - 1u);
  const float x_i_2 = x[source_2];
  const float picked_2 = x_i_2;
  broadcast_3[0u] = picked;
  chosen[0u] = picked_2;
}

// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void map(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global float* first, // output, n elements
  __global const float* restrict broadcast_3) // scratch, 1 elements
{
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint base = (group * 1024u) + (lane * 4u);
  for (uint k = 0u; k < 4u; k++) {
    const uint i = min(base + k, n - 1u);
    if ((base + k) < n) {
      const float x_i = x[i];
      const float v3 = broadcast_3[0u];
      first[i] = x_i - v3;
    }
  }
}
