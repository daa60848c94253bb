// groupwise 0.1.0: the pipeline extremes in WGSL
// Made by: groupwise emit pipeline.json --target wgsl
// tile: 256x4
// expand: float-min-max float-compare float-to-int int-to-float float-divide float-constants guard-rounding guard-minus-zero
//
// Passes, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a pass with G = 0 is skipped:
//   tile_totals: G = floor(n / 1024)
//   tile_totals_2: G = floor(n / 2097152)
//   groups: G = ceil(n / 64)
//   finish: G = 1
//   prefixes_2: G = min(floor(n / 2097152), 1)
//   prefixes_1: G = min(floor(n / 1024), (floor(n / 2097152) + 1))
//   scan: G = ceil(n / 1024)

struct Params {
  n: u32, // number of items
}
@group(0) @binding(0) var<uniform> params: Params;

// input: n elements
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<f32>>;
// input: n elements
@group(0) @binding(2) var<storage, read> k: array<i32>;
@group(0) @binding(2) var<storage, read> k_rows: array<vec4<i32>>;
// output: n elements
@group(0) @binding(3) var<storage, read_write> highest_value: array<f32>;
// output: n elements
@group(0) @binding(4) var<storage, read_write> highest_index: array<u32>;
// output: 1 element
@group(0) @binding(5) var<storage, read_write> lowest_value: array<i32>;
// output: 1 element
@group(0) @binding(6) var<storage, read_write> lowest_index: array<u32>;
// output: ceil(n / 64) elements
@group(0) @binding(7) var<storage, read_write> ends_min: array<f32>;
// output: ceil(n / 64) elements
@group(0) @binding(8) var<storage, read_write> ends_max: array<f32>;
// scratch: ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
@group(0) @binding(9) var<storage, read_write> tile_totals_argmax_f32: array<u32>;
// scratch: ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
@group(0) @binding(10) var<storage, read_write> tile_totals_argmin_i32: array<u32>;

// The position of the float among all floats, as a signed integer; -0 and +0 have the same.
fn rank_f32(x: f32) -> i32 {
  let magnitude = bitcast<i32>(bitcast<u32>(x) & 2147483647u);
  return select(magnitude, (-magnitude), ((bitcast<u32>(x) & 2147483648u) != 0u));
}

// a == b; NaN equals nothing.
fn eq_f32(a: f32, b: f32) -> bool {
  let ordered = !(((bitcast<u32>(a) & 2147483647u) > 2139095040u) | ((bitcast<u32>(b) & 2147483647u) > 2139095040u));
  return ordered & (rank_f32(a) == rank_f32(b));
}

// a < b; false for NaN.
fn lt_f32(a: f32, b: f32) -> bool {
  let ordered = !(((bitcast<u32>(a) & 2147483647u) > 2139095040u) | ((bitcast<u32>(b) & 2147483647u) > 2139095040u));
  return ordered & (rank_f32(a) < rank_f32(b));
}

// IEEE 754-2019 minimum: NaN if an operand is NaN; -0 is less than +0.
fn min_f32(a: f32, b: f32) -> f32 {
  let a_bits = bitcast<i32>(bitcast<u32>(a));
  let a_order = a_bits ^ ((a_bits >> 31u) & bitcast<i32>(2147483647u));
  let b_bits = bitcast<i32>(bitcast<u32>(b));
  let b_order = b_bits ^ ((b_bits >> 31u) & bitcast<i32>(2147483647u));
  return bitcast<f32>(select(bitcast<u32>(b), bitcast<u32>(a), (((bitcast<u32>(a) & 2147483647u) > 2139095040u) | ((a_order < b_order) & (!((bitcast<u32>(b) & 2147483647u) > 2139095040u))))));
}

// IEEE 754-2019 maximum: NaN if an operand is NaN; -0 is less than +0.
fn max_f32(a: f32, b: f32) -> f32 {
  let a_bits = bitcast<i32>(bitcast<u32>(a));
  let a_order = a_bits ^ ((a_bits >> 31u) & bitcast<i32>(2147483647u));
  let b_bits = bitcast<i32>(bitcast<u32>(b));
  let b_order = b_bits ^ ((b_bits >> 31u) & bitcast<i32>(2147483647u));
  return bitcast<f32>(select(bitcast<u32>(b), bitcast<u32>(a), (((bitcast<u32>(a) & 2147483647u) > 2139095040u) | ((a_order > b_order) & (!((bitcast<u32>(b) & 2147483647u) > 2139095040u))))));
}

var<workgroup> tile_totals_lanes_u32: array<u32, 512>;
var<workgroup> tile_totals_lanes_u32_2: array<u32, 512>;
var<workgroup> tile_totals_lanes_u32_3: array<u32, 512>;
var<workgroup> tile_totals_lanes_u32_4: array<u32, 512>;
// Pass 1 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
@compute @workgroup_size(256)
fn tile_totals(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < (params.n / 1024u)) {
    let base = (group * 1024u) + (lane * 4u);
    var items: array<f32, 4>;
    var items_2: array<u32, 4>;
    var items_3: array<i32, 4>;
    var items_4: array<u32, 4>;
    let i = base;
    let k_row = k_rows[i >> 2u];
    let x_row = x_rows[i >> 2u];
    items[0u] = x_row.x;
    items_2[0u] = i;
    items_3[0u] = k_row.x;
    items_4[0u] = i;
    let v2 = i + 1u;
    items[1u] = x_row.y;
    items_2[1u] = v2;
    items_3[1u] = k_row.y;
    items_4[1u] = v2;
    let v2_2 = i + 2u;
    items[2u] = x_row.z;
    items_2[2u] = v2_2;
    items_3[2u] = k_row.z;
    items_4[2u] = v2_2;
    let v2_3 = i + 3u;
    items[3u] = x_row.w;
    items_2[3u] = v2_3;
    items_3[3u] = k_row.w;
    items_4[3u] = v2_3;
    // total of the tile: within each work-item, then across the work-group
    let left = items[0u];
    let left_2 = items_2[0u];
    let right = items[1u];
    let right_2 = items_2[1u];
    let part = !eq_f32(left, left);
    let part_2 = !eq_f32(right, right);
    let part_3 = lt_f32(left, right) | (part_2 & (!part));
    let part_4 = eq_f32(right, left) | (part_2 & part);
    let part_5 = part_3 | (part_4 & (right_2 < left_2));
    let part_6 = select(left, right, part_5);
    let part_7 = select(left_2, right_2, part_5);
    let left_3 = items_3[0u];
    let left_4 = items_4[0u];
    let right_3 = items_3[1u];
    let right_4 = items_4[1u];
    let part_8 = (right_3 == left_3) & (right_4 < left_4);
    let part_9 = (right_3 < left_3) | part_8;
    let part_10 = select(left_3, right_3, part_9);
    let part_11 = select(left_4, right_4, part_9);
    items[1u] = part_6;
    items_2[1u] = part_7;
    items_3[1u] = part_10;
    items_4[1u] = part_11;
    let left_5 = items[2u];
    let left_6 = items_2[2u];
    let right_5 = items[3u];
    let right_6 = items_2[3u];
    let part_12 = !eq_f32(left_5, left_5);
    let part_13 = !eq_f32(right_5, right_5);
    let part_14 = lt_f32(left_5, right_5) | (part_13 & (!part_12));
    let part_15 = eq_f32(right_5, left_5) | (part_13 & part_12);
    let part_16 = part_14 | (part_15 & (right_6 < left_6));
    let part_17 = select(left_5, right_5, part_16);
    let part_18 = select(left_6, right_6, part_16);
    let left_7 = items_3[2u];
    let left_8 = items_4[2u];
    let right_7 = items_3[3u];
    let right_8 = items_4[3u];
    let part_19 = (right_7 == left_7) & (right_8 < left_8);
    let part_20 = (right_7 < left_7) | part_19;
    let part_21 = select(left_7, right_7, part_20);
    let part_22 = select(left_8, right_8, part_20);
    items[3u] = part_17;
    items_2[3u] = part_18;
    items_3[3u] = part_21;
    items_4[3u] = part_22;
    let left_9 = items[1u];
    let left_10 = items_2[1u];
    let right_9 = items[3u];
    let right_10 = items_2[3u];
    let part_23 = !eq_f32(left_9, left_9);
    let part_24 = !eq_f32(right_9, right_9);
    let part_25 = lt_f32(left_9, right_9) | (part_24 & (!part_23));
    let part_26 = eq_f32(right_9, left_9) | (part_24 & part_23);
    let part_27 = part_25 | (part_26 & (right_10 < left_10));
    let part_28 = select(left_9, right_9, part_27);
    let part_29 = select(left_10, right_10, part_27);
    let left_11 = items_3[1u];
    let left_12 = items_4[1u];
    let right_11 = items_3[3u];
    let right_12 = items_4[3u];
    let part_30 = (right_11 == left_11) & (right_12 < left_12);
    let part_31 = (right_11 < left_11) | part_30;
    let part_32 = select(left_11, right_11, part_31);
    let part_33 = select(left_12, right_12, part_31);
    items[3u] = part_28;
    items_2[3u] = part_29;
    items_3[3u] = part_32;
    items_4[3u] = part_33;
    var total = items[3u];
    var total_2 = items_2[3u];
    var total_3 = items_3[3u];
    var total_4 = items_4[3u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_lanes_u32[slot] = bitcast<u32>(total);
      tile_totals_lanes_u32_2[slot] = total_2;
      tile_totals_lanes_u32_3[slot] = bitcast<u32>(total_3);
      tile_totals_lanes_u32_4[slot] = total_4;
      workgroupBarrier();
      let theirs = tile_totals_lanes_u32[slot ^ bit];
      let theirs_2 = tile_totals_lanes_u32_2[slot ^ bit];
      let theirs_3 = tile_totals_lanes_u32_3[slot ^ bit];
      let theirs_4 = tile_totals_lanes_u32_4[slot ^ bit];
      let theirs_5 = bitcast<f32>(theirs);
      let theirs_6 = bitcast<i32>(theirs_3);
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs_5, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let earlier_3 = select(total_3, theirs_6, is_upper);
      let earlier_4 = select(total_4, theirs_4, is_upper);
      let later = select(theirs_5, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let later_3 = select(theirs_6, total_3, is_upper);
      let later_4 = select(theirs_4, total_4, is_upper);
      let part_34 = !eq_f32(earlier, earlier);
      let part_35 = !eq_f32(later, later);
      let part_36 = lt_f32(earlier, later) | (part_35 & (!part_34));
      let part_37 = eq_f32(later, earlier) | (part_35 & part_34);
      let part_38 = part_36 | (part_37 & (later_2 < earlier_2));
      let part_39 = select(earlier, later, part_38);
      let part_40 = select(earlier_2, later_2, part_38);
      let part_41 = (later_3 == earlier_3) & (later_4 < earlier_4);
      let part_42 = (later_3 < earlier_3) | part_41;
      let part_43 = select(earlier_3, later_3, part_42);
      let part_44 = select(earlier_4, later_4, part_42);
      total = part_39;
      total_2 = part_40;
      total_3 = part_43;
      total_4 = part_44;
    }
    if ((lane == 0u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      let start = at * 2u;
      tile_totals_argmax_f32[start] = bitcast<u32>(total);
      tile_totals_argmax_f32[start + 1u] = total_2;
      let start_2 = at * 2u;
      tile_totals_argmin_i32[start_2] = bitcast<u32>(total_3);
      tile_totals_argmin_i32[start_2 + 1u] = total_4;
    }
  }
}

var<workgroup> tile_totals_2_lanes_u32: array<u32, 512>;
var<workgroup> tile_totals_2_lanes_u32_2: array<u32, 512>;
var<workgroup> tile_totals_2_lanes_u32_3: array<u32, 512>;
var<workgroup> tile_totals_2_lanes_u32_4: array<u32, 512>;
// Totals of level 2: each of 2048 totals of level 1.
@compute @workgroup_size(256)
fn tile_totals_2(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < (params.n / 2097152u)) {
    var items: array<f32, 8>;
    var items_2: array<u32, 8>;
    var items_3: array<i32, 8>;
    var items_4: array<u32, 8>;
    let base = (params.n >> 21u) + ((group * 2048u) + (lane * 8u));
    for (var k_2 = 0u; k_2 < 8u; k_2 += 1u) {
      let start = (base + k_2) * 2u;
      let start_2 = (base + k_2) * 2u;
      items[k_2] = bitcast<f32>(tile_totals_argmax_f32[start]);
      items_2[k_2] = tile_totals_argmax_f32[start + 1u];
      items_3[k_2] = bitcast<i32>(tile_totals_argmin_i32[start_2]);
      items_4[k_2] = tile_totals_argmin_i32[start_2 + 1u];
    }
    // total of the tile: within each work-item, then across the work-group
    for (var k_2 = 1u; k_2 < 8u; k_2 += 2u) {
      let left = items[k_2 - 1u];
      let left_2 = items_2[k_2 - 1u];
      let right = items[k_2];
      let right_2 = items_2[k_2];
      let part = !eq_f32(left, left);
      let part_2 = !eq_f32(right, right);
      let part_3 = lt_f32(left, right) | (part_2 & (!part));
      let part_4 = eq_f32(right, left) | (part_2 & part);
      let part_5 = part_3 | (part_4 & (right_2 < left_2));
      let part_6 = select(left, right, part_5);
      let part_7 = select(left_2, right_2, part_5);
      let left_3 = items_3[k_2 - 1u];
      let left_4 = items_4[k_2 - 1u];
      let right_3 = items_3[k_2];
      let right_4 = items_4[k_2];
      let part_8 = (right_3 == left_3) & (right_4 < left_4);
      let part_9 = (right_3 < left_3) | part_8;
      let part_10 = select(left_3, right_3, part_9);
      let part_11 = select(left_4, right_4, part_9);
      items[k_2] = part_6;
      items_2[k_2] = part_7;
      items_3[k_2] = part_10;
      items_4[k_2] = part_11;
    }
    for (var k_2 = 3u; k_2 < 8u; k_2 += 4u) {
      let left = items[k_2 - 2u];
      let left_2 = items_2[k_2 - 2u];
      let right = items[k_2];
      let right_2 = items_2[k_2];
      let part = !eq_f32(left, left);
      let part_2 = !eq_f32(right, right);
      let part_3 = lt_f32(left, right) | (part_2 & (!part));
      let part_4 = eq_f32(right, left) | (part_2 & part);
      let part_5 = part_3 | (part_4 & (right_2 < left_2));
      let part_6 = select(left, right, part_5);
      let part_7 = select(left_2, right_2, part_5);
      let left_3 = items_3[k_2 - 2u];
      let left_4 = items_4[k_2 - 2u];
      let right_3 = items_3[k_2];
      let right_4 = items_4[k_2];
      let part_8 = (right_3 == left_3) & (right_4 < left_4);
      let part_9 = (right_3 < left_3) | part_8;
      let part_10 = select(left_3, right_3, part_9);
      let part_11 = select(left_4, right_4, part_9);
      items[k_2] = part_6;
      items_2[k_2] = part_7;
      items_3[k_2] = part_10;
      items_4[k_2] = part_11;
    }
    let left = items[3u];
    let left_2 = items_2[3u];
    let right = items[7u];
    let right_2 = items_2[7u];
    let part = !eq_f32(left, left);
    let part_2 = !eq_f32(right, right);
    let part_3 = lt_f32(left, right) | (part_2 & (!part));
    let part_4 = eq_f32(right, left) | (part_2 & part);
    let part_5 = part_3 | (part_4 & (right_2 < left_2));
    let part_6 = select(left, right, part_5);
    let part_7 = select(left_2, right_2, part_5);
    let left_3 = items_3[3u];
    let left_4 = items_4[3u];
    let right_3 = items_3[7u];
    let right_4 = items_4[7u];
    let part_8 = (right_3 == left_3) & (right_4 < left_4);
    let part_9 = (right_3 < left_3) | part_8;
    let part_10 = select(left_3, right_3, part_9);
    let part_11 = select(left_4, right_4, part_9);
    items[7u] = part_6;
    items_2[7u] = part_7;
    items_3[7u] = part_10;
    items_4[7u] = part_11;
    var total = items[7u];
    var total_2 = items_2[7u];
    var total_3 = items_3[7u];
    var total_4 = items_4[7u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_2_lanes_u32[slot] = bitcast<u32>(total);
      tile_totals_2_lanes_u32_2[slot] = total_2;
      tile_totals_2_lanes_u32_3[slot] = bitcast<u32>(total_3);
      tile_totals_2_lanes_u32_4[slot] = total_4;
      workgroupBarrier();
      let theirs = tile_totals_2_lanes_u32[slot ^ bit];
      let theirs_2 = tile_totals_2_lanes_u32_2[slot ^ bit];
      let theirs_3 = tile_totals_2_lanes_u32_3[slot ^ bit];
      let theirs_4 = tile_totals_2_lanes_u32_4[slot ^ bit];
      let theirs_5 = bitcast<f32>(theirs);
      let theirs_6 = bitcast<i32>(theirs_3);
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs_5, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let earlier_3 = select(total_3, theirs_6, is_upper);
      let earlier_4 = select(total_4, theirs_4, is_upper);
      let later = select(theirs_5, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let later_3 = select(theirs_6, total_3, is_upper);
      let later_4 = select(theirs_4, total_4, is_upper);
      let part_12 = !eq_f32(earlier, earlier);
      let part_13 = !eq_f32(later, later);
      let part_14 = lt_f32(earlier, later) | (part_13 & (!part_12));
      let part_15 = eq_f32(later, earlier) | (part_13 & part_12);
      let part_16 = part_14 | (part_15 & (later_2 < earlier_2));
      let part_17 = select(earlier, later, part_16);
      let part_18 = select(earlier_2, later_2, part_16);
      let part_19 = (later_3 == earlier_3) & (later_4 < earlier_4);
      let part_20 = (later_3 < earlier_3) | part_19;
      let part_21 = select(earlier_3, later_3, part_20);
      let part_22 = select(earlier_4, later_4, part_20);
      total = part_17;
      total_2 = part_18;
      total_3 = part_21;
      total_4 = part_22;
    }
    if ((lane == 0u) & (group < (params.n >> 21u))) {
      let at = group;
      let start = at * 2u;
      tile_totals_argmax_f32[start] = bitcast<u32>(total);
      tile_totals_argmax_f32[start + 1u] = total_2;
      let start_2 = at * 2u;
      tile_totals_argmin_i32[start_2] = bitcast<u32>(total_3);
      tile_totals_argmin_i32[start_2 + 1u] = total_4;
    }
  }
}

var<workgroup> groups_lanes_u32: array<u32, 128>;
var<workgroup> groups_lanes_u32_2: array<u32, 128>;
var<workgroup> groups_lanes_f32: array<f32, 1>;
var<workgroup> groups_lanes_f32_2: array<f32, 1>;
// Work-groups of 64, one item to a work-item.
@compute @workgroup_size(64)
fn groups(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < ((params.n + 63u) / 64u)) {
    let item = (group * 64u) + lane;
    let exists = item < params.n;
    let i = min(item, params.n - 1u);
    let count = min(64u, params.n - (group * 64u));
    let x_i = x[i];
    let mine = x_i;
    let mine_2 = x_i;
    // across the work-group: reduce min_max_f32
    var total = mine;
    var total_2 = mine_2;
    var sibling: array<f32, 6>;
    var sibling_2: array<f32, 6>;
    var own: array<f32, 6>;
    var own_2: array<f32, 6>;
    workgroupBarrier();
    for (var round = 0u; round < 6u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 64u) + lane;
      groups_lanes_u32[slot] = bitcast<u32>(total);
      groups_lanes_u32_2[slot] = bitcast<u32>(total_2);
      workgroupBarrier();
      let theirs = groups_lanes_u32[slot ^ bit];
      let theirs_2 = groups_lanes_u32_2[slot ^ bit];
      let theirs_3 = bitcast<f32>(theirs);
      let theirs_4 = bitcast<f32>(theirs_2);
      sibling[round] = theirs_3;
      own[round] = total;
      sibling_2[round] = theirs_4;
      own_2[round] = total_2;
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs_3, is_upper);
      let earlier_2 = select(total_2, theirs_4, is_upper);
      let later = select(theirs_3, total, is_upper);
      let later_2 = select(theirs_4, total_2, is_upper);
      let both = min_f32(earlier, later);
      let both_2 = max_f32(earlier_2, later_2);
      total = both;
      total_2 = both_2;
    }
    var carry = 0f;
    var carry_2 = 0f;
    var has_carry = false;
    var inclusive = total;
    var inclusive_2 = total_2;
    for (var step = 0u; step < 6u; step += 1u) {
      let round = 5u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let block_2 = select(own_2[round], sibling_2[round], is_upper);
      let joined = select(block, min_f32(carry, block), has_carry);
      let joined_2 = select(block_2, max_f32(carry_2, block_2), has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = select(carry, joined, is_upper);
      inclusive_2 = select(joined_2, inclusive_2, is_upper);
      carry_2 = select(carry_2, joined_2, is_upper);
      has_carry = has_carry | is_upper;
    }
    workgroupBarrier();
    if (lane == (count - 1u)) {
      groups_lanes_f32[0u] = inclusive;
      groups_lanes_f32_2[0u] = inclusive_2;
    }
    workgroupBarrier();
    let announced = groups_lanes_f32[0u];
    let announced_2 = groups_lanes_f32_2[0u];
    let reduce = announced;
    let reduce_2 = announced_2;
    if (exists) {
      if (lane == 0u) {
        ends_min[i / 64u] = reduce;
        ends_max[i / 64u] = reduce_2;
      }
    }
  }
}

var<workgroup> finish_lanes_u32: array<u32, 512>;
var<workgroup> finish_lanes_u32_2: array<u32, 512>;
var<workgroup> finish_lanes_i32: array<i32, 1>;
// Results for the whole range, by one work-group.
@compute @workgroup_size(256)
fn finish(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  var result = 0i;
  var result_2 = 0u;
  var has_result = false;
  var offset = 0u;
  let first = lane * 8u;
  for (var step = 0u; step < 3u; step += 1u) {
    let level = 2u - step;
    let is_items = level == 0u;
    let count = params.n >> (select((10u + ((level - 1u) * 11u)), 0u, is_items) & 31u);
    let tail = count & select(2047u, 1023u, is_items);
    let from_ = count - tail;
    if (tail != 0u) {
      var items: array<i32, 8>;
      var items_2: array<u32, 8>;
      let last = tail - 1u;
      if (is_items) {
        for (var k_2 = 0u; k_2 < 8u; k_2 += 1u) {
          let at = from_ + min(first + k_2, last);
          let k_i = k[at];
          items[k_2] = k_i;
          items_2[k_2] = at;
        }
      } else {
        for (var k_2 = 0u; k_2 < 8u; k_2 += 1u) {
          let at = from_ + min(first + k_2, last);
          let start = (offset + at) * 2u;
          items[k_2] = bitcast<i32>(tile_totals_argmin_i32[start]);
          items_2[k_2] = tile_totals_argmin_i32[start + 1u];
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (var k_2 = 1u; k_2 < 8u; k_2 += 2u) {
        let left = items[k_2 - 1u];
        let left_2 = items_2[k_2 - 1u];
        let right = items[k_2];
        let right_2 = items_2[k_2];
        let part = (right == left) & (right_2 < left_2);
        let part_2 = (right < left) | part;
        let part_3 = select(left, right, part_2);
        let part_4 = select(left_2, right_2, part_2);
        items[k_2] = part_3;
        items_2[k_2] = part_4;
      }
      for (var k_2 = 3u; k_2 < 8u; k_2 += 4u) {
        let left = items[k_2 - 2u];
        let left_2 = items_2[k_2 - 2u];
        let right = items[k_2];
        let right_2 = items_2[k_2];
        let part = (right == left) & (right_2 < left_2);
        let part_2 = (right < left) | part;
        let part_3 = select(left, right, part_2);
        let part_4 = select(left_2, right_2, part_2);
        items[k_2] = part_3;
        items_2[k_2] = part_4;
      }
      let left = items[3u];
      let left_2 = items_2[3u];
      let right = items[7u];
      let right_2 = items_2[7u];
      let part = (right == left) & (right_2 < left_2);
      let part_2 = (right < left) | part;
      let part_3 = select(left, right, part_2);
      let part_4 = select(left_2, right_2, part_2);
      items[7u] = part_3;
      items_2[7u] = part_4;
      var total = items[7u];
      var total_2 = items_2[7u];
      var sibling: array<i32, 8>;
      var sibling_2: array<u32, 8>;
      var own: array<i32, 8>;
      var own_2: array<u32, 8>;
      workgroupBarrier();
      for (var round = 0u; round < 8u; round += 1u) {
        let bit = 1u << (round & 31u);
        let slot = ((round & 1u) * 256u) + lane;
        finish_lanes_u32[slot] = bitcast<u32>(total);
        finish_lanes_u32_2[slot] = total_2;
        workgroupBarrier();
        let theirs = finish_lanes_u32[slot ^ bit];
        let theirs_2 = finish_lanes_u32_2[slot ^ bit];
        let theirs_3 = bitcast<i32>(theirs);
        sibling[round] = theirs_3;
        own[round] = total;
        sibling_2[round] = theirs_2;
        own_2[round] = total_2;
        let is_upper = (lane & bit) != 0u;
        let earlier = select(total, theirs_3, is_upper);
        let earlier_2 = select(total_2, theirs_2, is_upper);
        let later = select(theirs_3, total, is_upper);
        let later_2 = select(theirs_2, total_2, is_upper);
        let part_5 = (later == earlier) & (later_2 < earlier_2);
        let part_6 = (later < earlier) | part_5;
        let part_7 = select(earlier, later, part_6);
        let part_8 = select(earlier_2, later_2, part_6);
        total = part_7;
        total_2 = part_8;
      }
      let part_5 = (total == result) & (total_2 < result_2);
      let part_6 = (total < result) | part_5;
      let part_7 = select(result, total, part_6);
      let part_8 = select(result_2, total_2, part_6);
      var carry = result;
      var carry_2 = result_2;
      var has_carry = has_result;
      var inclusive = select(total, part_7, has_result);
      var inclusive_2 = select(total_2, part_8, has_result);
      for (var step_2 = 0u; step_2 < 8u; step_2 += 1u) {
        let round = 7u - step_2;
        let is_upper = (lane & (1u << (round & 31u))) != 0u;
        let block = select(own[round], sibling[round], is_upper);
        let block_2 = select(own_2[round], sibling_2[round], is_upper);
        let part_9 = (block == carry) & (block_2 < carry_2);
        let part_10 = (block < carry) | part_9;
        let part_11 = select(carry, block, part_10);
        let part_12 = select(carry_2, block_2, part_10);
        let joined = select(block, part_11, has_carry);
        let joined_2 = select(block_2, part_12, has_carry);
        inclusive = select(joined, inclusive, is_upper);
        carry = select(carry, joined, is_upper);
        inclusive_2 = select(joined_2, inclusive_2, is_upper);
        carry_2 = select(carry_2, joined_2, is_upper);
        has_carry = has_carry | is_upper;
      }
      let right_3 = items[3u];
      let right_4 = items_2[3u];
      let part_9 = (right_3 == carry) & (right_4 < carry_2);
      let part_10 = (right_3 < carry) | part_9;
      let part_11 = select(carry, right_3, part_10);
      let part_12 = select(carry_2, right_4, part_10);
      let both = select(items[3u], part_11, has_carry);
      let both_2 = select(items_2[3u], part_12, has_carry);
      items[3u] = both;
      items_2[3u] = both_2;
      let right_5 = items[1u];
      let right_6 = items_2[1u];
      let part_13 = (right_5 == carry) & (right_6 < carry_2);
      let part_14 = (right_5 < carry) | part_13;
      let part_15 = select(carry, right_5, part_14);
      let part_16 = select(carry_2, right_6, part_14);
      let both_3 = select(items[1u], part_15, has_carry);
      let both_4 = select(items_2[1u], part_16, has_carry);
      items[1u] = both_3;
      items_2[1u] = both_4;
      let left_3 = items[3u];
      let left_4 = items_2[3u];
      let right_7 = items[5u];
      let right_8 = items_2[5u];
      let part_17 = (right_7 == left_3) & (right_8 < left_4);
      let part_18 = (right_7 < left_3) | part_17;
      let part_19 = select(left_3, right_7, part_18);
      let part_20 = select(left_4, right_8, part_18);
      items[5u] = part_19;
      items_2[5u] = part_20;
      let right_9 = items[0u];
      let right_10 = items_2[0u];
      let part_21 = (right_9 == carry) & (right_10 < carry_2);
      let part_22 = (right_9 < carry) | part_21;
      let part_23 = select(carry, right_9, part_22);
      let part_24 = select(carry_2, right_10, part_22);
      let both_5 = select(items[0u], part_23, has_carry);
      let both_6 = select(items_2[0u], part_24, has_carry);
      items[0u] = both_5;
      items_2[0u] = both_6;
      for (var k_2 = 2u; k_2 < 8u; k_2 += 2u) {
        let left_5 = items[k_2 - 1u];
        let left_6 = items_2[k_2 - 1u];
        let right_11 = items[k_2];
        let right_12 = items_2[k_2];
        let part_25 = (right_11 == left_5) & (right_12 < left_6);
        let part_26 = (right_11 < left_5) | part_25;
        let part_27 = select(left_5, right_11, part_26);
        let part_28 = select(left_6, right_12, part_26);
        items[k_2] = part_27;
        items_2[k_2] = part_28;
      }
      items[7u] = inclusive;
      items_2[7u] = inclusive_2;
      workgroupBarrier();
      if ((last / 8u) == lane) {
        finish_lanes_i32[0u] = items[last % 8u];
        finish_lanes_u32_2[0u] = items_2[last % 8u];
      }
      workgroupBarrier();
      let announced = finish_lanes_i32[0u];
      let announced_2 = finish_lanes_u32_2[0u];
      result = announced;
      result_2 = announced_2;
      has_result = true;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  let reduced = select(2147483647i, result, has_result);
  let reduced_2 = select(4294967295u, result_2, has_result);
  if (lane == 0u) {
    lowest_value[0u] = reduced;
    lowest_index[0u] = reduced_2;
  }
}

var<workgroup> prefixes_2_lanes_u32: array<u32, 512>;
var<workgroup> prefixes_2_lanes_u32_2: array<u32, 512>;
// Prefixes of the totals of level 2, in place.
@compute @workgroup_size(256)
fn prefixes_2(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < min(params.n / 2097152u, 1u)) {
    var items: array<f32, 8>;
    var items_2: array<u32, 8>;
    let base = (group * 2048u) + (lane * 8u);
    let count = params.n >> 21u;
    for (var k_2 = 0u; k_2 < 8u; k_2 += 1u) {
      if ((base + k_2) < count) {
        let start = (base + k_2) * 2u;
        items[k_2] = bitcast<f32>(tile_totals_argmax_f32[start]);
        items_2[k_2] = tile_totals_argmax_f32[start + 1u];
      }
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k_2 = 1u; k_2 < 8u; k_2 += 2u) {
      let left = items[k_2 - 1u];
      let left_2 = items_2[k_2 - 1u];
      let right = items[k_2];
      let right_2 = items_2[k_2];
      let part = !eq_f32(left, left);
      let part_2 = !eq_f32(right, right);
      let part_3 = lt_f32(left, right) | (part_2 & (!part));
      let part_4 = eq_f32(right, left) | (part_2 & part);
      let part_5 = part_3 | (part_4 & (right_2 < left_2));
      let part_6 = select(left, right, part_5);
      let part_7 = select(left_2, right_2, part_5);
      items[k_2] = part_6;
      items_2[k_2] = part_7;
    }
    for (var k_2 = 3u; k_2 < 8u; k_2 += 4u) {
      let left = items[k_2 - 2u];
      let left_2 = items_2[k_2 - 2u];
      let right = items[k_2];
      let right_2 = items_2[k_2];
      let part = !eq_f32(left, left);
      let part_2 = !eq_f32(right, right);
      let part_3 = lt_f32(left, right) | (part_2 & (!part));
      let part_4 = eq_f32(right, left) | (part_2 & part);
      let part_5 = part_3 | (part_4 & (right_2 < left_2));
      let part_6 = select(left, right, part_5);
      let part_7 = select(left_2, right_2, part_5);
      items[k_2] = part_6;
      items_2[k_2] = part_7;
    }
    let left = items[3u];
    let left_2 = items_2[3u];
    let right = items[7u];
    let right_2 = items_2[7u];
    let part = !eq_f32(left, left);
    let part_2 = !eq_f32(right, right);
    let part_3 = lt_f32(left, right) | (part_2 & (!part));
    let part_4 = eq_f32(right, left) | (part_2 & part);
    let part_5 = part_3 | (part_4 & (right_2 < left_2));
    let part_6 = select(left, right, part_5);
    let part_7 = select(left_2, right_2, part_5);
    items[7u] = part_6;
    items_2[7u] = part_7;
    var total = items[7u];
    var total_2 = items_2[7u];
    var sibling: array<f32, 8>;
    var sibling_2: array<u32, 8>;
    var own: array<f32, 8>;
    var own_2: array<u32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      prefixes_2_lanes_u32[slot] = bitcast<u32>(total);
      prefixes_2_lanes_u32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = prefixes_2_lanes_u32[slot ^ bit];
      let theirs_2 = prefixes_2_lanes_u32_2[slot ^ bit];
      let theirs_3 = bitcast<f32>(theirs);
      sibling[round] = theirs_3;
      own[round] = total;
      sibling_2[round] = theirs_2;
      own_2[round] = total_2;
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs_3, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let later = select(theirs_3, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let part_8 = !eq_f32(earlier, earlier);
      let part_9 = !eq_f32(later, later);
      let part_10 = lt_f32(earlier, later) | (part_9 & (!part_8));
      let part_11 = eq_f32(later, earlier) | (part_9 & part_8);
      let part_12 = part_10 | (part_11 & (later_2 < earlier_2));
      let part_13 = select(earlier, later, part_12);
      let part_14 = select(earlier_2, later_2, part_12);
      total = part_13;
      total_2 = part_14;
    }
    var carry = 0f;
    var carry_2 = 0u;
    var has_carry = false;
    var inclusive = total;
    var inclusive_2 = total_2;
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let block_2 = select(own_2[round], sibling_2[round], is_upper);
      let part_15 = !eq_f32(carry, carry);
      let part_16 = !eq_f32(block, block);
      let part_17 = lt_f32(carry, block) | (part_16 & (!part_15));
      let part_18 = eq_f32(block, carry) | (part_16 & part_15);
      let part_19 = part_17 | (part_18 & (block_2 < carry_2));
      let part_20 = select(carry, block, part_19);
      let part_21 = select(carry_2, block_2, part_19);
      let joined = select(block, part_20, has_carry);
      let joined_2 = select(block_2, part_21, has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = select(carry, joined, is_upper);
      inclusive_2 = select(joined_2, inclusive_2, is_upper);
      carry_2 = select(carry_2, joined_2, is_upper);
      has_carry = has_carry | is_upper;
    }
    let right_3 = items[3u];
    let right_4 = items_2[3u];
    let part_15 = !eq_f32(carry, carry);
    let part_16 = !eq_f32(right_3, right_3);
    let part_17 = lt_f32(carry, right_3) | (part_16 & (!part_15));
    let part_18 = eq_f32(right_3, carry) | (part_16 & part_15);
    let part_19 = part_17 | (part_18 & (right_4 < carry_2));
    let part_20 = select(carry, right_3, part_19);
    let part_21 = select(carry_2, right_4, part_19);
    let both = select(items[3u], part_20, has_carry);
    let both_2 = select(items_2[3u], part_21, has_carry);
    items[3u] = both;
    items_2[3u] = both_2;
    let right_5 = items[1u];
    let right_6 = items_2[1u];
    let part_22 = !eq_f32(carry, carry);
    let part_23 = !eq_f32(right_5, right_5);
    let part_24 = lt_f32(carry, right_5) | (part_23 & (!part_22));
    let part_25 = eq_f32(right_5, carry) | (part_23 & part_22);
    let part_26 = part_24 | (part_25 & (right_6 < carry_2));
    let part_27 = select(carry, right_5, part_26);
    let part_28 = select(carry_2, right_6, part_26);
    let both_3 = select(items[1u], part_27, has_carry);
    let both_4 = select(items_2[1u], part_28, has_carry);
    items[1u] = both_3;
    items_2[1u] = both_4;
    let left_3 = items[3u];
    let left_4 = items_2[3u];
    let right_7 = items[5u];
    let right_8 = items_2[5u];
    let part_29 = !eq_f32(left_3, left_3);
    let part_30 = !eq_f32(right_7, right_7);
    let part_31 = lt_f32(left_3, right_7) | (part_30 & (!part_29));
    let part_32 = eq_f32(right_7, left_3) | (part_30 & part_29);
    let part_33 = part_31 | (part_32 & (right_8 < left_4));
    let part_34 = select(left_3, right_7, part_33);
    let part_35 = select(left_4, right_8, part_33);
    items[5u] = part_34;
    items_2[5u] = part_35;
    let right_9 = items[0u];
    let right_10 = items_2[0u];
    let part_36 = !eq_f32(carry, carry);
    let part_37 = !eq_f32(right_9, right_9);
    let part_38 = lt_f32(carry, right_9) | (part_37 & (!part_36));
    let part_39 = eq_f32(right_9, carry) | (part_37 & part_36);
    let part_40 = part_38 | (part_39 & (right_10 < carry_2));
    let part_41 = select(carry, right_9, part_40);
    let part_42 = select(carry_2, right_10, part_40);
    let both_5 = select(items[0u], part_41, has_carry);
    let both_6 = select(items_2[0u], part_42, has_carry);
    items[0u] = both_5;
    items_2[0u] = both_6;
    for (var k_2 = 2u; k_2 < 8u; k_2 += 2u) {
      let left_5 = items[k_2 - 1u];
      let left_6 = items_2[k_2 - 1u];
      let right_11 = items[k_2];
      let right_12 = items_2[k_2];
      let part_43 = !eq_f32(left_5, left_5);
      let part_44 = !eq_f32(right_11, right_11);
      let part_45 = lt_f32(left_5, right_11) | (part_44 & (!part_43));
      let part_46 = eq_f32(right_11, left_5) | (part_44 & part_43);
      let part_47 = part_45 | (part_46 & (right_12 < left_6));
      let part_48 = select(left_5, right_11, part_47);
      let part_49 = select(left_6, right_12, part_47);
      items[k_2] = part_48;
      items_2[k_2] = part_49;
    }
    items[7u] = inclusive;
    items_2[7u] = inclusive_2;
    for (var k_2 = 0u; k_2 < 8u; k_2 += 1u) {
      if ((base + k_2) < count) {
        let start = (base + k_2) * 2u;
        tile_totals_argmax_f32[start] = bitcast<u32>(items[k_2]);
        tile_totals_argmax_f32[start + 1u] = items_2[k_2];
      }
    }
  }
}

var<workgroup> prefixes_1_lanes_u32: array<u32, 512>;
var<workgroup> prefixes_1_lanes_u32_2: array<u32, 512>;
// Prefixes of the totals of level 1, in place.
@compute @workgroup_size(256)
fn prefixes_1(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < min(params.n / 1024u, (params.n / 2097152u) + 1u)) {
    var items: array<f32, 8>;
    var items_2: array<u32, 8>;
    let base = (group * 2048u) + (lane * 8u);
    let offset = params.n >> 21u;
    let count = params.n >> 10u;
    for (var k_2 = 0u; k_2 < 8u; k_2 += 1u) {
      if ((base + k_2) < count) {
        let start = ((offset + base) + k_2) * 2u;
        items[k_2] = bitcast<f32>(tile_totals_argmax_f32[start]);
        items_2[k_2] = tile_totals_argmax_f32[start + 1u];
      }
    }
    var before = 0f;
    var before_2 = 0u;
    if (group != 0u) {
      let at = group - 1u;
      let start = at * 2u;
      before = bitcast<f32>(tile_totals_argmax_f32[start]);
      before_2 = tile_totals_argmax_f32[start + 1u];
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k_2 = 1u; k_2 < 8u; k_2 += 2u) {
      let left = items[k_2 - 1u];
      let left_2 = items_2[k_2 - 1u];
      let right = items[k_2];
      let right_2 = items_2[k_2];
      let part = !eq_f32(left, left);
      let part_2 = !eq_f32(right, right);
      let part_3 = lt_f32(left, right) | (part_2 & (!part));
      let part_4 = eq_f32(right, left) | (part_2 & part);
      let part_5 = part_3 | (part_4 & (right_2 < left_2));
      let part_6 = select(left, right, part_5);
      let part_7 = select(left_2, right_2, part_5);
      items[k_2] = part_6;
      items_2[k_2] = part_7;
    }
    for (var k_2 = 3u; k_2 < 8u; k_2 += 4u) {
      let left = items[k_2 - 2u];
      let left_2 = items_2[k_2 - 2u];
      let right = items[k_2];
      let right_2 = items_2[k_2];
      let part = !eq_f32(left, left);
      let part_2 = !eq_f32(right, right);
      let part_3 = lt_f32(left, right) | (part_2 & (!part));
      let part_4 = eq_f32(right, left) | (part_2 & part);
      let part_5 = part_3 | (part_4 & (right_2 < left_2));
      let part_6 = select(left, right, part_5);
      let part_7 = select(left_2, right_2, part_5);
      items[k_2] = part_6;
      items_2[k_2] = part_7;
    }
    let left = items[3u];
    let left_2 = items_2[3u];
    let right = items[7u];
    let right_2 = items_2[7u];
    let part = !eq_f32(left, left);
    let part_2 = !eq_f32(right, right);
    let part_3 = lt_f32(left, right) | (part_2 & (!part));
    let part_4 = eq_f32(right, left) | (part_2 & part);
    let part_5 = part_3 | (part_4 & (right_2 < left_2));
    let part_6 = select(left, right, part_5);
    let part_7 = select(left_2, right_2, part_5);
    items[7u] = part_6;
    items_2[7u] = part_7;
    var total = items[7u];
    var total_2 = items_2[7u];
    var sibling: array<f32, 8>;
    var sibling_2: array<u32, 8>;
    var own: array<f32, 8>;
    var own_2: array<u32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      prefixes_1_lanes_u32[slot] = bitcast<u32>(total);
      prefixes_1_lanes_u32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = prefixes_1_lanes_u32[slot ^ bit];
      let theirs_2 = prefixes_1_lanes_u32_2[slot ^ bit];
      let theirs_3 = bitcast<f32>(theirs);
      sibling[round] = theirs_3;
      own[round] = total;
      sibling_2[round] = theirs_2;
      own_2[round] = total_2;
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs_3, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let later = select(theirs_3, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let part_8 = !eq_f32(earlier, earlier);
      let part_9 = !eq_f32(later, later);
      let part_10 = lt_f32(earlier, later) | (part_9 & (!part_8));
      let part_11 = eq_f32(later, earlier) | (part_9 & part_8);
      let part_12 = part_10 | (part_11 & (later_2 < earlier_2));
      let part_13 = select(earlier, later, part_12);
      let part_14 = select(earlier_2, later_2, part_12);
      total = part_13;
      total_2 = part_14;
    }
    let part_8 = !eq_f32(before, before);
    let part_9 = !eq_f32(total, total);
    let part_10 = lt_f32(before, total) | (part_9 & (!part_8));
    let part_11 = eq_f32(total, before) | (part_9 & part_8);
    let part_12 = part_10 | (part_11 & (total_2 < before_2));
    let part_13 = select(before, total, part_12);
    let part_14 = select(before_2, total_2, part_12);
    var carry = before;
    var carry_2 = before_2;
    var has_carry = group != 0u;
    var inclusive = select(total, part_13, (group != 0u));
    var inclusive_2 = select(total_2, part_14, (group != 0u));
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let block_2 = select(own_2[round], sibling_2[round], is_upper);
      let part_15 = !eq_f32(carry, carry);
      let part_16 = !eq_f32(block, block);
      let part_17 = lt_f32(carry, block) | (part_16 & (!part_15));
      let part_18 = eq_f32(block, carry) | (part_16 & part_15);
      let part_19 = part_17 | (part_18 & (block_2 < carry_2));
      let part_20 = select(carry, block, part_19);
      let part_21 = select(carry_2, block_2, part_19);
      let joined = select(block, part_20, has_carry);
      let joined_2 = select(block_2, part_21, has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = select(carry, joined, is_upper);
      inclusive_2 = select(joined_2, inclusive_2, is_upper);
      carry_2 = select(carry_2, joined_2, is_upper);
      has_carry = has_carry | is_upper;
    }
    let right_3 = items[3u];
    let right_4 = items_2[3u];
    let part_15 = !eq_f32(carry, carry);
    let part_16 = !eq_f32(right_3, right_3);
    let part_17 = lt_f32(carry, right_3) | (part_16 & (!part_15));
    let part_18 = eq_f32(right_3, carry) | (part_16 & part_15);
    let part_19 = part_17 | (part_18 & (right_4 < carry_2));
    let part_20 = select(carry, right_3, part_19);
    let part_21 = select(carry_2, right_4, part_19);
    let both = select(items[3u], part_20, has_carry);
    let both_2 = select(items_2[3u], part_21, has_carry);
    items[3u] = both;
    items_2[3u] = both_2;
    let right_5 = items[1u];
    let right_6 = items_2[1u];
    let part_22 = !eq_f32(carry, carry);
    let part_23 = !eq_f32(right_5, right_5);
    let part_24 = lt_f32(carry, right_5) | (part_23 & (!part_22));
    let part_25 = eq_f32(right_5, carry) | (part_23 & part_22);
    let part_26 = part_24 | (part_25 & (right_6 < carry_2));
    let part_27 = select(carry, right_5, part_26);
    let part_28 = select(carry_2, right_6, part_26);
    let both_3 = select(items[1u], part_27, has_carry);
    let both_4 = select(items_2[1u], part_28, has_carry);
    items[1u] = both_3;
    items_2[1u] = both_4;
    let left_3 = items[3u];
    let left_4 = items_2[3u];
    let right_7 = items[5u];
    let right_8 = items_2[5u];
    let part_29 = !eq_f32(left_3, left_3);
    let part_30 = !eq_f32(right_7, right_7);
    let part_31 = lt_f32(left_3, right_7) | (part_30 & (!part_29));
    let part_32 = eq_f32(right_7, left_3) | (part_30 & part_29);
    let part_33 = part_31 | (part_32 & (right_8 < left_4));
    let part_34 = select(left_3, right_7, part_33);
    let part_35 = select(left_4, right_8, part_33);
    items[5u] = part_34;
    items_2[5u] = part_35;
    let right_9 = items[0u];
    let right_10 = items_2[0u];
    let part_36 = !eq_f32(carry, carry);
    let part_37 = !eq_f32(right_9, right_9);
    let part_38 = lt_f32(carry, right_9) | (part_37 & (!part_36));
    let part_39 = eq_f32(right_9, carry) | (part_37 & part_36);
    let part_40 = part_38 | (part_39 & (right_10 < carry_2));
    let part_41 = select(carry, right_9, part_40);
    let part_42 = select(carry_2, right_10, part_40);
    let both_5 = select(items[0u], part_41, has_carry);
    let both_6 = select(items_2[0u], part_42, has_carry);
    items[0u] = both_5;
    items_2[0u] = both_6;
    for (var k_2 = 2u; k_2 < 8u; k_2 += 2u) {
      let left_5 = items[k_2 - 1u];
      let left_6 = items_2[k_2 - 1u];
      let right_11 = items[k_2];
      let right_12 = items_2[k_2];
      let part_43 = !eq_f32(left_5, left_5);
      let part_44 = !eq_f32(right_11, right_11);
      let part_45 = lt_f32(left_5, right_11) | (part_44 & (!part_43));
      let part_46 = eq_f32(right_11, left_5) | (part_44 & part_43);
      let part_47 = part_45 | (part_46 & (right_12 < left_6));
      let part_48 = select(left_5, right_11, part_47);
      let part_49 = select(left_6, right_12, part_47);
      items[k_2] = part_48;
      items_2[k_2] = part_49;
    }
    items[7u] = inclusive;
    items_2[7u] = inclusive_2;
    if ((lane == 255u) & (group < (params.n >> 21u))) {
      let at = group;
      let start = at * 2u;
      items[7u] = bitcast<f32>(tile_totals_argmax_f32[start]);
      items_2[7u] = tile_totals_argmax_f32[start + 1u];
    }
    for (var k_2 = 0u; k_2 < 8u; k_2 += 1u) {
      if ((base + k_2) < count) {
        let start = ((offset + base) + k_2) * 2u;
        tile_totals_argmax_f32[start] = bitcast<u32>(items[k_2]);
        tile_totals_argmax_f32[start + 1u] = items_2[k_2];
      }
    }
  }
}

var<workgroup> scan_lanes_u32: array<u32, 512>;
var<workgroup> scan_lanes_u32_2: array<u32, 512>;
// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
@compute @workgroup_size(256)
fn scan(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < ((params.n + 1023u) / 1024u)) {
    let base = (group * 1024u) + (lane * 4u);
    var items: array<f32, 4>;
    var items_2: array<u32, 4>;
    for (var k_2 = 0u; k_2 < 4u; k_2 += 1u) {
      let i = min(base + k_2, params.n - 1u);
      let x_i = x[i];
      items[k_2] = x_i;
      items_2[k_2] = i;
    }
    var before = 0f;
    var before_2 = 0u;
    if (group != 0u) {
      let at = (params.n >> 21u) + (group - 1u);
      let start = at * 2u;
      before = bitcast<f32>(tile_totals_argmax_f32[start]);
      before_2 = tile_totals_argmax_f32[start + 1u];
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k_2 = 1u; k_2 < 4u; k_2 += 2u) {
      let left = items[k_2 - 1u];
      let left_2 = items_2[k_2 - 1u];
      let right = items[k_2];
      let right_2 = items_2[k_2];
      let part = !eq_f32(left, left);
      let part_2 = !eq_f32(right, right);
      let part_3 = lt_f32(left, right) | (part_2 & (!part));
      let part_4 = eq_f32(right, left) | (part_2 & part);
      let part_5 = part_3 | (part_4 & (right_2 < left_2));
      let part_6 = select(left, right, part_5);
      let part_7 = select(left_2, right_2, part_5);
      items[k_2] = part_6;
      items_2[k_2] = part_7;
    }
    let left = items[1u];
    let left_2 = items_2[1u];
    let right = items[3u];
    let right_2 = items_2[3u];
    let part = !eq_f32(left, left);
    let part_2 = !eq_f32(right, right);
    let part_3 = lt_f32(left, right) | (part_2 & (!part));
    let part_4 = eq_f32(right, left) | (part_2 & part);
    let part_5 = part_3 | (part_4 & (right_2 < left_2));
    let part_6 = select(left, right, part_5);
    let part_7 = select(left_2, right_2, part_5);
    items[3u] = part_6;
    items_2[3u] = part_7;
    var total = items[3u];
    var total_2 = items_2[3u];
    var sibling: array<f32, 8>;
    var sibling_2: array<u32, 8>;
    var own: array<f32, 8>;
    var own_2: array<u32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      scan_lanes_u32[slot] = bitcast<u32>(total);
      scan_lanes_u32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = scan_lanes_u32[slot ^ bit];
      let theirs_2 = scan_lanes_u32_2[slot ^ bit];
      let theirs_3 = bitcast<f32>(theirs);
      sibling[round] = theirs_3;
      own[round] = total;
      sibling_2[round] = theirs_2;
      own_2[round] = total_2;
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs_3, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let later = select(theirs_3, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let part_8 = !eq_f32(earlier, earlier);
      let part_9 = !eq_f32(later, later);
      let part_10 = lt_f32(earlier, later) | (part_9 & (!part_8));
      let part_11 = eq_f32(later, earlier) | (part_9 & part_8);
      let part_12 = part_10 | (part_11 & (later_2 < earlier_2));
      let part_13 = select(earlier, later, part_12);
      let part_14 = select(earlier_2, later_2, part_12);
      total = part_13;
      total_2 = part_14;
    }
    let part_8 = !eq_f32(before, before);
    let part_9 = !eq_f32(total, total);
    let part_10 = lt_f32(before, total) | (part_9 & (!part_8));
    let part_11 = eq_f32(total, before) | (part_9 & part_8);
    let part_12 = part_10 | (part_11 & (total_2 < before_2));
    let part_13 = select(before, total, part_12);
    let part_14 = select(before_2, total_2, part_12);
    var carry = before;
    var carry_2 = before_2;
    var has_carry = group != 0u;
    var inclusive = select(total, part_13, (group != 0u));
    var inclusive_2 = select(total_2, part_14, (group != 0u));
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let block_2 = select(own_2[round], sibling_2[round], is_upper);
      let part_15 = !eq_f32(carry, carry);
      let part_16 = !eq_f32(block, block);
      let part_17 = lt_f32(carry, block) | (part_16 & (!part_15));
      let part_18 = eq_f32(block, carry) | (part_16 & part_15);
      let part_19 = part_17 | (part_18 & (block_2 < carry_2));
      let part_20 = select(carry, block, part_19);
      let part_21 = select(carry_2, block_2, part_19);
      let joined = select(block, part_20, has_carry);
      let joined_2 = select(block_2, part_21, has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = select(carry, joined, is_upper);
      inclusive_2 = select(joined_2, inclusive_2, is_upper);
      carry_2 = select(carry_2, joined_2, is_upper);
      has_carry = has_carry | is_upper;
    }
    let right_3 = items[1u];
    let right_4 = items_2[1u];
    let part_15 = !eq_f32(carry, carry);
    let part_16 = !eq_f32(right_3, right_3);
    let part_17 = lt_f32(carry, right_3) | (part_16 & (!part_15));
    let part_18 = eq_f32(right_3, carry) | (part_16 & part_15);
    let part_19 = part_17 | (part_18 & (right_4 < carry_2));
    let part_20 = select(carry, right_3, part_19);
    let part_21 = select(carry_2, right_4, part_19);
    let both = select(items[1u], part_20, has_carry);
    let both_2 = select(items_2[1u], part_21, has_carry);
    items[1u] = both;
    items_2[1u] = both_2;
    let right_5 = items[0u];
    let right_6 = items_2[0u];
    let part_22 = !eq_f32(carry, carry);
    let part_23 = !eq_f32(right_5, right_5);
    let part_24 = lt_f32(carry, right_5) | (part_23 & (!part_22));
    let part_25 = eq_f32(right_5, carry) | (part_23 & part_22);
    let part_26 = part_24 | (part_25 & (right_6 < carry_2));
    let part_27 = select(carry, right_5, part_26);
    let part_28 = select(carry_2, right_6, part_26);
    let both_3 = select(items[0u], part_27, has_carry);
    let both_4 = select(items_2[0u], part_28, has_carry);
    items[0u] = both_3;
    items_2[0u] = both_4;
    let left_3 = items[1u];
    let left_4 = items_2[1u];
    let right_7 = items[2u];
    let right_8 = items_2[2u];
    let part_29 = !eq_f32(left_3, left_3);
    let part_30 = !eq_f32(right_7, right_7);
    let part_31 = lt_f32(left_3, right_7) | (part_30 & (!part_29));
    let part_32 = eq_f32(right_7, left_3) | (part_30 & part_29);
    let part_33 = part_31 | (part_32 & (right_8 < left_4));
    let part_34 = select(left_3, right_7, part_33);
    let part_35 = select(left_4, right_8, part_33);
    items[2u] = part_34;
    items_2[2u] = part_35;
    items[3u] = inclusive;
    items_2[3u] = inclusive_2;
    if ((lane == 255u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      let start = at * 2u;
      items[3u] = bitcast<f32>(tile_totals_argmax_f32[start]);
      items_2[3u] = tile_totals_argmax_f32[start + 1u];
    }
    for (var k_2 = 0u; k_2 < 4u; k_2 += 1u) {
      let i = min(base + k_2, params.n - 1u);
      let inclusive_3 = items[k_2];
      let inclusive_4 = items_2[k_2];
      if ((base + k_2) < params.n) {
        highest_value[i] = inclusive_3;
        highest_index[i] = inclusive_4;
      }
    }
  }
}
