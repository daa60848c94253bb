// tally: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl
// Inputs: u32 x[n]
// Outputs: u32 counts[16]
// Strategy: reduce-then-scan
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   bins: G = min(ceil(floor(n / 4) / 1024), 1024), each of 256 work-items
//   bins_tail: G = min((n - (floor(n / 4) * 4)), 1), each of 4 work-items

struct Params {
  n: u32, // number of items
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> x: array<u32>; // input: n elements
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<u32>>;
// output: 16 elements; zeros before the first pass
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

var<workgroup> counts_bins: array<atomic<u32>, 128>;

// Values combine in bins of the work-group, 8 copies for each slot; then bins combine into the outputs.
@compute @workgroup_size(256)
fn bins(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= min(((params.n / 4u) + 1023u) / 1024u, 1024u)) { return; }
  let copy = lane & 7u;
  for (var bin = lane; bin < 128u; bin += 256u) { atomicStore(&counts_bins[bin], 0u); }
  workgroupBarrier();
  let rows = params.n / 4u;
  let stride = min(((params.n / 4u) + 1023u) / 1024u, 1024u) * 256u;
  var row = (group * 256u) + lane;
  while (row < rows) {
    let x_row = x_rows[(row * 4u) >> 2u];
    atomicAdd(&counts_bins[((x_row.x & 15u) * 8u) + copy], 1u);
    atomicAdd(&counts_bins[((x_row.y & 15u) * 8u) + copy], 1u);
    atomicAdd(&counts_bins[((x_row.z & 15u) * 8u) + copy], 1u);
    atomicAdd(&counts_bins[((x_row.w & 15u) * 8u) + copy], 1u);
    row = row + stride;
  }
  workgroupBarrier();
  for (var slot = lane; slot < 16u; slot += 256u) {
    var bin = atomicLoad(&counts_bins[slot * 8u]);
    for (var other = 1u; other < 8u; other += 1u) { bin = bin + atomicLoad(&counts_bins[(slot * 8u) + other]); }
    if (bin != 0u) { atomicAdd(&counts[slot], bin); }
  }
}

// The items after the last full vec4.
@compute @workgroup_size(4)
fn bins_tail(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  if ((work_group.id.x + work_group.id.y * work_group.count.x) >= min(params.n - ((params.n / 4u) * 4u), 1u)) {
    return;
  }
  let count = params.n & 3u;
  if (lane < count) { atomicAdd(&counts[x[(params.n - count) + lane] & 15u], 1u); }
}
