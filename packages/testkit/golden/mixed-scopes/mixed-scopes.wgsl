// groupwise 0.1.0: the pipeline mixed-scopes in WGSL
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
//   tile_totals_3: G = floor(n / 1024)
//   tile_totals_2_2: G = floor(n / 2097152)
//   groups_2: G = ceil(n / 64)
//   finish_2: G = 1
//   prefixes_2: G = min(floor(n / 2097152), 1)
//   prefixes_1: G = min(floor(n / 1024), (floor(n / 2097152) + 1))
//   scan: G = ceil(n / 1024)

struct Params {
  n: u32, // number of items
}
@group(0) @binding(0) var<uniform> params: Params;

// input: n elements
@group(0) @binding(1) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<i32>>;
// output: n elements
@group(0) @binding(2) var<storage, read_write> within: array<i32>;
// output: ceil(n / 64) elements
@group(0) @binding(3) var<storage, read_write> top: array<i32>;
// output: n elements
@group(0) @binding(4) var<storage, read_write> joined: array<i32>;
// output: n elements
@group(0) @binding(5) var<storage, read_write> against: array<i32>;
// output: 1 element
@group(0) @binding(6) var<storage, read_write> tops: array<i32>;
// scratch: 1 element
@group(0) @binding(7) var<storage, read_write> reduce_5: array<i32>;
// scratch: (floor(n / 1024) + floor(n / 2097152)) elements
@group(0) @binding(8) var<storage, read_write> tile_totals_xor: array<i32>;
// scratch: (floor(n / 1024) + floor(n / 2097152)) elements
@group(0) @binding(9) var<storage, read_write> tile_totals_add: array<i32>;
// scratch: (floor(n / 1024) + floor(n / 2097152)) elements
@group(0) @binding(10) var<storage, read_write> tile_totals_max: array<i32>;

var<workgroup> tile_totals_lanes_i32: array<i32, 512>;
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
    var items: array<i32, 4>;
    let i = base;
    let x_row = x_rows[i >> 2u];
    items[0u] = x_row.x;
    items[1u] = x_row.y;
    items[2u] = x_row.z;
    items[3u] = x_row.w;
    // total of the tile: within each work-item, then across the work-group
    items[1u] = items[0u] ^ items[1u];
    items[3u] = items[2u] ^ items[3u];
    items[3u] = items[1u] ^ items[3u];
    var total = items[3u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_lanes_i32[slot] = total;
      workgroupBarrier();
      let theirs = tile_totals_lanes_i32[slot ^ bit];
      total = total ^ theirs;
    }
    if ((lane == 0u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      tile_totals_xor[at] = total;
    }
  }
}

var<workgroup> tile_totals_2_lanes_i32: array<i32, 512>;
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
    var items: array<i32, 8>;
    let base = (params.n >> 21u) + ((group * 2048u) + (lane * 8u));
    for (var k = 0u; k < 8u; k += 1u) {
      items[k] = tile_totals_xor[base + k];
    }
    // total of the tile: within each work-item, then across the work-group
    for (var k = 1u; k < 8u; k += 2u) {
      items[k] = items[k - 1u] ^ items[k];
    }
    for (var k = 3u; k < 8u; k += 4u) {
      items[k] = items[k - 2u] ^ items[k];
    }
    items[7u] = items[3u] ^ items[7u];
    var total = items[7u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_2_lanes_i32[slot] = total;
      workgroupBarrier();
      let theirs = tile_totals_2_lanes_i32[slot ^ bit];
      total = total ^ theirs;
    }
    if ((lane == 0u) & (group < (params.n >> 21u))) {
      let at = group;
      tile_totals_xor[at] = total;
    }
  }
}

var<workgroup> groups_lanes_i32: array<i32, 128>;
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
    let mine = x_i;
    // across the work-group: scan-inclusive add
    var total = select(0i, mine, exists);
    var sibling: array<i32, 6>;
    var own: array<i32, 6>;
    workgroupBarrier();
    for (var round = 0u; round < 6u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 64u) + lane;
      groups_lanes_i32[slot] = total;
      workgroupBarrier();
      let theirs = groups_lanes_i32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      total = total + theirs;
    }
    var carry = 0i;
    var inclusive = total;
    for (var step = 0u; step < 6u; step += 1u) {
      let round = 5u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let joined_2 = carry + block;
      inclusive = select(joined_2, inclusive, is_upper);
      carry = select(carry, joined_2, is_upper);
    }
    let scan_inclusive = inclusive;
    let mine_2 = scan_inclusive;
    // across the work-group: reduce max
    var total_2 = select(i32(-2147483648), mine_2, exists);
    workgroupBarrier();
    for (var round = 0u; round < 6u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 64u) + lane;
      groups_lanes_i32[slot] = total_2;
      workgroupBarrier();
      let theirs = groups_lanes_i32[slot ^ bit];
      total_2 = max(total_2, theirs);
    }
    let reduce = total_2;
    if (exists) {
      within[i] = scan_inclusive;
      if (lane == 0u) {
        top[i / 64u] = reduce;
      }
    }
  }
}

var<workgroup> finish_lanes_i32: array<i32, 512>;
// Results for the whole range, by one work-group.
@compute @workgroup_size(256)
fn finish(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  var result = 0i;
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
      let last = tail - 1u;
      if (is_items) {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          let x_i = x[at];
          items[k] = x_i;
        }
      } else {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          items[k] = tile_totals_xor[offset + at];
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (var k = 1u; k < 8u; k += 2u) {
        items[k] = items[k - 1u] ^ items[k];
      }
      for (var k = 3u; k < 8u; k += 4u) {
        items[k] = items[k - 2u] ^ items[k];
      }
      items[7u] = items[3u] ^ items[7u];
      var total = items[7u];
      var sibling: array<i32, 8>;
      var own: array<i32, 8>;
      workgroupBarrier();
      for (var round = 0u; round < 8u; round += 1u) {
        let bit = 1u << (round & 31u);
        let slot = ((round & 1u) * 256u) + lane;
        finish_lanes_i32[slot] = total;
        workgroupBarrier();
        let theirs = finish_lanes_i32[slot ^ bit];
        sibling[round] = theirs;
        own[round] = total;
        total = total ^ theirs;
      }
      var carry = result;
      var inclusive = result ^ total;
      for (var step_2 = 0u; step_2 < 8u; step_2 += 1u) {
        let round = 7u - step_2;
        let is_upper = (lane & (1u << (round & 31u))) != 0u;
        let block = select(own[round], sibling[round], is_upper);
        let joined_2 = carry ^ block;
        inclusive = select(joined_2, inclusive, is_upper);
        carry = select(carry, joined_2, is_upper);
      }
      items[3u] = carry ^ items[3u];
      items[1u] = carry ^ items[1u];
      items[5u] = items[3u] ^ items[5u];
      items[0u] = carry ^ items[0u];
      for (var k = 2u; k < 8u; k += 2u) {
        items[k] = items[k - 1u] ^ items[k];
      }
      items[7u] = inclusive;
      workgroupBarrier();
      if ((last / 8u) == lane) {
        finish_lanes_i32[0u] = items[last % 8u];
      }
      workgroupBarrier();
      let announced = finish_lanes_i32[0u];
      result = announced;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  if (lane == 0u) {
    reduce_5[0u] = result;
  }
}

var<workgroup> tile_totals_3_lanes_i32: array<i32, 512>;
var<workgroup> tile_totals_3_lanes_i32_2: array<i32, 512>;
// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
@compute @workgroup_size(256)
fn tile_totals_3(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < (params.n / 1024u)) {
    let base = (group * 1024u) + (lane * 4u);
    var items: array<i32, 4>;
    var items_2: array<i32, 4>;
    let i = base;
    let top_i = top[i / 64u];
    items[0u] = top_i;
    items_2[0u] = top_i;
    let top_i_2 = top[(i + 1u) / 64u];
    items[1u] = top_i_2;
    items_2[1u] = top_i_2;
    let top_i_3 = top[(i + 2u) / 64u];
    items[2u] = top_i_3;
    items_2[2u] = top_i_3;
    let top_i_4 = top[(i + 3u) / 64u];
    items[3u] = top_i_4;
    items_2[3u] = top_i_4;
    // total of the tile: within each work-item, then across the work-group
    let both = items[0u] + items[1u];
    let both_2 = max(items_2[0u], items_2[1u]);
    items[1u] = both;
    items_2[1u] = both_2;
    let both_3 = items[2u] + items[3u];
    let both_4 = max(items_2[2u], items_2[3u]);
    items[3u] = both_3;
    items_2[3u] = both_4;
    let both_5 = items[1u] + items[3u];
    let both_6 = max(items_2[1u], items_2[3u]);
    items[3u] = both_5;
    items_2[3u] = both_6;
    var total = items[3u];
    var total_2 = items_2[3u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_3_lanes_i32[slot] = total;
      tile_totals_3_lanes_i32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = tile_totals_3_lanes_i32[slot ^ bit];
      let theirs_2 = tile_totals_3_lanes_i32_2[slot ^ bit];
      let both_7 = total + theirs;
      let both_8 = max(total_2, theirs_2);
      total = both_7;
      total_2 = both_8;
    }
    if ((lane == 0u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      tile_totals_add[at] = total;
      tile_totals_max[at] = total_2;
    }
  }
}

var<workgroup> tile_totals_2_2_lanes_i32: array<i32, 512>;
var<workgroup> tile_totals_2_2_lanes_i32_2: array<i32, 512>;
// Totals of level 2: each of 2048 totals of level 1.
@compute @workgroup_size(256)
fn tile_totals_2_2(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < (params.n / 2097152u)) {
    var items: array<i32, 8>;
    var items_2: array<i32, 8>;
    let base = (params.n >> 21u) + ((group * 2048u) + (lane * 8u));
    for (var k = 0u; k < 8u; k += 1u) {
      items[k] = tile_totals_add[base + k];
      items_2[k] = tile_totals_max[base + k];
    }
    // total of the tile: within each work-item, then across the work-group
    for (var k = 1u; k < 8u; k += 2u) {
      let both = items[k - 1u] + items[k];
      let both_2 = max(items_2[k - 1u], items_2[k]);
      items[k] = both;
      items_2[k] = both_2;
    }
    for (var k = 3u; k < 8u; k += 4u) {
      let both = items[k - 2u] + items[k];
      let both_2 = max(items_2[k - 2u], items_2[k]);
      items[k] = both;
      items_2[k] = both_2;
    }
    let both = items[3u] + items[7u];
    let both_2 = max(items_2[3u], items_2[7u]);
    items[7u] = both;
    items_2[7u] = both_2;
    var total = items[7u];
    var total_2 = items_2[7u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_2_2_lanes_i32[slot] = total;
      tile_totals_2_2_lanes_i32_2[slot] = total_2;
      workgroupBarrier();
      let theirs = tile_totals_2_2_lanes_i32[slot ^ bit];
      let theirs_2 = tile_totals_2_2_lanes_i32_2[slot ^ bit];
      let both_3 = total + theirs;
      let both_4 = max(total_2, theirs_2);
      total = both_3;
      total_2 = both_4;
    }
    if ((lane == 0u) & (group < (params.n >> 21u))) {
      let at = group;
      tile_totals_add[at] = total;
      tile_totals_max[at] = total_2;
    }
  }
}

var<workgroup> groups_2_lanes_i32: array<i32, 128>;
// Work-groups of 64, one item to a work-item.
@compute @workgroup_size(64)
fn groups_2(
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
    let within_i = within[i];
    let v5 = reduce_5[0u];
    let mine = within_i - v5;
    // across the work-group: scan-exclusive max
    var total = select(i32(-2147483648), mine, exists);
    var sibling: array<i32, 6>;
    var own: array<i32, 6>;
    workgroupBarrier();
    for (var round = 0u; round < 6u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 64u) + lane;
      groups_2_lanes_i32[slot] = total;
      workgroupBarrier();
      let theirs = groups_2_lanes_i32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      total = max(total, theirs);
    }
    var carry = i32(-2147483648);
    for (var step = 0u; step < 6u; step += 1u) {
      let round = 5u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let joined_2 = max(carry, block);
      carry = select(carry, joined_2, is_upper);
    }
    let scan_exclusive = carry;
    if (exists) {
      against[i] = scan_exclusive;
    }
  }
}

var<workgroup> finish_2_lanes_i32: array<i32, 512>;
// Results for the whole range, by one work-group.
@compute @workgroup_size(256)
fn finish_2(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  var result = i32(-2147483648);
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
      let last = tail - 1u;
      if (is_items) {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          let top_i = top[at / 64u];
          items[k] = top_i;
        }
      } else {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          items[k] = tile_totals_max[offset + at];
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (var k = 1u; k < 8u; k += 2u) {
        items[k] = max(items[k - 1u], items[k]);
      }
      for (var k = 3u; k < 8u; k += 4u) {
        items[k] = max(items[k - 2u], items[k]);
      }
      items[7u] = max(items[3u], items[7u]);
      var total = items[7u];
      var sibling: array<i32, 8>;
      var own: array<i32, 8>;
      workgroupBarrier();
      for (var round = 0u; round < 8u; round += 1u) {
        let bit = 1u << (round & 31u);
        let slot = ((round & 1u) * 256u) + lane;
        finish_2_lanes_i32[slot] = total;
        workgroupBarrier();
        let theirs = finish_2_lanes_i32[slot ^ bit];
        sibling[round] = theirs;
        own[round] = total;
        total = max(total, theirs);
      }
      var carry = result;
      var inclusive = max(result, total);
      for (var step_2 = 0u; step_2 < 8u; step_2 += 1u) {
        let round = 7u - step_2;
        let is_upper = (lane & (1u << (round & 31u))) != 0u;
        let block = select(own[round], sibling[round], is_upper);
        let joined_2 = max(carry, block);
        inclusive = select(joined_2, inclusive, is_upper);
        carry = select(carry, joined_2, is_upper);
      }
      items[3u] = max(carry, items[3u]);
      items[1u] = max(carry, items[1u]);
      items[5u] = max(items[3u], items[5u]);
      items[0u] = max(carry, items[0u]);
      for (var k = 2u; k < 8u; k += 2u) {
        items[k] = max(items[k - 1u], items[k]);
      }
      items[7u] = inclusive;
      workgroupBarrier();
      if ((last / 8u) == lane) {
        finish_2_lanes_i32[0u] = items[last % 8u];
      }
      workgroupBarrier();
      let announced = finish_2_lanes_i32[0u];
      result = announced;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  if (lane == 0u) {
    tops[0u] = result;
  }
}

var<workgroup> prefixes_2_lanes_i32: array<i32, 512>;
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
    var items: array<i32, 8>;
    let base = (group * 2048u) + (lane * 8u);
    let count = params.n >> 21u;
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        items[k] = tile_totals_add[base + k];
      }
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 8u; k += 2u) {
      items[k] = items[k - 1u] + items[k];
    }
    for (var k = 3u; k < 8u; k += 4u) {
      items[k] = items[k - 2u] + items[k];
    }
    items[7u] = items[3u] + items[7u];
    var total = items[7u];
    var sibling: array<i32, 8>;
    var own: array<i32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      prefixes_2_lanes_i32[slot] = total;
      workgroupBarrier();
      let theirs = prefixes_2_lanes_i32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      total = total + theirs;
    }
    var carry = 0i;
    var inclusive = total;
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let joined_2 = carry + block;
      inclusive = select(joined_2, inclusive, is_upper);
      carry = select(carry, joined_2, is_upper);
    }
    items[3u] = carry + items[3u];
    items[1u] = carry + items[1u];
    items[5u] = items[3u] + items[5u];
    items[0u] = carry + items[0u];
    for (var k = 2u; k < 8u; k += 2u) {
      items[k] = items[k - 1u] + items[k];
    }
    items[7u] = inclusive;
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        tile_totals_add[base + k] = items[k];
      }
    }
  }
}

var<workgroup> prefixes_1_lanes_i32: array<i32, 512>;
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
    var items: array<i32, 8>;
    let base = (group * 2048u) + (lane * 8u);
    let offset = params.n >> 21u;
    let count = params.n >> 10u;
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        items[k] = tile_totals_add[(offset + base) + k];
      }
    }
    var before = 0i;
    if (group != 0u) {
      let at = group - 1u;
      before = tile_totals_add[at];
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 8u; k += 2u) {
      items[k] = items[k - 1u] + items[k];
    }
    for (var k = 3u; k < 8u; k += 4u) {
      items[k] = items[k - 2u] + items[k];
    }
    items[7u] = items[3u] + items[7u];
    var total = items[7u];
    var sibling: array<i32, 8>;
    var own: array<i32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      prefixes_1_lanes_i32[slot] = total;
      workgroupBarrier();
      let theirs = prefixes_1_lanes_i32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      total = total + theirs;
    }
    var carry = before;
    var inclusive = before + total;
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let joined_2 = carry + block;
      inclusive = select(joined_2, inclusive, is_upper);
      carry = select(carry, joined_2, is_upper);
    }
    items[3u] = carry + items[3u];
    items[1u] = carry + items[1u];
    items[5u] = items[3u] + items[5u];
    items[0u] = carry + items[0u];
    for (var k = 2u; k < 8u; k += 2u) {
      items[k] = items[k - 1u] + items[k];
    }
    items[7u] = inclusive;
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        tile_totals_add[(offset + base) + k] = items[k];
      }
    }
  }
}

var<workgroup> scan_lanes_i32: array<i32, 512>;
// Pass 3 over the items, 1024 to a work-group, 4 to a work-item.
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
    var items: array<i32, 4>;
    for (var k = 0u; k < 4u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let top_i = top[i / 64u];
      items[k] = top_i;
    }
    var before = 0i;
    if (group != 0u) {
      let at = (params.n >> 21u) + (group - 1u);
      before = tile_totals_add[at];
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 4u; k += 2u) {
      items[k] = items[k - 1u] + items[k];
    }
    items[3u] = items[1u] + items[3u];
    var total = items[3u];
    var sibling: array<i32, 8>;
    var own: array<i32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      scan_lanes_i32[slot] = total;
      workgroupBarrier();
      let theirs = scan_lanes_i32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      total = total + theirs;
    }
    var carry = before;
    var inclusive = before + total;
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let joined_2 = carry + block;
      inclusive = select(joined_2, inclusive, is_upper);
      carry = select(carry, joined_2, is_upper);
    }
    items[1u] = carry + items[1u];
    items[0u] = carry + items[0u];
    items[2u] = items[1u] + items[2u];
    items[3u] = inclusive;
    var before_2 = carry;
    for (var k = 0u; k < 4u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let inclusive_2 = items[k];
      let exclusive = before_2;
      if ((base + k) < params.n) {
        let within_i = within[i];
        joined[i] = within_i + exclusive;
      }
      before_2 = inclusive_2;
    }
  }
}
