// groupwise 0.1.0: the pipeline prefix-sum in WGSL
// Made by: groupwise emit pipeline.json --target wgsl --subgroups
// tile: 256x4
// expand: float-min-max float-compare float-to-int int-to-float float-divide float-constants guard-rounding guard-minus-zero
//
// Passes, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a pass with G = 0 is skipped:
//   tile_totals: G = floor(n / 1024)
//   tile_totals_2: G = floor(n / 2097152)
//   prefixes_2: G = min(floor(n / 2097152), 1)
//   prefixes_1: G = min(floor(n / 1024), (floor(n / 2097152) + 1))
//   scan: G = ceil(n / 1024)

enable subgroups;

struct Params {
  n: u32, // number of items
  always_zero: u32, // always 0, but unknown to the compiler
}
@group(0) @binding(0) var<uniform> params: Params;

// input: n elements
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<f32>>;
// output: n elements
@group(0) @binding(2) var<storage, read_write> sum: array<f32>;
// scratch: (floor(n / 1024) + floor(n / 2097152)) elements
@group(0) @binding(3) var<storage, read_write> tile_totals_add: array<f32>;

// x. A compiler cannot merge the operation that gave it with the next.
fn rounded_f32(x: f32, zero: u32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + zero);
}

var<workgroup> tile_totals_lanes_f32: array<f32, 512>;
// Pass 1 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
@compute @workgroup_size(256)
fn tile_totals(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
  @builtin(subgroup_size) subgroup_size: u32,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  let width = min(subgroup_size, 256u);
  let near = min(31u - countLeadingZeros(width), 8u);
  if (group < (params.n / 1024u)) {
    let base = (group * 1024u) + (lane * 4u);
    var items: array<f32, 4>;
    let i = base;
    let x_row = x_rows[i >> 2u];
    items[0u] = x_row.x;
    items[1u] = x_row.y;
    items[2u] = x_row.z;
    items[3u] = x_row.w;
    // total of the tile: within each work-item, then across the work-group
    items[1u] = rounded_f32(items[0u] + items[1u], zero);
    items[3u] = rounded_f32(items[2u] + items[3u], zero);
    items[3u] = rounded_f32(items[1u] + items[3u], zero);
    var total = items[3u];
    for (var round = 0u; round < near; round += 1u) {
      let bit = 1u << (round & 31u);
      let theirs = subgroupShuffleXor(total, bit);
      total = rounded_f32(total, zero) + theirs;
    }
    workgroupBarrier();
    for (var round = near; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_lanes_f32[slot] = total;
      workgroupBarrier();
      let theirs = tile_totals_lanes_f32[slot ^ bit];
      total = rounded_f32(total, zero) + theirs;
    }
    if ((lane == 0u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      tile_totals_add[at] = total;
    }
  }
}

var<workgroup> tile_totals_2_lanes_f32: array<f32, 512>;
// Totals of level 2: each of 2048 totals of level 1.
@compute @workgroup_size(256)
fn tile_totals_2(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
  @builtin(subgroup_size) subgroup_size: u32,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  let width = min(subgroup_size, 256u);
  let near = min(31u - countLeadingZeros(width), 8u);
  if (group < (params.n / 2097152u)) {
    var items: array<f32, 8>;
    let base = (params.n >> 21u) + ((group * 2048u) + (lane * 8u));
    for (var k = 0u; k < 8u; k += 1u) {
      items[k] = tile_totals_add[base + k];
    }
    // total of the tile: within each work-item, then across the work-group
    for (var k = 1u; k < 8u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    for (var k = 3u; k < 8u; k += 4u) {
      items[k] = rounded_f32(items[k - 2u] + items[k], zero);
    }
    items[7u] = rounded_f32(items[3u] + items[7u], zero);
    var total = items[7u];
    for (var round = 0u; round < near; round += 1u) {
      let bit = 1u << (round & 31u);
      let theirs = subgroupShuffleXor(total, bit);
      total = rounded_f32(total, zero) + theirs;
    }
    workgroupBarrier();
    for (var round = near; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_2_lanes_f32[slot] = total;
      workgroupBarrier();
      let theirs = tile_totals_2_lanes_f32[slot ^ bit];
      total = rounded_f32(total, zero) + theirs;
    }
    if ((lane == 0u) & (group < (params.n >> 21u))) {
      let at = group;
      tile_totals_add[at] = rounded_f32(total, zero);
    }
  }
}

var<workgroup> prefixes_2_lanes_f32: array<f32, 512>;
// Prefixes of the totals of level 2, in place.
@compute @workgroup_size(256)
fn prefixes_2(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
  @builtin(subgroup_size) subgroup_size: u32,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  let width = min(subgroup_size, 256u);
  let near = min(31u - countLeadingZeros(width), 8u);
  if (group < min(params.n / 2097152u, 1u)) {
    var items: array<f32, 8>;
    let base = (group * 2048u) + (lane * 8u);
    let count = params.n >> 21u;
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        items[k] = tile_totals_add[base + k];
      }
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 8u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    for (var k = 3u; k < 8u; k += 4u) {
      items[k] = rounded_f32(items[k - 2u] + items[k], zero);
    }
    items[7u] = rounded_f32(items[3u] + items[7u], zero);
    var total = items[7u];
    var sibling: array<f32, 8>;
    var own: array<f32, 8>;
    for (var round = 0u; round < near; round += 1u) {
      let bit = 1u << (round & 31u);
      let theirs = subgroupShuffleXor(total, bit);
      sibling[round] = theirs;
      own[round] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
    }
    workgroupBarrier();
    for (var round = near; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      prefixes_2_lanes_f32[slot] = total;
      workgroupBarrier();
      let theirs = prefixes_2_lanes_f32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
    }
    var carry = rounded_f32(0f, zero);
    var has_carry = false;
    var inclusive = total;
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let joined = select(block, (carry + block), has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = rounded_f32(select(carry, joined, is_upper), zero);
      has_carry = has_carry | is_upper;
    }
    items[3u] = rounded_f32(select(items[3u], (carry + items[3u]), has_carry), zero);
    items[1u] = rounded_f32(select(items[1u], (carry + items[1u]), has_carry), zero);
    items[5u] = rounded_f32(items[3u] + items[5u], zero);
    items[0u] = rounded_f32(select(items[0u], (carry + items[0u]), has_carry), zero);
    for (var k = 2u; k < 8u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    items[7u] = rounded_f32(inclusive, zero);
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        tile_totals_add[base + k] = items[k];
      }
    }
  }
}

var<workgroup> prefixes_1_lanes_f32: array<f32, 512>;
// Prefixes of the totals of level 1, in place.
@compute @workgroup_size(256)
fn prefixes_1(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
  @builtin(subgroup_size) subgroup_size: u32,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  let width = min(subgroup_size, 256u);
  let near = min(31u - countLeadingZeros(width), 8u);
  if (group < min(params.n / 1024u, (params.n / 2097152u) + 1u)) {
    var items: array<f32, 8>;
    let base = (group * 2048u) + (lane * 8u);
    let offset = params.n >> 21u;
    let count = params.n >> 10u;
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        items[k] = tile_totals_add[(offset + base) + k];
      }
    }
    var before = rounded_f32(0f, zero);
    if (group != 0u) {
      let at = group - 1u;
      before = tile_totals_add[at];
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 8u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    for (var k = 3u; k < 8u; k += 4u) {
      items[k] = rounded_f32(items[k - 2u] + items[k], zero);
    }
    items[7u] = rounded_f32(items[3u] + items[7u], zero);
    var total = items[7u];
    var sibling: array<f32, 8>;
    var own: array<f32, 8>;
    for (var round = 0u; round < near; round += 1u) {
      let bit = 1u << (round & 31u);
      let theirs = subgroupShuffleXor(total, bit);
      sibling[round] = theirs;
      own[round] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
    }
    workgroupBarrier();
    for (var round = near; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      prefixes_1_lanes_f32[slot] = total;
      workgroupBarrier();
      let theirs = prefixes_1_lanes_f32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
    }
    var carry = before;
    var has_carry = group != 0u;
    var inclusive = select(total, (before + rounded_f32(total, zero)), (group != 0u));
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let joined = select(block, (carry + block), has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = rounded_f32(select(carry, joined, is_upper), zero);
      has_carry = has_carry | is_upper;
    }
    items[3u] = rounded_f32(select(items[3u], (carry + items[3u]), has_carry), zero);
    items[1u] = rounded_f32(select(items[1u], (carry + items[1u]), has_carry), zero);
    items[5u] = rounded_f32(items[3u] + items[5u], zero);
    items[0u] = rounded_f32(select(items[0u], (carry + items[0u]), has_carry), zero);
    for (var k = 2u; k < 8u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    items[7u] = rounded_f32(inclusive, zero);
    if ((lane == 255u) & (group < (params.n >> 21u))) {
      let at = group;
      items[7u] = tile_totals_add[at];
    }
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        tile_totals_add[(offset + base) + k] = items[k];
      }
    }
  }
}

var<workgroup> scan_lanes_f32: array<f32, 512>;
// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
@compute @workgroup_size(256)
fn scan(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
  @builtin(subgroup_size) subgroup_size: u32,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  let width = min(subgroup_size, 256u);
  let near = min(31u - countLeadingZeros(width), 8u);
  if (group < ((params.n + 1023u) / 1024u)) {
    let base = (group * 1024u) + (lane * 4u);
    var items: array<f32, 4>;
    for (var k = 0u; k < 4u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let x_i = x[i];
      items[k] = x_i;
    }
    var before = rounded_f32(0f, zero);
    if (group != 0u) {
      let at = (params.n >> 21u) + (group - 1u);
      before = tile_totals_add[at];
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 4u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    items[3u] = rounded_f32(items[1u] + items[3u], zero);
    var total = items[3u];
    var sibling: array<f32, 8>;
    var own: array<f32, 8>;
    for (var round = 0u; round < near; round += 1u) {
      let bit = 1u << (round & 31u);
      let theirs = subgroupShuffleXor(total, bit);
      sibling[round] = theirs;
      own[round] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
    }
    workgroupBarrier();
    for (var round = near; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      scan_lanes_f32[slot] = total;
      workgroupBarrier();
      let theirs = scan_lanes_f32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
    }
    var carry = before;
    var has_carry = group != 0u;
    var inclusive = select(total, (before + rounded_f32(total, zero)), (group != 0u));
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let joined = select(block, (carry + block), has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = rounded_f32(select(carry, joined, is_upper), zero);
      has_carry = has_carry | is_upper;
    }
    items[1u] = rounded_f32(select(items[1u], (carry + items[1u]), has_carry), zero);
    items[0u] = rounded_f32(select(items[0u], (carry + items[0u]), has_carry), zero);
    items[2u] = rounded_f32(items[1u] + items[2u], zero);
    items[3u] = rounded_f32(inclusive, zero);
    if ((lane == 255u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      items[3u] = tile_totals_add[at];
    }
    for (var k = 0u; k < 4u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let inclusive_2 = items[k];
      if ((base + k) < params.n) {
        sum[i] = inclusive_2;
      }
    }
  }
}
