// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wgsl
// Inputs: f32 x[n]
// Outputs: f32 sum[n]
// Strategy: reduce-then-scan
// Subnormal f32: exact
// Dispatches, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a dispatch with G = 0 is skipped:
//   tile_totals: G = floor(n / 1024), each of 256 work-items
//   tile_totals_2: G = floor(n / 2097152), each of 256 work-items
//   prefixes_2: G = min(floor(n / 2097152), 1), each of 256 work-items
//   prefixes_1: G = min(floor(n / 1024), (floor(n / 2097152) + 1)), each of 256 work-items
//   scan: G = ceil(n / 1024), each of 256 work-items

struct Params {
  n: u32, // number of items
  always_zero: u32, // always 0, but unknown to the compiler
}
@group(0) @binding(0) var<uniform> params: Params;

@group(0) @binding(1) var<storage, read> x: array<f32>; // input: n elements
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> sum: array<f32>; // output: n elements
// scratch: (floor(n / 1024) + floor(n / 2097152)) elements
@group(0) @binding(3) var<storage, read_write> tile_totals_add: array<f32>;

const TILE_ITEMS = 1024u;
const TILE_TOTALS = 2048u;
const TILE_SHIFT = 10u;

struct WorkGroup { @builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32> }

var<workgroup> lanes_f32: array<f32, 512>;

// The float with these bits. A function, because constants may not be infinite or NaN.
fn f32_of_bits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

// a + b also for subnormal numbers, which devices may flush.
fn add_f32(a: f32, b: f32) -> f32 {
  let own = a + b;
  if ((bitcast<u32>(own) & 0x7fffffffu) >= 0x0d000000u) { return own; }
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

// The total of 256 lanes, in each of them.
fn total_of_lanes(own: f32, lane: u32, zero: u32) -> f32 {
  var total = own;
  workgroupBarrier();
  for (var round = 0u; round < 8u; round += 1u) {
    let slot = ((round & 1u) * 256u) + lane;
    lanes_f32[slot] = total;
    workgroupBarrier();
    total = add_f32(rounded_f32(total, zero), lanes_f32[slot ^ (1u << round)]);
  }
  return total;
}

struct ScanOfLanes { total: f32, exclusive: f32, inclusive: f32 }
// Prefixes of 256 lanes after a carry, and their total.
fn scan_of_lanes(own: f32, carry: f32, lane: u32, zero: u32) -> ScanOfLanes {
  var total = own;
  var lower: array<f32, 8>;
  workgroupBarrier();
  for (var round = 0u; round < 8u; round += 1u) {
    let bit = 1u << round;
    let slot = ((round & 1u) * 256u) + lane;
    lanes_f32[slot] = total;
    workgroupBarrier();
    let theirs = lanes_f32[slot ^ bit];
    lower[round] = rounded_f32(select(total, theirs, ((lane & bit) != 0u)), zero);
    total = add_f32(rounded_f32(total, zero), theirs);
  }
  var carry_2 = carry;
  var inclusive = add_f32(carry, rounded_f32(total, zero));
  for (var step = 0u; step < 8u; step += 1u) {
    let round = 7u - step;
    let is_upper = (lane & (1u << round)) != 0u;
    let block = lower[round];
    let joined = rounded_f32(add_f32(carry_2, block), zero);
    inclusive = select(joined, inclusive, is_upper);
    carry_2 = select(carry_2, joined, is_upper);
  }
  return ScanOfLanes(total, carry_2, inclusive);
}

// Replaces totals by their prefixes, starting from the prefixes of the level above.
fn scan_totals(tile: u32, offset: u32, count: u32, offset_above: u32, count_above: u32, lane: u32, zero: u32) {
  var items: array<f32, 8>;
  let base = (tile * TILE_TOTALS) + (lane * 8u);
  for (var k = 0u; k < 8u; k += 1u) {
    if ((base + k) < count) { items[k] = tile_totals_add[(offset + base) + k]; }
  }
  var before = rounded_f32(f32_of_bits(0x80000000u), zero);
  if (tile != 0u) { before = tile_totals_add[offset_above + (tile - 1u)]; }
  // scan of the tile: an up-sweep for totals of aligned blocks, then a down-sweep for prefixes
  for (var k = 1u; k < 8u; k += 2u) { items[k] = rounded_f32(add_f32(items[k - 1u], items[k]), zero); }
  for (var k = 3u; k < 8u; k += 4u) { items[k] = rounded_f32(add_f32(items[k - 2u], items[k]), zero); }
  items[7u] = rounded_f32(add_f32(items[3u], items[7u]), zero);
  let scanned = scan_of_lanes(items[7u], before, lane, zero);
  items[3u] = rounded_f32(add_f32(rounded_f32(scanned.exclusive, zero), items[3u]), zero);
  items[1u] = rounded_f32(add_f32(rounded_f32(scanned.exclusive, zero), items[1u]), zero);
  items[5u] = rounded_f32(add_f32(items[3u], items[5u]), zero);
  items[0u] = rounded_f32(add_f32(rounded_f32(scanned.exclusive, zero), items[0u]), zero);
  for (var k = 2u; k < 8u; k += 2u) { items[k] = rounded_f32(add_f32(items[k - 1u], items[k]), zero); }
  items[7u] = rounded_f32(scanned.inclusive, zero);
  if ((lane == 255u) & (tile < count_above)) { items[7u] = tile_totals_add[offset_above + tile]; }
  for (var k = 0u; k < 8u; k += 1u) {
    if ((base + k) < count) { tile_totals_add[(offset + base) + k] = items[k]; }
  }
}

// Pass 1 over the items, 1024 to a work-group, 4 to a work-item.
// Stores the total of every full tile for the next pass.
@compute @workgroup_size(256)
fn tile_totals(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let zero = params.always_zero;
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= (params.n / TILE_ITEMS)) { return; }
  let x_row = x_rows[((group * TILE_ITEMS) + (lane * 4u)) >> 2u];
  var items = array<f32, 4>(x_row.x, x_row.y, x_row.z, x_row.w);
  // total of the tile: within each work-item, then across the work-group
  items[1u] = rounded_f32(add_f32(items[0u], items[1u]), zero);
  items[3u] = rounded_f32(add_f32(items[2u], items[3u]), zero);
  items[3u] = rounded_f32(add_f32(items[1u], items[3u]), zero);
  let total = total_of_lanes(items[3u], lane, zero);
  if ((lane == 0u) & (group < (params.n >> TILE_SHIFT))) { tile_totals_add[(params.n >> 21u) + group] = total; }
}

// Totals of level 2: each of 2048 totals of level 1.
@compute @workgroup_size(256)
fn tile_totals_2(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let zero = params.always_zero;
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= (params.n / 2097152u)) { return; }
  let base = (params.n >> 21u) + ((group * TILE_TOTALS) + (lane * 8u));
  var items: array<f32, 8>;
  for (var k = 0u; k < 8u; k += 1u) { items[k] = tile_totals_add[base + k]; }
  // total of the tile: within each work-item, then across the work-group
  for (var k = 1u; k < 8u; k += 2u) { items[k] = rounded_f32(add_f32(items[k - 1u], items[k]), zero); }
  for (var k = 3u; k < 8u; k += 4u) { items[k] = rounded_f32(add_f32(items[k - 2u], items[k]), zero); }
  items[7u] = rounded_f32(add_f32(items[3u], items[7u]), zero);
  let total = total_of_lanes(items[7u], lane, zero);
  if ((lane == 0u) & (group < (params.n >> 21u))) { tile_totals_add[group] = rounded_f32(total, zero); }
}

// Prefixes of the totals of level 2, in place.
@compute @workgroup_size(256)
fn prefixes_2(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= min(params.n / 2097152u, 1u)) { return; }
  scan_totals(group, 0u, params.n >> 21u, 0u, 0u, lane, params.always_zero);
}

// Prefixes of the totals of level 1, in place.
@compute @workgroup_size(256)
fn prefixes_1(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= min(params.n / TILE_ITEMS, (params.n / 2097152u) + 1u)) { return; }
  scan_totals(group, params.n >> 21u, params.n >> TILE_SHIFT, 0u, params.n >> 21u, lane, params.always_zero);
}

// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
@compute @workgroup_size(256)
fn scan(@builtin(local_invocation_index) lane: u32, work_group: WorkGroup) {
  let zero = params.always_zero;
  let group = work_group.id.x + work_group.id.y * work_group.count.x;
  if (group >= ((params.n + 1023u) / TILE_ITEMS)) { return; }
  let base = (group * TILE_ITEMS) + (lane * 4u);
  var items: array<f32, 4>;
  for (var k = 0u; k < 4u; k += 1u) { items[k] = x[min(base + k, params.n - 1u)]; }
  var before = rounded_f32(f32_of_bits(0x80000000u), zero);
  if (group != 0u) { before = tile_totals_add[(params.n >> 21u) + (group - 1u)]; }
  // scan of the tile: an up-sweep for totals of aligned blocks, then a down-sweep for prefixes
  for (var k = 1u; k < 4u; k += 2u) { items[k] = rounded_f32(add_f32(items[k - 1u], items[k]), zero); }
  items[3u] = rounded_f32(add_f32(items[1u], items[3u]), zero);
  let scanned = scan_of_lanes(items[3u], before, lane, zero);
  items[1u] = rounded_f32(add_f32(rounded_f32(scanned.exclusive, zero), items[1u]), zero);
  items[0u] = rounded_f32(add_f32(rounded_f32(scanned.exclusive, zero), items[0u]), zero);
  items[2u] = rounded_f32(add_f32(items[1u], items[2u]), zero);
  items[3u] = rounded_f32(scanned.inclusive, zero);
  if ((lane == 255u) & (group < (params.n >> TILE_SHIFT))) { items[3u] = tile_totals_add[(params.n >> 21u) + group]; }
  for (var k = 0u; k < 4u; k += 1u) {
    if ((base + k) < params.n) { sum[min(base + k, params.n - 1u)] = items[k]; }
  }
}
