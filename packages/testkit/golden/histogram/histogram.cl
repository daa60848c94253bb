// histogram: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   fill: ceil(bins / 256) work-groups of 256
//   map: ceil(n / 128) work-groups of 128

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// a % b with the sign of a; a % 0 is 0.
uint rem_u32(const uint a, const uint b) {
  const uint divisor = (b == 0u) ? 1u : b;
  return a % divisor;
}

// What least holds where no item writes.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void fill(
  const uint bins, // parameter
  __global uint* least) // output, bins elements, all zero at first
{
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint slot = (group * 256u) + lane;
  if (slot < bins) {
    least[slot] = 4294967295u;
  }
}

// Work-groups of 128, one item to a work-item.
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void map(
  const uint n, // number of items
  const uint bins, // parameter
  __global const uint* restrict x, // input, n elements
  volatile __global uint* counts, // output, bins elements, all zero at first
  volatile __global uint* least, // output, bins elements, all zero at first
  volatile __global uint* status) // status, 1 elements, all zero at first
{
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint item = (group * 128u) + lane;
  const bool exists = item < n;
  const uint i = min(item, n - 1u);
  if (exists) {
    const uint x_i = x[i];
    const uint v4 = rem_u32(x_i, bins);
    const uint counts_slot = v4;
    if (counts_slot < bins) {
      atomic_add(&counts[counts_slot], 1u);
    } else {
      atomic_or(&status[0u], 1u);
    }
    const uint least_slot = v4;
    if (least_slot < bins) {
      atomic_min(&least[least_slot], x_i);
    } else {
      atomic_or(&status[0u], 2u);
    }
  }
}
