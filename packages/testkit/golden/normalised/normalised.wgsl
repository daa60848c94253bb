// groupwise 0.1.0: the pipeline normalised in WGSL
// Made by: groupwise emit pipeline.json --target wgsl
// tile: 256x4
// expand: float-min-max float-compare float-to-int int-to-float float-divide float-constants guard-rounding guard-minus-zero
//
// Passes, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a pass with G = 0 is skipped:
//   tile_totals: G = floor(n / 1024)
//   tile_totals_2: G = floor(n / 2097152)
//   finish: G = 1
//   tile_totals_3: G = floor(n / 1024)
//   tile_totals_2_2: G = floor(n / 2097152)
//   prefixes_2: G = min(floor(n / 2097152), 1)
//   prefixes_1: G = min(floor(n / 1024), (floor(n / 2097152) + 1))
//   scan: G = ceil(n / 1024)

struct Params {
  n: u32, // number of items
  always_zero: u32, // always 0, but unknown to the compiler
}
@group(0) @binding(0) var<uniform> params: Params;

// input: n elements
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> x_rows: array<vec4<f32>>;
// output: 1 element
@group(0) @binding(2) var<storage, read_write> mean: array<f32>;
// output: n elements
@group(0) @binding(3) var<storage, read_write> running: array<f32>;
// scratch: 1 element
@group(0) @binding(4) var<storage, read_write> reduce_1: array<f32>;
// scratch: (floor(n / 1024) + floor(n / 2097152)) elements
@group(0) @binding(5) var<storage, read_write> tile_totals_add: array<f32>;
// scratch: (floor(n / 1024) + floor(n / 2097152)) elements
@group(0) @binding(6) var<storage, read_write> tile_totals_add_2: array<f32>;

// The nearest float, ties to even.
fn f32_of_u32(x: u32) -> f32 {
  return (f32(x >> 16u) * 65536f) + f32(x & 65535u);
}

// a / b, rounded to nearest even by long division of the mantissas.
fn div_f32(a: f32, b: f32) -> f32 {
  let a_magnitude = bitcast<u32>(a) & 2147483647u;
  let b_magnitude = bitcast<u32>(b) & 2147483647u;
  let sign = (bitcast<u32>(a) ^ bitcast<u32>(b)) & 2147483648u;
  var quiet_nan = 2143289344u;
  if ((((a_magnitude & 2147483647u) > 2139095040u) | ((b_magnitude & 2147483647u) > 2139095040u)) | (((a_magnitude == 0u) & (b_magnitude == 0u)) | ((a_magnitude == 2139095040u) & (b_magnitude == 2139095040u)))) {
    return bitcast<f32>(quiet_nan);
  }
  if ((a_magnitude == 2139095040u) | (b_magnitude == 0u)) {
    return bitcast<f32>(sign | 2139095040u);
  }
  if ((a_magnitude == 0u) | (b_magnitude == 2139095040u)) {
    return bitcast<f32>(sign);
  }
  let a_shift = select(0u, (countLeadingZeros(a_magnitude) - 8u), (a_magnitude < 8388608u));
  var a_mantissa = select(((a_magnitude & 8388607u) | 8388608u), (a_magnitude << (a_shift & 31u)), (a_magnitude < 8388608u));
  let a_exponent = select((a_magnitude >> 23u), (1u - a_shift), (a_magnitude < 8388608u));
  let b_shift = select(0u, (countLeadingZeros(b_magnitude) - 8u), (b_magnitude < 8388608u));
  var b_mantissa = select(((b_magnitude & 8388607u) | 8388608u), (b_magnitude << (b_shift & 31u)), (b_magnitude < 8388608u));
  let b_exponent = select((b_magnitude >> 23u), (1u - b_shift), (b_magnitude < 8388608u));
  var exponent = (a_exponent - b_exponent) + 127u;
  if (a_mantissa < b_mantissa) {
    a_mantissa = a_mantissa << 1u;
    exponent = exponent - 1u;
  }
  // 26 bits of quotient: 24 of mantissa and two for rounding; the remainder is sticky
  var quotient = 0u;
  for (var bit = 0u; bit < 26u; bit += 1u) {
    let fits = a_mantissa >= b_mantissa;
    quotient = (quotient << 1u) | select(0u, 1u, fits);
    a_mantissa = (a_mantissa - select(0u, b_mantissa, fits)) << 1u;
  }
  if (bitcast<i32>(exponent) >= 255i) {
    return bitcast<f32>(sign | 2139095040u);
  }
  let small = bitcast<i32>(exponent) < 1i;
  let extra = select(0u, min(1u - exponent, 26u), small);
  let drop = extra + 2u;
  let kept = quotient >> (drop & 31u);
  let rest = quotient - (kept << (drop & 31u));
  let half = 1u << ((drop - 1u) & 31u);
  let rounded = kept + select(0u, 1u, ((rest > half) | ((rest == half) & ((a_mantissa != 0u) | ((kept & 1u) != 0u)))));
  return bitcast<f32>(sign | (select(((exponent - 1u) * 8388608u), 0u, small) + rounded));
}

// x. A compiler cannot merge the operation that gave it with the next.
fn rounded_f32(x: f32, zero: u32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + zero);
}

// x. A compiler cannot cancel it against an equal value.
fn apart_f32(x: f32, zero: u32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + (zero << 10u));
}

var<workgroup> tile_totals_lanes_f32: array<f32, 512>;
// Pass 1 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
@compute @workgroup_size(256)
fn tile_totals(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < (params.n / 1024u)) {
    let base = (group * 1024u) + (lane * 4u);
    var items: array<f32, 4>;
    let i = base;
    let x_row = x_rows[i >> 2u];
    items[0u] = x_row.x;
    items[1u] = x_row.y;
    items[2u] = x_row.z;
    items[3u] = x_row.w;
    // total of the tile: within each work-item, then across the work-group
    items[1u] = rounded_f32(items[0u] + items[1u], zero);
    items[3u] = rounded_f32(items[2u] + items[3u], zero);
    items[3u] = rounded_f32(items[1u] + items[3u], zero);
    var total = items[3u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_lanes_f32[slot] = total;
      workgroupBarrier();
      let theirs = tile_totals_lanes_f32[slot ^ bit];
      total = rounded_f32(total, zero) + theirs;
    }
    if ((lane == 0u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      tile_totals_add[at] = total;
    }
  }
}

var<workgroup> tile_totals_2_lanes_f32: array<f32, 512>;
// Totals of level 2: each of 2048 totals of level 1.
@compute @workgroup_size(256)
fn tile_totals_2(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < (params.n / 2097152u)) {
    var items: array<f32, 8>;
    let base = (params.n >> 21u) + ((group * 2048u) + (lane * 8u));
    for (var k = 0u; k < 8u; k += 1u) {
      items[k] = tile_totals_add[base + k];
    }
    // total of the tile: within each work-item, then across the work-group
    for (var k = 1u; k < 8u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    for (var k = 3u; k < 8u; k += 4u) {
      items[k] = rounded_f32(items[k - 2u] + items[k], zero);
    }
    items[7u] = rounded_f32(items[3u] + items[7u], zero);
    var total = items[7u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_2_lanes_f32[slot] = total;
      workgroupBarrier();
      let theirs = tile_totals_2_lanes_f32[slot ^ bit];
      total = rounded_f32(total, zero) + theirs;
    }
    if ((lane == 0u) & (group < (params.n >> 21u))) {
      let at = group;
      tile_totals_add[at] = rounded_f32(total, zero);
    }
  }
}

var<workgroup> finish_lanes_f32: array<f32, 512>;
// Results for the whole range, by one work-group.
@compute @workgroup_size(256)
fn finish(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let zero = params.always_zero;
  let lane = local_index;
  var result = rounded_f32(0f, zero);
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
      var items: array<f32, 8>;
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
          items[k] = tile_totals_add[offset + at];
        }
      }
      // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
      for (var k = 1u; k < 8u; k += 2u) {
        items[k] = rounded_f32(items[k - 1u] + items[k], zero);
      }
      for (var k = 3u; k < 8u; k += 4u) {
        items[k] = rounded_f32(items[k - 2u] + items[k], zero);
      }
      items[7u] = rounded_f32(items[3u] + items[7u], zero);
      var total = items[7u];
      var sibling: array<f32, 8>;
      var own: array<f32, 8>;
      workgroupBarrier();
      for (var round = 0u; round < 8u; round += 1u) {
        let bit = 1u << (round & 31u);
        let slot = ((round & 1u) * 256u) + lane;
        finish_lanes_f32[slot] = total;
        workgroupBarrier();
        let theirs = finish_lanes_f32[slot ^ bit];
        sibling[round] = theirs;
        own[round] = rounded_f32(total, zero);
        total = rounded_f32(total, zero) + theirs;
      }
      var carry = result;
      var has_carry = has_result;
      var inclusive = select(total, (result + rounded_f32(total, zero)), has_result);
      for (var step_2 = 0u; step_2 < 8u; step_2 += 1u) {
        let round = 7u - step_2;
        let is_upper = (lane & (1u << (round & 31u))) != 0u;
        let block = select(own[round], sibling[round], is_upper);
        let joined = select(block, (carry + block), has_carry);
        inclusive = select(joined, inclusive, is_upper);
        carry = rounded_f32(select(carry, joined, is_upper), zero);
        has_carry = has_carry | is_upper;
      }
      items[3u] = rounded_f32(select(items[3u], (carry + items[3u]), has_carry), zero);
      items[1u] = rounded_f32(select(items[1u], (carry + items[1u]), has_carry), zero);
      items[5u] = rounded_f32(items[3u] + items[5u], zero);
      items[0u] = rounded_f32(select(items[0u], (carry + items[0u]), has_carry), zero);
      for (var k = 2u; k < 8u; k += 2u) {
        items[k] = rounded_f32(items[k - 1u] + items[k], zero);
      }
      items[7u] = rounded_f32(inclusive, zero);
      workgroupBarrier();
      if ((last / 8u) == lane) {
        finish_lanes_f32[0u] = items[last % 8u];
      }
      workgroupBarrier();
      let announced = finish_lanes_f32[0u];
      result = announced;
      has_result = true;
    }
    if (level != 0u) {
      offset = offset + count;
    }
  }
  let reduced = select(0f, result, has_result);
  if (lane == 0u) {
    reduce_1[0u] = reduced;
    let mean_i = div_f32(reduced, f32_of_u32(params.n));
    mean[0u] = mean_i;
  }
}

var<workgroup> tile_totals_3_lanes_f32: array<f32, 512>;
// Pass 2 over the items, 1024 to a work-group, 4 to a work-item.
// Leaves the total of every full tile for the next pass.
@compute @workgroup_size(256)
fn tile_totals_3(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < (params.n / 1024u)) {
    let base = (group * 1024u) + (lane * 4u);
    var items: array<f32, 4>;
    let i = base;
    let x_row = x_rows[i >> 2u];
    let v1 = reduce_1[0u];
    let mean_i = rounded_f32(div_f32(v1, f32_of_u32(params.n)), zero);
    let v5 = x_row.x - apart_f32(mean_i, zero);
    items[0u] = rounded_f32(v5, zero);
    let v1_2 = reduce_1[0u];
    let mean_i_2 = rounded_f32(div_f32(v1_2, f32_of_u32(params.n)), zero);
    let v5_2 = x_row.y - apart_f32(mean_i_2, zero);
    items[1u] = rounded_f32(v5_2, zero);
    let v1_3 = reduce_1[0u];
    let mean_i_3 = rounded_f32(div_f32(v1_3, f32_of_u32(params.n)), zero);
    let v5_3 = x_row.z - apart_f32(mean_i_3, zero);
    items[2u] = rounded_f32(v5_3, zero);
    let v1_4 = reduce_1[0u];
    let mean_i_4 = rounded_f32(div_f32(v1_4, f32_of_u32(params.n)), zero);
    let v5_4 = x_row.w - apart_f32(mean_i_4, zero);
    items[3u] = rounded_f32(v5_4, zero);
    // total of the tile: within each work-item, then across the work-group
    items[1u] = rounded_f32(items[0u] + items[1u], zero);
    items[3u] = rounded_f32(items[2u] + items[3u], zero);
    items[3u] = rounded_f32(items[1u] + items[3u], zero);
    var total = items[3u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_3_lanes_f32[slot] = total;
      workgroupBarrier();
      let theirs = tile_totals_3_lanes_f32[slot ^ bit];
      total = rounded_f32(total, zero) + theirs;
    }
    if ((lane == 0u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      tile_totals_add_2[at] = total;
    }
  }
}

var<workgroup> tile_totals_2_2_lanes_f32: array<f32, 512>;
// Totals of level 2: each of 2048 totals of level 1.
@compute @workgroup_size(256)
fn tile_totals_2_2(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < (params.n / 2097152u)) {
    var items: array<f32, 8>;
    let base = (params.n >> 21u) + ((group * 2048u) + (lane * 8u));
    for (var k = 0u; k < 8u; k += 1u) {
      items[k] = tile_totals_add_2[base + k];
    }
    // total of the tile: within each work-item, then across the work-group
    for (var k = 1u; k < 8u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    for (var k = 3u; k < 8u; k += 4u) {
      items[k] = rounded_f32(items[k - 2u] + items[k], zero);
    }
    items[7u] = rounded_f32(items[3u] + items[7u], zero);
    var total = items[7u];
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      tile_totals_2_2_lanes_f32[slot] = total;
      workgroupBarrier();
      let theirs = tile_totals_2_2_lanes_f32[slot ^ bit];
      total = rounded_f32(total, zero) + theirs;
    }
    if ((lane == 0u) & (group < (params.n >> 21u))) {
      let at = group;
      tile_totals_add_2[at] = rounded_f32(total, zero);
    }
  }
}

var<workgroup> prefixes_2_lanes_f32: array<f32, 512>;
// Prefixes of the totals of level 2, in place.
@compute @workgroup_size(256)
fn prefixes_2(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < min(params.n / 2097152u, 1u)) {
    var items: array<f32, 8>;
    let base = (group * 2048u) + (lane * 8u);
    let count = params.n >> 21u;
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        items[k] = tile_totals_add_2[base + k];
      }
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 8u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    for (var k = 3u; k < 8u; k += 4u) {
      items[k] = rounded_f32(items[k - 2u] + items[k], zero);
    }
    items[7u] = rounded_f32(items[3u] + items[7u], zero);
    var total = items[7u];
    var sibling: array<f32, 8>;
    var own: array<f32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      prefixes_2_lanes_f32[slot] = total;
      workgroupBarrier();
      let theirs = prefixes_2_lanes_f32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
    }
    var carry = rounded_f32(0f, zero);
    var has_carry = false;
    var inclusive = total;
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let joined = select(block, (carry + block), has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = rounded_f32(select(carry, joined, is_upper), zero);
      has_carry = has_carry | is_upper;
    }
    items[3u] = rounded_f32(select(items[3u], (carry + items[3u]), has_carry), zero);
    items[1u] = rounded_f32(select(items[1u], (carry + items[1u]), has_carry), zero);
    items[5u] = rounded_f32(items[3u] + items[5u], zero);
    items[0u] = rounded_f32(select(items[0u], (carry + items[0u]), has_carry), zero);
    for (var k = 2u; k < 8u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    items[7u] = rounded_f32(inclusive, zero);
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        tile_totals_add_2[base + k] = items[k];
      }
    }
  }
}

var<workgroup> prefixes_1_lanes_f32: array<f32, 512>;
// Prefixes of the totals of level 1, in place.
@compute @workgroup_size(256)
fn prefixes_1(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < min(params.n / 1024u, (params.n / 2097152u) + 1u)) {
    var items: array<f32, 8>;
    let base = (group * 2048u) + (lane * 8u);
    let offset = params.n >> 21u;
    let count = params.n >> 10u;
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        items[k] = tile_totals_add_2[(offset + base) + k];
      }
    }
    var before = rounded_f32(0f, zero);
    if (group != 0u) {
      let at = group - 1u;
      before = tile_totals_add_2[at];
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 8u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    for (var k = 3u; k < 8u; k += 4u) {
      items[k] = rounded_f32(items[k - 2u] + items[k], zero);
    }
    items[7u] = rounded_f32(items[3u] + items[7u], zero);
    var total = items[7u];
    var sibling: array<f32, 8>;
    var own: array<f32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      prefixes_1_lanes_f32[slot] = total;
      workgroupBarrier();
      let theirs = prefixes_1_lanes_f32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
    }
    var carry = before;
    var has_carry = group != 0u;
    var inclusive = select(total, (before + rounded_f32(total, zero)), (group != 0u));
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let joined = select(block, (carry + block), has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = rounded_f32(select(carry, joined, is_upper), zero);
      has_carry = has_carry | is_upper;
    }
    items[3u] = rounded_f32(select(items[3u], (carry + items[3u]), has_carry), zero);
    items[1u] = rounded_f32(select(items[1u], (carry + items[1u]), has_carry), zero);
    items[5u] = rounded_f32(items[3u] + items[5u], zero);
    items[0u] = rounded_f32(select(items[0u], (carry + items[0u]), has_carry), zero);
    for (var k = 2u; k < 8u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    items[7u] = rounded_f32(inclusive, zero);
    if ((lane == 255u) & (group < (params.n >> 21u))) {
      let at = group;
      items[7u] = tile_totals_add_2[at];
    }
    for (var k = 0u; k < 8u; k += 1u) {
      if ((base + k) < count) {
        tile_totals_add_2[(offset + base) + k] = items[k];
      }
    }
  }
}

var<workgroup> scan_lanes_f32: array<f32, 512>;
// Pass 3 over the items, 1024 to a work-group, 4 to a work-item.
@compute @workgroup_size(256)
fn scan(
  @builtin(local_invocation_index) local_index: u32,
  @builtin(workgroup_id) group_id: vec3<u32>,
  @builtin(num_workgroups) group_count: vec3<u32>,
) {
  let zero = params.always_zero;
  let lane = local_index;
  let group = group_id.x + group_id.y * group_count.x;
  if (group < ((params.n + 1023u) / 1024u)) {
    let base = (group * 1024u) + (lane * 4u);
    var items: array<f32, 4>;
    for (var k = 0u; k < 4u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let x_i = x[i];
      let v1 = reduce_1[0u];
      let mean_i = rounded_f32(div_f32(v1, f32_of_u32(params.n)), zero);
      items[k] = rounded_f32(x_i - apart_f32(mean_i, zero), zero);
    }
    var before = rounded_f32(0f, zero);
    if (group != 0u) {
      let at = (params.n >> 21u) + (group - 1u);
      before = tile_totals_add_2[at];
    }
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 4u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    items[3u] = rounded_f32(items[1u] + items[3u], zero);
    var total = items[3u];
    var sibling: array<f32, 8>;
    var own: array<f32, 8>;
    workgroupBarrier();
    for (var round = 0u; round < 8u; round += 1u) {
      let bit = 1u << (round & 31u);
      let slot = ((round & 1u) * 256u) + lane;
      scan_lanes_f32[slot] = total;
      workgroupBarrier();
      let theirs = scan_lanes_f32[slot ^ bit];
      sibling[round] = theirs;
      own[round] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
    }
    var carry = before;
    var has_carry = group != 0u;
    var inclusive = select(total, (before + rounded_f32(total, zero)), (group != 0u));
    for (var step = 0u; step < 8u; step += 1u) {
      let round = 7u - step;
      let is_upper = (lane & (1u << (round & 31u))) != 0u;
      let block = select(own[round], sibling[round], is_upper);
      let joined = select(block, (carry + block), has_carry);
      inclusive = select(joined, inclusive, is_upper);
      carry = rounded_f32(select(carry, joined, is_upper), zero);
      has_carry = has_carry | is_upper;
    }
    items[1u] = rounded_f32(select(items[1u], (carry + items[1u]), has_carry), zero);
    items[0u] = rounded_f32(select(items[0u], (carry + items[0u]), has_carry), zero);
    items[2u] = rounded_f32(items[1u] + items[2u], zero);
    items[3u] = rounded_f32(inclusive, zero);
    if ((lane == 255u) & (group < (params.n >> 10u))) {
      let at = (params.n >> 21u) + group;
      items[3u] = tile_totals_add_2[at];
    }
    for (var k = 0u; k < 4u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let inclusive_2 = items[k];
      if ((base + k) < params.n) {
        running[i] = inclusive_2;
      }
    }
  }
}
