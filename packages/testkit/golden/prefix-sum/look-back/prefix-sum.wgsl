// groupwise 0.1.0: the pipeline prefix-sum in WGSL
// Made by: groupwise emit pipeline.json --target wgsl --look-back
// tile: 256x4
// expand: float-min-max float-compare float-to-int int-to-float float-divide float-constants guard-rounding guard-minus-zero
//
// Passes, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a pass with G = 0 is skipped:
//   scan: G = min(floor(n / 8192), 512)
//   tail: G = min((n - (floor(n / 8192) * 8192)), 1)

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

var<workgroup> scan_block_totals: array<f32, 192>;
var<workgroup> scan_prefixes: array<f32, 65>;
var<workgroup> scan_told: array<u32, 2>;
var<workgroup> scan_lanes_f32: array<f32, 512>;
var<workgroup> scan_lanes_u32: array<u32, 512>;
// Scan of the full tiles, 8192 items each, in 8 rows; work-groups take tile after tile.
// Totals of tiles, of 32 tiles, ? are published once; a prefix is a fold over at most 31 of each level.
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
    var own = 0f;
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
        let both = items[row * 4u] + items[(row * 4u) + 1u];
        let both_2 = items[(row * 4u) + 2u] + items[(row * 4u) + 3u];
        let both_3 = rounded_f32(both, zero) + rounded_f32(both_2, zero);
        var total = both_3;
        workgroupBarrier();
        for (var round = 0u; round < 5u; round += 1u) {
          let bit = 1u << (round & 31u);
          let slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          scan_lanes_f32[slot] = total;
          workgroupBarrier();
          let theirs = scan_lanes_f32[slot ^ bit];
          total = rounded_f32(total, zero) + theirs;
        }
        if (sub == 0u) {
          scan_block_totals[region_at + ((row * 8u) + block)] = total;
        }
      }
      workgroupBarrier();
      let block_2 = scan_block_totals[region_at + (sub * 2u)];
      let block_3 = scan_block_totals[region_at + ((sub * 2u) + 1u)];
      let both = block_2 + block_3;
      var total = both;
      workgroupBarrier();
      for (var round = 0u; round < 5u; round += 1u) {
        let bit = 1u << (round & 31u);
        let slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
        scan_lanes_f32[slot] = total;
        workgroupBarrier();
        let theirs = scan_lanes_f32[slot ^ bit];
        total = rounded_f32(total, zero) + theirs;
      }
      own = total;
      if (lane == 0u) {
        publish((tile * 2u) + 1u, rounded_f32(own, zero));
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
        var total = mine_missing;
        workgroupBarrier();
        for (var round = 0u; round < 5u; round += 1u) {
          let bit = 1u << (round & 31u);
          let slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          scan_lanes_u32[slot] = total;
          workgroupBarrier();
          let theirs = scan_lanes_u32[slot ^ bit];
          total = min(total, theirs);
        }
        let slot = bitcast<f32>((seen & 65535u) | (seen_2 << 16u));
        let slot_2 = select(slot, own, (sub == (tile & 31u)));
        var total_2 = slot_2;
        workgroupBarrier();
        for (var round = 0u; round < 5u; round += 1u) {
          let bit = 1u << (round & 31u);
          let slot_3 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          scan_lanes_f32[slot_3] = total_2;
          workgroupBarrier();
          let theirs = scan_lanes_f32[slot_3 ^ bit];
          total_2 = rounded_f32(total_2, zero) + theirs;
        }
        if ((lane == 0u) & (total == 4294967295u)) {
          publish((((tile >> 5u) + (params.n >> 13u)) * 2u) + 1u, rounded_f32(total_2, zero));
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
          var total_3 = mine_missing_2;
          workgroupBarrier();
          for (var round = 0u; round < 5u; round += 1u) {
            let bit = 1u << (round & 31u);
            let slot_3 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
            scan_lanes_u32[slot_3] = total_3;
            workgroupBarrier();
            let theirs = scan_lanes_u32[slot_3 ^ bit];
            total_3 = min(total_3, theirs);
          }
          let slot_3 = bitcast<f32>((seen_3 & 65535u) | (seen_4 << 16u));
          let slot_4 = select(slot_3, total_2, (sub == ((tile >> 5u) & 31u)));
          var total_4 = slot_4;
          workgroupBarrier();
          for (var round = 0u; round < 5u; round += 1u) {
            let bit = 1u << (round & 31u);
            let slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
            scan_lanes_f32[slot_5] = total_4;
            workgroupBarrier();
            let theirs = scan_lanes_f32[slot_5 ^ bit];
            total_4 = rounded_f32(total_4, zero) + theirs;
          }
          if ((lane == 0u) & (total_3 == 4294967295u)) {
            publish(((((tile >> 10u) + (params.n >> 13u)) + (params.n >> 18u)) * 2u) + 1u, rounded_f32(total_4, zero));
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
          let both = next_items[row * 4u] + next_items[(row * 4u) + 1u];
          let both_2 = next_items[(row * 4u) + 2u] + next_items[(row * 4u) + 3u];
          let both_3 = rounded_f32(both, zero) + rounded_f32(both_2, zero);
          var total = both_3;
          workgroupBarrier();
          for (var round = 0u; round < 5u; round += 1u) {
            let bit = 1u << (round & 31u);
            let slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
            scan_lanes_f32[slot] = total;
            workgroupBarrier();
            let theirs = scan_lanes_f32[slot ^ bit];
            total = rounded_f32(total, zero) + theirs;
          }
          if (sub == 0u) {
            scan_block_totals[region_at + ((row * 8u) + block)] = total;
          }
        }
        workgroupBarrier();
        let block_2 = scan_block_totals[region_at + (sub * 2u)];
        let block_3 = scan_block_totals[region_at + ((sub * 2u) + 1u)];
        let both = block_2 + block_3;
        var total = both;
        workgroupBarrier();
        for (var round = 0u; round < 5u; round += 1u) {
          let bit = 1u << (round & 31u);
          let slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          scan_lanes_f32[slot] = total;
          workgroupBarrier();
          let theirs = scan_lanes_f32[slot ^ bit];
          total = rounded_f32(total, zero) + theirs;
        }
        next_own = total;
        if (lane == 0u) {
          publish((ticket_2 * 2u) + 1u, rounded_f32(next_own, zero));
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
        var total = mine_missing;
        workgroupBarrier();
        for (var round = 0u; round < 5u; round += 1u) {
          let bit = 1u << (round & 31u);
          let slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          scan_lanes_u32[slot] = total;
          workgroupBarrier();
          let theirs = scan_lanes_u32[slot ^ bit];
          total = min(total, theirs);
        }
        let slot = bitcast<f32>((seen & 65535u) | (seen_2 << 16u));
        let slot_2 = bitcast<f32>((seen_3 & 65535u) | (seen_4 << 16u));
        let slot_3 = bitcast<f32>((seen_5 & 65535u) | (seen_6 << 16u));
        let slot_4 = bitcast<f32>((seen_7 & 65535u) | (seen_8 << 16u));
        var before = 0f;
        let above = rounded_f32(before, zero);
        if (((tile >> 15u) & 31u) != 0u) {
          var total_2 = slot_4;
          var sibling: array<f32, 5>;
          var own_2: array<f32, 5>;
          workgroupBarrier();
          for (var round = 0u; round < 5u; round += 1u) {
            let bit = 1u << (round & 31u);
            let slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
            scan_lanes_f32[slot_5] = total_2;
            workgroupBarrier();
            let theirs = scan_lanes_f32[slot_5 ^ bit];
            sibling[round] = theirs;
            own_2[round] = rounded_f32(total_2, zero);
            total_2 = rounded_f32(total_2, zero) + theirs;
          }
          var carry = before;
          var has_carry = (tile >> 20u) != 0u;
          for (var step = 0u; step < 5u; step += 1u) {
            let round = 4u - step;
            let is_upper = (sub & (1u << (round & 31u))) != 0u;
            let block_2 = select(own_2[round], sibling[round], is_upper);
            let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
            carry = select(carry, joined, is_upper);
            has_carry = has_carry | is_upper;
          }
          workgroupBarrier();
          scan_lanes_f32[lane] = carry;
          workgroupBarrier();
          let picked = scan_lanes_f32[(block * 32u) + ((tile >> 15u) & 31u)];
          before = picked;
        }
        let above_2 = rounded_f32(before, zero);
        if (((tile >> 10u) & 31u) != 0u) {
          var total_2 = slot_3;
          var sibling: array<f32, 5>;
          var own_2: array<f32, 5>;
          workgroupBarrier();
          for (var round = 0u; round < 5u; round += 1u) {
            let bit = 1u << (round & 31u);
            let slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
            scan_lanes_f32[slot_5] = total_2;
            workgroupBarrier();
            let theirs = scan_lanes_f32[slot_5 ^ bit];
            sibling[round] = theirs;
            own_2[round] = rounded_f32(total_2, zero);
            total_2 = rounded_f32(total_2, zero) + theirs;
          }
          var carry = before;
          var has_carry = (tile >> 15u) != 0u;
          for (var step = 0u; step < 5u; step += 1u) {
            let round = 4u - step;
            let is_upper = (sub & (1u << (round & 31u))) != 0u;
            let block_2 = select(own_2[round], sibling[round], is_upper);
            let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
            carry = select(carry, joined, is_upper);
            has_carry = has_carry | is_upper;
          }
          workgroupBarrier();
          scan_lanes_f32[lane] = carry;
          workgroupBarrier();
          let picked = scan_lanes_f32[(block * 32u) + ((tile >> 10u) & 31u)];
          before = picked;
        }
        let above_3 = before;
        if (((tile >> 5u) & 31u) != 0u) {
          var total_2 = slot_2;
          var sibling: array<f32, 5>;
          var own_2: array<f32, 5>;
          workgroupBarrier();
          for (var round = 0u; round < 5u; round += 1u) {
            let bit = 1u << (round & 31u);
            let slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
            scan_lanes_f32[slot_5] = total_2;
            workgroupBarrier();
            let theirs = scan_lanes_f32[slot_5 ^ bit];
            sibling[round] = theirs;
            own_2[round] = rounded_f32(total_2, zero);
            total_2 = rounded_f32(total_2, zero) + theirs;
          }
          var carry = before;
          var has_carry = (tile >> 10u) != 0u;
          for (var step = 0u; step < 5u; step += 1u) {
            let round = 4u - step;
            let is_upper = (sub & (1u << (round & 31u))) != 0u;
            let block_2 = select(own_2[round], sibling[round], is_upper);
            let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
            carry = select(carry, joined, is_upper);
            has_carry = has_carry | is_upper;
          }
          workgroupBarrier();
          scan_lanes_f32[lane] = carry;
          workgroupBarrier();
          let picked = scan_lanes_f32[(block * 32u) + ((tile >> 5u) & 31u)];
          before = picked;
        }
        let slot_5 = select(slot, own, (sub == (tile & 31u)));
        var total_2 = slot_5;
        var sibling: array<f32, 5>;
        var own_2: array<f32, 5>;
        workgroupBarrier();
        for (var round = 0u; round < 5u; round += 1u) {
          let bit = 1u << (round & 31u);
          let slot_6 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          scan_lanes_f32[slot_6] = total_2;
          workgroupBarrier();
          let theirs = scan_lanes_f32[slot_6 ^ bit];
          sibling[round] = theirs;
          own_2[round] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs;
        }
        var carry = before;
        var has_carry = (tile >> 5u) != 0u;
        var inclusive = select(total_2, (rounded_f32(before, zero) + rounded_f32(total_2, zero)), ((tile >> 5u) != 0u));
        for (var step = 0u; step < 5u; step += 1u) {
          let round = 4u - step;
          let is_upper = (sub & (1u << (round & 31u))) != 0u;
          let block_2 = select(own_2[round], sibling[round], is_upper);
          let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
          inclusive = select(joined, inclusive, is_upper);
          carry = select(carry, joined, is_upper);
          has_carry = has_carry | is_upper;
        }
        workgroupBarrier();
        scan_lanes_f32[lane] = inclusive;
        workgroupBarrier();
        let picked = scan_lanes_f32[(block * 32u) + (tile & 31u)];
        workgroupBarrier();
        scan_lanes_f32[lane] = carry;
        workgroupBarrier();
        let picked_2 = scan_lanes_f32[(block * 32u) + (tile & 31u)];
        var after = picked;
        before = picked_2;
        if ((tile & 31u) == 31u) {
          if ((lane == 0u) & (total == 4294967295u)) {
            publish((((tile >> 5u) + (params.n >> 13u)) * 2u) + 1u, rounded_f32(total_2, zero));
          }
          let slot_6 = select(slot_2, total_2, (sub == ((tile >> 5u) & 31u)));
          var total_3 = slot_6;
          var sibling_2: array<f32, 5>;
          var own_3: array<f32, 5>;
          workgroupBarrier();
          for (var round = 0u; round < 5u; round += 1u) {
            let bit = 1u << (round & 31u);
            let slot_7 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
            scan_lanes_f32[slot_7] = total_3;
            workgroupBarrier();
            let theirs = scan_lanes_f32[slot_7 ^ bit];
            sibling_2[round] = theirs;
            own_3[round] = rounded_f32(total_3, zero);
            total_3 = rounded_f32(total_3, zero) + theirs;
          }
          var carry_2 = above_3;
          var has_carry_2 = (tile >> 10u) != 0u;
          var inclusive_2 = select(total_3, (rounded_f32(above_3, zero) + rounded_f32(total_3, zero)), ((tile >> 10u) != 0u));
          for (var step = 0u; step < 5u; step += 1u) {
            let round = 4u - step;
            let is_upper = (sub & (1u << (round & 31u))) != 0u;
            let block_2 = select(own_3[round], sibling_2[round], is_upper);
            let joined = select(block_2, (rounded_f32(carry_2, zero) + block_2), has_carry_2);
            inclusive_2 = select(joined, inclusive_2, is_upper);
            carry_2 = select(carry_2, joined, is_upper);
            has_carry_2 = has_carry_2 | is_upper;
          }
          workgroupBarrier();
          scan_lanes_f32[lane] = inclusive_2;
          workgroupBarrier();
          let picked_3 = scan_lanes_f32[(block * 32u) + ((tile >> 5u) & 31u)];
          after = picked_3;
          if (((tile >> 5u) & 31u) == 31u) {
            if ((lane == 0u) & (total == 4294967295u)) {
              publish(((((tile >> 10u) + (params.n >> 13u)) + (params.n >> 18u)) * 2u) + 1u, rounded_f32(total_3, zero));
            }
            let slot_7 = select(slot_3, total_3, (sub == ((tile >> 10u) & 31u)));
            var total_4 = slot_7;
            var sibling_3: array<f32, 5>;
            var own_4: array<f32, 5>;
            workgroupBarrier();
            for (var round = 0u; round < 5u; round += 1u) {
              let bit = 1u << (round & 31u);
              let slot_8 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
              scan_lanes_f32[slot_8] = total_4;
              workgroupBarrier();
              let theirs = scan_lanes_f32[slot_8 ^ bit];
              sibling_3[round] = theirs;
              own_4[round] = rounded_f32(total_4, zero);
              total_4 = rounded_f32(total_4, zero) + theirs;
            }
            var carry_3 = above_2;
            var has_carry_3 = (tile >> 15u) != 0u;
            var inclusive_3 = select(total_4, (above_2 + rounded_f32(total_4, zero)), ((tile >> 15u) != 0u));
            for (var step = 0u; step < 5u; step += 1u) {
              let round = 4u - step;
              let is_upper = (sub & (1u << (round & 31u))) != 0u;
              let block_2 = select(own_4[round], sibling_3[round], is_upper);
              let joined = select(block_2, (carry_3 + block_2), has_carry_3);
              inclusive_3 = select(joined, inclusive_3, is_upper);
              carry_3 = rounded_f32(select(carry_3, joined, is_upper), zero);
              has_carry_3 = has_carry_3 | is_upper;
            }
            workgroupBarrier();
            scan_lanes_f32[lane] = inclusive_3;
            workgroupBarrier();
            let picked_4 = scan_lanes_f32[(block * 32u) + ((tile >> 10u) & 31u)];
            after = picked_4;
            if (((tile >> 10u) & 31u) == 31u) {
              if ((lane == 0u) & (total == 4294967295u)) {
                publish((((((tile >> 15u) + (params.n >> 13u)) + (params.n >> 18u)) + (params.n >> 23u)) * 2u) + 1u, rounded_f32(total_4, zero));
              }
              let slot_8 = select(slot_4, total_4, (sub == ((tile >> 15u) & 31u)));
              var total_5 = slot_8;
              var sibling_4: array<f32, 5>;
              var own_5: array<f32, 5>;
              workgroupBarrier();
              for (var round = 0u; round < 5u; round += 1u) {
                let bit = 1u << (round & 31u);
                let slot_9 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
                scan_lanes_f32[slot_9] = total_5;
                workgroupBarrier();
                let theirs = scan_lanes_f32[slot_9 ^ bit];
                sibling_4[round] = theirs;
                own_5[round] = rounded_f32(total_5, zero);
                total_5 = rounded_f32(total_5, zero) + theirs;
              }
              var carry_4 = above;
              var has_carry_4 = (tile >> 20u) != 0u;
              var inclusive_4 = select(total_5, (above + rounded_f32(total_5, zero)), ((tile >> 20u) != 0u));
              for (var step = 0u; step < 5u; step += 1u) {
                let round = 4u - step;
                let is_upper = (sub & (1u << (round & 31u))) != 0u;
                let block_2 = select(own_5[round], sibling_4[round], is_upper);
                let joined = select(block_2, (carry_4 + block_2), has_carry_4);
                inclusive_4 = select(joined, inclusive_4, is_upper);
                carry_4 = rounded_f32(select(carry_4, joined, is_upper), zero);
                has_carry_4 = has_carry_4 | is_upper;
              }
              workgroupBarrier();
              scan_lanes_f32[lane] = inclusive_4;
              workgroupBarrier();
              let picked_5 = scan_lanes_f32[(block * 32u) + ((tile >> 15u) & 31u)];
              after = picked_5;
            }
          }
        }
        let region_at = (region & 1u) * 64u;
        let block_2 = scan_block_totals[region_at + (sub * 2u)];
        let block_3 = scan_block_totals[region_at + ((sub * 2u) + 1u)];
        let both = block_2 + block_3;
        var total_3 = both;
        var sibling_2: array<f32, 5>;
        var own_3: array<f32, 5>;
        workgroupBarrier();
        for (var round = 0u; round < 5u; round += 1u) {
          let bit = 1u << (round & 31u);
          let slot_6 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          scan_lanes_f32[slot_6] = total_3;
          workgroupBarrier();
          let theirs = scan_lanes_f32[slot_6 ^ bit];
          sibling_2[round] = theirs;
          own_3[round] = rounded_f32(total_3, zero);
          total_3 = rounded_f32(total_3, zero) + theirs;
        }
        var carry_2 = before;
        var has_carry_2 = tile != 0u;
        for (var step = 0u; step < 5u; step += 1u) {
          let round = 4u - step;
          let is_upper = (sub & (1u << (round & 31u))) != 0u;
          let block_4 = select(own_3[round], sibling_2[round], is_upper);
          let joined = select(block_4, (rounded_f32(carry_2, zero) + block_4), has_carry_2);
          carry_2 = select(carry_2, joined, is_upper);
          has_carry_2 = has_carry_2 | is_upper;
        }
        let prefix = select(block_2, (rounded_f32(carry_2, zero) + block_2), has_carry_2);
        if (lane < 32u) {
          scan_prefixes[sub * 2u] = carry_2;
          scan_prefixes[(sub * 2u) + 1u] = prefix;
          if (lane == 0u) {
            scan_prefixes[64u] = after;
          }
        }
        if (lane == 0u) {
          scan_told[0u] = total;
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
          var lost = 0f;
          for (var i = 0u; i < (1u << (bits & 31u)); i += 1u) {
            workgroupBarrier();
            for (var row = 0u; row < 8u; row += 1u) {
              let base = (((first + i) * 8192u) + (row * 1024u)) + (lane * 4u);
              let x_row = x_rows[base >> 2u];
              let both_2 = x_row.x + x_row.y;
              let both_3 = x_row.z + x_row.w;
              let both_4 = rounded_f32(both_2, zero) + rounded_f32(both_3, zero);
              var total_4 = both_4;
              workgroupBarrier();
              for (var round = 0u; round < 5u; round += 1u) {
                let bit = 1u << (round & 31u);
                let slot_6 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
                scan_lanes_f32[slot_6] = total_4;
                workgroupBarrier();
                let theirs = scan_lanes_f32[slot_6 ^ bit];
                total_4 = rounded_f32(total_4, zero) + theirs;
              }
              if (sub == 0u) {
                scan_block_totals[128u + ((row * 8u) + block)] = total_4;
              }
            }
            workgroupBarrier();
            let block_4 = scan_block_totals[128u + (sub * 2u)];
            let block_5 = scan_block_totals[128u + ((sub * 2u) + 1u)];
            let both_2 = block_4 + block_5;
            var total_4 = both_2;
            workgroupBarrier();
            for (var round = 0u; round < 5u; round += 1u) {
              let bit = 1u << (round & 31u);
              let slot_6 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
              scan_lanes_f32[slot_6] = total_4;
              workgroupBarrier();
              let theirs = scan_lanes_f32[slot_6 ^ bit];
              total_4 = rounded_f32(total_4, zero) + theirs;
            }
            lost = total_4;
            let next = i + 1u;
            let ones = min(31u - countLeadingZeros(next & (0u - next)), 15u);
            for (var k = 0u; k < ones; k += 1u) {
              let both_3 = lost_blocks[k] + rounded_f32(lost, zero);
              lost = both_3;
            }
            lost_blocks[ones] = rounded_f32(lost, zero);
          }
          if (lane == 0u) {
            publish(((((slot_at + select(0u, (params.n >> 13u), (0u < level))) + select(0u, (params.n >> 18u), (1u < level))) + select(0u, (params.n >> 23u), (2u < level))) * 2u) + 1u, rounded_f32(lost, zero));
          }
        }
      }
      for (var row = 0u; row < 8u; row += 1u) {
        let start = scan_prefixes[(row * 8u) + block];
        let item = items[row * 4u];
        let item_2 = items[(row * 4u) + 1u];
        let item_3 = items[(row * 4u) + 2u];
        let item_4 = items[(row * 4u) + 3u];
        let both = item + item_2;
        let both_2 = item_3 + item_4;
        let both_3 = rounded_f32(both, zero) + rounded_f32(both_2, zero);
        var total = both_3;
        var sibling: array<f32, 5>;
        var own_2: array<f32, 5>;
        workgroupBarrier();
        for (var round = 0u; round < 5u; round += 1u) {
          let bit = 1u << (round & 31u);
          let slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          scan_lanes_f32[slot] = total;
          workgroupBarrier();
          let theirs = scan_lanes_f32[slot ^ bit];
          sibling[round] = theirs;
          own_2[round] = rounded_f32(total, zero);
          total = rounded_f32(total, zero) + theirs;
        }
        var carry = start;
        var has_carry = (tile != 0u) | (((row * 8u) + block) != 0u);
        var inclusive = select(total, (start + rounded_f32(total, zero)), ((tile != 0u) | (((row * 8u) + block) != 0u)));
        for (var step = 0u; step < 5u; step += 1u) {
          let round = 4u - step;
          let is_upper = (sub & (1u << (round & 31u))) != 0u;
          let block_2 = select(own_2[round], sibling[round], is_upper);
          let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
          inclusive = select(joined, inclusive, is_upper);
          carry = select(carry, joined, is_upper);
          has_carry = has_carry | is_upper;
        }
        let prefix = select(item, (rounded_f32(carry, zero) + item), has_carry);
        let prefix_2 = rounded_f32(select(both, (rounded_f32(carry, zero) + rounded_f32(both, zero)), has_carry), zero);
        let prefix_3 = prefix_2 + item_3;
        let last = select(inclusive, scan_prefixes[((row * 8u) + block) + 1u], (sub == 31u));
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
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
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
    let block = lane >> 5u;
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
    let slot = bitcast<f32>((seen & 65535u) | (seen_2 << 16u));
    let slot_2 = bitcast<f32>((seen_3 & 65535u) | (seen_4 << 16u));
    let slot_3 = bitcast<f32>((seen_5 & 65535u) | (seen_6 << 16u));
    let slot_4 = bitcast<f32>((seen_7 & 65535u) | (seen_8 << 16u));
    var before = 0f;
    if (((tiles >> 15u) & 31u) != 0u) {
      var total = slot_4;
      var sibling: array<f32, 5>;
      var own: array<f32, 5>;
      workgroupBarrier();
      for (var round = 0u; round < 5u; round += 1u) {
        let bit = 1u << (round & 31u);
        let slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
        tail_lanes_f32[slot_5] = total;
        workgroupBarrier();
        let theirs = tail_lanes_f32[slot_5 ^ bit];
        sibling[round] = theirs;
        own[round] = rounded_f32(total, zero);
        total = rounded_f32(total, zero) + theirs;
      }
      var carry = before;
      var has_carry = (tiles >> 20u) != 0u;
      for (var step = 0u; step < 5u; step += 1u) {
        let round = 4u - step;
        let is_upper = (sub & (1u << (round & 31u))) != 0u;
        let block_2 = select(own[round], sibling[round], is_upper);
        let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
        carry = select(carry, joined, is_upper);
        has_carry = has_carry | is_upper;
      }
      workgroupBarrier();
      tail_lanes_f32[lane] = carry;
      workgroupBarrier();
      let picked = tail_lanes_f32[(block * 32u) + ((tiles >> 15u) & 31u)];
      before = picked;
    }
    if (((tiles >> 10u) & 31u) != 0u) {
      var total = slot_3;
      var sibling: array<f32, 5>;
      var own: array<f32, 5>;
      workgroupBarrier();
      for (var round = 0u; round < 5u; round += 1u) {
        let bit = 1u << (round & 31u);
        let slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
        tail_lanes_f32[slot_5] = total;
        workgroupBarrier();
        let theirs = tail_lanes_f32[slot_5 ^ bit];
        sibling[round] = theirs;
        own[round] = rounded_f32(total, zero);
        total = rounded_f32(total, zero) + theirs;
      }
      var carry = before;
      var has_carry = (tiles >> 15u) != 0u;
      for (var step = 0u; step < 5u; step += 1u) {
        let round = 4u - step;
        let is_upper = (sub & (1u << (round & 31u))) != 0u;
        let block_2 = select(own[round], sibling[round], is_upper);
        let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
        carry = select(carry, joined, is_upper);
        has_carry = has_carry | is_upper;
      }
      workgroupBarrier();
      tail_lanes_f32[lane] = carry;
      workgroupBarrier();
      let picked = tail_lanes_f32[(block * 32u) + ((tiles >> 10u) & 31u)];
      before = picked;
    }
    if (((tiles >> 5u) & 31u) != 0u) {
      var total = slot_2;
      var sibling: array<f32, 5>;
      var own: array<f32, 5>;
      workgroupBarrier();
      for (var round = 0u; round < 5u; round += 1u) {
        let bit = 1u << (round & 31u);
        let slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
        tail_lanes_f32[slot_5] = total;
        workgroupBarrier();
        let theirs = tail_lanes_f32[slot_5 ^ bit];
        sibling[round] = theirs;
        own[round] = rounded_f32(total, zero);
        total = rounded_f32(total, zero) + theirs;
      }
      var carry = before;
      var has_carry = (tiles >> 10u) != 0u;
      for (var step = 0u; step < 5u; step += 1u) {
        let round = 4u - step;
        let is_upper = (sub & (1u << (round & 31u))) != 0u;
        let block_2 = select(own[round], sibling[round], is_upper);
        let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
        carry = select(carry, joined, is_upper);
        has_carry = has_carry | is_upper;
      }
      workgroupBarrier();
      tail_lanes_f32[lane] = carry;
      workgroupBarrier();
      let picked = tail_lanes_f32[(block * 32u) + ((tiles >> 5u) & 31u)];
      before = picked;
    }
    var total = slot;
    var sibling: array<f32, 5>;
    var own: array<f32, 5>;
    workgroupBarrier();
    for (var round = 0u; round < 5u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
      tail_lanes_f32[slot_5] = total;
      workgroupBarrier();
      let theirs = tail_lanes_f32[slot_5 ^ bit];
      sibling[round] = theirs;
      own[round] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
    }
    var carry = before;
    var has_carry = (tiles >> 5u) != 0u;
    for (var step = 0u; step < 5u; step += 1u) {
      let round = 4u - step;
      let is_upper = (sub & (1u << (round & 31u))) != 0u;
      let block_2 = select(own[round], sibling[round], is_upper);
      let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
      carry = select(carry, joined, is_upper);
      has_carry = has_carry | is_upper;
    }
    workgroupBarrier();
    tail_lanes_f32[lane] = carry;
    workgroupBarrier();
    let picked = tail_lanes_f32[(block * 32u) + (tiles & 31u)];
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
    var total_2 = items[31u];
    var sibling_2: array<f32, 8>;
    var own_2: array<f32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot_5 = ((round & 1u) * 256u) + lane;
      tail_lanes_f32[slot_5] = total_2;
      workgroupBarrier();
      let theirs = tail_lanes_f32[slot_5 ^ bit];
      sibling_2[round] = theirs;
      own_2[round] = rounded_f32(total_2, zero);
      total_2 = rounded_f32(total_2, zero) + theirs;
    }
    var carry_2 = rounded_f32(before, zero);
    var has_carry_2 = tiles != 0u;
    var inclusive_2 = select(total_2, (rounded_f32(before, zero) + rounded_f32(total_2, zero)), (tiles != 0u));
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block_2 = select(own_2[round], sibling_2[round], is_upper);
      let joined = select(block_2, (carry_2 + block_2), has_carry_2);
      inclusive_2 = select(joined, inclusive_2, is_upper);
      carry_2 = rounded_f32(select(carry_2, joined, is_upper), zero);
      has_carry_2 = has_carry_2 | is_upper;
    }
    items[15u] = rounded_f32(select(items[15u], (carry_2 + items[15u]), has_carry_2), zero);
    items[7u] = rounded_f32(select(items[7u], (carry_2 + items[7u]), has_carry_2), zero);
    items[23u] = rounded_f32(items[15u] + items[23u], zero);
    items[3u] = rounded_f32(select(items[3u], (carry_2 + items[3u]), has_carry_2), zero);
    for (var k = 11u; k < 32u; k += 8u) {
      items[k] = rounded_f32(items[k - 4u] + items[k], zero);
    }
    items[1u] = rounded_f32(select(items[1u], (carry_2 + items[1u]), has_carry_2), zero);
    for (var k = 5u; k < 32u; k += 4u) {
      items[k] = rounded_f32(items[k - 2u] + items[k], zero);
    }
    items[0u] = rounded_f32(select(items[0u], (carry_2 + items[0u]), has_carry_2), zero);
    for (var k = 2u; k < 32u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    items[31u] = rounded_f32(inclusive_2, zero);
    for (var k = 0u; k < 32u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let inclusive_3 = items[k];
      if ((base + k) < params.n) {
        sum[i] = inclusive_3;
      }
    }
  }
}
