// groupwise 0.1.0: the pipeline tally in WGSL
// Made by: groupwise emit pipeline.json --target wgsl
// tile: 256x4
// expand: float-min-max float-compare float-to-int int-to-float float-divide float-constants guard-rounding guard-minus-zero
//
// Passes, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a pass with G = 0 is skipped:
//   bins: G = min(ceil(floor(n / 4) / 1024), 1024)
//   bins_tail: G = min((n - (floor(n / 4) * 4)), 1)

struct Params {
  n: u32, // number of items
}
@group(0) @binding(0) var<uniform> params: Params;

// input: n elements
@group(0) @binding(1) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<u32>>;
// output: 16 elements; zeros before the first pass
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
// status: 1 element; zeros before the first pass
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;

var<workgroup> bins_counts_bins: array<atomic<u32>, 128>;
// Values combine in bins of the work-group, 8 copies for each slot, and the bins in the outputs.
@compute @workgroup_size(256)
fn bins(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < min(((params.n / 4u) + 1023u) / 1024u, 1024u)) {
    let copy = lane & 7u;
    for (var bin = lane; bin < 128u; bin += 256u) {
      atomicStore(&bins_counts_bins[bin], 0u);
    }
    workgroupBarrier();
    let rows = params.n / 4u;
    let stride = min(((params.n / 4u) + 1023u) / 1024u, 1024u) * 256u;
    var row = (group * 256u) + lane;
    while (row < rows) {
      let base = row * 4u;
      let x_row = x_rows[base >> 2u];
      let v4 = x_row.x & 15u;
      let counts_slot = v4;
      if (counts_slot < 16u) {
        atomicAdd(&bins_counts_bins[(counts_slot * 8u) + copy], 1u);
      } else {
        atomicOr(&status[0u], 1u);
      }
      let v4_2 = x_row.y & 15u;
      let counts_slot_2 = v4_2;
      if (counts_slot_2 < 16u) {
        atomicAdd(&bins_counts_bins[(counts_slot_2 * 8u) + copy], 1u);
      } else {
        atomicOr(&status[0u], 1u);
      }
      let v4_3 = x_row.z & 15u;
      let counts_slot_3 = v4_3;
      if (counts_slot_3 < 16u) {
        atomicAdd(&bins_counts_bins[(counts_slot_3 * 8u) + copy], 1u);
      } else {
        atomicOr(&status[0u], 1u);
      }
      let v4_4 = x_row.w & 15u;
      let counts_slot_4 = v4_4;
      if (counts_slot_4 < 16u) {
        atomicAdd(&bins_counts_bins[(counts_slot_4 * 8u) + copy], 1u);
      } else {
        atomicOr(&status[0u], 1u);
      }
      row = row + stride;
    }
    workgroupBarrier();
    for (var slot = lane; slot < 16u; slot += 256u) {
      var bin = atomicLoad(&bins_counts_bins[slot * 8u]);
      for (var other = 1u; other < 8u; other += 1u) {
        bin = bin + atomicLoad(&bins_counts_bins[(slot * 8u) + other]);
      }
      if (bin != 0u) {
        atomicAdd(&counts[slot], bin);
      }
    }
  }
}

// The items behind the last full row.
@compute @workgroup_size(4)
fn bins_tail(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < min(params.n - ((params.n / 4u) * 4u), 1u)) {
    let count = params.n & 3u;
    if (lane < count) {
      let i = (params.n - count) + lane;
      let x_i = x[i];
      let counts_slot = x_i & 15u;
      if (counts_slot < 16u) {
        atomicAdd(&counts[counts_slot], 1u);
      } else {
        atomicOr(&status[0u], 1u);
      }
    }
  }
}
