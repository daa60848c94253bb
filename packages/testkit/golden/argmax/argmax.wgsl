// groupwise 0.1.0: the pipeline argmax in WGSL
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

struct Params {
  n: u32, // number of items
}
@group(0) @binding(0) var<uniform> params: Params;

// input: n elements
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<f32>>;
// output: 1 element
@group(0) @binding(2) var<storage, read_write> best_value: array<f32>;
// output: 1 element
@group(0) @binding(3) var<storage, read_write> best_index: array<u32>;
// output: ceil(n / 64) elements
@group(0) @binding(4) var<storage, read_write> inGroup_value: array<f32>;
// output: ceil(n / 64) elements
@group(0) @binding(5) var<storage, read_write> inGroup_index: array<u32>;
// scratch: ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
@group(0) @binding(6) var<storage, read_write> tile_totals_argmax: array<u32>;

// The float with these bits. A function, because constants may not be infinite or NaN.
fn f32_of_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

// The position of the float among all floats, as a signed integer; -0 and +0 have the same.
fn rank_f32(x: f32) -> i32 {
  let magnitude = bitcast<i32>(bitcast<u32>(x) & 2147483647u);
  return select(magnitude, (-magnitude), ((bitcast<u32>(x) & 2147483648u) != 0u));
}

// a < b; false for NaN.
fn lt_f32(a: f32, b: f32) -> bool {
  let ordered = !(((bitcast<u32>(a) & 2147483647u) > 2139095040u) | ((bitcast<u32>(b) & 2147483647u) > 2139095040u));
  return ordered & (rank_f32(a) < rank_f32(b));
}

var<workgroup> tile_totals_lanes_u32: array<u32, 512>;
var<workgroup> tile_totals_lanes_u32_2: array<u32, 512>;
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
    let i = base;
    let x_row = x_rows[i >> 2u];
    items[0u] = x_row.x;
    items_2[0u] = i;
    let v1 = i + 1u;
    items[1u] = x_row.y;
    items_2[1u] = v1;
    let v1_2 = i + 2u;
    items[2u] = x_row.z;
    items_2[2u] = v1_2;
    let v1_3 = i + 3u;
    items[3u] = x_row.w;
    items_2[3u] = v1_3;
    // total of the tile: within each work-item, then across the work-group
    let left = items[0u];
    let left_2 = items_2[0u];
    let right = items[1u];
    let right_2 = items_2[1u];
    let part = lt_f32(left, right);
    let part_2 = select(left, right, part);
    let part_3 = select(left_2, right_2, part);
    items[1u] = part_2;
    items_2[1u] = part_3;
    let left_3 = items[2u];
    let left_4 = items_2[2u];
    let right_3 = items[3u];
    let right_4 = items_2[3u];
    let part_4 = lt_f32(left_3, right_3);
    let part_5 = select(left_3, right_3, part_4);
    let part_6 = select(left_4, right_4, part_4);
    items[3u] = part_5;
    items_2[3u] = part_6;
    let left_5 = items[1u];
    let left_6 = items_2[1u];
    let right_5 = items[3u];
    let right_6 = items_2[3u];
    let part_7 = lt_f32(left_5, right_5);
    let part_8 = select(left_5, right_5, part_7);
    let part_9 = select(left_6, right_6, part_7);
    items[3u] = part_8;
    items_2[3u] = part_9;
    var total = items[3u];
    var total_2 = items_2[3u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_lanes_u32[slot] = bitcast<u32>(total);
      tile_totals_lanes_u32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = tile_totals_lanes_u32[slot ^ bit];
      let theirs_2 = tile_totals_lanes_u32_2[slot ^ bit];
      let theirs_3 = bitcast<f32>(theirs);
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs_3, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let later = select(theirs_3, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let part_10 = lt_f32(earlier, later);
      let part_11 = select(earlier, later, part_10);
      let part_12 = select(earlier_2, later_2, part_10);
      total = part_11;
      total_2 = part_12;
    }
    if ((lane == 0u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      let start = at * 2u;
      tile_totals_argmax[start] = bitcast<u32>(total);
      tile_totals_argmax[start + 1u] = total_2;
    }
  }
}

var<workgroup> tile_totals_2_lanes_u32: array<u32, 512>;
var<workgroup> tile_totals_2_lanes_u32_2: array<u32, 512>;
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
    let base = (params.n >> 21u) + ((group * 2048u) + (lane * 8u));
    for (var k = 0u; k < 8u; k += 1u) {
      let start = (base + k) * 2u;
      items[k] = bitcast<f32>(tile_totals_argmax[start]);
      items_2[k] = tile_totals_argmax[start + 1u];
    }
    // total of the tile: within each work-item, then across the work-group
    for (var k = 1u; k < 8u; k += 2u) {
      let left = items[k - 1u];
      let left_2 = items_2[k - 1u];
      let right = items[k];
      let right_2 = items_2[k];
      let part = lt_f32(left, right);
      let part_2 = select(left, right, part);
      let part_3 = select(left_2, right_2, part);
      items[k] = part_2;
      items_2[k] = part_3;
    }
    for (var k = 3u; k < 8u; k += 4u) {
      let left = items[k - 2u];
      let left_2 = items_2[k - 2u];
      let right = items[k];
      let right_2 = items_2[k];
      let part = lt_f32(left, right);
      let part_2 = select(left, right, part);
      let part_3 = select(left_2, right_2, part);
      items[k] = part_2;
      items_2[k] = part_3;
    }
    let left = items[3u];
    let left_2 = items_2[3u];
    let right = items[7u];
    let right_2 = items_2[7u];
    let part = lt_f32(left, right);
    let part_2 = select(left, right, part);
    let part_3 = select(left_2, right_2, part);
    items[7u] = part_2;
    items_2[7u] = part_3;
    var total = items[7u];
    var total_2 = items_2[7u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_2_lanes_u32[slot] = bitcast<u32>(total);
      tile_totals_2_lanes_u32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = tile_totals_2_lanes_u32[slot ^ bit];
      let theirs_2 = tile_totals_2_lanes_u32_2[slot ^ bit];
      let theirs_3 = bitcast<f32>(theirs);
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs_3, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let later = select(theirs_3, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let part_4 = lt_f32(earlier, later);
      let part_5 = select(earlier, later, part_4);
      let part_6 = select(earlier_2, later_2, part_4);
      total = part_5;
      total_2 = part_6;
    }
    if ((lane == 0u) & (group < (params.n >> 21u))) {
      let at = group;
      let start = at * 2u;
      tile_totals_argmax[start] = bitcast<u32>(total);
      tile_totals_argmax[start + 1u] = total_2;
    }
  }
}

var<workgroup> groups_lanes_u32: array<u32, 128>;
var<workgroup> groups_lanes_u32_2: array<u32, 128>;
var<workgroup> groups_lanes_f32: array<f32, 1>;
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
    let mine_2 = i;
    // across the work-group: reduce argmax
    var total = mine;
    var total_2 = mine_2;
    var sibling: array<f32, 6>;
    var sibling_2: array<u32, 6>;
    var own: array<f32, 6>;
    var own_2: array<u32, 6>;
    workgroupBarrier();
    for (var round = 0u; round < 6u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 64u) + lane;
      groups_lanes_u32[slot] = bitcast<u32>(total);
      groups_lanes_u32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = groups_lanes_u32[slot ^ bit];
      let theirs_2 = groups_lanes_u32_2[slot ^ bit];
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
      let part = lt_f32(earlier, later);
      let part_2 = select(earlier, later, part);
      let part_3 = select(earlier_2, later_2, part);
      total = part_2;
      total_2 = part_3;
    }
    var carry = 0f;
    var carry_2 = 0u;
    var has_carry = false;
    var inclusive = total;
    var inclusive_2 = total_2;
    for (var step = 0u; step < 6u; step += 1u) {
      let round = 5u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let block_2 = select(own_2[round], sibling_2[round], is_upper);
      let part_4 = lt_f32(carry, block);
      let part_5 = select(carry, block, part_4);
      let part_6 = select(carry_2, block_2, part_4);
      let joined = select(block, part_5, has_carry);
      let joined_2 = select(block_2, part_6, has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = select(carry, joined, is_upper);
      inclusive_2 = select(joined_2, inclusive_2, is_upper);
      carry_2 = select(carry_2, joined_2, is_upper);
      has_carry = has_carry | is_upper;
    }
    workgroupBarrier();
    if (lane == (count - 1u)) {
      groups_lanes_f32[0u] = inclusive;
      groups_lanes_u32_2[0u] = inclusive_2;
    }
    workgroupBarrier();
    let announced = groups_lanes_f32[0u];
    let announced_2 = groups_lanes_u32_2[0u];
    let reduce = announced;
    let reduce_2 = announced_2;
    if (exists) {
      if (lane == 0u) {
        inGroup_value[i / 64u] = reduce;
        inGroup_index[i / 64u] = reduce_2;
      }
    }
  }
}

var<workgroup> finish_lanes_u32: array<u32, 512>;
var<workgroup> finish_lanes_u32_2: array<u32, 512>;
var<workgroup> finish_lanes_f32: array<f32, 1>;
// Results for the whole range, by one work-group.
@compute @workgroup_size(256)
fn finish(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  var result = 0f;
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
      var items: array<f32, 8>;
      var items_2: array<u32, 8>;
      let last = tail - 1u;
      if (is_items) {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          let x_i = x[at];
          items[k] = x_i;
          items_2[k] = at;
        }
      } else {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          let start = (offset + at) * 2u;
          items[k] = bitcast<f32>(tile_totals_argmax[start]);
          items_2[k] = tile_totals_argmax[start + 1u];
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (var k = 1u; k < 8u; k += 2u) {
        let left = items[k - 1u];
        let left_2 = items_2[k - 1u];
        let right = items[k];
        let right_2 = items_2[k];
        let part = lt_f32(left, right);
        let part_2 = select(left, right, part);
        let part_3 = select(left_2, right_2, part);
        items[k] = part_2;
        items_2[k] = part_3;
      }
      for (var k = 3u; k < 8u; k += 4u) {
        let left = items[k - 2u];
        let left_2 = items_2[k - 2u];
        let right = items[k];
        let right_2 = items_2[k];
        let part = lt_f32(left, right);
        let part_2 = select(left, right, part);
        let part_3 = select(left_2, right_2, part);
        items[k] = part_2;
        items_2[k] = part_3;
      }
      let left = items[3u];
      let left_2 = items_2[3u];
      let right = items[7u];
      let right_2 = items_2[7u];
      let part = lt_f32(left, right);
      let part_2 = select(left, right, part);
      let part_3 = select(left_2, right_2, part);
      items[7u] = part_2;
      items_2[7u] = part_3;
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
        finish_lanes_u32[slot] = bitcast<u32>(total);
        finish_lanes_u32_2[slot] = total_2;
        workgroupBarrier();
        let theirs = finish_lanes_u32[slot ^ bit];
        let theirs_2 = finish_lanes_u32_2[slot ^ bit];
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
        let part_4 = lt_f32(earlier, later);
        let part_5 = select(earlier, later, part_4);
        let part_6 = select(earlier_2, later_2, part_4);
        total = part_5;
        total_2 = part_6;
      }
      let part_4 = lt_f32(result, total);
      let part_5 = select(result, total, part_4);
      let part_6 = select(result_2, total_2, part_4);
      var carry = result;
      var carry_2 = result_2;
      var has_carry = has_result;
      var inclusive = select(total, part_5, has_result);
      var inclusive_2 = select(total_2, part_6, has_result);
      for (var step_2 = 0u; step_2 < 8u; step_2 += 1u) {
        let round = 7u - step_2;
        let is_upper = (lane & (1u << (round & 31u))) != 0u;
        let block = select(own[round], sibling[round], is_upper);
        let block_2 = select(own_2[round], sibling_2[round], is_upper);
        let part_7 = lt_f32(carry, block);
        let part_8 = select(carry, block, part_7);
        let part_9 = select(carry_2, block_2, part_7);
        let joined = select(block, part_8, has_carry);
        let joined_2 = select(block_2, part_9, has_carry);
        inclusive = select(joined, inclusive, is_upper);
        carry = select(carry, joined, is_upper);
        inclusive_2 = select(joined_2, inclusive_2, is_upper);
        carry_2 = select(carry_2, joined_2, is_upper);
        has_carry = has_carry | is_upper;
      }
      let right_3 = items[3u];
      let right_4 = items_2[3u];
      let part_7 = lt_f32(carry, right_3);
      let part_8 = select(carry, right_3, part_7);
      let part_9 = select(carry_2, right_4, part_7);
      let both = select(items[3u], part_8, has_carry);
      let both_2 = select(items_2[3u], part_9, has_carry);
      items[3u] = both;
      items_2[3u] = both_2;
      let right_5 = items[1u];
      let right_6 = items_2[1u];
      let part_10 = lt_f32(carry, right_5);
      let part_11 = select(carry, right_5, part_10);
      let part_12 = select(carry_2, right_6, part_10);
      let both_3 = select(items[1u], part_11, has_carry);
      let both_4 = select(items_2[1u], part_12, has_carry);
      items[1u] = both_3;
      items_2[1u] = both_4;
      let left_3 = items[3u];
      let left_4 = items_2[3u];
      let right_7 = items[5u];
      let right_8 = items_2[5u];
      let part_13 = lt_f32(left_3, right_7);
      let part_14 = select(left_3, right_7, part_13);
      let part_15 = select(left_4, right_8, part_13);
      items[5u] = part_14;
      items_2[5u] = part_15;
      let right_9 = items[0u];
      let right_10 = items_2[0u];
      let part_16 = lt_f32(carry, right_9);
      let part_17 = select(carry, right_9, part_16);
      let part_18 = select(carry_2, right_10, part_16);
      let both_5 = select(items[0u], part_17, has_carry);
      let both_6 = select(items_2[0u], part_18, has_carry);
      items[0u] = both_5;
      items_2[0u] = both_6;
      for (var k = 2u; k < 8u; k += 2u) {
        let left_5 = items[k - 1u];
        let left_6 = items_2[k - 1u];
        let right_11 = items[k];
        let right_12 = items_2[k];
        let part_19 = lt_f32(left_5, right_11);
        let part_20 = select(left_5, right_11, part_19);
        let part_21 = select(left_6, right_12, part_19);
        items[k] = part_20;
        items_2[k] = part_21;
      }
      items[7u] = inclusive;
      items_2[7u] = inclusive_2;
      workgroupBarrier();
      if ((last / 8u) == lane) {
        finish_lanes_f32[0u] = items[last % 8u];
        finish_lanes_u32_2[0u] = items_2[last % 8u];
      }
      workgroupBarrier();
      let announced = finish_lanes_f32[0u];
      let announced_2 = finish_lanes_u32_2[0u];
      result = announced;
      result_2 = announced_2;
      has_result = true;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  let reduced = select(f32_of_bits(4286578688u), result, has_result);
  let reduced_2 = select(4294967295u, result_2, has_result);
  if (lane == 0u) {
    best_value[0u] = reduced;
    best_index[0u] = reduced_2;
  }
}
