// groupwise 0.1.0: the pipeline votes in WGSL
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
//   map: G = ceil(n / 1024)

struct Params {
  n: u32, // number of items
}
@group(0) @binding(0) var<uniform> params: Params;

// input: n elements
@group(0) @binding(1) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<i32>>;
// output: ceil(n / 64) elements; bool as 0 or 1
@group(0) @binding(2) var<storage, read_write> all: array<u32>;
// output: ceil(n / 64) elements; bool as 0 or 1
@group(0) @binding(3) var<storage, read_write> any: array<u32>;
// output: 1 element; bool as 0 or 1
@group(0) @binding(4) var<storage, read_write> anywhere: array<u32>;
// output: 1 element; bool as 0 or 1
@group(0) @binding(5) var<storage, read_write> everywhere: array<u32>;
// output: ceil(n / 64) elements
@group(0) @binding(6) var<storage, read_write> share: array<i32>;
// output: n elements; bool as 0 or 1
@group(0) @binding(7) var<storage, read_write> outvoted: array<u32>;
// scratch: 1 element; bool as 0 or 1
@group(0) @binding(8) var<storage, read_write> all_9: array<u32>;
// scratch: (floor(n / 1024) + floor(n / 2097152)) elements; bool as 0 or 1
@group(0) @binding(9) var<storage, read_write> tile_totals_logical_or: array<u32>;
// scratch: (floor(n / 1024) + floor(n / 2097152)) elements; bool as 0 or 1
@group(0) @binding(10) var<storage, read_write> tile_totals_logical_and: array<u32>;
// scratch: (floor(n / 1024) + floor(n / 2097152)) elements; bool as 0 or 1
@group(0) @binding(11) var<storage, read_write> tile_totals_logical_and_2: array<u32>;

var<workgroup> tile_totals_lanes_bool: array<bool, 512>;
var<workgroup> tile_totals_lanes_bool_2: array<bool, 512>;
var<workgroup> tile_totals_lanes_bool_3: array<bool, 512>;
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
    var items: array<bool, 4>;
    var items_2: array<bool, 4>;
    var items_3: array<bool, 4>;
    let i = base;
    let x_row = x_rows[i >> 2u];
    let v2 = x_row.x > 0i;
    items[0u] = v2;
    items_2[0u] = x_row.x != 0i;
    items_3[0u] = v2;
    let v2_2 = x_row.y > 0i;
    items[1u] = v2_2;
    items_2[1u] = x_row.y != 0i;
    items_3[1u] = v2_2;
    let v2_3 = x_row.z > 0i;
    items[2u] = v2_3;
    items_2[2u] = x_row.z != 0i;
    items_3[2u] = v2_3;
    let v2_4 = x_row.w > 0i;
    items[3u] = v2_4;
    items_2[3u] = x_row.w != 0i;
    items_3[3u] = v2_4;
    // total of the tile: within each work-item, then across the work-group
    let both = items[0u] | items[1u];
    let both_2 = items_2[0u] & items_2[1u];
    let both_3 = items_3[0u] & items_3[1u];
    items[1u] = both;
    items_2[1u] = both_2;
    items_3[1u] = both_3;
    let both_4 = items[2u] | items[3u];
    let both_5 = items_2[2u] & items_2[3u];
    let both_6 = items_3[2u] & items_3[3u];
    items[3u] = both_4;
    items_2[3u] = both_5;
    items_3[3u] = both_6;
    let both_7 = items[1u] | items[3u];
    let both_8 = items_2[1u] & items_2[3u];
    let both_9 = items_3[1u] & items_3[3u];
    items[3u] = both_7;
    items_2[3u] = both_8;
    items_3[3u] = both_9;
    var total = items[3u];
    var total_2 = items_2[3u];
    var total_3 = items_3[3u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_lanes_bool[slot] = total;
      tile_totals_lanes_bool_2[slot] = total_2;
      tile_totals_lanes_bool_3[slot] = total_3;
      workgroupBarrier();
      let theirs = tile_totals_lanes_bool[slot ^ bit];
      let theirs_2 = tile_totals_lanes_bool_2[slot ^ bit];
      let theirs_3 = tile_totals_lanes_bool_3[slot ^ bit];
      let both_10 = total | theirs;
      let both_11 = total_2 & theirs_2;
      let both_12 = total_3 & theirs_3;
      total = both_10;
      total_2 = both_11;
      total_3 = both_12;
    }
    if ((lane == 0u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      tile_totals_logical_or[at] = u32(total);
      tile_totals_logical_and[at] = u32(total_2);
      tile_totals_logical_and_2[at] = u32(total_3);
    }
  }
}

var<workgroup> tile_totals_2_lanes_bool: array<bool, 512>;
var<workgroup> tile_totals_2_lanes_bool_2: array<bool, 512>;
var<workgroup> tile_totals_2_lanes_bool_3: array<bool, 512>;
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
    var items: array<bool, 8>;
    var items_2: array<bool, 8>;
    var items_3: array<bool, 8>;
    let base = (params.n >> 21u) + ((group * 2048u) + (lane * 8u));
    for (var k = 0u; k < 8u; k += 1u) {
      items[k] = tile_totals_logical_or[base + k] != 0u;
      items_2[k] = tile_totals_logical_and[base + k] != 0u;
      items_3[k] = tile_totals_logical_and_2[base + k] != 0u;
    }
    // total of the tile: within each work-item, then across the work-group
    for (var k = 1u; k < 8u; k += 2u) {
      let both = items[k - 1u] | items[k];
      let both_2 = items_2[k - 1u] & items_2[k];
      let both_3 = items_3[k - 1u] & items_3[k];
      items[k] = both;
      items_2[k] = both_2;
      items_3[k] = both_3;
    }
    for (var k = 3u; k < 8u; k += 4u) {
      let both = items[k - 2u] | items[k];
      let both_2 = items_2[k - 2u] & items_2[k];
      let both_3 = items_3[k - 2u] & items_3[k];
      items[k] = both;
      items_2[k] = both_2;
      items_3[k] = both_3;
    }
    let both = items[3u] | items[7u];
    let both_2 = items_2[3u] & items_2[7u];
    let both_3 = items_3[3u] & items_3[7u];
    items[7u] = both;
    items_2[7u] = both_2;
    items_3[7u] = both_3;
    var total = items[7u];
    var total_2 = items_2[7u];
    var total_3 = items_3[7u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_2_lanes_bool[slot] = total;
      tile_totals_2_lanes_bool_2[slot] = total_2;
      tile_totals_2_lanes_bool_3[slot] = total_3;
      workgroupBarrier();
      let theirs = tile_totals_2_lanes_bool[slot ^ bit];
      let theirs_2 = tile_totals_2_lanes_bool_2[slot ^ bit];
      let theirs_3 = tile_totals_2_lanes_bool_3[slot ^ bit];
      let both_4 = total | theirs;
      let both_5 = total_2 & theirs_2;
      let both_6 = total_3 & theirs_3;
      total = both_4;
      total_2 = both_5;
      total_3 = both_6;
    }
    if ((lane == 0u) & (group < (params.n >> 21u))) {
      let at = group;
      tile_totals_logical_or[at] = u32(total);
      tile_totals_logical_and[at] = u32(total_2);
      tile_totals_logical_and_2[at] = u32(total_3);
    }
  }
}

var<workgroup> groups_lanes_bool: array<bool, 128>;
var<workgroup> groups_lanes_bool_2: array<bool, 128>;
var<workgroup> groups_lanes_i32_3: array<i32, 128>;
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
    let x_i = x[i];
    let v2 = x_i > 0i;
    let mine = v2;
    let mine_2 = v2;
    let v7 = select(0i, x_i, v2);
    let mine_3 = v7;
    // across the work-group: all, any, reduce add
    var total = select(true, mine, exists);
    var total_2 = select(false, mine_2, exists);
    var total_3 = select(0i, mine_3, exists);
    workgroupBarrier();
    for (var round = 0u; round < 6u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 64u) + lane;
      groups_lanes_bool[slot] = total;
      groups_lanes_bool_2[slot] = total_2;
      groups_lanes_i32_3[slot] = total_3;
      workgroupBarrier();
      let theirs = groups_lanes_bool[slot ^ bit];
      let theirs_2 = groups_lanes_bool_2[slot ^ bit];
      let theirs_3 = groups_lanes_i32_3[slot ^ bit];
      let both = total & theirs;
      let both_2 = total_2 | theirs_2;
      let both_3 = total_3 + theirs_3;
      total = both;
      total_2 = both_2;
      total_3 = both_3;
    }
    let all_2 = total;
    let any_2 = total_2;
    let reduce = total_3;
    if (exists) {
      if (lane == 0u) {
        all[i / 64u] = u32(all_2);
        any[i / 64u] = u32(any_2);
        share[i / 64u] = reduce;
      }
    }
  }
}

var<workgroup> finish_lanes_bool: array<bool, 512>;
var<workgroup> finish_lanes_bool_2: array<bool, 512>;
var<workgroup> finish_lanes_bool_3: array<bool, 512>;
// Results for the whole range, by one work-group.
@compute @workgroup_size(256)
fn finish(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  var result = false;
  var result_2 = true;
  var result_3 = true;
  var offset = 0u;
  let first = lane * 8u;
  for (var step = 0u; step < 3u; step += 1u) {
    let level = 2u - step;
    let is_items = level == 0u;
    let count = params.n >> (select((10u + ((level - 1u) * 11u)), 0u, is_items) & 31u);
    let tail = count & select(2047u, 1023u, is_items);
    let from_ = count - tail;
    if (tail != 0u) {
      var items: array<bool, 8>;
      var items_2: array<bool, 8>;
      var items_3: array<bool, 8>;
      let last = tail - 1u;
      if (is_items) {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          let x_i = x[at];
          let v2 = x_i > 0i;
          items[k] = v2;
          items_2[k] = x_i != 0i;
          items_3[k] = v2;
        }
      } else {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          items[k] = tile_totals_logical_or[offset + at] != 0u;
          items_2[k] = tile_totals_logical_and[offset + at] != 0u;
          items_3[k] = tile_totals_logical_and_2[offset + at] != 0u;
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (var k = 1u; k < 8u; k += 2u) {
        let both = items[k - 1u] | items[k];
        let both_2 = items_2[k - 1u] & items_2[k];
        let both_3 = items_3[k - 1u] & items_3[k];
        items[k] = both;
        items_2[k] = both_2;
        items_3[k] = both_3;
      }
      for (var k = 3u; k < 8u; k += 4u) {
        let both = items[k - 2u] | items[k];
        let both_2 = items_2[k - 2u] & items_2[k];
        let both_3 = items_3[k - 2u] & items_3[k];
        items[k] = both;
        items_2[k] = both_2;
        items_3[k] = both_3;
      }
      let both = items[3u] | items[7u];
      let both_2 = items_2[3u] & items_2[7u];
      let both_3 = items_3[3u] & items_3[7u];
      items[7u] = both;
      items_2[7u] = both_2;
      items_3[7u] = both_3;
      var total = items[7u];
      var total_2 = items_2[7u];
      var total_3 = items_3[7u];
      var sibling: array<bool, 8>;
      var sibling_2: array<bool, 8>;
      var sibling_3: array<bool, 8>;
      var own: array<bool, 8>;
      var own_2: array<bool, 8>;
      var own_3: array<bool, 8>;
      workgroupBarrier();
      for (var round = 0u; round < 8u; round += 1u) {
        let bit = 1u << (round & 31u);
        let slot = ((round & 1u) * 256u) + lane;
        finish_lanes_bool[slot] = total;
        finish_lanes_bool_2[slot] = total_2;
        finish_lanes_bool_3[slot] = total_3;
        workgroupBarrier();
        let theirs = finish_lanes_bool[slot ^ bit];
        let theirs_2 = finish_lanes_bool_2[slot ^ bit];
        let theirs_3 = finish_lanes_bool_3[slot ^ bit];
        sibling[round] = theirs;
        own[round] = total;
        sibling_2[round] = theirs_2;
        own_2[round] = total_2;
        sibling_3[round] = theirs_3;
        own_3[round] = total_3;
        let both_4 = total | theirs;
        let both_5 = total_2 & theirs_2;
        let both_6 = total_3 & theirs_3;
        total = both_4;
        total_2 = both_5;
        total_3 = both_6;
      }
      var carry = result;
      var carry_2 = result_2;
      var carry_3 = result_3;
      var inclusive = result | total;
      var inclusive_2 = result_2 & total_2;
      var inclusive_3 = result_3 & total_3;
      for (var step_2 = 0u; step_2 < 8u; step_2 += 1u) {
        let round = 7u - step_2;
        let is_upper = (lane & (1u << (round & 31u))) != 0u;
        let block = select(own[round], sibling[round], is_upper);
        let block_2 = select(own_2[round], sibling_2[round], is_upper);
        let block_3 = select(own_3[round], sibling_3[round], is_upper);
        let joined = carry | block;
        let joined_2 = carry_2 & block_2;
        let joined_3 = carry_3 & block_3;
        inclusive = select(joined, inclusive, is_upper);
        carry = select(carry, joined, is_upper);
        inclusive_2 = select(joined_2, inclusive_2, is_upper);
        carry_2 = select(carry_2, joined_2, is_upper);
        inclusive_3 = select(joined_3, inclusive_3, is_upper);
        carry_3 = select(carry_3, joined_3, is_upper);
      }
      let both_4 = carry | items[3u];
      let both_5 = carry_2 & items_2[3u];
      let both_6 = carry_3 & items_3[3u];
      items[3u] = both_4;
      items_2[3u] = both_5;
      items_3[3u] = both_6;
      let both_7 = carry | items[1u];
      let both_8 = carry_2 & items_2[1u];
      let both_9 = carry_3 & items_3[1u];
      items[1u] = both_7;
      items_2[1u] = both_8;
      items_3[1u] = both_9;
      let both_10 = items[3u] | items[5u];
      let both_11 = items_2[3u] & items_2[5u];
      let both_12 = items_3[3u] & items_3[5u];
      items[5u] = both_10;
      items_2[5u] = both_11;
      items_3[5u] = both_12;
      let both_13 = carry | items[0u];
      let both_14 = carry_2 & items_2[0u];
      let both_15 = carry_3 & items_3[0u];
      items[0u] = both_13;
      items_2[0u] = both_14;
      items_3[0u] = both_15;
      for (var k = 2u; k < 8u; k += 2u) {
        let both_16 = items[k - 1u] | items[k];
        let both_17 = items_2[k - 1u] & items_2[k];
        let both_18 = items_3[k - 1u] & items_3[k];
        items[k] = both_16;
        items_2[k] = both_17;
        items_3[k] = both_18;
      }
      items[7u] = inclusive;
      items_2[7u] = inclusive_2;
      items_3[7u] = inclusive_3;
      workgroupBarrier();
      if ((last / 8u) == lane) {
        finish_lanes_bool[0u] = items[last % 8u];
        finish_lanes_bool_2[0u] = items_2[last % 8u];
        finish_lanes_bool_3[0u] = items_3[last % 8u];
      }
      workgroupBarrier();
      let announced = finish_lanes_bool[0u];
      let announced_2 = finish_lanes_bool_2[0u];
      let announced_3 = finish_lanes_bool_3[0u];
      result = announced;
      result_2 = announced_2;
      result_3 = announced_3;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  if (lane == 0u) {
    all_9[0u] = u32(result_3);
    anywhere[0u] = u32(result);
    everywhere[0u] = u32(result_2);
  }
}

// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
@compute @workgroup_size(256)
fn map(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < ((params.n + 1023u) / 1024u)) {
    let base = (group * 1024u) + (lane * 4u);
    for (var k = 0u; k < 4u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      if ((base + k) < params.n) {
        let x_i = x[i];
        let v2 = x_i > 0i;
        let v9 = all_9[0u] != 0u;
        outvoted[i] = u32(v2 != v9);
      }
    }
  }
}
