// groupwise 0.1.0: the pipeline prefix-sum in WGSL
// Made by: groupwise emit pipeline.json --target wgsl --subgroups 32 --look-back
// tile: 256x4
// expand: float-min-max float-compare float-to-int int-to-float float-divide float-constants guard-rounding guard-minus-zero
// subgroup: 32
//
// Passes, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a pass with G = 0 is skipped:
//   scan: G = min(floor(n / 8192), 512)
//   tail: G = min((n - (floor(n / 8192) * 8192)), 1)

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
@group(0) @binding(2) var<storage, read_write> sum_rows: array<vec4<f32>>;
// scratch: (((((floor(n / 8192) + floor(n / 262144)) + floor(n / 8388608)) + floor(n / 268435456)) * 2) + 1) elements; zeros before the first pass
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;

// x. A compiler cannot merge the operation that gave it with the next.
fn rounded_f32(x: f32, zero: u32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + zero);
}

// The total of 32 lanes, in each of them.
fn total_of_lanes(value: f32, zero: u32) -> f32 {
  let theirs = subgroupShuffleXor(value, 1u);
  let total = value + theirs;
  let theirs_2 = subgroupShuffleXor(total, 2u);
  let total_2 = rounded_f32(total, zero) + theirs_2;
  let theirs_3 = subgroupShuffleXor(total_2, 4u);
  let total_3 = rounded_f32(total_2, zero) + theirs_3;
  let theirs_4 = subgroupShuffleXor(total_3, 8u);
  let total_4 = rounded_f32(total_3, zero) + theirs_4;
  let theirs_5 = subgroupShuffleXor(total_4, 16u);
  let total_5 = rounded_f32(total_4, zero) + theirs_5;
  return total_5;
}

// Publishes a total: 16 bits of it in each word, beside the bit that they are there.
fn publish(at: u32, total: f32) {
  atomicStore(&status[at], (bitcast<u32>(total) & 65535u) | 65536u);
  atomicStore(&status[at + 1u], (bitcast<u32>(total) >> 16u) | 65536u);
}

struct LookAt { word: u32, word_2: u32 }
// The words of a slot as they stand.
fn look_at(at: u32) -> LookAt {
  let word = atomicLoad(&status[at]);
  let word_2 = atomicLoad(&status[at + 1u]);
  return LookAt(word, word_2);
}

struct Poll { word: u32, word_2: u32 }
// The words of a slot, as soon as all are there, or after 4096 polls.
fn poll(seen: u32, seen_2: u32, at: u32) -> Poll {
  var word = seen;
  var word_2 = seen_2;
  var tries = 0u;
  while ((!(((word & word_2) & 65536u) != 0u)) & (tries < 4096u)) {
    let now = atomicLoad(&status[at]);
    word = now;
    let now_2 = atomicLoad(&status[at + 1u]);
    word_2 = now_2;
    tries = tries + 1u;
  }
  return Poll(word, word_2);
}

// The total of 32 lanes, in each of them.
fn least_of_lanes(value: u32) -> u32 {
  let theirs = subgroupShuffleXor(value, 1u);
  let total = min(value, theirs);
  let theirs_2 = subgroupShuffleXor(total, 2u);
  let total_2 = min(total, theirs_2);
  let theirs_3 = subgroupShuffleXor(total_2, 4u);
  let total_3 = min(total_2, theirs_3);
  let theirs_4 = subgroupShuffleXor(total_3, 8u);
  let total_4 = min(total_3, theirs_4);
  let theirs_5 = subgroupShuffleXor(total_4, 16u);
  let total_5 = min(total_4, theirs_5);
  return total_5;
}

struct ScanOfLanes { total: f32, exclusive: f32, inclusive: f32, is_there: bool }
// Prefixes of 32 lanes behind a carry, and their total.
fn scan_of_lanes(value: f32, zero: u32, carry: f32, has_carry: bool, sub: u32) -> ScanOfLanes {
  let theirs = subgroupShuffleXor(value, 1u);
  let own = value;
  let total = value + theirs;
  let theirs_2 = subgroupShuffleXor(total, 2u);
  let own_2 = rounded_f32(total, zero);
  let total_2 = rounded_f32(total, zero) + theirs_2;
  let theirs_3 = subgroupShuffleXor(total_2, 4u);
  let own_3 = rounded_f32(total_2, zero);
  let total_3 = rounded_f32(total_2, zero) + theirs_3;
  let theirs_4 = subgroupShuffleXor(total_3, 8u);
  let own_4 = rounded_f32(total_3, zero);
  let total_4 = rounded_f32(total_3, zero) + theirs_4;
  let theirs_5 = subgroupShuffleXor(total_4, 16u);
  let own_5 = rounded_f32(total_4, zero);
  let total_5 = rounded_f32(rounded_f32(total_4, zero) + theirs_5, zero);
  var carry_2 = carry;
  var has_carry_2 = has_carry;
  var inclusive = select(total_5, (carry + total_5), has_carry);
  let is_upper = (sub & 16u) != 0u;
  let block = select(own_5, theirs_5, is_upper);
  let joined = rounded_f32(select(block, (carry_2 + block), has_carry_2), zero);
  inclusive = select(joined, inclusive, is_upper);
  carry_2 = select(carry_2, joined, is_upper);
  has_carry_2 = has_carry_2 | is_upper;
  let is_upper_2 = (sub & 8u) != 0u;
  let block_2 = select(own_4, theirs_4, is_upper_2);
  let joined_2 = rounded_f32(select(block_2, (carry_2 + block_2), has_carry_2), zero);
  inclusive = select(joined_2, inclusive, is_upper_2);
  carry_2 = select(carry_2, joined_2, is_upper_2);
  has_carry_2 = has_carry_2 | is_upper_2;
  let is_upper_3 = (sub & 4u) != 0u;
  let block_3 = select(own_3, theirs_3, is_upper_3);
  let joined_3 = rounded_f32(select(block_3, (carry_2 + block_3), has_carry_2), zero);
  inclusive = select(joined_3, inclusive, is_upper_3);
  carry_2 = select(carry_2, joined_3, is_upper_3);
  has_carry_2 = has_carry_2 | is_upper_3;
  let is_upper_4 = (sub & 2u) != 0u;
  let block_4 = select(own_2, theirs_2, is_upper_4);
  let joined_4 = rounded_f32(select(block_4, (carry_2 + block_4), has_carry_2), zero);
  inclusive = select(joined_4, inclusive, is_upper_4);
  carry_2 = select(carry_2, joined_4, is_upper_4);
  has_carry_2 = has_carry_2 | is_upper_4;
  let is_upper_5 = (sub & 1u) != 0u;
  let block_5 = select(own, theirs, is_upper_5);
  let joined_5 = rounded_f32(select(block_5, (carry_2 + block_5), has_carry_2), zero);
  inclusive = select(joined_5, inclusive, is_upper_5);
  carry_2 = select(carry_2, joined_5, is_upper_5);
  has_carry_2 = has_carry_2 | is_upper_5;
  return ScanOfLanes(total_5, carry_2, inclusive, has_carry_2);
}

var<workgroup> scan_block_totals: array<f32, 192>;
var<workgroup> scan_prefixes: array<f32, 65>;
var<workgroup> scan_told: array<u32, 2>;
// Scan of the full tiles, 8192 items each, in 8 rows; work-groups take tile after tile.
// Totals of tiles, of 32 tiles and so on are published once; a prefix is a fold over at most 31 of each level.
@compute @workgroup_size(256)
fn scan(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < min(params.n / 8192u, 512u)) {
    let sub = lane & 31u;
    let block = lane >> 5u;
    let tiles = params.n >> 13u;
    if (lane == 0u) {
      let taken = atomicAdd(&status[0u], 1u);
      scan_told[1u] = taken;
    }
    let ticket = workgroupUniformLoad(&scan_told[1u]);
    var tile = ticket;
    var region = 0u;
    var own = rounded_f32(0f, zero);
    var items: array<f32, 32>;
    var next_items: array<f32, 32>;
    if (tile < tiles) {
      for (var row = 0u; row < 8u; row += 1u) {
        let base = ((tile * 8192u) + (row * 1024u)) + (lane * 4u);
        let x_row = x_rows[base >> 2u];
        items[row * 4u] = x_row.x;
        items[(row * 4u) + 1u] = x_row.y;
        items[(row * 4u) + 2u] = x_row.z;
        items[(row * 4u) + 3u] = x_row.w;
      }
      let region_at = (region & 1u) * 64u;
      for (var row = 0u; row < 8u; row += 1u) {
        let both = rounded_f32(items[row * 4u] + items[(row * 4u) + 1u], zero);
        let both_2 = rounded_f32(items[(row * 4u) + 2u] + items[(row * 4u) + 3u], zero);
        let both_3 = rounded_f32(both + both_2, zero);
        let total_6 = total_of_lanes(both_3, zero);
        if (sub == 0u) {
          scan_block_totals[region_at + ((row * 8u) + block)] = total_6;
        }
      }
      workgroupBarrier();
      let block_2 = scan_block_totals[region_at + (sub * 2u)];
      let block_3 = scan_block_totals[region_at + ((sub * 2u) + 1u)];
      let both = rounded_f32(block_2 + block_3, zero);
      let total_6 = total_of_lanes(both, zero);
      own = rounded_f32(total_6, zero);
      if (lane == 0u) {
        publish((tile * 2u) + 1u, own);
      }
    }
    while (tile < tiles) {
      // a first look at the slots, which arrive while the next tile is read
      var seen = 0u;
      var seen_2 = 0u;
      var seen_3 = 0u;
      var seen_4 = 0u;
      var seen_5 = 0u;
      var seen_6 = 0u;
      var seen_7 = 0u;
      var seen_8 = 0u;
      if (lane < ((tile >> 15u) & 31u)) {
        let word_3 = look_at((((((((tile >> 20u) << 5u) + lane) + (params.n >> 13u)) + (params.n >> 18u)) + (params.n >> 23u)) * 2u) + 1u);
        seen_7 = word_3.word;
        seen_8 = word_3.word_2;
      }
      if (lane < ((tile >> 10u) & 31u)) {
        let word_3 = look_at(((((((tile >> 15u) << 5u) + lane) + (params.n >> 13u)) + (params.n >> 18u)) * 2u) + 1u);
        seen_5 = word_3.word;
        seen_6 = word_3.word_2;
      }
      if (lane < ((tile >> 5u) & 31u)) {
        let word_3 = look_at((((((tile >> 10u) << 5u) + lane) + (params.n >> 13u)) * 2u) + 1u);
        seen_3 = word_3.word;
        seen_4 = word_3.word_2;
      }
      if (lane < (tile & 31u)) {
        let word_3 = look_at(((((tile >> 5u) << 5u) + lane) * 2u) + 1u);
        seen = word_3.word;
        seen_2 = word_3.word_2;
      }
      if ((tile & 31u) == 31u) {
        var mine_missing = 4294967295u;
        if (lane < (tile & 31u)) {
          let word_3 = poll(seen, seen_2, ((((tile >> 5u) << 5u) + lane) * 2u) + 1u);
          seen = word_3.word;
          seen_2 = word_3.word_2;
          if (!(((seen & seen_2) & 65536u) != 0u)) {
            mine_missing = lane;
          }
        }
        let total_6 = least_of_lanes(mine_missing);
        let slot = rounded_f32(bitcast<f32>((seen & 65535u) | (seen_2 << 16u)), zero);
        let slot_2 = select(slot, own, (sub == (tile & 31u)));
        let total_12 = total_of_lanes(slot_2, zero);
        if ((lane == 0u) & (total_6 == 4294967295u)) {
          publish((((tile >> 5u) + (params.n >> 13u)) * 2u) + 1u, total_12);
        }
        if (((tile >> 5u) & 31u) == 31u) {
          var mine_missing_2 = 4294967295u;
          if (lane < ((tile >> 5u) & 31u)) {
            let word_3 = poll(seen_3, seen_4, (((((tile >> 10u) << 5u) + lane) + (params.n >> 13u)) * 2u) + 1u);
            seen_3 = word_3.word;
            seen_4 = word_3.word_2;
            if (!(((seen_3 & seen_4) & 65536u) != 0u)) {
              mine_missing_2 = lane + 32u;
            }
          }
          let total_18 = least_of_lanes(mine_missing_2);
          let slot_3 = rounded_f32(bitcast<f32>((seen_3 & 65535u) | (seen_4 << 16u)), zero);
          let slot_4 = select(slot_3, total_12, (sub == ((tile >> 5u) & 31u)));
          let total_24 = total_of_lanes(slot_4, zero);
          if ((lane == 0u) & (total_18 == 4294967295u)) {
            publish(((((tile >> 10u) + (params.n >> 13u)) + (params.n >> 18u)) * 2u) + 1u, rounded_f32(total_24, zero));
          }
        }
      }
      if (lane == 0u) {
        let taken = atomicAdd(&status[0u], 1u);
        scan_told[1u] = taken;
      }
      let ticket_2 = workgroupUniformLoad(&scan_told[1u]);
      var next_own = own;
      if (ticket_2 < tiles) {
        for (var row = 0u; row < 8u; row += 1u) {
          let base = ((ticket_2 * 8192u) + (row * 1024u)) + (lane * 4u);
          let x_row = x_rows[base >> 2u];
          next_items[row * 4u] = x_row.x;
          next_items[(row * 4u) + 1u] = x_row.y;
          next_items[(row * 4u) + 2u] = x_row.z;
          next_items[(row * 4u) + 3u] = x_row.w;
        }
        let region_at = ((region + 1u) & 1u) * 64u;
        for (var row = 0u; row < 8u; row += 1u) {
          let both = rounded_f32(next_items[row * 4u] + next_items[(row * 4u) + 1u], zero);
          let both_2 = rounded_f32(next_items[(row * 4u) + 2u] + next_items[(row * 4u) + 3u], zero);
          let both_3 = rounded_f32(both + both_2, zero);
          let total_6 = total_of_lanes(both_3, zero);
          if (sub == 0u) {
            scan_block_totals[region_at + ((row * 8u) + block)] = total_6;
          }
        }
        workgroupBarrier();
        let block_2 = scan_block_totals[region_at + (sub * 2u)];
        let block_3 = scan_block_totals[region_at + ((sub * 2u) + 1u)];
        let both = rounded_f32(block_2 + block_3, zero);
        let total_6 = total_of_lanes(both, zero);
        next_own = rounded_f32(total_6, zero);
        if (lane == 0u) {
          publish((ticket_2 * 2u) + 1u, next_own);
        }
      }
      var missing = 0u;
      while (missing != 4294967295u) {
        var mine_missing = 4294967295u;
        if (lane < ((tile >> 15u) & 31u)) {
          let word_3 = poll(seen_7, seen_8, (((((((tile >> 20u) << 5u) + lane) + (params.n >> 13u)) + (params.n >> 18u)) + (params.n >> 23u)) * 2u) + 1u);
          seen_7 = word_3.word;
          seen_8 = word_3.word_2;
          if (!(((seen_7 & seen_8) & 65536u) != 0u)) {
            mine_missing = lane + 96u;
          }
        }
        if (lane < ((tile >> 10u) & 31u)) {
          let word_3 = poll(seen_5, seen_6, ((((((tile >> 15u) << 5u) + lane) + (params.n >> 13u)) + (params.n >> 18u)) * 2u) + 1u);
          seen_5 = word_3.word;
          seen_6 = word_3.word_2;
          if (!(((seen_5 & seen_6) & 65536u) != 0u)) {
            mine_missing = lane + 64u;
          }
        }
        if (lane < ((tile >> 5u) & 31u)) {
          let word_3 = poll(seen_3, seen_4, (((((tile >> 10u) << 5u) + lane) + (params.n >> 13u)) * 2u) + 1u);
          seen_3 = word_3.word;
          seen_4 = word_3.word_2;
          if (!(((seen_3 & seen_4) & 65536u) != 0u)) {
            mine_missing = lane + 32u;
          }
        }
        if (lane < (tile & 31u)) {
          let word_3 = poll(seen, seen_2, ((((tile >> 5u) << 5u) + lane) * 2u) + 1u);
          seen = word_3.word;
          seen_2 = word_3.word_2;
          if (!(((seen & seen_2) & 65536u) != 0u)) {
            mine_missing = lane;
          }
        }
        let total_6 = least_of_lanes(mine_missing);
        let slot = rounded_f32(bitcast<f32>((seen & 65535u) | (seen_2 << 16u)), zero);
        let slot_2 = rounded_f32(bitcast<f32>((seen_3 & 65535u) | (seen_4 << 16u)), zero);
        let slot_3 = rounded_f32(bitcast<f32>((seen_5 & 65535u) | (seen_6 << 16u)), zero);
        let slot_4 = rounded_f32(bitcast<f32>((seen_7 & 65535u) | (seen_8 << 16u)), zero);
        var before = rounded_f32(0f, zero);
        let above = before;
        if (((tile >> 15u) & 31u) != 0u) {
          let total_12 = scan_of_lanes(slot_4, zero, before, (tile >> 20u) != 0u, sub);
          let picked = subgroupShuffle(total_12.exclusive, (tile >> 15u) & 31u);
          before = picked;
        }
        let above_2 = before;
        if (((tile >> 10u) & 31u) != 0u) {
          let total_12 = scan_of_lanes(slot_3, zero, before, (tile >> 15u) != 0u, sub);
          let picked = subgroupShuffle(total_12.exclusive, (tile >> 10u) & 31u);
          before = picked;
        }
        let above_3 = before;
        if (((tile >> 5u) & 31u) != 0u) {
          let total_12 = scan_of_lanes(slot_2, zero, before, (tile >> 10u) != 0u, sub);
          let picked = subgroupShuffle(total_12.exclusive, (tile >> 5u) & 31u);
          before = picked;
        }
        let slot_5 = select(slot, own, (sub == (tile & 31u)));
        let total_12 = scan_of_lanes(slot_5, zero, before, (tile >> 5u) != 0u, sub);
        let picked = subgroupShuffle(total_12.inclusive, tile & 31u);
        let picked_2 = subgroupShuffle(total_12.exclusive, tile & 31u);
        var after = picked;
        before = picked_2;
        if ((tile & 31u) == 31u) {
          if ((lane == 0u) & (total_6 == 4294967295u)) {
            publish((((tile >> 5u) + (params.n >> 13u)) * 2u) + 1u, total_12.total);
          }
          let slot_6 = select(slot_2, total_12.total, (sub == ((tile >> 5u) & 31u)));
          let total_18 = scan_of_lanes(slot_6, zero, above_3, (tile >> 10u) != 0u, sub);
          let picked_3 = subgroupShuffle(total_18.inclusive, (tile >> 5u) & 31u);
          after = picked_3;
          if (((tile >> 5u) & 31u) == 31u) {
            if ((lane == 0u) & (total_6 == 4294967295u)) {
              publish(((((tile >> 10u) + (params.n >> 13u)) + (params.n >> 18u)) * 2u) + 1u, total_18.total);
            }
            let slot_7 = select(slot_3, total_18.total, (sub == ((tile >> 10u) & 31u)));
            let total_24 = scan_of_lanes(slot_7, zero, above_2, (tile >> 15u) != 0u, sub);
            let picked_4 = subgroupShuffle(total_24.inclusive, (tile >> 10u) & 31u);
            after = picked_4;
            if (((tile >> 10u) & 31u) == 31u) {
              if ((lane == 0u) & (total_6 == 4294967295u)) {
                publish((((((tile >> 15u) + (params.n >> 13u)) + (params.n >> 18u)) + (params.n >> 23u)) * 2u) + 1u, rounded_f32(total_24.total, zero));
              }
              let slot_8 = rounded_f32(select(slot_4, total_24.total, (sub == ((tile >> 15u) & 31u))), zero);
              let total_30 = scan_of_lanes(slot_8, zero, above, (tile >> 20u) != 0u, sub);
              let picked_5 = subgroupShuffle(total_30.inclusive, (tile >> 15u) & 31u);
              after = picked_5;
            }
          }
        }
        let region_at = (region & 1u) * 64u;
        let block_7 = scan_block_totals[region_at + (sub * 2u)];
        let block_8 = scan_block_totals[region_at + ((sub * 2u) + 1u)];
        let both = rounded_f32(block_7 + block_8, zero);
        let total_18 = scan_of_lanes(both, zero, before, tile != 0u, sub);
        let prefix = select(block_7, (rounded_f32(total_18.exclusive, zero) + block_7), total_18.is_there);
        if (lane < 32u) {
          scan_prefixes[sub * 2u] = total_18.exclusive;
          scan_prefixes[(sub * 2u) + 1u] = prefix;
          if (lane == 0u) {
            scan_prefixes[64u] = after;
          }
        }
        if (lane == 0u) {
          scan_told[0u] = total_6;
        }
        let first_missing = workgroupUniformLoad(&scan_told[0u]);
        missing = first_missing;
        if (missing != 4294967295u) {
          // a slot that did not come: its total, with the same bits, by who waits for it
          var lost_blocks: array<f32, 16>;
          let level = missing >> 5u;
          let bits = level * 5u;
          let above_4 = bits + 5u;
          let slot_at = ((tile >> (above_4 & 31u)) << 5u) + (missing & 31u);
          let first = slot_at << (bits & 31u);
          var lost = rounded_f32(0f, zero);
          for (var i = 0u; i < (1u << (bits & 31u)); i += 1u) {
            workgroupBarrier();
            for (var row = 0u; row < 8u; row += 1u) {
              let base = (((first + i) * 8192u) + (row * 1024u)) + (lane * 4u);
              let x_row = x_rows[base >> 2u];
              let both_2 = rounded_f32(x_row.x + x_row.y, zero);
              let both_3 = rounded_f32(x_row.z + x_row.w, zero);
              let both_4 = rounded_f32(both_2 + both_3, zero);
              let total_24 = total_of_lanes(both_4, zero);
              if (sub == 0u) {
                scan_block_totals[128u + ((row * 8u) + block)] = total_24;
              }
            }
            workgroupBarrier();
            let block_14 = scan_block_totals[128u + (sub * 2u)];
            let block_15 = scan_block_totals[128u + ((sub * 2u) + 1u)];
            let both_2 = rounded_f32(block_14 + block_15, zero);
            let total_24 = total_of_lanes(both_2, zero);
            lost = rounded_f32(total_24, zero);
            let next = i + 1u;
            let ones = min(31u - countLeadingZeros(next & (0u - next)), 15u);
            for (var k = 0u; k < ones; k += 1u) {
              let both_3 = rounded_f32(lost_blocks[k] + lost, zero);
              lost = both_3;
            }
            lost_blocks[ones] = lost;
          }
          if (lane == 0u) {
            publish(((((slot_at + select(0u, (params.n >> 13u), (0u < level))) + select(0u, (params.n >> 18u), (1u < level))) + select(0u, (params.n >> 23u), (2u < level))) * 2u) + 1u, lost);
          }
        }
      }
      for (var row = 0u; row < 8u; row += 1u) {
        let start = scan_prefixes[(row * 8u) + block];
        let item = items[row * 4u];
        let item_2 = items[(row * 4u) + 1u];
        let item_3 = items[(row * 4u) + 2u];
        let item_4 = items[(row * 4u) + 3u];
        let both = rounded_f32(item + item_2, zero);
        let both_2 = rounded_f32(item_3 + item_4, zero);
        let both_3 = rounded_f32(both + both_2, zero);
        let total_6 = scan_of_lanes(both_3, zero, start, (tile != 0u) | (((row * 8u) + block) != 0u), sub);
        let prefix = select(item, (rounded_f32(total_6.exclusive, zero) + item), total_6.is_there);
        let prefix_2 = rounded_f32(select(both, (rounded_f32(total_6.exclusive, zero) + both), total_6.is_there), zero);
        let prefix_3 = prefix_2 + item_3;
        let last = select(total_6.inclusive, scan_prefixes[((row * 8u) + block) + 1u], (sub == 31u));
        let base = ((tile * 8192u) + (row * 1024u)) + (lane * 4u);
        sum_rows[base >> 2u] = vec4<f32>(prefix, prefix_2, prefix_3, last);
      }
      tile = ticket_2;
      region = region + 1u;
      own = next_own;
      for (var k = 0u; k < 32u; k += 1u) {
        items[k] = next_items[k];
      }
    }
  }
}

var<workgroup> tail_lanes_f32: array<f32, 512>;
// The items behind the last full tile, 32 to a work-item.
@compute @workgroup_size(256)
fn tail(
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
  if (group < min(params.n - ((params.n / 8192u) * 8192u), 1u)) {
    let tiles = params.n >> 13u;
    let base = (tiles * 8192u) + (lane * 32u);
    var items: array<f32, 32>;
    for (var k = 0u; k < 32u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let x_i = x[i];
      items[k] = x_i;
    }
    let sub = lane & 31u;
    var seen = 0u;
    var seen_2 = 0u;
    var seen_3 = 0u;
    var seen_4 = 0u;
    var seen_5 = 0u;
    var seen_6 = 0u;
    var seen_7 = 0u;
    var seen_8 = 0u;
    if (sub < ((tiles >> 15u) & 31u)) {
      let word_3 = look_at((((((((tiles >> 20u) << 5u) + sub) + (params.n >> 13u)) + (params.n >> 18u)) + (params.n >> 23u)) * 2u) + 1u);
      seen_7 = word_3.word;
      seen_8 = word_3.word_2;
    }
    if (sub < ((tiles >> 10u) & 31u)) {
      let word_3 = look_at(((((((tiles >> 15u) << 5u) + sub) + (params.n >> 13u)) + (params.n >> 18u)) * 2u) + 1u);
      seen_5 = word_3.word;
      seen_6 = word_3.word_2;
    }
    if (sub < ((tiles >> 5u) & 31u)) {
      let word_3 = look_at((((((tiles >> 10u) << 5u) + sub) + (params.n >> 13u)) * 2u) + 1u);
      seen_3 = word_3.word;
      seen_4 = word_3.word_2;
    }
    if (sub < (tiles & 31u)) {
      let word_3 = look_at(((((tiles >> 5u) << 5u) + sub) * 2u) + 1u);
      seen = word_3.word;
      seen_2 = word_3.word_2;
    }
    let slot = rounded_f32(bitcast<f32>((seen & 65535u) | (seen_2 << 16u)), zero);
    let slot_2 = rounded_f32(bitcast<f32>((seen_3 & 65535u) | (seen_4 << 16u)), zero);
    let slot_3 = rounded_f32(bitcast<f32>((seen_5 & 65535u) | (seen_6 << 16u)), zero);
    let slot_4 = rounded_f32(bitcast<f32>((seen_7 & 65535u) | (seen_8 << 16u)), zero);
    var before = rounded_f32(0f, zero);
    if (((tiles >> 15u) & 31u) != 0u) {
      let total_6 = scan_of_lanes(slot_4, zero, before, (tiles >> 20u) != 0u, sub);
      let picked = subgroupShuffle(total_6.exclusive, (tiles >> 15u) & 31u);
      before = picked;
    }
    if (((tiles >> 10u) & 31u) != 0u) {
      let total_6 = scan_of_lanes(slot_3, zero, before, (tiles >> 15u) != 0u, sub);
      let picked = subgroupShuffle(total_6.exclusive, (tiles >> 10u) & 31u);
      before = picked;
    }
    if (((tiles >> 5u) & 31u) != 0u) {
      let total_6 = scan_of_lanes(slot_2, zero, before, (tiles >> 10u) != 0u, sub);
      let picked = subgroupShuffle(total_6.exclusive, (tiles >> 5u) & 31u);
      before = picked;
    }
    let total_6 = scan_of_lanes(slot, zero, before, (tiles >> 5u) != 0u, sub);
    let picked = subgroupShuffle(total_6.exclusive, tiles & 31u);
    before = picked;
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 32u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    for (var k = 3u; k < 32u; k += 4u) {
      items[k] = rounded_f32(items[k - 2u] + items[k], zero);
    }
    for (var k = 7u; k < 32u; k += 8u) {
      items[k] = rounded_f32(items[k - 4u] + items[k], zero);
    }
    for (var k = 15u; k < 32u; k += 16u) {
      items[k] = rounded_f32(items[k - 8u] + items[k], zero);
    }
    items[31u] = rounded_f32(items[15u] + items[31u], zero);
    var total_7 = items[31u];
    var sibling: array<f32, 8>;
    var own_6: array<f32, 8>;
    for (var round = 0u; round < near; round += 1u) {
      let bit_6 = 1u << (round & 31u);
      let theirs_6 = subgroupShuffleXor(total_7, bit_6);
      sibling[round] = theirs_6;
      own_6[round] = rounded_f32(total_7, zero);
      total_7 = rounded_f32(total_7, zero) + theirs_6;
    }
    workgroupBarrier();
    for (var round = near; round < 8u; round += 1u) {
      let bit_6 = 1u << (round & 31u);
      let slot_5 = ((round & 1u) * 256u) + lane;
      tail_lanes_f32[slot_5] = total_7;
      workgroupBarrier();
      let theirs_6 = tail_lanes_f32[slot_5 ^ bit_6];
      sibling[round] = theirs_6;
      own_6[round] = rounded_f32(total_7, zero);
      total_7 = rounded_f32(total_7, zero) + theirs_6;
    }
    var carry_3 = before;
    var has_carry_3 = tiles != 0u;
    var inclusive_3 = select(total_7, (before + rounded_f32(total_7, zero)), (tiles != 0u));
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper_11 = (lane & (1u << (round & 31u))) != 0u;
      let block_7 = select(own_6[round], sibling[round], is_upper_11);
      let joined_6 = select(block_7, (carry_3 + block_7), has_carry_3);
      inclusive_3 = select(joined_6, inclusive_3, is_upper_11);
      carry_3 = rounded_f32(select(carry_3, joined_6, is_upper_11), zero);
      has_carry_3 = has_carry_3 | is_upper_11;
    }
    items[15u] = rounded_f32(select(items[15u], (carry_3 + items[15u]), has_carry_3), zero);
    items[7u] = rounded_f32(select(items[7u], (carry_3 + items[7u]), has_carry_3), zero);
    items[23u] = rounded_f32(items[15u] + items[23u], zero);
    items[3u] = rounded_f32(select(items[3u], (carry_3 + items[3u]), has_carry_3), zero);
    for (var k = 11u; k < 32u; k += 8u) {
      items[k] = rounded_f32(items[k - 4u] + items[k], zero);
    }
    items[1u] = rounded_f32(select(items[1u], (carry_3 + items[1u]), has_carry_3), zero);
    for (var k = 5u; k < 32u; k += 4u) {
      items[k] = rounded_f32(items[k - 2u] + items[k], zero);
    }
    items[0u] = rounded_f32(select(items[0u], (carry_3 + items[0u]), has_carry_3), zero);
    for (var k = 2u; k < 32u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    items[31u] = rounded_f32(inclusive_3, zero);
    for (var k = 0u; k < 32u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let inclusive_4 = items[k];
      if ((base + k) < params.n) {
        sum[i] = inclusive_4;
      }
    }
  }
}
