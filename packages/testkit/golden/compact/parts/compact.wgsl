// groupwise 0.1.0: the pipeline compact in WGSL
// Made by: groupwise emit pipeline.json --target wgsl --parts x=3 --parts kept=2 --part-bytes 134217728
// tile: 256x4
// expand: float-min-max float-compare float-to-int int-to-float float-divide float-constants guard-rounding guard-minus-zero
// part-bytes: 134217728
//
// Passes, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a pass with G = 0 is skipped:
//   tile_totals: G = floor(n / 1024)
//   tile_totals_2: G = floor(n / 2097152)
//   finish: G = 1
//   prefixes_2: G = min(floor(n / 2097152), 1)
//   prefixes_1: G = min(floor(n / 1024), (floor(n / 2097152) + 1))
//   scan: G = ceil(n / 1024)

struct Params {
  n: u32, // number of items
  least: f32,
}
@group(0) @binding(0) var<uniform> params: Params;

// input: min(n, 33554432) elements; part 1 of 3 of x
@group(0) @binding(1) var<storage, read> x_0: array<f32>;
// input: min(max((n - 33554432), 0), 33554432) elements; part 2 of 3 of x
@group(0) @binding(2) var<storage, read> x_1: array<f32>;
// input: max((n - 67108864), 0) elements; part 3 of 3 of x
@group(0) @binding(3) var<storage, read> x_2: array<f32>;
// output: min(n, 33554432) elements; part 1 of 2 of kept; zeros before the first pass
@group(0) @binding(4) var<storage, read_write> kept_0: array<f32>;
// output: max((n - 33554432), 0) elements; part 2 of 2 of kept; zeros before the first pass
@group(0) @binding(5) var<storage, read_write> kept_1: array<f32>;
// output: 1 element
@group(0) @binding(6) var<storage, read_write> kept_length: array<u32>;
// status: 1 element; zeros before the first pass
@group(0) @binding(7) var<storage, read_write> status: array<atomic<u32>>;
// scratch: (floor(n / 1024) + floor(n / 2097152)) elements
@group(0) @binding(8) var<storage, read_write> tile_totals_add: array<u32>;

// An element of x, which stands in 3 parts.
fn x_at(index: u32) -> f32 {
  if (index < 33554432u) {
    return x_0[index];
  }
  if (index < 67108864u) {
    return x_1[index - 33554432u];
  }
  return x_2[index - 67108864u];
}

// The position of the float among all floats, as a signed integer; -0 and +0 have the same.
fn rank_f32(x: f32) -> i32 {
  let magnitude = bitcast<i32>(bitcast<u32>(x) & 2147483647u);
  return select(magnitude, (-magnitude), ((bitcast<u32>(x) & 2147483648u) != 0u));
}

// a <= b; false for NaN.
fn le_f32(a: f32, b: f32) -> bool {
  let ordered = !(((bitcast<u32>(a) & 2147483647u) > 2139095040u) | ((bitcast<u32>(b) & 2147483647u) > 2139095040u));
  return ordered & (rank_f32(a) <= rank_f32(b));
}

var<workgroup> tile_totals_lanes_u32: array<u32, 512>;
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
    let i = base;
    let x_row_0 = x_at(i);
    let x_row_1 = x_at(i + 1u);
    let x_row_2 = x_at(i + 2u);
    let x_row_3 = x_at(i + 3u);
    let v2 = le_f32(params.least, x_row_0);
    let v3 = u32(v2);
    items[0u] = v3;
    let v2_2 = le_f32(params.least, x_row_1);
    let v3_2 = u32(v2_2);
    items[1u] = v3_2;
    let v2_3 = le_f32(params.least, x_row_2);
    let v3_3 = u32(v2_3);
    items[2u] = v3_3;
    let v2_4 = le_f32(params.least, x_row_3);
    let v3_4 = u32(v2_4);
    items[3u] = v3_4;
    // total of the tile: within each work-item, then across the work-group
    items[1u] = items[0u] + items[1u];
    items[3u] = items[2u] + items[3u];
    items[3u] = items[1u] + items[3u];
    var total = items[3u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_lanes_u32[slot] = total;
      workgroupBarrier();
      let theirs = tile_totals_lanes_u32[slot ^ bit];
      total = total + theirs;
    }
    if ((lane == 0u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      tile_totals_add[at] = total;
    }
  }
}

var<workgroup> tile_totals_2_lanes_u32: array<u32, 512>;
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
    let base = (params.n >> 21u) + ((group * 2048u) + (lane * 8u));
    for (var k = 0u; k < 8u; k += 1u) {
      items[k] = tile_totals_add[base + k];
    }
    // total of the tile: within each work-item, then across the work-group
    for (var k = 1u; k < 8u; k += 2u) {
      items[k] = items[k - 1u] + items[k];
    }
    for (var k = 3u; k < 8u; k += 4u) {
      items[k] = items[k - 2u] + items[k];
    }
    items[7u] = items[3u] + items[7u];
    var total = items[7u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_2_lanes_u32[slot] = total;
      workgroupBarrier();
      let theirs = tile_totals_2_lanes_u32[slot ^ bit];
      total = total + theirs;
    }
    if ((lane == 0u) & (group < (params.n >> 21u))) {
      let at = group;
      tile_totals_add[at] = total;
    }
  }
}

var<workgroup> finish_lanes_u32: array<u32, 512>;
// Results for the whole range, by one work-group.
@compute @workgroup_size(256)
fn finish(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let lane = local_index;
  var result = 0u;
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
      let last = tail - 1u;
      if (is_items) {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          let x_i = x_at(at);
          let v2 = le_f32(params.least, x_i);
          let v3 = u32(v2);
          items[k] = v3;
        }
      } else {
        for (var k = 0u; k < 8u; k += 1u) {
          let at = from_ + min(first + k, last);
          items[k] = tile_totals_add[offset + at];
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
      var sibling: array<u32, 8>;
      var own: array<u32, 8>;
      workgroupBarrier();
      for (var round = 0u; round < 8u; round += 1u) {
        let bit = 1u << (round & 31u);
        let slot = ((round & 1u) * 256u) + lane;
        finish_lanes_u32[slot] = total;
        workgroupBarrier();
        let theirs = finish_lanes_u32[slot ^ bit];
        sibling[round] = theirs;
        own[round] = total;
        total = total + theirs;
      }
      var carry = result;
      var inclusive = result + total;
      for (var step_2 = 0u; step_2 < 8u; step_2 += 1u) {
        let round = 7u - step_2;
        let is_upper = (lane & (1u << (round & 31u))) != 0u;
        let block = select(own[round], sibling[round], is_upper);
        let joined = carry + block;
        inclusive = select(joined, inclusive, is_upper);
        carry = select(carry, joined, is_upper);
      }
      items[3u] = carry + items[3u];
      items[1u] = carry + items[1u];
      items[5u] = items[3u] + items[5u];
      items[0u] = carry + items[0u];
      for (var k = 2u; k < 8u; k += 2u) {
        items[k] = items[k - 1u] + items[k];
      }
      items[7u] = inclusive;
      workgroupBarrier();
      if ((last / 8u) == lane) {
        finish_lanes_u32[0u] = items[last % 8u];
      }
      workgroupBarrier();
      let announced = finish_lanes_u32[0u];
      result = announced;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  if (lane == 0u) {
    kept_length[0u] = result;
  }
}

var<workgroup> prefixes_2_lanes_u32: array<u32, 512>;
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
    var sibling: array<u32, 8>;
    var own: array<u32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      prefixes_2_lanes_u32[slot] = total;
      workgroupBarrier();
      let theirs = prefixes_2_lanes_u32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      total = total + theirs;
    }
    var carry = 0u;
    var inclusive = total;
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let joined = carry + block;
      inclusive = select(joined, inclusive, is_upper);
      carry = select(carry, joined, is_upper);
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

var<workgroup> prefixes_1_lanes_u32: array<u32, 512>;
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
    let base = (group * 2048u) + (lane * 8u);
    let offset = params.n >> 21u;
    let count = params.n >> 10u;
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        items[k] = tile_totals_add[(offset + base) + k];
      }
    }
    var before = 0u;
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
    var sibling: array<u32, 8>;
    var own: array<u32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      prefixes_1_lanes_u32[slot] = total;
      workgroupBarrier();
      let theirs = prefixes_1_lanes_u32[slot ^ bit];
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
      let joined = carry + block;
      inclusive = select(joined, inclusive, is_upper);
      carry = select(carry, joined, is_upper);
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

var<workgroup> scan_lanes_u32: array<u32, 512>;
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
    for (var k = 0u; k < 4u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let x_i = x_at(i);
      let v2 = le_f32(params.least, x_i);
      let v3 = u32(v2);
      items[k] = v3;
    }
    var before = 0u;
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
    var sibling: array<u32, 8>;
    var own: array<u32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      scan_lanes_u32[slot] = total;
      workgroupBarrier();
      let theirs = scan_lanes_u32[slot ^ bit];
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
      let joined = carry + block;
      inclusive = select(joined, inclusive, is_upper);
      carry = select(carry, joined, is_upper);
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
        let x_i = x_at(i);
        let kept_slot = exclusive;
        let kept_length_i = kept_length[0u];
        let v2 = le_f32(params.least, x_i);
        if (v2) {
          if (kept_slot < min(kept_length_i, params.n)) {
            if (kept_slot < 33554432u) {
              kept_0[kept_slot] = x_i;
            } else {
              kept_1[kept_slot - 33554432u] = x_i;
            }
          } else {
            atomicOr(&status[0u], 1u);
          }
        }
      }
      before_2 = inclusive_2;
    }
  }
}
