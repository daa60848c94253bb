// sort-bytes: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl --subgroups 32 --look-back
// Inputs: u32 keys[n], f32 values[n], u32 shift
// Outputs: u32 sorted[n], f32 moved[n]
// Strategy: reduce-then-scan
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   rank_count: G = min(ceil(n / 2048), 512), each of 128 work-items
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
// scratch: (min(ceil(n / 2048), 512) * 256) elements
@group(0) @binding(6) var<storage, read_write> rank_strips: array<u32>;
@group(0) @binding(7) var<storage, read_write> rank_totals: array<u32>; // scratch: 256 elements

const TILE_ITEMS = 2048u;
const BINS = 256u;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

var<workgroup> bin_counts: array<atomic<u32>, 1024>;
var<workgroup> lanes_u32: array<u32, 256>;
var<workgroup> words: array<atomic<u32>, 3072>;
var<workgroup> distance: array<u32, 256>;
var<workgroup> lanes_u32_2: array<u32, 256>;

// a / b towards 0; a / 0 is a, and the least integer / -1 is itself.
fn div_u32(a: u32, b: u32) -> u32 {
  return a / select(b, 1u, (b == 0u));
}

// The number of earlier items of the team of lanes with the same key.
fn rank_in_team(cell: u32, side: u32, bit: u32, is_item: bool) -> u32 {
  let count_at = min(cell, 1023u);
  let at = min(side, 2048u) + count_at;
  atomicOr(&words[at], select(0u, (1u << (bit & 31u)), is_item));
  workgroupBarrier();
  let same = atomicLoad(&words[at]);
  let earlier = atomicLoad(&words[count_at]);
  workgroupBarrier();
  let rank = earlier + countOneBits(same & ((1u << (bit & 31u)) - 1u));
  if (is_item & ((same >> (bit & 31u)) == 1u)) {
    atomicStore(&words[count_at], rank + 1u);
    atomicStore(&words[at], 0u);
  }
  return rank;
}

// The keys of strips of tiles, 2048 items each, counted for each of 256 bins: before each tile of a strip, and of all of them.
@compute @workgroup_size(128)
fn rank_count(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= min((params.n + 2047u) / TILE_ITEMS, 512u)) { return; }
  var sums: array<u32, 2>;
  let tiles = (params.n + 2047u) / TILE_ITEMS;
  let strip = max((((params.n + 2047u) / TILE_ITEMS) + 511u) / 512u, 1u);
  let first = min(group * strip, tiles);
  let below = first + min(strip, tiles - first);
  for (var tile = first; tile < below; tile += 1u) {
    for (var cell = lane; cell < 1024u; cell += 128u) { atomicStore(&bin_counts[cell], 0u); }
    workgroupBarrier();
    let copy = lane & 3u;
    let first_2 = (tile * TILE_ITEMS) + lane;
    for (var row = 0u; row < 2u; row += 1u) {
      let start = first_2 + (row * 1024u);
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
      let i4 = start + 512u;
      var key4 = BINS;
      if (i4 < params.n) { key4 = min((keys[i4] >> (params.shift & 31u)) & 0xffu, 255u); }
      let i5 = start + 640u;
      var key5 = BINS;
      if (i5 < params.n) { key5 = min((keys[i5] >> (params.shift & 31u)) & 0xffu, 255u); }
      let i6 = start + 768u;
      var key6 = BINS;
      if (i6 < params.n) { key6 = min((keys[i6] >> (params.shift & 31u)) & 0xffu, 255u); }
      let i7 = start + 896u;
      var key7 = BINS;
      if (i7 < params.n) { key7 = min((keys[i7] >> (params.shift & 31u)) & 0xffu, 255u); }
      let bin0 = key0;
      if (bin0 < BINS) { atomicAdd(&bin_counts[(bin0 * 4u) + copy], 1u); }
      let bin1 = key1;
      if (bin1 < BINS) { atomicAdd(&bin_counts[(bin1 * 4u) + copy], 1u); }
      let bin2 = key2;
      if (bin2 < BINS) { atomicAdd(&bin_counts[(bin2 * 4u) + copy], 1u); }
      let bin3 = key3;
      if (bin3 < BINS) { atomicAdd(&bin_counts[(bin3 * 4u) + copy], 1u); }
      let bin4 = key4;
      if (bin4 < BINS) { atomicAdd(&bin_counts[(bin4 * 4u) + copy], 1u); }
      let bin5 = key5;
      if (bin5 < BINS) { atomicAdd(&bin_counts[(bin5 * 4u) + copy], 1u); }
      let bin6 = key6;
      if (bin6 < BINS) { atomicAdd(&bin_counts[(bin6 * 4u) + copy], 1u); }
      let bin7 = key7;
      if (bin7 < BINS) { atomicAdd(&bin_counts[(bin7 * 4u) + copy], 1u); }
    }
    workgroupBarrier();
    for (var k = 0u; k < 2u; k += 1u) {
      let bin = (k * 128u) + lane;
      if (bin < BINS) {
        var sum = sums[k];
        rank_counts[(tile * BINS) + bin] = sum;
        for (var copy_2 = 0u; copy_2 < 4u; copy_2 += 1u) { sum = sum + atomicLoad(&bin_counts[(bin * 4u) + copy_2]); }
        sums[k] = sum;
      }
    }
    workgroupBarrier();
  }
  for (var k = 0u; k < 2u; k += 1u) {
    let bin = (k * 128u) + lane;
    if (bin < BINS) { rank_strips[(group * BINS) + bin] = sums[k]; }
  }
}

// For each bin, the keys of each strip become those of earlier strips, in place, and their total.
@compute @workgroup_size(128)
fn rank_prefixes(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_size) subgroup_size: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  let near = min(31u - countLeadingZeros(min(subgroup_size, 128u)), 7u);
  let subgroup_lane = lane & (subgroup_size - 1u);
  if (group >= 256u) { return; }
  let strips = min((params.n + 2047u) / TILE_ITEMS, 512u);
  let first = lane * 4u;
  var run: array<u32, 4>;
  var own = 0u;
  let strip = first;
  if (strip < strips) {
    run[0u] = rank_strips[(strip * BINS) + group];
    own = own + run[0u];
  }
  let strip_2 = first + 1u;
  if (strip_2 < strips) {
    run[1u] = rank_strips[(strip_2 * BINS) + group];
    own = own + run[1u];
  }
  let strip_3 = first + 2u;
  if (strip_3 < strips) {
    run[2u] = rank_strips[(strip_3 * BINS) + group];
    own = own + run[2u];
  }
  let strip_4 = first + 3u;
  if (strip_4 < strips) {
    run[3u] = rank_strips[(strip_4 * BINS) + group];
    own = own + run[3u];
  }
  var total = own;
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
  var carry = 0u;
  for (var step = 0u; step < 7u; step += 1u) {
    let round = 6u - step;
    carry = select(carry, (carry + lower[round]), ((lane & (1u << round)) != 0u));
  }
  let total_2 = total;
  var prefix = carry;
  let strip_5 = first;
  if (strip_5 < strips) {
    rank_strips[(strip_5 * BINS) + group] = prefix;
    prefix = prefix + run[0u];
  }
  let strip_6 = first + 1u;
  if (strip_6 < strips) {
    rank_strips[(strip_6 * BINS) + group] = prefix;
    prefix = prefix + run[1u];
  }
  let strip_7 = first + 2u;
  if (strip_7 < strips) {
    rank_strips[(strip_7 * BINS) + group] = prefix;
    prefix = prefix + run[2u];
  }
  let strip_8 = first + 3u;
  if (strip_8 < strips) { rank_strips[(strip_8 * BINS) + group] = prefix; }
  if (lane == 0u) { rank_totals[group] = total_2; }
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
  var held: array<u32, 16>;
  var held_2: array<u32, 16>;
  for (var round = 0u; round < 16u; round += 1u) {
    if ((place + (round * 32u)) < count) {
      held[round] = keys[start + (round * 32u)];
      let value_2 = values[start + (round * 32u)];
      held_2[round] = bitcast<u32>(value_2);
    }
  }
  for (var cell = lane; cell < 3072u; cell += 128u) { atomicStore(&words[cell], 0u); }
  workgroupBarrier();
  let base = team * BINS;
  // ranks among the equal keys of a team of lanes: items of earlier rounds, then of earlier lanes
  let cell = base + min((held[0u] >> (params.shift & 31u)) & 0xffu, 255u);
  found[0u] = rank_in_team(cell, 1024u, bit, place < count);
  let rank_3 = rank_in_team(base + min((held[1u] >> (params.shift & 31u)) & 0xffu, 255u), 2048u, bit, (place + 32u) < count);
  found[1u] = rank_3;
  let rank_4 = rank_in_team(base + min((held[2u] >> (params.shift & 31u)) & 0xffu, 255u), 1024u, bit, (place + 64u) < count);
  found[2u] = rank_4;
  let rank_5 = rank_in_team(base + min((held[3u] >> (params.shift & 31u)) & 0xffu, 255u), 2048u, bit, (place + 96u) < count);
  found[3u] = rank_5;
  let rank_6 = rank_in_team(base + min((held[4u] >> (params.shift & 31u)) & 0xffu, 255u), 1024u, bit, (place + 128u) < count);
  found[4u] = rank_6;
  let rank_7 = rank_in_team(base + min((held[5u] >> (params.shift & 31u)) & 0xffu, 255u), 2048u, bit, (place + 160u) < count);
  found[5u] = rank_7;
  let rank_8 = rank_in_team(base + min((held[6u] >> (params.shift & 31u)) & 0xffu, 255u), 1024u, bit, (place + 192u) < count);
  found[6u] = rank_8;
  let rank_9 = rank_in_team(base + min((held[7u] >> (params.shift & 31u)) & 0xffu, 255u), 2048u, bit, (place + 224u) < count);
  found[7u] = rank_9;
  let rank_10 = rank_in_team(base + min((held[8u] >> (params.shift & 31u)) & 0xffu, 255u), 1024u, bit, (place + 256u) < count);
  found[8u] = rank_10;
  let rank_11 = rank_in_team(base + min((held[9u] >> (params.shift & 31u)) & 0xffu, 255u), 2048u, bit, (place + 288u) < count);
  found[9u] = rank_11;
  let rank_12 = rank_in_team(base + min((held[10u] >> (params.shift & 31u)) & 0xffu, 255u), 1024u, bit, (place + 320u) < count);
  found[10u] = rank_12;
  let rank_13 = rank_in_team(base + min((held[11u] >> (params.shift & 31u)) & 0xffu, 255u), 2048u, bit, (place + 352u) < count);
  found[11u] = rank_13;
  let rank_14 = rank_in_team(base + min((held[12u] >> (params.shift & 31u)) & 0xffu, 255u), 1024u, bit, (place + 384u) < count);
  found[12u] = rank_14;
  let rank_15 = rank_in_team(base + min((held[13u] >> (params.shift & 31u)) & 0xffu, 255u), 2048u, bit, (place + 416u) < count);
  found[13u] = rank_15;
  let rank_16 = rank_in_team(base + min((held[14u] >> (params.shift & 31u)) & 0xffu, 255u), 1024u, bit, (place + 448u) < count);
  found[14u] = rank_16;
  let rank_17 = rank_in_team(base + min((held[15u] >> (params.shift & 31u)) & 0xffu, 255u), 2048u, bit, (place + 480u) < count);
  found[15u] = rank_17;
  workgroupBarrier();
  // for each bin: the number of items in the tile, and in all tiles
  var in_tile = 0u;
  var in_all = 0u;
  for (var k = 0u; k < 2u; k += 1u) {
    let bin = (lane * 2u) + k;
    if (bin < BINS) {
      for (var team_2 = 0u; team_2 < 4u; team_2 += 1u) {
        in_tile = in_tile + atomicLoad(&words[(team_2 * BINS) + bin]);
      }
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
  let strip = min(div_u32(group, max((((params.n + 2047u) / TILE_ITEMS) + 511u) / 512u, 1u)), min((params.n + 2047u) / TILE_ITEMS, 512u) - 1u);
  var next = carry_0;
  var smaller = carry_1;
  for (var k = 0u; k < 2u; k += 1u) {
    let bin = (lane * 2u) + k;
    if (bin < BINS) {
      distance[bin] = (smaller + (rank_strips[(strip * BINS) + bin] + rank_counts[(group * BINS) + bin])) - next;
      for (var team_2 = 0u; team_2 < 4u; team_2 += 1u) {
        let cell_17 = (team_2 * BINS) + bin;
        let count_2 = atomicLoad(&words[cell_17]);
        atomicStore(&words[cell_17], next);
        next = next + count_2;
      }
      smaller = smaller + rank_totals[bin];
    }
  }
  workgroupBarrier();
  var slots: array<u32, 16>;
  for (var round = 0u; round < 16u; round += 1u) {
    if ((place + (round * 32u)) < count) {
      let to = atomicLoad(&words[(team * BINS) + min((held[round] >> (params.shift & 31u)) & 0xffu, 255u)]) + found[round];
      found[round] = to;
    }
  }
  workgroupBarrier();
  for (var round = 0u; round < 16u; round += 1u) {
    if ((place + (round * 32u)) < count) { atomicStore(&words[found[round] & 0x7ffu], held[round]); }
  }
  workgroupBarrier();
  for (var round = 0u; round < 16u; round += 1u) {
    let place_2 = (round * 128u) + lane;
    if (place_2 < count) {
      let moved_18 = atomicLoad(&words[place_2]);
      slots[round] = place_2 + distance[min((moved_18 >> (params.shift & 31u)) & 0xffu, 255u)];
      sorted[slots[round]] = moved_18;
    }
  }
  workgroupBarrier();
  for (var round = 0u; round < 16u; round += 1u) {
    if ((place + (round * 32u)) < count) { atomicStore(&words[found[round] & 0x7ffu], held_2[round]); }
  }
  workgroupBarrier();
  for (var round = 0u; round < 16u; round += 1u) {
    let place_2 = (round * 128u) + lane;
    if (place_2 < count) { moved[slots[round]] = bitcast<f32>(atomicLoad(&words[place_2])); }
  }
}
