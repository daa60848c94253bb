/** Kernels as applications have them, with the header's standard names, and plain loops that say what they give. */

/** Sizes of the groups that the kernels run in. */
export const GROUP = 64;

export const REAL_KERNELS = `
// Takes room for \`count\` elements of each work-item in an array that all groups share; gives where it begins.
uint reserve(volatile __global uint* top, uint count, GROUPWISE_SCRATCH_PARAM);
uint reserve(volatile __global uint* top, uint count, GROUPWISE_SCRATCH_PARAM)
{
    const uint before = work_group_scan_exclusive_add(count);
    const uint all = work_group_reduce_add(count);
    uint base;
    if (get_local_id(0) == 0)
        base = atomic_add(top, all);
    base = work_group_broadcast(base, 0);
    return base + before;
}

// Candidates of a broad phase: every item writes as many pairs as it has neighbours.
__kernel void emit_pairs(__global const uint* neighbours, __global uint2* pairs, __global uint* top)
{
    GROUPWISE_SCRATCH(64);
    const uint i = get_global_id(0);
    const uint count = neighbours[i];
    const uint at = reserve(top, count, GROUPWISE_SCRATCH_ARG);
    for (uint k = 0; k < count; k++)
        pairs[at + k] = (uint2)(i, k);
}

// The counter idiom without a helper: the first item of the group adds for all.
__kernel void compact(__global const int* in, __global int* out, volatile __global int* top)
{
    GROUPWISE_SCRATCH(64);
    const int v = in[get_global_id(0)];
    const int keep = v % 3 == 0;
    const int offset = work_group_scan_exclusive_add(keep);
    const int kept = work_group_reduce_add(keep);
    int base;
    if (get_local_id(0) == get_local_size(0) - 1)
        base = atomic_add(top, kept);
    base = work_group_broadcast(base, get_local_size(0) - 1);
    if (keep)
        out[base + offset] = v;
}

// One group to a row of any length.
__kernel void softmax(__global float* rows, uint columns)
{
    GROUPWISE_SCRATCH(64);
    __global float* row = rows + get_group_id(0) * columns;
    float most = -INFINITY;
    for (uint i = get_local_id(0); i < columns; i += get_local_size(0))
        most = fmax(most, row[i]);
    most = work_group_reduce_max(most);
    float sum = 0.0f;
    for (uint i = get_local_id(0); i < columns; i += get_local_size(0))
        sum += exp(row[i] - most);
    sum = work_group_reduce_add(sum);
    for (uint i = get_local_id(0); i < columns; i += get_local_size(0))
        row[i] = exp(row[i] - most) / sum;
}

// Counts the bytes of a group's part in local memory, and gives the sums of the counts so far.
__kernel void cumulative_histogram(__global const uchar* bytes, uint length, __global uint* sums)
{
    GROUPWISE_SCRATCH(64);
    __local uint bins[64];
    const uint lid = get_local_id(0);
    bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint base = get_group_id(0) * length;
    for (uint i = lid; i < length; i += get_local_size(0))
        atomic_inc(&bins[bytes[base + i] & 63]);
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[get_global_id(0)] = work_group_scan_inclusive_add(bins[lid]);
}

// The largest keys of the group, from the largest on; of equal ones the first item's comes first.
__kernel void top_k(__global const uint* keys, uint k, __global uint* values, __global uint* places)
{
    GROUPWISE_SCRATCH(64);
    const uint lid = get_local_id(0);
    ulong mine = ((ulong)keys[get_global_id(0)] << 32) | (ulong)(~lid);
    for (uint round = 0; round < k; round++) {
        const ulong best = work_group_reduce_max(mine);
        if (mine == best) {
            values[get_group_id(0) * k + round] = (uint)(best >> 32);
            places[get_group_id(0) * k + round] = ~(uint)best;
            mine = 0;
        }
    }
}

// One group over a long array, tile by tile, with a carry.
__kernel void prefix_sums(__global const int* in, __global int* out, uint n)
{
    GROUPWISE_SCRATCH(64);
    int carry = 0;
    for (uint base = 0; base < n; base += get_local_size(0)) {
        const uint i = base + get_local_id(0);
        const int v = i < n ? in[i] : 0;
        const int sum = work_group_scan_inclusive_add(v);
        if (i < n)
            out[i] = carry + sum;
        carry += work_group_broadcast(sum, get_local_size(0) - 1);
    }
}

// A tile of an image: least and largest, whether all is inside, and the pixel at its centre.
__kernel void tile_statistics(__global const short* image, __global int* least, __global int* largest, __global int* centres)
{
    GROUPWISE_SCRATCH(64);
    const size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    const size_t tile = get_group_id(1) * get_num_groups(0) + get_group_id(0);
    const short pixel = image[i];
    const bool isDark = pixel < 0;
    const int low = work_group_reduce_min(pixel), high = work_group_reduce_max(pixel);
    const int centre = work_group_broadcast(pixel, 8, 2);
    const bool every = work_group_all(isDark), some = work_group_any(isDark);
    if (get_local_linear_id() == 0) {
        least[tile] = every ? 1000 : low;
        largest[tile] = some ? high : 1000;
        centres[tile] = centre;
    }
}
`;

/** Twelve calls in a row, each of what came before: reduces and scans of integers and floats. */
const CALLS = [
  "v += work_group_scan_inclusive_add(v);",
  "v ^= work_group_reduce_min(v);",
  "f += work_group_reduce_add(f);",
  "v += work_group_scan_exclusive_max(v);",
  "f = work_group_scan_inclusive_max(f);",
  "v ^= work_group_reduce_add(v);",
];
export const TWELVE = `
__kernel void twelve(__global int* vs, __global float* fs)
{
    GROUPWISE_SCRATCH(64);
    const size_t i = get_global_id(0);
    int v = vs[i];
    float f = fs[i];
${[...CALLS, ...CALLS].map((call) => `    ${call}\n`).join("")}
    vs[i] = v;
    fs[i] = f;
}
`;

/** The work-items of one group through {@link TWELVE}; floats are whole numbers, so that sums have no order. */
export function twelve(
  vs: readonly number[],
  fs: readonly number[],
): { readonly v: number[]; readonly f: number[] } {
  let [v, f] = [[...vs], [...fs]];
  const upTo = (list: readonly number[], lane: number): readonly number[] => list.slice(0, lane + 1);
  const sum = (list: readonly number[]): number => list.reduce((a, b) => (a + b) | 0, 0);
  for (let turn = 0; turn < 2; turn++) {
    const first = v;
    v = first.map((x, lane) => (x + sum(upTo(first, lane))) | 0);
    const least = Math.min(...v);
    v = v.map((x) => x ^ least);
    const total = f.reduce((a, b) => a + b);
    f = f.map((x) => x + total);
    const third = v;
    v = third.map((x, lane) => (x + Math.max(-(2 ** 31), ...third.slice(0, lane))) | 0);
    const fourth = f;
    f = fourth.map((_, lane) => Math.max(...upTo(fourth, lane)));
    const all = sum(v);
    v = v.map((x) => x ^ all);
  }
  return { v, f };
}
