// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl --subgroups 32 --look-back # over a chunk, by emitChunks
// Inputs: f32 x[n], f32 add_before[], u32 place
// Outputs: f32 sum[n], f32 add_after[32]
// Strategy: look-back
// For subgroups of 32 work-items
// Subnormal f32: exact
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   before_add: G = 1, each of 32 work-items
//   scan: G = min(floor((n - min(n, 1)) / 8192), 512), each of 128 work-items
//   blocks: G = min(n, 1), each of 128 work-items
//   carry_add: G = 1, each of 32 work-items
//   tail: G = min((n - (floor((n - min(n, 1)) / 8192) * 8192)), 1), each of 128 work-items

enable subgroups;
diagnostic(off, subgroup_uniformity); // subgroups that take a branch are whole

struct Params {
  n: u32, // number of items
  add_before_length: u32, // number of elements of a table
  place: u32,
  always_zero: u32, // always 0, but unknown to the compiler
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> x: array<f32>; // input: n elements
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> add_before: array<f32>; // table: length(add_before) elements
@group(0) @binding(3) var<storage, read_write> sum: array<f32>; // output: n elements
@group(0) @binding(3) var<storage, read_write> sum_rows: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> add_after: array<f32>; // output: 32 elements
// scratch: (((((floor((n - min(n, 1)) / 8192) + floor((n - min(n, 1)) / 262144)) + floor((n - min(n, 1)) / 8388608)) + floor((n - min(n, 1)) / 268435456)) * 2) + 69) elements; zeros before the first pass
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>>;

const TILE_BLOCKS = 64u;
const TILE_SHIFT = 13u;
const TILE_ITEMS = 8192u;
const TILE_ROWS = 16u;
const ROW_ITEMS = 512u;
const ROW_BLOCKS = 4u;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

var<workgroup> earlier: array<f32, 32>;
var<workgroup> block_totals: array<f32, 192>;
var<workgroup> prefixes: array<f32, 65>;
var<workgroup> broadcast_words: array<u32, 2>;
var<workgroup> before_chunk: array<f32, 1>;
var<workgroup> lanes_f32: array<f32, 256>;
var<workgroup> own_12: array<f32, 32>;
var<workgroup> other: array<f32, 32>;

// The float with these bits. A function, because constants may not be infinite or NaN.
fn f32_of_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

// a + b also for subnormal numbers, unless there are none.
fn add_f32_unless(a: f32, b: f32, normal: bool) -> f32 {
  let own = a + b;
  if (normal | ((bitcast<u32>(own) & 0x7fffffffu) >= 0x0d000000u)) { return own; }
  if ((max(bitcast<u32>(a) & 0x7fffffffu, bitcast<u32>(b) & 0x7fffffffu) - 1u) >= 0x0cffffffu) { return own; }
  let a_whole = select(((bitcast<u32>(a) & 0x7fffffffu) + 0x4a800000u), bitcast<u32>(f32(bitcast<u32>(a) & 0x7fffffffu)), (((bitcast<u32>(a) & 0x7fffffffu) >> 23u) == 0u)) | (bitcast<u32>(a) & 0x80000000u);
  let b_whole = select(((bitcast<u32>(b) & 0x7fffffffu) + 0x4a800000u), bitcast<u32>(f32(bitcast<u32>(b) & 0x7fffffffu)), (((bitcast<u32>(b) & 0x7fffffffu) >> 23u) == 0u)) | (bitcast<u32>(b) & 0x80000000u);
  let whole = bitcast<f32>(a_whole) + bitcast<f32>(b_whole);
  let magnitude = bitcast<u32>(whole) & 0x7fffffffu;
  return bitcast<f32>(select((magnitude - 0x4a800000u), u32(bitcast<f32>(bitcast<u32>(whole) & 0x7fffffffu)), (magnitude < 0x4b000000u)) | (bitcast<u32>(whole) & 0x80000000u));
}

// Returns x. Compilers cannot see through it, so they cannot contract two operations.
fn rounded_f32(x: f32, zero: u32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + zero);
}

// The index of the first word of a slot. The slots of lower levels come first.
fn slot_at(slot: u32, level: u32) -> u32 {
  return ((((slot + select(0u, ((params.n - min(params.n, 1u)) >> TILE_SHIFT), (0u < level))) + select(0u, ((params.n - min(params.n, 1u)) >> 18u), (1u < level))) + select(0u, ((params.n - min(params.n, 1u)) >> 23u), (2u < level))) * 2u) + 69u;
}

// The least of 32 values, in each lane.
fn least_of_lanes(own: u32, subgroup_lane: u32) -> u32 {
  let total2 = min(own, subgroupShuffle(own, subgroup_lane ^ 1u));
  let total4 = min(total2, subgroupShuffle(total2, subgroup_lane ^ 2u));
  let total8 = min(total4, subgroupShuffle(total4, subgroup_lane ^ 4u));
  let total16 = min(total8, subgroupShuffle(total8, subgroup_lane ^ 8u));
  return min(total16, subgroupShuffle(total16, subgroup_lane ^ 16u));
}

// The total of 32 lanes, in each of them.
fn total_of_lanes(own: f32, normal: bool, subgroup_lane: u32, zero: u32) -> f32 {
  let total2 = add_f32_unless(own, subgroupShuffle(own, subgroup_lane ^ 1u), normal);
  let total4 = add_f32_unless(rounded_f32(total2, zero), subgroupShuffle(total2, subgroup_lane ^ 2u), normal);
  let total8 = add_f32_unless(rounded_f32(total4, zero), subgroupShuffle(total4, subgroup_lane ^ 4u), normal);
  let total16 = add_f32_unless(rounded_f32(total8, zero), subgroupShuffle(total8, subgroup_lane ^ 8u), normal);
  let total32 = add_f32_unless(rounded_f32(total16, zero), subgroupShuffle(total16, subgroup_lane ^ 16u), normal);
  return total32;
}

struct ScanOfLanes { total: f32, exclusive: f32, inclusive: f32 }
// Prefixes of 32 lanes after a carry, and their total.
fn scan_of_lanes(own: f32, carry: f32, normal: bool, subgroup_lane: u32, zero: u32, sub: u32, next_lane: u32) -> ScanOfLanes {
  let theirs1 = subgroupShuffle(own, subgroup_lane ^ 1u);
  let total2 = add_f32_unless(own, theirs1, normal);
  let theirs2 = subgroupShuffle(total2, subgroup_lane ^ 2u);
  let total4 = add_f32_unless(rounded_f32(total2, zero), theirs2, normal);
  let theirs4 = subgroupShuffle(total4, subgroup_lane ^ 4u);
  let total8 = add_f32_unless(rounded_f32(total4, zero), theirs4, normal);
  let theirs8 = subgroupShuffle(total8, subgroup_lane ^ 8u);
  let total16 = add_f32_unless(rounded_f32(total8, zero), theirs8, normal);
  let theirs16 = subgroupShuffle(total16, subgroup_lane ^ 16u);
  let total32 = rounded_f32(add_f32_unless(rounded_f32(total16, zero), theirs16, normal), zero);
  let joined16 = add_f32_unless(carry, theirs16, normal);
  let carry16 = select(carry, joined16, ((sub & 16u) != 0u));
  let joined8 = add_f32_unless(rounded_f32(carry16, zero), theirs8, normal);
  let carry8 = select(carry16, joined8, ((sub & 8u) != 0u));
  let joined4 = add_f32_unless(rounded_f32(carry8, zero), theirs4, normal);
  let carry4 = select(carry8, joined4, ((sub & 4u) != 0u));
  let joined2 = add_f32_unless(rounded_f32(carry4, zero), theirs2, normal);
  let carry2 = select(carry4, joined2, ((sub & 2u) != 0u));
  let joined1 = add_f32_unless(rounded_f32(carry2, zero), theirs1, normal);
  let carry1 = select(carry2, joined1, ((sub & 1u) != 0u));
  let next = subgroupShuffle(carry1, next_lane);
  return ScanOfLanes(total32, carry1, select(next, add_f32_unless(carry, total32, normal), (sub == 31u)));
}

struct LookAt { word0: u32, word1: u32 }
// Reads the words of the slot of a level that the lane needs, published or not.
fn look_at(tile: u32, level: u32, lane: u32) -> LookAt {
  var word0 = 0u;
  var word1 = 0u;
  if (lane < ((tile >> ((level * 5u) & 31u)) & 31u)) {
    let at = slot_at(((tile >> (((level + 1u) * 5u) & 31u)) << 5u) + lane, level);
    word0 = atomicLoad(&status[at]);
    word1 = atomicLoad(&status[at + 1u]);
  }
  return LookAt(word0, word1);
}

struct WaitFor { slot: f32, missing: u32 }
// Polls the lane's slot of a level until all of its words are published, at most 4096 times.
fn wait_for(tile: u32, level: u32, lane: u32, seen0: u32, seen1: u32) -> WaitFor {
  var word0 = seen0;
  var word1 = seen1;
  var missing = 0xffffffffu;
  if (lane < ((tile >> ((level * 5u) & 31u)) & 31u)) {
    let at = slot_at(((tile >> (((level + 1u) * 5u) & 31u)) << 5u) + lane, level);
    var tries = 0u;
    while ((((word0 & word1) & 0x00010000u) == 0u) & (tries < 4096u)) {
      word0 = atomicLoad(&status[at]);
      word1 = atomicLoad(&status[at + 1u]);
      tries = tries + 1u;
    }
    if (((word0 & word1) & 0x00010000u) == 0u) { missing = (level * 32u) + lane; }
  }
  return WaitFor(bitcast<f32>((word0 & 0xffffu) | (word1 << 16u)), missing);
}

// Publishes a total: 16 of its bits in each word, beside a bit that marks the word as published.
fn publish(slot: u32, level: u32, total: f32) {
  let at = slot_at(slot, level);
  atomicStore(&status[at], (bitcast<u32>(total) & 0xffffu) | 0x00010000u);
  atomicStore(&status[at + 1u], (bitcast<u32>(total) >> 16u) | 0x00010000u);
}

// Stores the aggregate of a block: 32 lanes, each with four items of a tile row.
fn store_block(item0: f32, item1: f32, item2: f32, item3: f32, slot: u32, normal: bool, zero: u32, subgroup_lane: u32, sub: u32) {
  let first_two = rounded_f32(add_f32_unless(item0, item1, normal), zero);
  let last_two = rounded_f32(add_f32_unless(item2, item3, normal), zero);
  let total = total_of_lanes(rounded_f32(add_f32_unless(first_two, last_two, normal), zero), normal, subgroup_lane, zero);
  if (sub == 0u) { block_totals[slot] = total; }
}

// The total of a tile, from the totals of its blocks.
fn total_of_blocks(first: u32, normal: bool, sub: u32, zero: u32, subgroup_lane: u32) -> f32 {
  let block0 = block_totals[first + (sub * 2u)];
  let block1 = block_totals[(first + (sub * 2u)) + 1u];
  let total = total_of_lanes(rounded_f32(add_f32_unless(block0, block1, normal), zero), normal, subgroup_lane, zero);
  return total;
}

// The prefix before the tile's slot of a level, from the prefix before the first of the 32 slots.
fn prefix_at(tile: u32, level: u32, slot: f32, before: f32, normal: bool, subgroup_lane: u32, zero: u32, sub: u32, next_lane: u32) -> f32 {
  let digit = (tile >> ((level * 5u) & 31u)) & 31u;
  var prefix = before;
  if (digit != 0u) {
    let scanned = scan_of_lanes(slot, before, normal, subgroup_lane, zero, sub, next_lane);
    prefix = subgroupShuffle(scanned.exclusive, digit);
  }
  return prefix;
}

struct PrefixesOfBlock { total: f32, before: f32, after: f32 }
// For the block of a level that ends with the tile: the prefixes before and after it, and the total of the slots up to it.
fn prefixes_of_block(tile: u32, level: u32, slot: f32, own: f32, before: f32, normal: bool, sub: u32, subgroup_lane: u32, zero: u32, next_lane: u32) -> PrefixesOfBlock {
  let digit = (tile >> ((level * 5u) & 31u)) & 31u;
  let scanned = scan_of_lanes(select(slot, own, (sub == digit)), before, normal, subgroup_lane, zero, sub, next_lane);
  let picked = subgroupShuffle(scanned.exclusive, digit);
  return PrefixesOfBlock(scanned.total, picked, subgroupShuffle(scanned.inclusive, digit));
}

// Stores the prefix before each block of a tile, from the totals of the blocks and the prefix before the tile.
fn start_blocks(first: u32, before: f32, normal: bool, sub: u32, zero: u32, subgroup_lane: u32, next_lane: u32, lane: u32) {
  let block0 = block_totals[first + (sub * 2u)];
  let block1 = block_totals[(first + (sub * 2u)) + 1u];
  let scanned = scan_of_lanes(rounded_f32(add_f32_unless(block0, block1, normal), zero), before, normal, subgroup_lane, zero, sub, next_lane);
  let prefix1 = add_f32_unless(rounded_f32(scanned.exclusive, zero), block0, normal);
  if (lane < 32u) {
    prefixes[sub * 2u] = scanned.exclusive;
    prefixes[(sub * 2u) + 1u] = prefix1;
  }
}

struct ScanOfRows { before0: f32, before1: f32, before2: f32, before3: f32, inclusive: f32 }
// The prefixes before the four items that each of 32 lanes has in a tile row, and after the last.
fn scan_of_rows(item0: f32, item1: f32, item2: f32, item3: f32, start: f32, normal: bool, zero: u32, subgroup_lane: u32, sub: u32, next_lane: u32) -> ScanOfRows {
  let first_two = rounded_f32(add_f32_unless(item0, item1, normal), zero);
  let last_two = rounded_f32(add_f32_unless(item2, item3, normal), zero);
  let scanned = scan_of_lanes(rounded_f32(add_f32_unless(first_two, last_two, normal), zero), start, normal, subgroup_lane, zero, sub, next_lane);
  let prefix1 = add_f32_unless(rounded_f32(scanned.exclusive, zero), item0, normal);
  let prefix2 = rounded_f32(add_f32_unless(rounded_f32(scanned.exclusive, zero), first_two, normal), zero);
  return ScanOfRows(scanned.exclusive, prefix1, prefix2, add_f32_unless(prefix2, item2, normal), scanned.inclusive);
}

// Publishes the blocks that end with a tile, if all of their 32 slots are available.
fn publish_blocks(tile: u32, own: f32, normal: bool, lane: u32, subgroup_lane: u32, sub: u32, zero: u32) {
  let ends = min((31u - countLeadingZeros((tile + 1u) & (0u - (tile + 1u)))) / 5u, 3u);
  var total = own;
  for (var level = 0u; level < ends; level += 1u) {
    let answer = wait_for(tile, level, lane, 0u, 0u);
    let least = least_of_lanes(answer.missing, subgroup_lane);
    let total_2 = total_of_lanes(rounded_f32(select(answer.slot, total, (sub == 31u)), zero), normal, subgroup_lane, zero);
    total = rounded_f32(total_2, zero);
    if ((lane == 0u) & (least == 0xffffffffu)) { publish(tile >> ((level + 1u) * 5u), level + 1u, total); }
  }
}

// Stores the prefixes before the blocks of a tile and after it, from the slots before it and its total.
fn start_tile(tile: u32, region: u32, slot0: f32, slot1: f32, slot2: f32, slot3: f32, own: f32, first: f32, normal: bool, subgroup_lane: u32, zero: u32, sub: u32, next_lane: u32, lane: u32) {
  let prefix_3 = prefix_at(tile, 3u, slot3, first, normal, subgroup_lane, zero, sub, next_lane);
  let prefix_2 = prefix_at(tile, 2u, slot2, rounded_f32(prefix_3, zero), normal, subgroup_lane, zero, sub, next_lane);
  let prefix_1 = prefix_at(tile, 1u, slot1, rounded_f32(prefix_2, zero), normal, subgroup_lane, zero, sub, next_lane);
  let block_prefixes = prefixes_of_block(tile, 0u, slot0, own, rounded_f32(prefix_1, zero), normal, sub, subgroup_lane, zero, next_lane);
  var after = block_prefixes.after;
  var total = rounded_f32(block_prefixes.total, zero);
  let ends = min((31u - countLeadingZeros((tile + 1u) & (0u - (tile + 1u)))) / 5u, 3u);
  for (var level = 1u; level < (ends + 1u); level += 1u) {
    let slot = select(select(slot1, slot2, (level == 2u)), slot3, (level == 3u));
    let before = rounded_f32(select(select(prefix_2, prefix_3, (level == 2u)), first, (level == 3u)), zero);
    let block_prefixes_2 = prefixes_of_block(tile, level, slot, total, before, normal, sub, subgroup_lane, zero, next_lane);
    after = block_prefixes_2.after;
    total = rounded_f32(block_prefixes_2.total, zero);
  }
  start_blocks(region * TILE_BLOCKS, rounded_f32(block_prefixes.before, zero), normal, sub, zero, subgroup_lane, next_lane, lane);
  if (lane == 0u) { prefixes[TILE_BLOCKS] = after; }
}

// The prefix before the chunk.
@compute @workgroup_size(32)
fn before_add(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let zero = params.always_zero;
  earlier[lane] = add_before[lane];
  workgroupBarrier();
  if (lane == 0u) {
    var sum_2 = rounded_f32(0f, zero);
    var started = false;
    for (var step = 0u; step < 32u; step += 1u) {
      let level = 31u - step;
      if ((params.place & (1u << level)) != 0u) {
        let block = earlier[level];
        sum_2 = rounded_f32(select(block, add_f32_unless(sum_2, block, false), started), zero);
        started = true;
      }
    }
    atomicStore(&status[65u], (bitcast<u32>(sum_2) & 0xffffu) | 0x00010000u);
    atomicStore(&status[66u], (bitcast<u32>(sum_2) >> 16u) | 0x00010000u);
  }
}

// Scan of the full tiles, 8192 items each, in 16 rows; work-groups take tiles from a counter.
// The aggregates of a tile, of 32 tiles and so on are published once; a prefix combines at most 31 of each level.
@compute @workgroup_size(128)
fn scan(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_size) subgroup_size: u32, work_group: WorkGroup) {
  let zero = params.always_zero;
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  let subgroup_lane = lane & (subgroup_size - 1u);
  if (group >= min((params.n - min(params.n, 1u)) / TILE_ITEMS, 512u)) { return; }
  let sub = lane & 31u;
  let block = lane >> 5u;
  let next_lane = (lane + 1u) & (subgroup_size - 1u);
  if (lane == 0u) {
    let word = atomicLoad(&status[65u]);
    let total = bitcast<f32>((word & 0xffffu) | (atomicLoad(&status[66u]) << 16u));
    before_chunk[0u] = select(rounded_f32(f32_of_bits(0x80000000u), zero), total, (params.place != 0u));
  }
  workgroupBarrier();
  let first = before_chunk[0u];
  let tiles = (params.n - min(params.n, 1u)) >> TILE_SHIFT;
  // each iteration reads the next tile and publishes its total, then finishes the previous tile
  var tile = tiles;
  var next = 0u;
  var region = 0u;
  var own = rounded_f32(0f, zero);
  var items: array<f32, 64>;
  var next_items: array<f32, 64>;
  var smallest = 0xffffffffu;
  while (next < tiles) {
    // first reads of the slots; they complete while the next tile is read
    let seen_3 = look_at(tile, 3u, lane);
    let seen_2 = look_at(tile, 2u, lane);
    let seen_1 = look_at(tile, 1u, lane);
    let seen_0 = look_at(tile, 0u, lane);
    if (tile < tiles) { publish_blocks(tile, own, false, lane, subgroup_lane, sub, zero); }
    if (lane == 0u) { broadcast_words[1u] = atomicAdd(&status[0u], 1u); }
    next = workgroupUniformLoad(&broadcast_words[1u]);
    var next_own = own;
    var next_smallest = 0xffffffffu;
    if (next < tiles) {
      for (var row = 0u; row < TILE_ROWS; row += 1u) {
        let x_row = x_rows[(((next * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u)) >> 2u];
        next_items[row * 4u] = x_row.x;
        next_items[(row * 4u) + 1u] = x_row.y;
        next_items[(row * 4u) + 2u] = x_row.z;
        next_items[(row * 4u) + 3u] = x_row.w;
      }
      for (var row = 0u; row < TILE_ROWS; row += 1u) {
        next_smallest = min(min(min(min(next_smallest, (bitcast<u32>(next_items[row * 4u]) << 1u) - 1u), (bitcast<u32>(next_items[(row * 4u) + 1u]) << 1u) - 1u), (bitcast<u32>(next_items[(row * 4u) + 2u]) << 1u) - 1u), (bitcast<u32>(next_items[(row * 4u) + 3u]) << 1u) - 1u);
        store_block(next_items[row * 4u], next_items[(row * 4u) + 1u], next_items[(row * 4u) + 2u], next_items[(row * 4u) + 3u], (((region + 1u) & 1u) * TILE_BLOCKS) + ((row * ROW_BLOCKS) + block), true, zero, subgroup_lane, sub);
      }
      if (subgroupAny(next_smallest < 0x18ffffffu)) {
        for (var row = 0u; row < min(params.n + TILE_ROWS, TILE_ROWS); row += 1u) {
          let x_row = x_rows[(((next * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u)) >> 2u];
          store_block(x_row.x, x_row.y, x_row.z, x_row.w, (((region + 1u) & 1u) * TILE_BLOCKS) + ((row * ROW_BLOCKS) + block), false, zero, subgroup_lane, sub);
        }
      }
      workgroupBarrier();
      let block0 = block_totals[(((region + 1u) & 1u) * TILE_BLOCKS) + (sub * 2u)];
      let block1 = block_totals[((((region + 1u) & 1u) * TILE_BLOCKS) + (sub * 2u)) + 1u];
      var smallest_2 = min((bitcast<u32>(block0) << 1u) - 1u, (bitcast<u32>(block1) << 1u) - 1u);
      let total_2 = total_of_blocks(((region + 1u) & 1u) * TILE_BLOCKS, true, sub, zero, subgroup_lane);
      next_own = rounded_f32(total_2, zero);
      if (subgroupAny(smallest_2 < 0x18ffffffu)) {
        let total_3 = total_of_blocks(((region + 1u) & 1u) * TILE_BLOCKS, false, sub, zero, subgroup_lane);
        next_own = rounded_f32(total_3, zero);
      }
      if (lane == 0u) { publish(next, 0u, next_own); }
    }
    if (tile < tiles) {
      var missing = 0u;
      while (missing != 0xffffffffu) {
        let answer_3 = wait_for(tile, 3u, lane, seen_3.word0, seen_3.word1);
        let answer_2 = wait_for(tile, 2u, lane, seen_2.word0, seen_2.word1);
        let answer_1 = wait_for(tile, 1u, lane, seen_1.word0, seen_1.word1);
        let answer_0 = wait_for(tile, 0u, lane, seen_0.word0, seen_0.word1);
        let least = least_of_lanes(min(min(min(answer_0.missing, answer_1.missing), answer_2.missing), answer_3.missing), subgroup_lane);
        let block0 = block_totals[((region & 1u) * TILE_BLOCKS) + (sub * 2u)];
        let block1 = block_totals[(((region & 1u) * TILE_BLOCKS) + (sub * 2u)) + 1u];
        var smallest_2 = min(min(min(min(min(min((bitcast<u32>(answer_0.slot) << 1u) - 1u, (bitcast<u32>(answer_1.slot) << 1u) - 1u), (bitcast<u32>(answer_2.slot) << 1u) - 1u), (bitcast<u32>(answer_3.slot) << 1u) - 1u), (bitcast<u32>(first) << 1u) - 1u), (bitcast<u32>(block0) << 1u) - 1u), (bitcast<u32>(block1) << 1u) - 1u);
        start_tile(tile, region & 1u, rounded_f32(answer_0.slot, zero), rounded_f32(answer_1.slot, zero), rounded_f32(answer_2.slot, zero), rounded_f32(answer_3.slot, zero), own, first, true, subgroup_lane, zero, sub, next_lane, lane);
        if (subgroupAny(smallest_2 < 0x18ffffffu)) {
          start_tile(tile, region & 1u, rounded_f32(answer_0.slot, zero), rounded_f32(answer_1.slot, zero), rounded_f32(answer_2.slot, zero), rounded_f32(answer_3.slot, zero), own, first, false, subgroup_lane, zero, sub, next_lane, lane);
        }
        if (lane == 0u) { broadcast_words[0u] = least; }
        missing = workgroupUniformLoad(&broadcast_words[0u]);
        if (missing != 0xffffffffu) {
          // computes the total of a slot that is not published in time, with the same bits
          var lost_blocks: array<f32, 16>;
          let level = missing >> 5u;
          let bits = level * 5u;
          let slot = ((tile >> ((bits + 5u) & 31u)) << 5u) + (missing & 31u);
          let first_2 = slot << (bits & 31u);
          var lost = rounded_f32(0f, zero);
          for (var i = 0u; i < (1u << (bits & 31u)); i += 1u) {
            workgroupBarrier();
            let lost_tile = min(first_2 + i, ((params.n - min(params.n, 1u)) >> TILE_SHIFT) - 1u);
            for (var row = 0u; row < min(params.n + TILE_ROWS, TILE_ROWS); row += 1u) {
              let x_row = x_rows[(((lost_tile * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u)) >> 2u];
              store_block(x_row.x, x_row.y, x_row.z, x_row.w, 128u + ((row * ROW_BLOCKS) + block), false, zero, subgroup_lane, sub);
            }
            workgroupBarrier();
            lost = rounded_f32(total_of_blocks(128u, false, sub, zero, subgroup_lane), zero);
            let ones = min(31u - countLeadingZeros((i + 1u) & (0u - (i + 1u))), 15u);
            for (var k = 0u; k < ones; k += 1u) { lost = rounded_f32(add_f32_unless(lost_blocks[k], lost, false), zero); }
            lost_blocks[ones] = lost;
          }
          if (lane == 0u) { publish(slot, level, lost); }
        }
      }
      for (var row = 0u; row < TILE_ROWS; row += 1u) {
        let start = prefixes[(row * ROW_BLOCKS) + block];
        smallest = min(smallest, (bitcast<u32>(start) << 1u) - 1u);
        let scanned = scan_of_rows(items[row * 4u], items[(row * 4u) + 1u], items[(row * 4u) + 2u], items[(row * 4u) + 3u], start, true, zero, subgroup_lane, sub, next_lane);
        let last = select(scanned.inclusive, prefixes[((row * ROW_BLOCKS) + block) + 1u], (sub == 31u));
        sum_rows[(((tile * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u)) >> 2u] = vec4<f32>(scanned.before1, scanned.before2, scanned.before3, last);
      }
      if (subgroupAny(smallest < 0x18ffffffu)) {
        for (var row = 0u; row < min(params.n + TILE_ROWS, TILE_ROWS); row += 1u) {
          let x_row = x_rows[(((tile * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u)) >> 2u];
          let scanned_2 = scan_of_rows(x_row.x, x_row.y, x_row.z, x_row.w, prefixes[(row * ROW_BLOCKS) + block], false, zero, subgroup_lane, sub, next_lane);
          let last = select(scanned_2.inclusive, prefixes[((row * ROW_BLOCKS) + block) + 1u], (sub == 31u));
          sum_rows[(((tile * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u)) >> 2u] = vec4<f32>(scanned_2.before1, scanned_2.before2, scanned_2.before3, last);
        }
      }
    }
    tile = next;
    region = region + 1u;
    own = next_own;
    smallest = next_smallest;
    for (var k = 0u; k < 64u; k += 1u) { items[k] = next_items[k]; }
  }
}

// Totals of the blocks of the chunk, by one work-group: from slots, and of the tail.
@compute @workgroup_size(128)
fn blocks(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_size) subgroup_size: u32, work_group: WorkGroup) {
  let zero = params.always_zero;
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  let near = min(31u - countLeadingZeros(min(subgroup_size, 128u)), 7u);
  let subgroup_lane = lane & (subgroup_size - 1u);
  if (group >= min(params.n, 1u)) { return; }
  let tile = (params.n - min(params.n, 1u)) >> TILE_SHIFT;
  if (tile != 0u) {
    let now = atomicLoad(&status[((tile - 1u) * 2u) + 69u]);
    publish_blocks(tile - 1u, rounded_f32(bitcast<f32>((now & 0xffffu) | (atomicLoad(&status[(((tile - 1u) * 2u) + 69u) + 1u]) << 16u)), zero), false, lane, subgroup_lane, lane & 31u, zero);
  }
  workgroupBarrier();
  for (var level = 0u; level < 4u; level += 1u) {
    let answer = wait_for(tile, level, lane, 0u, 0u);
    let first_size = 13u + (level * 5u);
    let theirs1 = subgroupShuffle(answer.slot, subgroup_lane ^ 1u);
    if (((((tile >> (level * 5u)) & 31u) & 1u) != 0u) & (lane == (((tile >> (level * 5u)) & 31u) & 0xfffffffeu))) {
      let at = (first_size * 2u) + 1u;
      atomicStore(&status[at], (bitcast<u32>(answer.slot) & 0xffffu) | 0x00010000u);
      atomicStore(&status[at + 1u], (bitcast<u32>(answer.slot) >> 16u) | 0x00010000u);
    }
    let total2 = add_f32_unless(rounded_f32(answer.slot, zero), theirs1, false);
    let theirs2 = subgroupShuffle(total2, subgroup_lane ^ 2u);
    if (((((tile >> (level * 5u)) & 31u) & 2u) != 0u) & (lane == (((tile >> (level * 5u)) & 31u) & 0xfffffffcu))) {
      let at = ((first_size + 1u) * 2u) + 1u;
      atomicStore(&status[at], (bitcast<u32>(total2) & 0xffffu) | 0x00010000u);
      atomicStore(&status[at + 1u], (bitcast<u32>(total2) >> 16u) | 0x00010000u);
    }
    let total4 = add_f32_unless(rounded_f32(total2, zero), theirs2, false);
    let theirs4 = subgroupShuffle(total4, subgroup_lane ^ 4u);
    if (((((tile >> (level * 5u)) & 31u) & 4u) != 0u) & (lane == (((tile >> (level * 5u)) & 31u) & 0xfffffff8u))) {
      let at = ((first_size + 2u) * 2u) + 1u;
      atomicStore(&status[at], (bitcast<u32>(total4) & 0xffffu) | 0x00010000u);
      atomicStore(&status[at + 1u], (bitcast<u32>(total4) >> 16u) | 0x00010000u);
    }
    let total8 = add_f32_unless(rounded_f32(total4, zero), theirs4, false);
    let theirs8 = subgroupShuffle(total8, subgroup_lane ^ 8u);
    if (((((tile >> (level * 5u)) & 31u) & 8u) != 0u) & (lane == (((tile >> (level * 5u)) & 31u) & 0xfffffff0u))) {
      let at = ((first_size + 3u) * 2u) + 1u;
      atomicStore(&status[at], (bitcast<u32>(total8) & 0xffffu) | 0x00010000u);
      atomicStore(&status[at + 1u], (bitcast<u32>(total8) >> 16u) | 0x00010000u);
    }
    let total16 = add_f32_unless(rounded_f32(total8, zero), theirs8, false);
    if (((((tile >> (level * 5u)) & 31u) & 16u) != 0u) & (lane == (((tile >> (level * 5u)) & 31u) & 0xffffffe0u))) {
      let at = ((first_size + 4u) * 2u) + 1u;
      atomicStore(&status[at], (bitcast<u32>(total16) & 0xffffu) | 0x00010000u);
      atomicStore(&status[at + 1u], (bitcast<u32>(total16) >> 16u) | 0x00010000u);
    }
  }
  var items: array<f32, 64>;
  let count = params.n - (tile * 8192u);
  let first = lane * 64u;
  for (var k = 0u; k < 64u; k += 1u) { items[k] = x[min(((tile * 8192u) + first) + k, params.n - 1u)]; }
  // totals of the blocks: within the work-item that has the last of them, then of whole work-items
  for (var k = 1u; k < 64u; k += 2u) {
    items[k] = rounded_f32(add_f32_unless(items[k - 1u], items[k], false), zero);
  }
  for (var k = 3u; k < 64u; k += 4u) {
    items[k] = rounded_f32(add_f32_unless(items[k - 2u], items[k], false), zero);
  }
  for (var k = 7u; k < 64u; k += 8u) {
    items[k] = rounded_f32(add_f32_unless(items[k - 4u], items[k], false), zero);
  }
  for (var k = 15u; k < 64u; k += 16u) {
    items[k] = rounded_f32(add_f32_unless(items[k - 8u], items[k], false), zero);
  }
  for (var k = 31u; k < 64u; k += 32u) {
    items[k] = rounded_f32(add_f32_unless(items[k - 16u], items[k], false), zero);
  }
  items[63u] = rounded_f32(add_f32_unless(items[31u], items[63u], false), zero);
  let whole = count >> 6u;
  if (lane == whole) {
    for (var level = 0u; level < 6u; level += 1u) {
      if ((count & (1u << level)) != 0u) {
        let last = ((count & (0xffffffffu << level)) - 1u) & 63u;
        let at = (level * 2u) + 1u;
        let total = items[last];
        atomicStore(&status[at], (bitcast<u32>(total) & 0xffffu) | 0x00010000u);
        atomicStore(&status[at + 1u], (bitcast<u32>(total) >> 16u) | 0x00010000u);
      }
    }
  }
  var total = items[63u];
  for (var round = 0u; round < near; round += 1u) {
    let theirs = subgroupShuffle(total, subgroup_lane ^ (1u << round));
    if (((whole & (1u << round)) != 0u) & (lane == (whole & (0xfffffffeu << round)))) {
      let at = ((round + 6u) * 2u) + 1u;
      atomicStore(&status[at], (bitcast<u32>(total) & 0xffffu) | 0x00010000u);
      atomicStore(&status[at + 1u], (bitcast<u32>(total) >> 16u) | 0x00010000u);
    }
    total = add_f32_unless(rounded_f32(total, zero), theirs, false);
  }
  workgroupBarrier();
  for (var round = near; round < 7u; round += 1u) {
    let slot = ((round & 1u) * 128u) + lane;
    lanes_f32[slot] = total;
    workgroupBarrier();
    let theirs = lanes_f32[slot ^ (1u << round)];
    if (((whole & (1u << round)) != 0u) & (lane == (whole & (0xfffffffeu << round)))) {
      let at = ((round + 6u) * 2u) + 1u;
      atomicStore(&status[at], (bitcast<u32>(total) & 0xffffu) | 0x00010000u);
      atomicStore(&status[at + 1u], (bitcast<u32>(total) >> 16u) | 0x00010000u);
    }
    total = add_f32_unless(rounded_f32(total, zero), theirs, false);
  }
  if ((count == 8192u) & (lane == 0u)) {
    atomicStore(&status[63u], (bitcast<u32>(total) & 0xffffu) | 0x00010000u);
    atomicStore(&status[64u], (bitcast<u32>(total) >> 16u) | 0x00010000u);
  }
}

// The prefix at the end of the chunk, and the state after it.
@compute @workgroup_size(32)
fn carry_add(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let zero = params.always_zero;
  earlier[lane] = add_before[lane];
  let at = (lane * 2u) + 1u;
  let word = atomicLoad(&status[at]);
  own_12[lane] = bitcast<f32>((word & 0xffffu) | (atomicLoad(&status[at + 1u]) << 16u));
  let at_2 = (select(31u, lane, (lane < 13u)) * 2u) + 1u;
  let word_3 = atomicLoad(&status[at_2]);
  let total_2 = bitcast<f32>((word_3 & 0xffffu) | (atomicLoad(&status[at_2 + 1u]) << 16u));
  other[lane] = total_2;
  workgroupBarrier();
  if (lane == 0u) {
    let place_2 = ((params.n - min(params.n, 1u)) >> TILE_SHIFT) * 8192u;
    let end = place_2 + (params.n - place_2);
    let made = end & (~place_2);
    let joined = place_2 & (~end);
    var total_3 = 0f;
    for (var level = 0u; level < 32u; level += 1u) {
      let earlier_2 = own_12[level];
      if (((params.n - place_2) & (1u << level)) != 0u) { total_3 = other[level]; }
      if ((joined & (1u << level)) != 0u) {
        total_3 = add_f32_unless(earlier_2, rounded_f32(total_3, zero), false);
      }
      if ((made & (1u << level)) != 0u) { own_12[level] = total_3; }
    }
    let end_2 = params.place + params.n;
    let made_2 = end_2 & (~params.place);
    let joined_2 = params.place & (~end_2);
    var total_4 = 0f;
    for (var level = 0u; level < 32u; level += 1u) {
      let earlier_2 = earlier[level];
      if ((params.n & (1u << level)) != 0u) { total_4 = own_12[level]; }
      if ((joined_2 & (1u << level)) != 0u) {
        total_4 = add_f32_unless(earlier_2, rounded_f32(total_4, zero), false);
      }
      if ((made_2 & (1u << level)) != 0u) { earlier[level] = total_4; }
    }
    let end_3 = params.place + params.n;
    var sum_2 = rounded_f32(0f, zero);
    var started = false;
    for (var step = 0u; step < 32u; step += 1u) {
      let level = 31u - step;
      if ((end_3 & (1u << level)) != 0u) {
        let block = earlier[level];
        sum_2 = rounded_f32(select(block, add_f32_unless(sum_2, block, false), started), zero);
        started = true;
      }
    }
    atomicStore(&status[67u], (bitcast<u32>(sum_2) & 0xffffu) | 0x00010000u);
    atomicStore(&status[68u], (bitcast<u32>(sum_2) >> 16u) | 0x00010000u);
  }
  workgroupBarrier();
  add_after[lane] = earlier[lane];
}

// The items after the last full tile.
@compute @workgroup_size(128)
fn tail(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_size) subgroup_size: u32, work_group: WorkGroup) {
  let zero = params.always_zero;
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  let subgroup_lane = lane & (subgroup_size - 1u);
  if (group >= min(params.n - (((params.n - min(params.n, 1u)) / TILE_ITEMS) * TILE_ITEMS), 1u)) { return; }
  let sub = lane & 31u;
  let block = lane >> 5u;
  let next_lane = (lane + 1u) & (subgroup_size - 1u);
  let tile = (params.n - min(params.n, 1u)) >> TILE_SHIFT;
  var items: array<f32, 64>;
  for (var row = 0u; row < TILE_ROWS; row += 1u) {
    let base = ((tile * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u);
    for (var k = 0u; k < 4u; k += 1u) { items[(row * 4u) + k] = x[min(base + k, params.n - 1u)]; }
  }
  if (lane == 0u) {
    let word = atomicLoad(&status[65u]);
    let total = bitcast<f32>((word & 0xffffu) | (atomicLoad(&status[66u]) << 16u));
    before_chunk[0u] = select(rounded_f32(f32_of_bits(0x80000000u), zero), total, (params.place != 0u));
  }
  workgroupBarrier();
  let first = before_chunk[0u];
  if (tile != 0u) {
    let now = atomicLoad(&status[((tile - 1u) * 2u) + 69u]);
    publish_blocks(tile - 1u, rounded_f32(bitcast<f32>((now & 0xffffu) | (atomicLoad(&status[(((tile - 1u) * 2u) + 69u) + 1u]) << 16u)), zero), false, lane, subgroup_lane, sub, zero);
  }
  for (var row = 0u; row < TILE_ROWS; row += 1u) {
    store_block(items[row * 4u], items[(row * 4u) + 1u], items[(row * 4u) + 2u], items[(row * 4u) + 3u], (row * ROW_BLOCKS) + block, false, zero, subgroup_lane, sub);
  }
  workgroupBarrier();
  var prefix = first;
  for (var step = 0u; step < 4u; step += 1u) {
    let level = 3u - step;
    let answer = wait_for(tile, level, lane, 0u, 0u);
    let prefix_2 = prefix_at(tile, level, rounded_f32(answer.slot, zero), prefix, false, subgroup_lane, zero, sub, next_lane);
    prefix = rounded_f32(prefix_2, zero);
  }
  start_blocks(0u, prefix, false, sub, zero, subgroup_lane, next_lane, lane);
  workgroupBarrier();
  for (var row = 0u; row < TILE_ROWS; row += 1u) {
    let scanned = scan_of_rows(items[row * 4u], items[(row * 4u) + 1u], items[(row * 4u) + 2u], items[(row * 4u) + 3u], prefixes[(row * ROW_BLOCKS) + block], false, zero, subgroup_lane, sub, next_lane);
    let last = select(scanned.inclusive, prefixes[((row * ROW_BLOCKS) + block) + 1u], (sub == 31u));
    let base = ((tile * TILE_ITEMS) + (row * ROW_ITEMS)) + (lane * 4u);
    var prefixes_2 = array<f32, 5>(scanned.before0, scanned.before1, scanned.before2, scanned.before3, last);
    let last_2 = (params.n - 1u) - base;
    if (last_2 < 4u) {
      let word = atomicLoad(&status[67u]);
      prefixes_2[last_2 + 1u] = bitcast<f32>((word & 0xffffu) | (atomicLoad(&status[68u]) << 16u));
    }
    for (var k = 0u; k < 4u; k += 1u) {
      let i = base + k;
      if (i < params.n) { sum[i] = prefixes_2[k + 1u]; }
    }
  }
}
