// upper-case: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl
// Inputs: u8 text[n]
// Outputs: u8 upper[n]
// Strategy: reduce-then-scan
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   map: G = ceil(floor(n / 4) / 256), each of 256 work-items
//   map_tail: G = min((n - (floor(n / 4) * 4)), 1), each of 4 work-items

struct Params {
  n: u32, // number of items
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> text: array<u32>; // input: n elements; 4 u8 to a word
@group(0) @binding(2) var<storage, read_write> upper: array<u32>; // output: n elements; 4 u8 to a word
@group(0) @binding(2) var<storage, read_write> upper_bits: array<atomic<u32>>;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

// An element of text, 4 of which share a word.
fn text_at(index: u32) -> u32 {
  return (text[index >> 2u] >> ((index & 3u) << 3u)) & 0xffu;
}

// 4 items to a work-item, as one vec4.
@compute @workgroup_size(256)
fn map(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= (((params.n / 4u) + 255u) / 256u)) { return; }
  let row = (group * 256u) + lane;
  if (row < (params.n / 4u)) {
    let base = row * 4u;
    let text_row = text[base >> 2u];
    let text_row0 = text_row & 0xffu;
    let text_row1 = (text_row >> 8u) & 0xffu;
    let text_row2 = (text_row >> 16u) & 0xffu;
    let text_row3 = text_row >> 24u;
    let chosen0 = select(text_row0, (text_row0 - 32u), ((text_row0 >= 97u) & (text_row0 <= 122u)));
    let chosen1 = select(text_row1, (text_row1 - 32u), ((text_row1 >= 97u) & (text_row1 <= 122u)));
    let chosen2 = select(text_row2, (text_row2 - 32u), ((text_row2 >= 97u) & (text_row2 <= 122u)));
    let chosen3 = select(text_row3, (text_row3 - 32u), ((text_row3 >= 97u) & (text_row3 <= 122u)));
    upper[base >> 2u] = (((chosen0 & 0xffu) | ((chosen1 & 0xffu) << 8u)) | ((chosen2 & 0xffu) << 16u)) | ((chosen3 & 0xffu) << 24u);
  }
}

// The items after the last full vec4.
@compute @workgroup_size(4)
fn map_tail(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  if ((work_group.id.x + work_group.id.y * work_group.count.x) >= min(params.n - ((params.n / 4u) * 4u), 1u)) {
    return;
  }
  let count = params.n & 3u;
  if (lane < count) {
    let i = (params.n - count) + lane;
    let text_i = text_at(i);
    let chosen = select(text_i, (text_i - 32u), ((text_i >= 97u) & (text_i <= 122u)));
    let upper_shift = (i & 3u) << 3u;
    atomicAnd(&upper_bits[i >> 2u], ~(0xffu << upper_shift));
    atomicOr(&upper_bits[i >> 2u], (chosen & 0xffu) << upper_shift);
  }
}
