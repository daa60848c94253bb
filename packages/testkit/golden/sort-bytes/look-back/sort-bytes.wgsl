// sort-bytes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl --subgroups 32 --look-back
// Inputs: u32 keys[n], f32 values[n], u32 shift
// Outputs: u32 sorted[n], f32 moved[n]
// Strategy: reduce-then-scan
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   rank_count: G = ceil(n / 2048), each of 128 work-items
//   rank_prefixes: G = 256, each of 128 work-items
//   rank: G = ceil(n / 2048), each of 128 work-items

enable subgroups;

struct Params {
  n: u32, // number of items
  shift: u32,
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> keys: array<u32>; // input: n elements
@group(0) @binding(2) var<storage, read> values: array<f32>; // input: n elements
@group(0) @binding(3) var<storage, read_write> sorted: array<u32>; // output: n elements
@group(0) @binding(4) var<storage, read_write> moved: array<f32>; // output: n elements
@group(0) @binding(5) var<storage, read_write> rank_counts: array<u32>; // scratch: (ceil(n / 2048) * 256) elements
@group(0) @binding(6) var<storage, read_write> rank_totals: array<u32>; // scratch: 256 elements

const TILE_ITEMS = 2048u;
const BINS = 256u;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

var<workgroup> bin_counts: array<atomic<u32>, 1024>;
var<workgroup> lanes_u32: array<u32, 256>;
var<workgroup> words: array<atomic<u32>, 2048>;
var<workgroup> before: array<u32, 1024>;
var<workgroup> distance: array<u32, 256>;
var<workgroup> lanes_u32_2: array<u32, 256>;

// The keys of each tile of 2048 items, counted for each of 256 bins.
@compute @workgroup_size(128)
fn rank_count(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= ((params.n + 2047u) / TILE_ITEMS)) { return; }
  for (var bin = lane; bin < 1024u; bin += 128u) { atomicStore(&bin_counts[bin], 0u); }
  workgroupBarrier();
  let copy = lane & 3u;
  let first = (group * TILE_ITEMS) + lane;
  for (var row = 0u; row < 4u; row += 1u) {
    let start = first + (row * 512u);
    let i0 = start;
    var key0 = BINS;
    if (i0 < params.n) { key0 = min((keys[i0] >> (params.shift & 31u)) & 0xffu, 255u); }
    let i1 = start + 128u;
    var key1 = BINS;
    if (i1 < params.n) { key1 = min((keys[i1] >> (params.shift & 31u)) & 0xffu, 255u); }
    let i2 = start + 256u;
    var key2 = BINS;
    if (i2 < params.n) { key2 = min((keys[i2] >> (params.shift & 31u)) & 0xffu, 255u); }
    let i3 = start + 384u;
    var key3 = BINS;
    if (i3 < params.n) { key3 = min((keys[i3] >> (params.shift & 31u)) & 0xffu, 255u); }
    let bin0 = key0;
    if (bin0 < BINS) { atomicAdd(&bin_counts[(bin0 * 4u) + copy], 1u); }
    let bin1 = key1;
    if (bin1 < BINS) { atomicAdd(&bin_counts[(bin1 * 4u) + copy], 1u); }
    let bin2 = key2;
    if (bin2 < BINS) { atomicAdd(&bin_counts[(bin2 * 4u) + copy], 1u); }
    let bin3 = key3;
    if (bin3 < BINS) { atomicAdd(&bin_counts[(bin3 * 4u) + copy], 1u); }
  }
  workgroupBarrier();
  let tiles = (params.n + 2047u) / TILE_ITEMS;
  for (var bin = lane; bin < 256u; bin += 128u) {
    var count = 0u;
    for (var other = 0u; other < 4u; other += 1u) { count = count + atomicLoad(&bin_counts[(bin * 4u) + other]); }
    rank_counts[(bin * tiles) + group] = count;
  }
}

// For each bin, the counts of the tiles become prefixes, in place, and their total.
@compute @workgroup_size(128)
fn rank_prefixes(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_size) subgroup_size: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  let near = min(31u - countLeadingZeros(min(subgroup_size, 128u)), 7u);
  let subgroup_lane = lane & (subgroup_size - 1u);
  if (group >= 256u) { return; }
  let tiles = (params.n + 2047u) / TILE_ITEMS;
  var sum = 0u;
  for (var from_ = 0u; from_ < tiles; from_ += 1024u) {
    var run: array<u32, 8>;
    let first = from_ + (lane * 8u);
    for (var k = 0u; k < 8u; k += 1u) {
      let tile = first + k;
      if (tile < tiles) { run[k] = rank_counts[(group * tiles) + tile]; }
    }
    var mine = 0u;
    for (var k = 0u; k < 8u; k += 1u) { mine = mine + run[k]; }
    var total = mine;
    var lower: array<u32, 7>;
    for (var round = 0u; round < near; round += 1u) {
      let bit = 1u << round;
      let theirs = subgroupShuffle(total, subgroup_lane ^ bit);
      lower[round] = select(total, theirs, ((lane & bit) != 0u));
      total = total + theirs;
    }
    workgroupBarrier();
    for (var round = near; round < 7u; round += 1u) {
      let bit = 1u << round;
      let slot = ((round & 1u) * 128u) + lane;
      lanes_u32[slot] = total;
      workgroupBarrier();
      let theirs = lanes_u32[slot ^ bit];
      lower[round] = select(total, theirs, ((lane & bit) != 0u));
      total = total + theirs;
    }
    var carry = sum;
    for (var step = 0u; step < 7u; step += 1u) {
      let round = 6u - step;
      carry = select(carry, (carry + lower[round]), ((lane & (1u << round)) != 0u));
    }
    var prefix = carry;
    for (var k = 0u; k < 8u; k += 1u) {
      let tile = first + k;
      if (tile < tiles) {
        prefix = prefix + run[k];
        rank_counts[(group * tiles) + tile] = prefix;
      }
    }
    sum = sum + total;
  }
  if (lane == 0u) { rank_totals[group] = sum; }
}

// Ranks of a tile of 2048 items; its items go to sorted, moved.
@compute @workgroup_size(128)
fn rank(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_size) subgroup_size: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  let near = min(31u - countLeadingZeros(min(subgroup_size, 128u)), 7u);
  let subgroup_lane = lane & (subgroup_size - 1u);
  if (group >= ((params.n + 2047u) / TILE_ITEMS)) { return; }
  let first = group * TILE_ITEMS;
  let team = lane / 32u;
  let bit = lane & 31u;
  let count = min(params.n - first, TILE_ITEMS);
  let place = (team * 512u) + bit;
  let start = first + place;
  var found: array<u32, 16>;
  var sorted_held: array<u32, 16>;
  var moved_held: array<u32, 16>;
  for (var cell = lane; cell < 1024u; cell += 128u) { before[cell] = 0u; }
  for (var cell = lane; cell < 2048u; cell += 128u) { atomicStore(&words[cell], 0u); }
  for (var round = 0u; round < 16u; round += 1u) {
    if ((place + (round * 32u)) < count) {
      let keys_i = keys[start + (round * 32u)];
      found[round] = min((keys_i >> (params.shift & 31u)) & 0xffu, 255u);
      sorted_held[round] = keys_i;
      let value_2 = values[start + (round * 32u)];
      moved_held[round] = bitcast<u32>(value_2);
    }
  }
  workgroupBarrier();
  let base = team * BINS;
  // ranks among the equal keys of a team of lanes: items of earlier rounds, then of earlier lanes
  for (var round = 0u; round < 16u; round += 1u) {
    let is_item = (place + (round * 32u)) < count;
    let key = min(found[round], 255u);
    let cell = base + key;
    let at = ((round & 1u) * 1024u) + cell;
    if (is_item) { atomicOr(&words[at], 1u << bit); }
    workgroupBarrier();
    let same = atomicLoad(&words[at]);
    let earlier = before[cell];
    workgroupBarrier();
    let rank_2 = earlier + countOneBits(same & ((1u << bit) - 1u));
    if (is_item & ((same >> bit) == 1u)) {
      before[cell] = rank_2 + 1u;
      atomicStore(&words[at], 0u);
    }
    found[round] = (key << 16u) | rank_2;
  }
  workgroupBarrier();
  // for each bin: the number of items in the tile, and in all tiles
  var in_tile = 0u;
  var in_all = 0u;
  for (var k = 0u; k < 2u; k += 1u) {
    let bin = (lane * 2u) + k;
    if (bin < BINS) {
      for (var team_2 = 0u; team_2 < 4u; team_2 += 1u) { in_tile = in_tile + before[(team_2 * BINS) + bin]; }
      in_all = in_all + rank_totals[bin];
    }
  }
  var total = in_tile;
  var total_2 = in_all;
  var lower: array<u32, 7>;
  var lower_2: array<u32, 7>;
  for (var round = 0u; round < near; round += 1u) {
    let bit_2 = 1u << round;
    let theirs = subgroupShuffle(total, subgroup_lane ^ bit_2);
    let theirs_2 = subgroupShuffle(total_2, subgroup_lane ^ bit_2);
    let is_upper = (lane & bit_2) != 0u;
    lower[round] = select(total, theirs, is_upper);
    lower_2[round] = select(total_2, theirs_2, is_upper);
    total = total + theirs;
    total_2 = total_2 + theirs_2;
  }
  workgroupBarrier();
  for (var round = near; round < 7u; round += 1u) {
    let bit_2 = 1u << round;
    let slot = ((round & 1u) * 128u) + lane;
    lanes_u32[slot] = total;
    lanes_u32_2[slot] = total_2;
    workgroupBarrier();
    let theirs = lanes_u32[slot ^ bit_2];
    let theirs_2 = lanes_u32_2[slot ^ bit_2];
    let is_upper = (lane & bit_2) != 0u;
    lower[round] = select(total, theirs, is_upper);
    lower_2[round] = select(total_2, theirs_2, is_upper);
    total = total + theirs;
    total_2 = total_2 + theirs_2;
  }
  var carry_0 = 0u;
  var carry_1 = 0u;
  for (var step = 0u; step < 7u; step += 1u) {
    let round = 6u - step;
    let is_upper = (lane & (1u << round)) != 0u;
    carry_0 = select(carry_0, (carry_0 + lower[round]), is_upper);
    carry_1 = select(carry_1, (carry_1 + lower_2[round]), is_upper);
  }
  let tiles = (params.n + 2047u) / TILE_ITEMS;
  var next = carry_0;
  var smaller = carry_1;
  for (var k = 0u; k < 2u; k += 1u) {
    let bin = (lane * 2u) + k;
    if (bin < BINS) {
      for (var team_2 = 0u; team_2 < 4u; team_2 += 1u) {
        let cell = (team_2 * BINS) + bin;
        let count_2 = before[cell];
        before[cell] = next;
        next = next + count_2;
      }
      distance[bin] = (smaller + rank_counts[(bin * tiles) + group]) - next;
      smaller = smaller + rank_totals[bin];
    }
  }
  workgroupBarrier();
  var slots: array<u32, 16>;
  for (var round = 0u; round < 16u; round += 1u) {
    if ((place + (round * 32u)) < count) {
      let known = found[round];
      let key = min(known >> 16u, 255u);
      let to = before[(team * BINS) + key] + (known & 0xffffu);
      let slot = to + distance[key];
      found[round] = to;
      slots[round] = slot;
    }
  }
  workgroupBarrier();
  for (var round = 0u; round < 16u; round += 1u) {
    if ((place + (round * 32u)) < count) { atomicStore(&words[found[round] & 0x7ffu], slots[round]); }
  }
  var slots_moved: array<u32, 16>;
  workgroupBarrier();
  for (var round = 0u; round < 16u; round += 1u) {
    slots_moved[round] = atomicLoad(&words[(round * 128u) + lane]);
  }
  workgroupBarrier();
  for (var round = 0u; round < 16u; round += 1u) {
    if ((place + (round * 32u)) < count) { atomicStore(&words[found[round] & 0x7ffu], sorted_held[round]); }
  }
  var sorted_moved: array<u32, 16>;
  workgroupBarrier();
  for (var round = 0u; round < 16u; round += 1u) {
    sorted_moved[round] = atomicLoad(&words[(round * 128u) + lane]);
  }
  workgroupBarrier();
  for (var round = 0u; round < 16u; round += 1u) {
    if (((round * 128u) + lane) < count) { sorted[slots_moved[round]] = sorted_moved[round]; }
  }
  for (var round = 0u; round < 16u; round += 1u) {
    if ((place + (round * 32u)) < count) { atomicStore(&words[found[round] & 0x7ffu], moved_held[round]); }
  }
  var moved_moved: array<u32, 16>;
  workgroupBarrier();
  for (var round = 0u; round < 16u; round += 1u) {
    moved_moved[round] = atomicLoad(&words[(round * 128u) + lane]);
  }
  workgroupBarrier();
  for (var round = 0u; round < 16u; round += 1u) {
    if (((round * 128u) + lane) < count) { moved[slots_moved[round]] = bitcast<f32>(moved_moved[round]); }
  }
}
