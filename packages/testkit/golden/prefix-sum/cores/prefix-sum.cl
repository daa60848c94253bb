// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl --cores 8
// Inputs: f32 x[n]
// Outputs: f32 sum[n]
// Strategy: chunks
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Chunks: at most 64, of at least 65536 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   chunk_totals: (max(1, min(64, ceil(n / 65536))) - 1) work-groups of 1 work-item
//   chunks: min(64, ceil(n / 65536)) work-groups of 1 work-item

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// Returns x. Compilers cannot see through it, so they cannot contract two operations.
float rounded_f32(const float x, const uint zero) {
  return as_float(as_uint(x) + zero);
}

// Each work-item loops over a chunk and stores its totals.
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void chunk_totals(
  const uint n, // number of items
  const uint always_zero, // always 0
  __global const float* restrict x, // input, n elements
  __global float* totals_add) // scratch, 64 elements
{
  uint zero = always_zero;
  uint chunk = (uint)get_group_id(0);
  uint shift = max(32u - clz((n - 1u) >> 6u), 16u);
  uint length = 1u << shift;
  uint start = chunk << shift;
  if ((start < n) && (length < (n - start))) {
    uint below = start + length;
    float add_so_far = rounded_f32(0.0f, zero);
    float block_total[32];
    for (uint element = 0u; element < 32u; element++) { block_total[element] = 0; }
    float block_prefix[32];
    for (uint element = 0u; element < 32u; element++) { block_prefix[element] = 0; }
    uint whole = below - ((below - start) & 7u);
    for (uint i = start; i < whole; i += 8u) {
      uint place = i - start;
      float x_i = x[i];
      float before = rounded_f32((place != 0u) ? add_so_far : (-0.0f), zero);
      float x_i1 = x[i + 1u];
      float total0to1 = rounded_f32(x_i + x_i1, zero);
      float x_i2 = x[i + 2u];
      float x_i3 = x[i + 3u];
      float total2to3 = rounded_f32(x_i2 + x_i3, zero);
      float total0to3 = rounded_f32(total0to1 + total2to3, zero);
      float x_i4 = x[i + 4u];
      float x_i5 = x[i + 5u];
      float total4to5 = rounded_f32(x_i4 + x_i5, zero);
      float x_i6 = x[i + 6u];
      float x_i7 = x[i + 7u];
      float total6to7 = rounded_f32(x_i6 + x_i7, zero);
      float total4to7 = rounded_f32(total4to5 + total6to7, zero);
      float total = rounded_f32(total0to3 + total4to7, zero);
      float start_2 = before;
      uint size = 3u;
      uint bits = place >> 3u;
      while ((bits & 1u) != 0u) {
        total = rounded_f32(block_total[size & 31u] + total, zero);
        start_2 = block_prefix[size & 31u];
        size = size + 1u;
        bits = bits >> 1u;
      }
      add_so_far = rounded_f32(start_2 + total, zero);
      block_total[size & 31u] = total;
      block_prefix[size & 31u] = start_2;
    }
    // the tail
    for (uint i = whole; i < below; i++) {
      uint place = i - start;
      float total = x[i];
      float start_2 = rounded_f32((place != 0u) ? add_so_far : (-0.0f), zero);
      uint size = 0u;
      uint bits = place;
      while ((bits & 1u) != 0u) {
        total = rounded_f32(block_total[size & 31u] + total, zero);
        start_2 = block_prefix[size & 31u];
        size = size + 1u;
        bits = bits >> 1u;
      }
      add_so_far = rounded_f32(start_2 + total, zero);
      block_total[size & 31u] = total;
      block_prefix[size & 31u] = start_2;
    }
    totals_add[chunk] = add_so_far;
  }
}

// Each work-item loops over a chunk.
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void chunks(
  const uint n, // number of items
  const uint always_zero, // always 0
  __global const float* restrict x, // input, n elements
  __global float* sum, // output, n elements
  __global const float* restrict totals_add) // scratch, 64 elements
{
  uint zero = always_zero;
  uint chunk = (uint)get_group_id(0);
  uint shift = max(32u - clz((n - 1u) >> 6u), 16u);
  uint start = chunk << shift;
  if (start < max(n, 1u)) {
    uint below = start + min(1u << shift, n - start);
    float add_so_far = rounded_f32(0.0f, zero);
    float block_total[32];
    for (uint element = 0u; element < 32u; element++) { block_total[element] = 0; }
    float block_prefix[32];
    for (uint element = 0u; element < 32u; element++) { block_prefix[element] = 0; }
    for (uint earlier = 0u; earlier < chunk; earlier++) {
      float of_chunk = totals_add[earlier];
      uint index = (((earlier + 1u) << shift) - 1u) >> shift;
      float total = of_chunk;
      float start_2 = rounded_f32((index != 0u) ? add_so_far : (-0.0f), zero);
      uint size = shift;
      uint bits = index;
      while ((bits & 1u) != 0u) {
        total = rounded_f32(block_total[size & 31u] + total, zero);
        start_2 = block_prefix[size & 31u];
        size = size + 1u;
        bits = bits >> 1u;
      }
      add_so_far = rounded_f32(start_2 + total, zero);
      block_total[size & 31u] = total;
      block_prefix[size & 31u] = start_2;
    }
    uint whole = below - ((below - start) & 7u);
    for (uint i = start; i < whole; i += 8u) {
      float x_i = x[i];
      float before = rounded_f32((i != 0u) ? add_so_far : (-0.0f), zero);
      add_so_far = rounded_f32(before + x_i, zero);
      sum[i] = add_so_far;
      uint i1 = i + 1u;
      float x_i1 = x[i1];
      float total0to1 = rounded_f32(x_i + x_i1, zero);
      float prefix1 = rounded_f32(before + total0to1, zero);
      add_so_far = prefix1;
      sum[i1] = add_so_far;
      uint i2 = i + 2u;
      float x_i2 = x[i2];
      add_so_far = rounded_f32(prefix1 + x_i2, zero);
      sum[i2] = add_so_far;
      uint i3 = i + 3u;
      float x_i3 = x[i3];
      float total2to3 = rounded_f32(x_i2 + x_i3, zero);
      float total0to3 = rounded_f32(total0to1 + total2to3, zero);
      float prefix3 = rounded_f32(before + total0to3, zero);
      add_so_far = prefix3;
      sum[i3] = add_so_far;
      uint i4 = i + 4u;
      float x_i4 = x[i4];
      add_so_far = rounded_f32(prefix3 + x_i4, zero);
      sum[i4] = add_so_far;
      uint i5 = i + 5u;
      float x_i5 = x[i5];
      float total4to5 = rounded_f32(x_i4 + x_i5, zero);
      float prefix5 = rounded_f32(prefix3 + total4to5, zero);
      add_so_far = prefix5;
      sum[i5] = add_so_far;
      uint i6 = i + 6u;
      float x_i6 = x[i6];
      add_so_far = rounded_f32(prefix5 + x_i6, zero);
      sum[i6] = add_so_far;
      uint i7 = i + 7u;
      float x_i7 = x[i7];
      float total6to7 = rounded_f32(x_i6 + x_i7, zero);
      float total4to7 = rounded_f32(total4to5 + total6to7, zero);
      float total = rounded_f32(total0to3 + total4to7, zero);
      float start_2 = before;
      uint size = 3u;
      uint bits = i >> 3u;
      while ((bits & 1u) != 0u) {
        total = rounded_f32(block_total[size & 31u] + total, zero);
        start_2 = block_prefix[size & 31u];
        size = size + 1u;
        bits = bits >> 1u;
      }
      add_so_far = rounded_f32(start_2 + total, zero);
      block_total[size & 31u] = total;
      block_prefix[size & 31u] = start_2;
      sum[i7] = add_so_far;
    }
    // the tail
    for (uint i = whole; i < below; i++) {
      float total = x[i];
      float start_2 = rounded_f32((i != 0u) ? add_so_far : (-0.0f), zero);
      uint size = 0u;
      uint bits = i;
      while ((bits & 1u) != 0u) {
        total = rounded_f32(block_total[size & 31u] + total, zero);
        start_2 = block_prefix[size & 31u];
        size = size + 1u;
        bits = bits >> 1u;
      }
      add_so_far = rounded_f32(start_2 + total, zero);
      block_total[size & 31u] = total;
      block_prefix[size & 31u] = start_2;
      sum[i] = add_so_far;
    }
  }
}
