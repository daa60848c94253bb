// groupwise 0.1.0: the pipeline affine-maps in WGSL
// Made by: groupwise emit pipeline.json --target wgsl
// tile: 256x4
// expand: float-min-max float-compare float-to-int int-to-float float-divide float-constants guard-rounding guard-minus-zero
//
// Passes, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a pass with G = 0 is skipped:
//   tile_totals: G = floor(n / 1024)
//   tile_totals_2: G = floor(n / 2097152)
//   groups: G = ceil(n / 100)
//   finish: G = 1
//   prefixes_2: G = min(floor(n / 2097152), 1)
//   prefixes_1: G = min(floor(n / 1024), (floor(n / 2097152) + 1))
//   scan: G = ceil(n / 1024)

struct Params {
  n: u32, // number of items
}
@group(0) @binding(0) var<uniform> params: Params;

// input: n elements
@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> a_rows: array<vec4<u32>>;
// input: n elements
@group(0) @binding(2) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read> b_rows: array<vec4<u32>>;
// output: n elements
@group(0) @binding(3) var<storage, read_write> scan_a: array<u32>;
// output: n elements
@group(0) @binding(4) var<storage, read_write> scan_b: array<u32>;
// output: n elements
@group(0) @binding(5) var<storage, read_write> before: array<u32>;
// output: 1 element
@group(0) @binding(6) var<storage, read_write> total_a: array<u32>;
// output: 1 element
@group(0) @binding(7) var<storage, read_write> total_b: array<u32>;
// output: n elements
@group(0) @binding(8) var<storage, read_write> inGroup: array<u32>;
// scratch: ((floor(n / 1024) + floor(n / 2097152)) * 2) elements
@group(0) @binding(9) var<storage, read_write> tile_totals_affine: array<u32>;

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
    var items: array<u32, 4>;
    var items_2: array<u32, 4>;
    let i = base;
    let b_row = b_rows[i >> 2u];
    let a_row = a_rows[i >> 2u];
    items[0u] = a_row.x;
    items_2[0u] = b_row.x;
    items[1u] = a_row.y;
    items_2[1u] = b_row.y;
    items[2u] = a_row.z;
    items_2[2u] = b_row.z;
    items[3u] = a_row.w;
    items_2[3u] = b_row.w;
    // total of the tile: within each work-item, then across the work-group
    let left = items[0u];
    let left_2 = items_2[0u];
    let right = items[1u];
    let right_2 = items_2[1u];
    let both = left * right;
    let both_2 = (left_2 * right) + right_2;
    items[1u] = both;
    items_2[1u] = both_2;
    let left_3 = items[2u];
    let left_4 = items_2[2u];
    let right_3 = items[3u];
    let right_4 = items_2[3u];
    let both_3 = left_3 * right_3;
    let both_4 = (left_4 * right_3) + right_4;
    items[3u] = both_3;
    items_2[3u] = both_4;
    let left_5 = items[1u];
    let left_6 = items_2[1u];
    let right_5 = items[3u];
    let right_6 = items_2[3u];
    let both_5 = left_5 * right_5;
    let both_6 = (left_6 * right_5) + right_6;
    items[3u] = both_5;
    items_2[3u] = both_6;
    var total = items[3u];
    var total_2 = items_2[3u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_lanes_u32[slot] = total;
      tile_totals_lanes_u32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = tile_totals_lanes_u32[slot ^ bit];
      let theirs_2 = tile_totals_lanes_u32_2[slot ^ bit];
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let later = select(theirs, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let both_7 = earlier * later;
      let both_8 = (earlier_2 * later) + later_2;
      total = both_7;
      total_2 = both_8;
    }
    if ((lane == 0u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      let start = at * 2u;
      tile_totals_affine[start] = total;
      tile_totals_affine[start + 1u] = total_2;
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
    var items: array<u32, 8>;
    var items_2: array<u32, 8>;
    let base = (params.n >> 21u) + ((group * 2048u) + (lane * 8u));
    for (var k = 0u; k < 8u; k += 1u) {
      let start = (base + k) * 2u;
      items[k] = tile_totals_affine[start];
      items_2[k] = tile_totals_affine[start + 1u];
    }
    // total of the tile: within each work-item, then across the work-group
    for (var k = 1u; k < 8u; k += 2u) {
      let left = items[k - 1u];
      let left_2 = items_2[k - 1u];
      let right = items[k];
      let right_2 = items_2[k];
      let both = left * right;
      let both_2 = (left_2 * right) + right_2;
      items[k] = both;
      items_2[k] = both_2;
    }
    for (var k = 3u; k < 8u; k += 4u) {
      let left = items[k - 2u];
      let left_2 = items_2[k - 2u];
      let right = items[k];
      let right_2 = items_2[k];
      let both = left * right;
      let both_2 = (left_2 * right) + right_2;
      items[k] = both;
      items_2[k] = both_2;
    }
    let left = items[3u];
    let left_2 = items_2[3u];
    let right = items[7u];
    let right_2 = items_2[7u];
    let both = left * right;
    let both_2 = (left_2 * right) + right_2;
    items[7u] = both;
    items_2[7u] = both_2;
    var total = items[7u];
    var total_2 = items_2[7u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_2_lanes_u32[slot] = total;
      tile_totals_2_lanes_u32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = tile_totals_2_lanes_u32[slot ^ bit];
      let theirs_2 = tile_totals_2_lanes_u32_2[slot ^ bit];
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let later = select(theirs, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let both_3 = earlier * later;
      let both_4 = (earlier_2 * later) + later_2;
      total = both_3;
      total_2 = both_4;
    }
    if ((lane == 0u) & (group < (params.n >> 21u))) {
      let at = group;
      let start = at * 2u;
      tile_totals_affine[start] = total;
      tile_totals_affine[start + 1u] = total_2;
    }
  }
}

var<workgroup> groups_lanes_u32: array<u32, 256>;
var<workgroup> groups_lanes_u32_2: array<u32, 256>;
// Work-groups of 100, one item to a work-item.
@compute @workgroup_size(100)
fn groups(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < ((params.n + 99u) / 100u)) {
    let item = (group * 100u) + lane;
    let exists = item < params.n;
    let i = min(item, params.n - 1u);
    let a_i = a[i];
    let b_i = b[i];
    let mine = a_i;
    let mine_2 = b_i;
    // across the work-group: scan-exclusive affine
    var total = mine;
    var total_2 = mine_2;
    var sibling: array<u32, 7>;
    var sibling_2: array<u32, 7>;
    var own: array<u32, 7>;
    var own_2: array<u32, 7>;
    workgroupBarrier();
    for (var round = 0u; round < 7u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 128u) + lane;
      groups_lanes_u32[slot] = total;
      groups_lanes_u32_2[slot] = total_2;
      workgroupBarrier();
      let first = (lane ^ bit) & (0u - bit);
      let theirs = select(0u, groups_lanes_u32[((round & 1u) * 128u) + min(first, 99u)], (first < 100u));
      let theirs_2 = select(0u, groups_lanes_u32_2[((round & 1u) * 128u) + min(first, 99u)], (first < 100u));
      sibling[round] = theirs;
      own[round] = total;
      sibling_2[round] = theirs_2;
      own_2[round] = total_2;
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let later = select(theirs, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let both = earlier * later;
      let both_2 = (earlier_2 * later) + later_2;
      total = both;
      total_2 = both_2;
    }
    var carry_2 = 0u;
    var has_carry = false;
    for (var step = 0u; step < 7u; step += 1u) {
      let round = 6u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let block_2 = select(own_2[round], sibling_2[round], is_upper);
      let joined_2 = select(block_2, ((carry_2 * block) + block_2), has_carry);
      carry_2 = select(carry_2, joined_2, is_upper);
      has_carry = has_carry | is_upper;
    }
    let scan_exclusive = select(carry_2, 0u, (lane == 0u));
    if (exists) {
      inGroup[i] = scan_exclusive;
    }
  }
}

var<workgroup> finish_lanes_u32: array<u32, 512>;
var<workgroup> finish_lanes_u32_2: array<u32, 512>;
// Results for the whole range, by one work-group.
@compute @workgroup_size(256)
fn finish(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  var result = 0u;
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
      var items: array<u32, 8>;
      var items_2: array<u32, 8>;
      let last = tail - 1u;
      if (is_items) {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          let a_i = a[at];
          let b_i = b[at];
          items[k] = a_i;
          items_2[k] = b_i;
        }
      } else {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          let start = (offset + at) * 2u;
          items[k] = tile_totals_affine[start];
          items_2[k] = tile_totals_affine[start + 1u];
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (var k = 1u; k < 8u; k += 2u) {
        let left = items[k - 1u];
        let left_2 = items_2[k - 1u];
        let right = items[k];
        let right_2 = items_2[k];
        let both = left * right;
        let both_2 = (left_2 * right) + right_2;
        items[k] = both;
        items_2[k] = both_2;
      }
      for (var k = 3u; k < 8u; k += 4u) {
        let left = items[k - 2u];
        let left_2 = items_2[k - 2u];
        let right = items[k];
        let right_2 = items_2[k];
        let both = left * right;
        let both_2 = (left_2 * right) + right_2;
        items[k] = both;
        items_2[k] = both_2;
      }
      let left = items[3u];
      let left_2 = items_2[3u];
      let right = items[7u];
      let right_2 = items_2[7u];
      let both = left * right;
      let both_2 = (left_2 * right) + right_2;
      items[7u] = both;
      items_2[7u] = both_2;
      var total = items[7u];
      var total_2 = items_2[7u];
      var sibling: array<u32, 8>;
      var sibling_2: array<u32, 8>;
      var own: array<u32, 8>;
      var own_2: array<u32, 8>;
      workgroupBarrier();
      for (var round = 0u; round < 8u; round += 1u) {
        let bit = 1u << (round & 31u);
        let slot = ((round & 1u) * 256u) + lane;
        finish_lanes_u32[slot] = total;
        finish_lanes_u32_2[slot] = total_2;
        workgroupBarrier();
        let theirs = finish_lanes_u32[slot ^ bit];
        let theirs_2 = finish_lanes_u32_2[slot ^ bit];
        sibling[round] = theirs;
        own[round] = total;
        sibling_2[round] = theirs_2;
        own_2[round] = total_2;
        let is_upper = (lane & bit) != 0u;
        let earlier = select(total, theirs, is_upper);
        let earlier_2 = select(total_2, theirs_2, is_upper);
        let later = select(theirs, total, is_upper);
        let later_2 = select(theirs_2, total_2, is_upper);
        let both_3 = earlier * later;
        let both_4 = (earlier_2 * later) + later_2;
        total = both_3;
        total_2 = both_4;
      }
      var carry = result;
      var carry_2 = result_2;
      var has_carry = has_result;
      var inclusive = select(total, (result * total), has_result);
      var inclusive_2 = select(total_2, ((result_2 * total) + total_2), has_result);
      for (var step_2 = 0u; step_2 < 8u; step_2 += 1u) {
        let round = 7u - step_2;
        let is_upper = (lane & (1u << (round & 31u))) != 0u;
        let block = select(own[round], sibling[round], is_upper);
        let block_2 = select(own_2[round], sibling_2[round], is_upper);
        let joined = select(block, (carry * block), has_carry);
        let joined_2 = select(block_2, ((carry_2 * block) + block_2), has_carry);
        inclusive = select(joined, inclusive, is_upper);
        carry = select(carry, joined, is_upper);
        inclusive_2 = select(joined_2, inclusive_2, is_upper);
        carry_2 = select(carry_2, joined_2, is_upper);
        has_carry = has_carry | is_upper;
      }
      let right_3 = items[3u];
      let right_4 = items_2[3u];
      let both_3 = select(items[3u], (carry * right_3), has_carry);
      let both_4 = select(items_2[3u], ((carry_2 * right_3) + right_4), has_carry);
      items[3u] = both_3;
      items_2[3u] = both_4;
      let right_5 = items[1u];
      let right_6 = items_2[1u];
      let both_5 = select(items[1u], (carry * right_5), has_carry);
      let both_6 = select(items_2[1u], ((carry_2 * right_5) + right_6), has_carry);
      items[1u] = both_5;
      items_2[1u] = both_6;
      let left_3 = items[3u];
      let left_4 = items_2[3u];
      let right_7 = items[5u];
      let right_8 = items_2[5u];
      let both_7 = left_3 * right_7;
      let both_8 = (left_4 * right_7) + right_8;
      items[5u] = both_7;
      items_2[5u] = both_8;
      let right_9 = items[0u];
      let right_10 = items_2[0u];
      let both_9 = select(items[0u], (carry * right_9), has_carry);
      let both_10 = select(items_2[0u], ((carry_2 * right_9) + right_10), has_carry);
      items[0u] = both_9;
      items_2[0u] = both_10;
      for (var k = 2u; k < 8u; k += 2u) {
        let left_5 = items[k - 1u];
        let left_6 = items_2[k - 1u];
        let right_11 = items[k];
        let right_12 = items_2[k];
        let both_11 = left_5 * right_11;
        let both_12 = (left_6 * right_11) + right_12;
        items[k] = both_11;
        items_2[k] = both_12;
      }
      items[7u] = inclusive;
      items_2[7u] = inclusive_2;
      workgroupBarrier();
      if ((last / 8u) == lane) {
        finish_lanes_u32[0u] = items[last % 8u];
        finish_lanes_u32_2[0u] = items_2[last % 8u];
      }
      workgroupBarrier();
      let announced = finish_lanes_u32[0u];
      let announced_2 = finish_lanes_u32_2[0u];
      result = announced;
      result_2 = announced_2;
      has_result = true;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  let reduced = select(1u, result, has_result);
  let reduced_2 = select(0u, result_2, has_result);
  if (lane == 0u) {
    total_a[0u] = reduced;
    total_b[0u] = reduced_2;
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
    var items: array<u32, 8>;
    var items_2: array<u32, 8>;
    let base = (group * 2048u) + (lane * 8u);
    let count = params.n >> 21u;
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        let start = (base + k) * 2u;
        items[k] = tile_totals_affine[start];
        items_2[k] = tile_totals_affine[start + 1u];
      }
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 8u; k += 2u) {
      let left = items[k - 1u];
      let left_2 = items_2[k - 1u];
      let right = items[k];
      let right_2 = items_2[k];
      let both = left * right;
      let both_2 = (left_2 * right) + right_2;
      items[k] = both;
      items_2[k] = both_2;
    }
    for (var k = 3u; k < 8u; k += 4u) {
      let left = items[k - 2u];
      let left_2 = items_2[k - 2u];
      let right = items[k];
      let right_2 = items_2[k];
      let both = left * right;
      let both_2 = (left_2 * right) + right_2;
      items[k] = both;
      items_2[k] = both_2;
    }
    let left = items[3u];
    let left_2 = items_2[3u];
    let right = items[7u];
    let right_2 = items_2[7u];
    let both = left * right;
    let both_2 = (left_2 * right) + right_2;
    items[7u] = both;
    items_2[7u] = both_2;
    var total = items[7u];
    var total_2 = items_2[7u];
    var sibling: array<u32, 8>;
    var sibling_2: array<u32, 8>;
    var own: array<u32, 8>;
    var own_2: array<u32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      prefixes_2_lanes_u32[slot] = total;
      prefixes_2_lanes_u32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = prefixes_2_lanes_u32[slot ^ bit];
      let theirs_2 = prefixes_2_lanes_u32_2[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      sibling_2[round] = theirs_2;
      own_2[round] = total_2;
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let later = select(theirs, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let both_3 = earlier * later;
      let both_4 = (earlier_2 * later) + later_2;
      total = both_3;
      total_2 = both_4;
    }
    var carry = 0u;
    var carry_2 = 0u;
    var has_carry = false;
    var inclusive = total;
    var inclusive_2 = total_2;
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let block_2 = select(own_2[round], sibling_2[round], is_upper);
      let joined = select(block, (carry * block), has_carry);
      let joined_2 = select(block_2, ((carry_2 * block) + block_2), has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = select(carry, joined, is_upper);
      inclusive_2 = select(joined_2, inclusive_2, is_upper);
      carry_2 = select(carry_2, joined_2, is_upper);
      has_carry = has_carry | is_upper;
    }
    let right_3 = items[3u];
    let right_4 = items_2[3u];
    let both_3 = select(items[3u], (carry * right_3), has_carry);
    let both_4 = select(items_2[3u], ((carry_2 * right_3) + right_4), has_carry);
    items[3u] = both_3;
    items_2[3u] = both_4;
    let right_5 = items[1u];
    let right_6 = items_2[1u];
    let both_5 = select(items[1u], (carry * right_5), has_carry);
    let both_6 = select(items_2[1u], ((carry_2 * right_5) + right_6), has_carry);
    items[1u] = both_5;
    items_2[1u] = both_6;
    let left_3 = items[3u];
    let left_4 = items_2[3u];
    let right_7 = items[5u];
    let right_8 = items_2[5u];
    let both_7 = left_3 * right_7;
    let both_8 = (left_4 * right_7) + right_8;
    items[5u] = both_7;
    items_2[5u] = both_8;
    let right_9 = items[0u];
    let right_10 = items_2[0u];
    let both_9 = select(items[0u], (carry * right_9), has_carry);
    let both_10 = select(items_2[0u], ((carry_2 * right_9) + right_10), has_carry);
    items[0u] = both_9;
    items_2[0u] = both_10;
    for (var k = 2u; k < 8u; k += 2u) {
      let left_5 = items[k - 1u];
      let left_6 = items_2[k - 1u];
      let right_11 = items[k];
      let right_12 = items_2[k];
      let both_11 = left_5 * right_11;
      let both_12 = (left_6 * right_11) + right_12;
      items[k] = both_11;
      items_2[k] = both_12;
    }
    items[7u] = inclusive;
    items_2[7u] = inclusive_2;
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        let start = (base + k) * 2u;
        tile_totals_affine[start] = items[k];
        tile_totals_affine[start + 1u] = items_2[k];
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
    var items: array<u32, 8>;
    var items_2: array<u32, 8>;
    let base = (group * 2048u) + (lane * 8u);
    let offset = params.n >> 21u;
    let count = params.n >> 10u;
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        let start = ((offset + base) + k) * 2u;
        items[k] = tile_totals_affine[start];
        items_2[k] = tile_totals_affine[start + 1u];
      }
    }
    var before_2 = 0u;
    var before_3 = 0u;
    if (group != 0u) {
      let at = group - 1u;
      let start = at * 2u;
      before_2 = tile_totals_affine[start];
      before_3 = tile_totals_affine[start + 1u];
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 8u; k += 2u) {
      let left = items[k - 1u];
      let left_2 = items_2[k - 1u];
      let right = items[k];
      let right_2 = items_2[k];
      let both = left * right;
      let both_2 = (left_2 * right) + right_2;
      items[k] = both;
      items_2[k] = both_2;
    }
    for (var k = 3u; k < 8u; k += 4u) {
      let left = items[k - 2u];
      let left_2 = items_2[k - 2u];
      let right = items[k];
      let right_2 = items_2[k];
      let both = left * right;
      let both_2 = (left_2 * right) + right_2;
      items[k] = both;
      items_2[k] = both_2;
    }
    let left = items[3u];
    let left_2 = items_2[3u];
    let right = items[7u];
    let right_2 = items_2[7u];
    let both = left * right;
    let both_2 = (left_2 * right) + right_2;
    items[7u] = both;
    items_2[7u] = both_2;
    var total = items[7u];
    var total_2 = items_2[7u];
    var sibling: array<u32, 8>;
    var sibling_2: array<u32, 8>;
    var own: array<u32, 8>;
    var own_2: array<u32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      prefixes_1_lanes_u32[slot] = total;
      prefixes_1_lanes_u32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = prefixes_1_lanes_u32[slot ^ bit];
      let theirs_2 = prefixes_1_lanes_u32_2[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      sibling_2[round] = theirs_2;
      own_2[round] = total_2;
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let later = select(theirs, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let both_3 = earlier * later;
      let both_4 = (earlier_2 * later) + later_2;
      total = both_3;
      total_2 = both_4;
    }
    var carry = before_2;
    var carry_2 = before_3;
    var has_carry = group != 0u;
    var inclusive = select(total, (before_2 * total), (group != 0u));
    var inclusive_2 = select(total_2, ((before_3 * total) + total_2), (group != 0u));
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let block_2 = select(own_2[round], sibling_2[round], is_upper);
      let joined = select(block, (carry * block), has_carry);
      let joined_2 = select(block_2, ((carry_2 * block) + block_2), has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = select(carry, joined, is_upper);
      inclusive_2 = select(joined_2, inclusive_2, is_upper);
      carry_2 = select(carry_2, joined_2, is_upper);
      has_carry = has_carry | is_upper;
    }
    let right_3 = items[3u];
    let right_4 = items_2[3u];
    let both_3 = select(items[3u], (carry * right_3), has_carry);
    let both_4 = select(items_2[3u], ((carry_2 * right_3) + right_4), has_carry);
    items[3u] = both_3;
    items_2[3u] = both_4;
    let right_5 = items[1u];
    let right_6 = items_2[1u];
    let both_5 = select(items[1u], (carry * right_5), has_carry);
    let both_6 = select(items_2[1u], ((carry_2 * right_5) + right_6), has_carry);
    items[1u] = both_5;
    items_2[1u] = both_6;
    let left_3 = items[3u];
    let left_4 = items_2[3u];
    let right_7 = items[5u];
    let right_8 = items_2[5u];
    let both_7 = left_3 * right_7;
    let both_8 = (left_4 * right_7) + right_8;
    items[5u] = both_7;
    items_2[5u] = both_8;
    let right_9 = items[0u];
    let right_10 = items_2[0u];
    let both_9 = select(items[0u], (carry * right_9), has_carry);
    let both_10 = select(items_2[0u], ((carry_2 * right_9) + right_10), has_carry);
    items[0u] = both_9;
    items_2[0u] = both_10;
    for (var k = 2u; k < 8u; k += 2u) {
      let left_5 = items[k - 1u];
      let left_6 = items_2[k - 1u];
      let right_11 = items[k];
      let right_12 = items_2[k];
      let both_11 = left_5 * right_11;
      let both_12 = (left_6 * right_11) + right_12;
      items[k] = both_11;
      items_2[k] = both_12;
    }
    items[7u] = inclusive;
    items_2[7u] = inclusive_2;
    if ((lane == 255u) & (group < (params.n >> 21u))) {
      let at = group;
      let start = at * 2u;
      items[7u] = tile_totals_affine[start];
      items_2[7u] = tile_totals_affine[start + 1u];
    }
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        let start = ((offset + base) + k) * 2u;
        tile_totals_affine[start] = items[k];
        tile_totals_affine[start + 1u] = items_2[k];
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
    var items: array<u32, 4>;
    var items_2: array<u32, 4>;
    for (var k = 0u; k < 4u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let a_i = a[i];
      let b_i = b[i];
      items[k] = a_i;
      items_2[k] = b_i;
    }
    var before_2 = 0u;
    var before_3 = 0u;
    if (group != 0u) {
      let at = (params.n >> 21u) + (group - 1u);
      let start = at * 2u;
      before_2 = tile_totals_affine[start];
      before_3 = tile_totals_affine[start + 1u];
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 4u; k += 2u) {
      let left = items[k - 1u];
      let left_2 = items_2[k - 1u];
      let right = items[k];
      let right_2 = items_2[k];
      let both = left * right;
      let both_2 = (left_2 * right) + right_2;
      items[k] = both;
      items_2[k] = both_2;
    }
    let left = items[1u];
    let left_2 = items_2[1u];
    let right = items[3u];
    let right_2 = items_2[3u];
    let both = left * right;
    let both_2 = (left_2 * right) + right_2;
    items[3u] = both;
    items_2[3u] = both_2;
    var total = items[3u];
    var total_2 = items_2[3u];
    var sibling: array<u32, 8>;
    var sibling_2: array<u32, 8>;
    var own: array<u32, 8>;
    var own_2: array<u32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      scan_lanes_u32[slot] = total;
      scan_lanes_u32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = scan_lanes_u32[slot ^ bit];
      let theirs_2 = scan_lanes_u32_2[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      sibling_2[round] = theirs_2;
      own_2[round] = total_2;
      let is_upper = (lane & bit) != 0u;
      let earlier = select(total, theirs, is_upper);
      let earlier_2 = select(total_2, theirs_2, is_upper);
      let later = select(theirs, total, is_upper);
      let later_2 = select(theirs_2, total_2, is_upper);
      let both_3 = earlier * later;
      let both_4 = (earlier_2 * later) + later_2;
      total = both_3;
      total_2 = both_4;
    }
    var carry = before_2;
    var carry_2 = before_3;
    var has_carry = group != 0u;
    var inclusive = select(total, (before_2 * total), (group != 0u));
    var inclusive_2 = select(total_2, ((before_3 * total) + total_2), (group != 0u));
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let block_2 = select(own_2[round], sibling_2[round], is_upper);
      let joined = select(block, (carry * block), has_carry);
      let joined_2 = select(block_2, ((carry_2 * block) + block_2), has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = select(carry, joined, is_upper);
      inclusive_2 = select(joined_2, inclusive_2, is_upper);
      carry_2 = select(carry_2, joined_2, is_upper);
      has_carry = has_carry | is_upper;
    }
    let right_3 = items[1u];
    let right_4 = items_2[1u];
    let both_3 = select(items[1u], (carry * right_3), has_carry);
    let both_4 = select(items_2[1u], ((carry_2 * right_3) + right_4), has_carry);
    items[1u] = both_3;
    items_2[1u] = both_4;
    let right_5 = items[0u];
    let right_6 = items_2[0u];
    let both_5 = select(items[0u], (carry * right_5), has_carry);
    let both_6 = select(items_2[0u], ((carry_2 * right_5) + right_6), has_carry);
    items[0u] = both_5;
    items_2[0u] = both_6;
    let left_3 = items[1u];
    let left_4 = items_2[1u];
    let right_7 = items[2u];
    let right_8 = items_2[2u];
    let both_7 = left_3 * right_7;
    let both_8 = (left_4 * right_7) + right_8;
    items[2u] = both_7;
    items_2[2u] = both_8;
    items[3u] = inclusive;
    items_2[3u] = inclusive_2;
    if ((lane == 255u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      let start = at * 2u;
      items[3u] = tile_totals_affine[start];
      items_2[3u] = tile_totals_affine[start + 1u];
    }
    var before_5 = carry_2;
    for (var k = 0u; k < 4u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let inclusive_3 = items[k];
      let inclusive_4 = items_2[k];
      let exclusive = select(before_5, 0u, (i == 0u));
      if ((base + k) < params.n) {
        scan_a[i] = inclusive_3;
        scan_b[i] = inclusive_4;
        before[i] = exclusive;
      }
      before_5 = inclusive_4;
    }
  }
}
