// tally: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   bins: min(ceil(floor(n / 4) / 1024), 1024) work-groups of 256
//   bins_tail: min((n - (floor(n / 4) * 4)), 1) work-groups of 4

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// Values combine in bins of the work-group, 8 copies for each slot, and the bins in the outputs.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void bins(
  const uint n, // number of items
  __global const uint* restrict x, // input, n elements
  volatile __global uint* counts, // output, 16 elements, all zero at first
  volatile __global uint* status) // status, 1 elements, all zero at first
{
  volatile __local uint counts_bins[128];
  const uint lane = (uint)get_local_id(0);
  const uint group = (uint)get_group_id(0);
  const uint copy = lane & 7u;
  for (uint bin = lane; bin < 128u; bin += 256u) {
    counts_bins[bin] = 0u;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint rows = n / 4u;
  const uint stride = min(((n / 4u) + 1023u) / 1024u, 1024u) * 256u;
  uint row = (group * 256u) + lane;
  while (row < rows) {
    const uint base = row * 4u;
    const uint4 x_row = ((__global const uint4*)x)[base >> 2u];
    const uint v4 = x_row.x & 15u;
    const uint counts_slot = v4;
    if (counts_slot < 16u) {
      atomic_add(&counts_bins[(counts_slot * 8u) + copy], 1u);
    } else {
      atomic_or(&status[0u], 1u);
    }
    const uint v4_2 = x_row.y & 15u;
    const uint counts_slot_2 = v4_2;
    if (counts_slot_2 < 16u) {
      atomic_add(&counts_bins[(counts_slot_2 * 8u) + copy], 1u);
    } else {
      atomic_or(&status[0u], 1u);
    }
    const uint v4_3 = x_row.z & 15u;
    const uint counts_slot_3 = v4_3;
    if (counts_slot_3 < 16u) {
      atomic_add(&counts_bins[(counts_slot_3 * 8u) + copy], 1u);
    } else {
      atomic_or(&status[0u], 1u);
    }
    const uint v4_4 = x_row.w & 15u;
    const uint counts_slot_4 = v4_4;
    if (counts_slot_4 < 16u) {
      atomic_add(&counts_bins[(counts_slot_4 * 8u) + copy], 1u);
    } else {
      atomic_or(&status[0u], 1u);
    }
    row = row + stride;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint slot = lane; slot < 16u; slot += 256u) {
    uint bin = counts_bins[slot * 8u];
    for (uint other = 1u; other < 8u; other++) {
      bin = bin + counts_bins[(slot * 8u) + other];
    }
    if (bin != 0u) {
      atomic_add(&counts[slot], bin);
    }
  }
}

// The items behind the last full row.
__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void bins_tail(
  const uint n, // number of items
  __global const uint* restrict x, // input, n elements
  volatile __global uint* counts, // output, 16 elements, all zero at first
  volatile __global uint* status) // status, 1 elements, all zero at first
{
  const uint lane = (uint)get_local_id(0);
  const uint count = n & 3u;
  if (lane < count) {
    const uint i = (n - count) + lane;
    const uint x_i = x[i];
    const uint counts_slot = x_i & 15u;
    if (counts_slot < 16u) {
      atomic_add(&counts[counts_slot], 1u);
    } else {
      atomic_or(&status[0u], 1u);
    }
  }
}
