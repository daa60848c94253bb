// groupwise 0.1.0: the pipeline prefix-sum in WGSL
// Made by: groupwise emit pipeline.json --target wgsl --subgroups 32 --look-back
// tile: 256x4
// expand: float-min-max float-compare float-to-int int-to-float float-divide float-constants guard-rounding guard-minus-zero
// subgroup: 32
//
// Passes, in this order, in one or more compute passes. G work-groups may be dispatched as any
// x * y >= G (x, y at most 65535); a pass with G = 0 is skipped:
//   scan: G = min(floor(n / 16384), 512)
//   tail: G = min((n - (floor(n / 16384) * 16384)), 1)

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
// scratch: (((((floor(n / 16384) + floor(n / 524288)) + floor(n / 16777216)) + floor(n / 536870912)) * 2) + 1) elements; zeros before the first pass
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;

// x. A compiler cannot merge the operation that gave it with the next.
fn rounded_f32(x: f32, zero: u32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) + zero);
}

var<workgroup> scan_block_totals: array<f32, 384>;
var<workgroup> scan_prefixes: array<f32, 129>;
var<workgroup> scan_told: array<u32, 2>;
// Scan of the full tiles, 16384 items each, in 16 rows; work-groups take tile after tile.
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
  if (group < min(params.n / 16384u, 512u)) {
    let sub = lane & 31u;
    let block = lane >> 5u;
    let tiles = params.n >> 14u;
    if (lane == 0u) {
      let taken = atomicAdd(&status[0u], 1u);
      scan_told[1u] = taken;
    }
    let ticket = workgroupUniformLoad(&scan_told[1u]);
    var tile = ticket;
    var region = 0u;
    var own = 0f;
    var items: array<f32, 64>;
    var next_items: array<f32, 64>;
    if (tile < tiles) {
      let base = (tile * 16384u) + (lane * 4u);
      let x_row = x_rows[base >> 2u];
      items[0u] = x_row.x;
      items[1u] = x_row.y;
      items[2u] = x_row.z;
      items[3u] = x_row.w;
      let base_2 = ((tile * 16384u) + 1024u) + (lane * 4u);
      let x_row_2 = x_rows[base_2 >> 2u];
      items[4u] = x_row_2.x;
      items[5u] = x_row_2.y;
      items[6u] = x_row_2.z;
      items[7u] = x_row_2.w;
      let base_3 = ((tile * 16384u) + 2048u) + (lane * 4u);
      let x_row_3 = x_rows[base_3 >> 2u];
      items[8u] = x_row_3.x;
      items[9u] = x_row_3.y;
      items[10u] = x_row_3.z;
      items[11u] = x_row_3.w;
      let base_4 = ((tile * 16384u) + 3072u) + (lane * 4u);
      let x_row_4 = x_rows[base_4 >> 2u];
      items[12u] = x_row_4.x;
      items[13u] = x_row_4.y;
      items[14u] = x_row_4.z;
      items[15u] = x_row_4.w;
      let base_5 = ((tile * 16384u) + 4096u) + (lane * 4u);
      let x_row_5 = x_rows[base_5 >> 2u];
      items[16u] = x_row_5.x;
      items[17u] = x_row_5.y;
      items[18u] = x_row_5.z;
      items[19u] = x_row_5.w;
      let base_6 = ((tile * 16384u) + 5120u) + (lane * 4u);
      let x_row_6 = x_rows[base_6 >> 2u];
      items[20u] = x_row_6.x;
      items[21u] = x_row_6.y;
      items[22u] = x_row_6.z;
      items[23u] = x_row_6.w;
      let base_7 = ((tile * 16384u) + 6144u) + (lane * 4u);
      let x_row_7 = x_rows[base_7 >> 2u];
      items[24u] = x_row_7.x;
      items[25u] = x_row_7.y;
      items[26u] = x_row_7.z;
      items[27u] = x_row_7.w;
      let base_8 = ((tile * 16384u) + 7168u) + (lane * 4u);
      let x_row_8 = x_rows[base_8 >> 2u];
      items[28u] = x_row_8.x;
      items[29u] = x_row_8.y;
      items[30u] = x_row_8.z;
      items[31u] = x_row_8.w;
      let base_9 = ((tile * 16384u) + 8192u) + (lane * 4u);
      let x_row_9 = x_rows[base_9 >> 2u];
      items[32u] = x_row_9.x;
      items[33u] = x_row_9.y;
      items[34u] = x_row_9.z;
      items[35u] = x_row_9.w;
      let base_10 = ((tile * 16384u) + 9216u) + (lane * 4u);
      let x_row_10 = x_rows[base_10 >> 2u];
      items[36u] = x_row_10.x;
      items[37u] = x_row_10.y;
      items[38u] = x_row_10.z;
      items[39u] = x_row_10.w;
      let base_11 = ((tile * 16384u) + 10240u) + (lane * 4u);
      let x_row_11 = x_rows[base_11 >> 2u];
      items[40u] = x_row_11.x;
      items[41u] = x_row_11.y;
      items[42u] = x_row_11.z;
      items[43u] = x_row_11.w;
      let base_12 = ((tile * 16384u) + 11264u) + (lane * 4u);
      let x_row_12 = x_rows[base_12 >> 2u];
      items[44u] = x_row_12.x;
      items[45u] = x_row_12.y;
      items[46u] = x_row_12.z;
      items[47u] = x_row_12.w;
      let base_13 = ((tile * 16384u) + 12288u) + (lane * 4u);
      let x_row_13 = x_rows[base_13 >> 2u];
      items[48u] = x_row_13.x;
      items[49u] = x_row_13.y;
      items[50u] = x_row_13.z;
      items[51u] = x_row_13.w;
      let base_14 = ((tile * 16384u) + 13312u) + (lane * 4u);
      let x_row_14 = x_rows[base_14 >> 2u];
      items[52u] = x_row_14.x;
      items[53u] = x_row_14.y;
      items[54u] = x_row_14.z;
      items[55u] = x_row_14.w;
      let base_15 = ((tile * 16384u) + 14336u) + (lane * 4u);
      let x_row_15 = x_rows[base_15 >> 2u];
      items[56u] = x_row_15.x;
      items[57u] = x_row_15.y;
      items[58u] = x_row_15.z;
      items[59u] = x_row_15.w;
      let base_16 = ((tile * 16384u) + 15360u) + (lane * 4u);
      let x_row_16 = x_rows[base_16 >> 2u];
      items[60u] = x_row_16.x;
      items[61u] = x_row_16.y;
      items[62u] = x_row_16.z;
      items[63u] = x_row_16.w;
      let region_at = (region & 1u) * 128u;
      let both = items[0u] + items[1u];
      let both_2 = rounded_f32(items[2u] + items[3u], zero);
      let both_3 = rounded_f32(both, zero) + both_2;
      var total = both_3;
      let bit = 1u;
      let theirs = subgroupShuffleXor(total, bit);
      total = rounded_f32(total, zero) + theirs;
      let bit_2 = 2u;
      let theirs_2 = subgroupShuffleXor(total, bit_2);
      total = rounded_f32(total, zero) + theirs_2;
      let bit_3 = 4u;
      let theirs_3 = subgroupShuffleXor(total, bit_3);
      total = rounded_f32(total, zero) + theirs_3;
      let bit_4 = 8u;
      let theirs_4 = subgroupShuffleXor(total, bit_4);
      total = rounded_f32(total, zero) + theirs_4;
      let bit_5 = 16u;
      let theirs_5 = subgroupShuffleXor(total, bit_5);
      total = rounded_f32(total, zero) + theirs_5;
      if (sub == 0u) {
        scan_block_totals[region_at + block] = total;
      }
      let both_4 = rounded_f32(items[4u] + items[5u], zero);
      let both_5 = rounded_f32(items[6u] + items[7u], zero);
      let both_6 = both_4 + both_5;
      var total_2 = both_6;
      let bit_6 = 1u;
      let theirs_6 = subgroupShuffleXor(total_2, bit_6);
      total_2 = rounded_f32(total_2, zero) + theirs_6;
      let bit_7 = 2u;
      let theirs_7 = subgroupShuffleXor(total_2, bit_7);
      total_2 = rounded_f32(total_2, zero) + theirs_7;
      let bit_8 = 4u;
      let theirs_8 = subgroupShuffleXor(total_2, bit_8);
      total_2 = rounded_f32(total_2, zero) + theirs_8;
      let bit_9 = 8u;
      let theirs_9 = subgroupShuffleXor(total_2, bit_9);
      total_2 = rounded_f32(total_2, zero) + theirs_9;
      let bit_10 = 16u;
      let theirs_10 = subgroupShuffleXor(total_2, bit_10);
      total_2 = rounded_f32(total_2, zero) + theirs_10;
      if (sub == 0u) {
        scan_block_totals[region_at + (8u + block)] = total_2;
      }
      let both_7 = rounded_f32(items[8u] + items[9u], zero);
      let both_8 = rounded_f32(items[10u] + items[11u], zero);
      let both_9 = both_7 + both_8;
      var total_3 = both_9;
      let bit_11 = 1u;
      let theirs_11 = subgroupShuffleXor(total_3, bit_11);
      total_3 = rounded_f32(total_3, zero) + theirs_11;
      let bit_12 = 2u;
      let theirs_12 = subgroupShuffleXor(total_3, bit_12);
      total_3 = rounded_f32(total_3, zero) + theirs_12;
      let bit_13 = 4u;
      let theirs_13 = subgroupShuffleXor(total_3, bit_13);
      total_3 = rounded_f32(total_3, zero) + theirs_13;
      let bit_14 = 8u;
      let theirs_14 = subgroupShuffleXor(total_3, bit_14);
      total_3 = rounded_f32(total_3, zero) + theirs_14;
      let bit_15 = 16u;
      let theirs_15 = subgroupShuffleXor(total_3, bit_15);
      total_3 = rounded_f32(total_3, zero) + theirs_15;
      if (sub == 0u) {
        scan_block_totals[region_at + (16u + block)] = total_3;
      }
      let both_10 = rounded_f32(items[12u] + items[13u], zero);
      let both_11 = rounded_f32(items[14u] + items[15u], zero);
      let both_12 = both_10 + both_11;
      var total_4 = both_12;
      let bit_16 = 1u;
      let theirs_16 = subgroupShuffleXor(total_4, bit_16);
      total_4 = rounded_f32(total_4, zero) + theirs_16;
      let bit_17 = 2u;
      let theirs_17 = subgroupShuffleXor(total_4, bit_17);
      total_4 = rounded_f32(total_4, zero) + theirs_17;
      let bit_18 = 4u;
      let theirs_18 = subgroupShuffleXor(total_4, bit_18);
      total_4 = rounded_f32(total_4, zero) + theirs_18;
      let bit_19 = 8u;
      let theirs_19 = subgroupShuffleXor(total_4, bit_19);
      total_4 = rounded_f32(total_4, zero) + theirs_19;
      let bit_20 = 16u;
      let theirs_20 = subgroupShuffleXor(total_4, bit_20);
      total_4 = rounded_f32(total_4, zero) + theirs_20;
      if (sub == 0u) {
        scan_block_totals[region_at + (24u + block)] = total_4;
      }
      let both_13 = rounded_f32(items[16u] + items[17u], zero);
      let both_14 = rounded_f32(items[18u] + items[19u], zero);
      let both_15 = both_13 + both_14;
      var total_5 = both_15;
      let bit_21 = 1u;
      let theirs_21 = subgroupShuffleXor(total_5, bit_21);
      total_5 = rounded_f32(total_5, zero) + theirs_21;
      let bit_22 = 2u;
      let theirs_22 = subgroupShuffleXor(total_5, bit_22);
      total_5 = rounded_f32(total_5, zero) + theirs_22;
      let bit_23 = 4u;
      let theirs_23 = subgroupShuffleXor(total_5, bit_23);
      total_5 = rounded_f32(total_5, zero) + theirs_23;
      let bit_24 = 8u;
      let theirs_24 = subgroupShuffleXor(total_5, bit_24);
      total_5 = rounded_f32(total_5, zero) + theirs_24;
      let bit_25 = 16u;
      let theirs_25 = subgroupShuffleXor(total_5, bit_25);
      total_5 = rounded_f32(total_5, zero) + theirs_25;
      if (sub == 0u) {
        scan_block_totals[region_at + (32u + block)] = total_5;
      }
      let both_16 = rounded_f32(items[20u] + items[21u], zero);
      let both_17 = rounded_f32(items[22u] + items[23u], zero);
      let both_18 = both_16 + both_17;
      var total_6 = both_18;
      let bit_26 = 1u;
      let theirs_26 = subgroupShuffleXor(total_6, bit_26);
      total_6 = rounded_f32(total_6, zero) + theirs_26;
      let bit_27 = 2u;
      let theirs_27 = subgroupShuffleXor(total_6, bit_27);
      total_6 = rounded_f32(total_6, zero) + theirs_27;
      let bit_28 = 4u;
      let theirs_28 = subgroupShuffleXor(total_6, bit_28);
      total_6 = rounded_f32(total_6, zero) + theirs_28;
      let bit_29 = 8u;
      let theirs_29 = subgroupShuffleXor(total_6, bit_29);
      total_6 = rounded_f32(total_6, zero) + theirs_29;
      let bit_30 = 16u;
      let theirs_30 = subgroupShuffleXor(total_6, bit_30);
      total_6 = rounded_f32(total_6, zero) + theirs_30;
      if (sub == 0u) {
        scan_block_totals[region_at + (40u + block)] = total_6;
      }
      let both_19 = rounded_f32(items[24u] + items[25u], zero);
      let both_20 = rounded_f32(items[26u] + items[27u], zero);
      let both_21 = both_19 + both_20;
      var total_7 = both_21;
      let bit_31 = 1u;
      let theirs_31 = subgroupShuffleXor(total_7, bit_31);
      total_7 = rounded_f32(total_7, zero) + theirs_31;
      let bit_32 = 2u;
      let theirs_32 = subgroupShuffleXor(total_7, bit_32);
      total_7 = rounded_f32(total_7, zero) + theirs_32;
      let bit_33 = 4u;
      let theirs_33 = subgroupShuffleXor(total_7, bit_33);
      total_7 = rounded_f32(total_7, zero) + theirs_33;
      let bit_34 = 8u;
      let theirs_34 = subgroupShuffleXor(total_7, bit_34);
      total_7 = rounded_f32(total_7, zero) + theirs_34;
      let bit_35 = 16u;
      let theirs_35 = subgroupShuffleXor(total_7, bit_35);
      total_7 = rounded_f32(total_7, zero) + theirs_35;
      if (sub == 0u) {
        scan_block_totals[region_at + (48u + block)] = total_7;
      }
      let both_22 = rounded_f32(items[28u] + items[29u], zero);
      let both_23 = rounded_f32(items[30u] + items[31u], zero);
      let both_24 = both_22 + both_23;
      var total_8 = both_24;
      let bit_36 = 1u;
      let theirs_36 = subgroupShuffleXor(total_8, bit_36);
      total_8 = rounded_f32(total_8, zero) + theirs_36;
      let bit_37 = 2u;
      let theirs_37 = subgroupShuffleXor(total_8, bit_37);
      total_8 = rounded_f32(total_8, zero) + theirs_37;
      let bit_38 = 4u;
      let theirs_38 = subgroupShuffleXor(total_8, bit_38);
      total_8 = rounded_f32(total_8, zero) + theirs_38;
      let bit_39 = 8u;
      let theirs_39 = subgroupShuffleXor(total_8, bit_39);
      total_8 = rounded_f32(total_8, zero) + theirs_39;
      let bit_40 = 16u;
      let theirs_40 = subgroupShuffleXor(total_8, bit_40);
      total_8 = rounded_f32(total_8, zero) + theirs_40;
      if (sub == 0u) {
        scan_block_totals[region_at + (56u + block)] = total_8;
      }
      let both_25 = rounded_f32(items[32u] + items[33u], zero);
      let both_26 = rounded_f32(items[34u] + items[35u], zero);
      let both_27 = both_25 + both_26;
      var total_9 = both_27;
      let bit_41 = 1u;
      let theirs_41 = subgroupShuffleXor(total_9, bit_41);
      total_9 = rounded_f32(total_9, zero) + theirs_41;
      let bit_42 = 2u;
      let theirs_42 = subgroupShuffleXor(total_9, bit_42);
      total_9 = rounded_f32(total_9, zero) + theirs_42;
      let bit_43 = 4u;
      let theirs_43 = subgroupShuffleXor(total_9, bit_43);
      total_9 = rounded_f32(total_9, zero) + theirs_43;
      let bit_44 = 8u;
      let theirs_44 = subgroupShuffleXor(total_9, bit_44);
      total_9 = rounded_f32(total_9, zero) + theirs_44;
      let bit_45 = 16u;
      let theirs_45 = subgroupShuffleXor(total_9, bit_45);
      total_9 = rounded_f32(total_9, zero) + theirs_45;
      if (sub == 0u) {
        scan_block_totals[region_at + (64u + block)] = total_9;
      }
      let both_28 = rounded_f32(items[36u] + items[37u], zero);
      let both_29 = rounded_f32(items[38u] + items[39u], zero);
      let both_30 = both_28 + both_29;
      var total_10 = both_30;
      let bit_46 = 1u;
      let theirs_46 = subgroupShuffleXor(total_10, bit_46);
      total_10 = rounded_f32(total_10, zero) + theirs_46;
      let bit_47 = 2u;
      let theirs_47 = subgroupShuffleXor(total_10, bit_47);
      total_10 = rounded_f32(total_10, zero) + theirs_47;
      let bit_48 = 4u;
      let theirs_48 = subgroupShuffleXor(total_10, bit_48);
      total_10 = rounded_f32(total_10, zero) + theirs_48;
      let bit_49 = 8u;
      let theirs_49 = subgroupShuffleXor(total_10, bit_49);
      total_10 = rounded_f32(total_10, zero) + theirs_49;
      let bit_50 = 16u;
      let theirs_50 = subgroupShuffleXor(total_10, bit_50);
      total_10 = rounded_f32(total_10, zero) + theirs_50;
      if (sub == 0u) {
        scan_block_totals[region_at + (72u + block)] = total_10;
      }
      let both_31 = rounded_f32(items[40u] + items[41u], zero);
      let both_32 = rounded_f32(items[42u] + items[43u], zero);
      let both_33 = both_31 + both_32;
      var total_11 = both_33;
      let bit_51 = 1u;
      let theirs_51 = subgroupShuffleXor(total_11, bit_51);
      total_11 = rounded_f32(total_11, zero) + theirs_51;
      let bit_52 = 2u;
      let theirs_52 = subgroupShuffleXor(total_11, bit_52);
      total_11 = rounded_f32(total_11, zero) + theirs_52;
      let bit_53 = 4u;
      let theirs_53 = subgroupShuffleXor(total_11, bit_53);
      total_11 = rounded_f32(total_11, zero) + theirs_53;
      let bit_54 = 8u;
      let theirs_54 = subgroupShuffleXor(total_11, bit_54);
      total_11 = rounded_f32(total_11, zero) + theirs_54;
      let bit_55 = 16u;
      let theirs_55 = subgroupShuffleXor(total_11, bit_55);
      total_11 = rounded_f32(total_11, zero) + theirs_55;
      if (sub == 0u) {
        scan_block_totals[region_at + (80u + block)] = total_11;
      }
      let both_34 = rounded_f32(items[44u] + items[45u], zero);
      let both_35 = rounded_f32(items[46u] + items[47u], zero);
      let both_36 = both_34 + both_35;
      var total_12 = both_36;
      let bit_56 = 1u;
      let theirs_56 = subgroupShuffleXor(total_12, bit_56);
      total_12 = rounded_f32(total_12, zero) + theirs_56;
      let bit_57 = 2u;
      let theirs_57 = subgroupShuffleXor(total_12, bit_57);
      total_12 = rounded_f32(total_12, zero) + theirs_57;
      let bit_58 = 4u;
      let theirs_58 = subgroupShuffleXor(total_12, bit_58);
      total_12 = rounded_f32(total_12, zero) + theirs_58;
      let bit_59 = 8u;
      let theirs_59 = subgroupShuffleXor(total_12, bit_59);
      total_12 = rounded_f32(total_12, zero) + theirs_59;
      let bit_60 = 16u;
      let theirs_60 = subgroupShuffleXor(total_12, bit_60);
      total_12 = rounded_f32(total_12, zero) + theirs_60;
      if (sub == 0u) {
        scan_block_totals[region_at + (88u + block)] = total_12;
      }
      let both_37 = rounded_f32(items[48u] + items[49u], zero);
      let both_38 = rounded_f32(items[50u] + items[51u], zero);
      let both_39 = both_37 + both_38;
      var total_13 = both_39;
      let bit_61 = 1u;
      let theirs_61 = subgroupShuffleXor(total_13, bit_61);
      total_13 = rounded_f32(total_13, zero) + theirs_61;
      let bit_62 = 2u;
      let theirs_62 = subgroupShuffleXor(total_13, bit_62);
      total_13 = rounded_f32(total_13, zero) + theirs_62;
      let bit_63 = 4u;
      let theirs_63 = subgroupShuffleXor(total_13, bit_63);
      total_13 = rounded_f32(total_13, zero) + theirs_63;
      let bit_64 = 8u;
      let theirs_64 = subgroupShuffleXor(total_13, bit_64);
      total_13 = rounded_f32(total_13, zero) + theirs_64;
      let bit_65 = 16u;
      let theirs_65 = subgroupShuffleXor(total_13, bit_65);
      total_13 = rounded_f32(total_13, zero) + theirs_65;
      if (sub == 0u) {
        scan_block_totals[region_at + (96u + block)] = total_13;
      }
      let both_40 = rounded_f32(items[52u] + items[53u], zero);
      let both_41 = rounded_f32(items[54u] + items[55u], zero);
      let both_42 = both_40 + both_41;
      var total_14 = both_42;
      let bit_66 = 1u;
      let theirs_66 = subgroupShuffleXor(total_14, bit_66);
      total_14 = rounded_f32(total_14, zero) + theirs_66;
      let bit_67 = 2u;
      let theirs_67 = subgroupShuffleXor(total_14, bit_67);
      total_14 = rounded_f32(total_14, zero) + theirs_67;
      let bit_68 = 4u;
      let theirs_68 = subgroupShuffleXor(total_14, bit_68);
      total_14 = rounded_f32(total_14, zero) + theirs_68;
      let bit_69 = 8u;
      let theirs_69 = subgroupShuffleXor(total_14, bit_69);
      total_14 = rounded_f32(total_14, zero) + theirs_69;
      let bit_70 = 16u;
      let theirs_70 = subgroupShuffleXor(total_14, bit_70);
      total_14 = rounded_f32(total_14, zero) + theirs_70;
      if (sub == 0u) {
        scan_block_totals[region_at + (104u + block)] = total_14;
      }
      let both_43 = rounded_f32(items[56u] + items[57u], zero);
      let both_44 = rounded_f32(items[58u] + items[59u], zero);
      let both_45 = both_43 + both_44;
      var total_15 = both_45;
      let bit_71 = 1u;
      let theirs_71 = subgroupShuffleXor(total_15, bit_71);
      total_15 = rounded_f32(total_15, zero) + theirs_71;
      let bit_72 = 2u;
      let theirs_72 = subgroupShuffleXor(total_15, bit_72);
      total_15 = rounded_f32(total_15, zero) + theirs_72;
      let bit_73 = 4u;
      let theirs_73 = subgroupShuffleXor(total_15, bit_73);
      total_15 = rounded_f32(total_15, zero) + theirs_73;
      let bit_74 = 8u;
      let theirs_74 = subgroupShuffleXor(total_15, bit_74);
      total_15 = rounded_f32(total_15, zero) + theirs_74;
      let bit_75 = 16u;
      let theirs_75 = subgroupShuffleXor(total_15, bit_75);
      total_15 = rounded_f32(total_15, zero) + theirs_75;
      if (sub == 0u) {
        scan_block_totals[region_at + (112u + block)] = total_15;
      }
      let both_46 = rounded_f32(items[60u] + items[61u], zero);
      let both_47 = rounded_f32(items[62u] + items[63u], zero);
      let both_48 = both_46 + both_47;
      var total_16 = both_48;
      let bit_76 = 1u;
      let theirs_76 = subgroupShuffleXor(total_16, bit_76);
      total_16 = rounded_f32(total_16, zero) + theirs_76;
      let bit_77 = 2u;
      let theirs_77 = subgroupShuffleXor(total_16, bit_77);
      total_16 = rounded_f32(total_16, zero) + theirs_77;
      let bit_78 = 4u;
      let theirs_78 = subgroupShuffleXor(total_16, bit_78);
      total_16 = rounded_f32(total_16, zero) + theirs_78;
      let bit_79 = 8u;
      let theirs_79 = subgroupShuffleXor(total_16, bit_79);
      total_16 = rounded_f32(total_16, zero) + theirs_79;
      let bit_80 = 16u;
      let theirs_80 = subgroupShuffleXor(total_16, bit_80);
      total_16 = rounded_f32(total_16, zero) + theirs_80;
      if (sub == 0u) {
        scan_block_totals[region_at + (120u + block)] = total_16;
      }
      workgroupBarrier();
      let block_2 = scan_block_totals[region_at + (sub * 4u)];
      let block_3 = scan_block_totals[region_at + ((sub * 4u) + 1u)];
      let block_4 = scan_block_totals[region_at + ((sub * 4u) + 2u)];
      let block_5 = scan_block_totals[region_at + ((sub * 4u) + 3u)];
      let both_49 = rounded_f32(block_2 + block_3, zero);
      let both_50 = rounded_f32(block_4 + block_5, zero);
      let both_51 = both_49 + both_50;
      var total_17 = both_51;
      let bit_81 = 1u;
      let theirs_81 = subgroupShuffleXor(total_17, bit_81);
      total_17 = rounded_f32(total_17, zero) + theirs_81;
      let bit_82 = 2u;
      let theirs_82 = subgroupShuffleXor(total_17, bit_82);
      total_17 = rounded_f32(total_17, zero) + theirs_82;
      let bit_83 = 4u;
      let theirs_83 = subgroupShuffleXor(total_17, bit_83);
      total_17 = rounded_f32(total_17, zero) + theirs_83;
      let bit_84 = 8u;
      let theirs_84 = subgroupShuffleXor(total_17, bit_84);
      total_17 = rounded_f32(total_17, zero) + theirs_84;
      let bit_85 = 16u;
      let theirs_85 = subgroupShuffleXor(total_17, bit_85);
      total_17 = rounded_f32(total_17, zero) + theirs_85;
      own = total_17;
      if (lane == 0u) {
        let at = (tile * 2u) + 1u;
        atomicStore(&status[at], (bitcast<u32>(own) & 65535u) | 65536u);
        atomicStore(&status[at + 1u], (bitcast<u32>(own) >> 16u) | 65536u);
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
        let at = (((((((tile >> 20u) << 5u) + lane) + (params.n >> 14u)) + (params.n >> 19u)) + (params.n >> 24u)) * 2u) + 1u;
        let word = atomicLoad(&status[at]);
        seen_7 = word;
        let word_2 = atomicLoad(&status[at + 1u]);
        seen_8 = word_2;
      }
      if (lane < ((tile >> 10u) & 31u)) {
        let at = ((((((tile >> 15u) << 5u) + lane) + (params.n >> 14u)) + (params.n >> 19u)) * 2u) + 1u;
        let word = atomicLoad(&status[at]);
        seen_5 = word;
        let word_2 = atomicLoad(&status[at + 1u]);
        seen_6 = word_2;
      }
      if (lane < ((tile >> 5u) & 31u)) {
        let at = (((((tile >> 10u) << 5u) + lane) + (params.n >> 14u)) * 2u) + 1u;
        let word = atomicLoad(&status[at]);
        seen_3 = word;
        let word_2 = atomicLoad(&status[at + 1u]);
        seen_4 = word_2;
      }
      if (lane < (tile & 31u)) {
        let at = ((((tile >> 5u) << 5u) + lane) * 2u) + 1u;
        let word = atomicLoad(&status[at]);
        seen = word;
        let word_2 = atomicLoad(&status[at + 1u]);
        seen_2 = word_2;
      }
      if ((tile & 31u) == 31u) {
        var mine_missing = 4294967295u;
        if (lane < (tile & 31u)) {
          var tries = 0u;
          while ((!(((seen & seen_2) & 65536u) != 0u)) & (tries < 4096u)) {
            let at = ((((tile >> 5u) << 5u) + lane) * 2u) + 1u;
            let word = atomicLoad(&status[at]);
            seen = word;
            let word_2 = atomicLoad(&status[at + 1u]);
            seen_2 = word_2;
            tries = tries + 1u;
          }
          if (!(((seen & seen_2) & 65536u) != 0u)) {
            mine_missing = lane;
          }
        }
        var total = mine_missing;
        let bit = 1u;
        let theirs = subgroupShuffleXor(total, bit);
        total = min(total, theirs);
        let bit_2 = 2u;
        let theirs_2 = subgroupShuffleXor(total, bit_2);
        total = min(total, theirs_2);
        let bit_3 = 4u;
        let theirs_3 = subgroupShuffleXor(total, bit_3);
        total = min(total, theirs_3);
        let bit_4 = 8u;
        let theirs_4 = subgroupShuffleXor(total, bit_4);
        total = min(total, theirs_4);
        let bit_5 = 16u;
        let theirs_5 = subgroupShuffleXor(total, bit_5);
        total = min(total, theirs_5);
        let slot = bitcast<f32>((seen & 65535u) | (seen_2 << 16u));
        let slot_2 = select(slot, own, (sub == (tile & 31u)));
        var total_2 = slot_2;
        let bit_6 = 1u;
        let theirs_6 = subgroupShuffleXor(total_2, bit_6);
        total_2 = rounded_f32(total_2, zero) + theirs_6;
        let bit_7 = 2u;
        let theirs_7 = subgroupShuffleXor(total_2, bit_7);
        total_2 = rounded_f32(total_2, zero) + theirs_7;
        let bit_8 = 4u;
        let theirs_8 = subgroupShuffleXor(total_2, bit_8);
        total_2 = rounded_f32(total_2, zero) + theirs_8;
        let bit_9 = 8u;
        let theirs_9 = subgroupShuffleXor(total_2, bit_9);
        total_2 = rounded_f32(total_2, zero) + theirs_9;
        let bit_10 = 16u;
        let theirs_10 = subgroupShuffleXor(total_2, bit_10);
        total_2 = rounded_f32(total_2, zero) + theirs_10;
        if ((lane == 0u) & (total == 4294967295u)) {
          let at = (((tile >> 5u) + (params.n >> 14u)) * 2u) + 1u;
          atomicStore(&status[at], (bitcast<u32>(total_2) & 65535u) | 65536u);
          atomicStore(&status[at + 1u], (bitcast<u32>(total_2) >> 16u) | 65536u);
        }
        if (((tile >> 5u) & 31u) == 31u) {
          var mine_missing_2 = 4294967295u;
          if (lane < ((tile >> 5u) & 31u)) {
            var tries = 0u;
            while ((!(((seen_3 & seen_4) & 65536u) != 0u)) & (tries < 4096u)) {
              let at = (((((tile >> 10u) << 5u) + lane) + (params.n >> 14u)) * 2u) + 1u;
              let word = atomicLoad(&status[at]);
              seen_3 = word;
              let word_2 = atomicLoad(&status[at + 1u]);
              seen_4 = word_2;
              tries = tries + 1u;
            }
            if (!(((seen_3 & seen_4) & 65536u) != 0u)) {
              mine_missing_2 = lane + 32u;
            }
          }
          var total_3 = mine_missing_2;
          let bit_11 = 1u;
          let theirs_11 = subgroupShuffleXor(total_3, bit_11);
          total_3 = min(total_3, theirs_11);
          let bit_12 = 2u;
          let theirs_12 = subgroupShuffleXor(total_3, bit_12);
          total_3 = min(total_3, theirs_12);
          let bit_13 = 4u;
          let theirs_13 = subgroupShuffleXor(total_3, bit_13);
          total_3 = min(total_3, theirs_13);
          let bit_14 = 8u;
          let theirs_14 = subgroupShuffleXor(total_3, bit_14);
          total_3 = min(total_3, theirs_14);
          let bit_15 = 16u;
          let theirs_15 = subgroupShuffleXor(total_3, bit_15);
          total_3 = min(total_3, theirs_15);
          let slot_3 = bitcast<f32>((seen_3 & 65535u) | (seen_4 << 16u));
          let slot_4 = select(slot_3, total_2, (sub == ((tile >> 5u) & 31u)));
          var total_4 = slot_4;
          let bit_16 = 1u;
          let theirs_16 = subgroupShuffleXor(total_4, bit_16);
          total_4 = rounded_f32(total_4, zero) + theirs_16;
          let bit_17 = 2u;
          let theirs_17 = subgroupShuffleXor(total_4, bit_17);
          total_4 = rounded_f32(total_4, zero) + theirs_17;
          let bit_18 = 4u;
          let theirs_18 = subgroupShuffleXor(total_4, bit_18);
          total_4 = rounded_f32(total_4, zero) + theirs_18;
          let bit_19 = 8u;
          let theirs_19 = subgroupShuffleXor(total_4, bit_19);
          total_4 = rounded_f32(total_4, zero) + theirs_19;
          let bit_20 = 16u;
          let theirs_20 = subgroupShuffleXor(total_4, bit_20);
          total_4 = rounded_f32(total_4, zero) + theirs_20;
          if ((lane == 0u) & (total_3 == 4294967295u)) {
            let at = ((((tile >> 10u) + (params.n >> 14u)) + (params.n >> 19u)) * 2u) + 1u;
            atomicStore(&status[at], (bitcast<u32>(total_4) & 65535u) | 65536u);
            atomicStore(&status[at + 1u], (bitcast<u32>(total_4) >> 16u) | 65536u);
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
        let base = (ticket_2 * 16384u) + (lane * 4u);
        let x_row = x_rows[base >> 2u];
        next_items[0u] = x_row.x;
        next_items[1u] = x_row.y;
        next_items[2u] = x_row.z;
        next_items[3u] = x_row.w;
        let base_2 = ((ticket_2 * 16384u) + 1024u) + (lane * 4u);
        let x_row_2 = x_rows[base_2 >> 2u];
        next_items[4u] = x_row_2.x;
        next_items[5u] = x_row_2.y;
        next_items[6u] = x_row_2.z;
        next_items[7u] = x_row_2.w;
        let base_3 = ((ticket_2 * 16384u) + 2048u) + (lane * 4u);
        let x_row_3 = x_rows[base_3 >> 2u];
        next_items[8u] = x_row_3.x;
        next_items[9u] = x_row_3.y;
        next_items[10u] = x_row_3.z;
        next_items[11u] = x_row_3.w;
        let base_4 = ((ticket_2 * 16384u) + 3072u) + (lane * 4u);
        let x_row_4 = x_rows[base_4 >> 2u];
        next_items[12u] = x_row_4.x;
        next_items[13u] = x_row_4.y;
        next_items[14u] = x_row_4.z;
        next_items[15u] = x_row_4.w;
        let base_5 = ((ticket_2 * 16384u) + 4096u) + (lane * 4u);
        let x_row_5 = x_rows[base_5 >> 2u];
        next_items[16u] = x_row_5.x;
        next_items[17u] = x_row_5.y;
        next_items[18u] = x_row_5.z;
        next_items[19u] = x_row_5.w;
        let base_6 = ((ticket_2 * 16384u) + 5120u) + (lane * 4u);
        let x_row_6 = x_rows[base_6 >> 2u];
        next_items[20u] = x_row_6.x;
        next_items[21u] = x_row_6.y;
        next_items[22u] = x_row_6.z;
        next_items[23u] = x_row_6.w;
        let base_7 = ((ticket_2 * 16384u) + 6144u) + (lane * 4u);
        let x_row_7 = x_rows[base_7 >> 2u];
        next_items[24u] = x_row_7.x;
        next_items[25u] = x_row_7.y;
        next_items[26u] = x_row_7.z;
        next_items[27u] = x_row_7.w;
        let base_8 = ((ticket_2 * 16384u) + 7168u) + (lane * 4u);
        let x_row_8 = x_rows[base_8 >> 2u];
        next_items[28u] = x_row_8.x;
        next_items[29u] = x_row_8.y;
        next_items[30u] = x_row_8.z;
        next_items[31u] = x_row_8.w;
        let base_9 = ((ticket_2 * 16384u) + 8192u) + (lane * 4u);
        let x_row_9 = x_rows[base_9 >> 2u];
        next_items[32u] = x_row_9.x;
        next_items[33u] = x_row_9.y;
        next_items[34u] = x_row_9.z;
        next_items[35u] = x_row_9.w;
        let base_10 = ((ticket_2 * 16384u) + 9216u) + (lane * 4u);
        let x_row_10 = x_rows[base_10 >> 2u];
        next_items[36u] = x_row_10.x;
        next_items[37u] = x_row_10.y;
        next_items[38u] = x_row_10.z;
        next_items[39u] = x_row_10.w;
        let base_11 = ((ticket_2 * 16384u) + 10240u) + (lane * 4u);
        let x_row_11 = x_rows[base_11 >> 2u];
        next_items[40u] = x_row_11.x;
        next_items[41u] = x_row_11.y;
        next_items[42u] = x_row_11.z;
        next_items[43u] = x_row_11.w;
        let base_12 = ((ticket_2 * 16384u) + 11264u) + (lane * 4u);
        let x_row_12 = x_rows[base_12 >> 2u];
        next_items[44u] = x_row_12.x;
        next_items[45u] = x_row_12.y;
        next_items[46u] = x_row_12.z;
        next_items[47u] = x_row_12.w;
        let base_13 = ((ticket_2 * 16384u) + 12288u) + (lane * 4u);
        let x_row_13 = x_rows[base_13 >> 2u];
        next_items[48u] = x_row_13.x;
        next_items[49u] = x_row_13.y;
        next_items[50u] = x_row_13.z;
        next_items[51u] = x_row_13.w;
        let base_14 = ((ticket_2 * 16384u) + 13312u) + (lane * 4u);
        let x_row_14 = x_rows[base_14 >> 2u];
        next_items[52u] = x_row_14.x;
        next_items[53u] = x_row_14.y;
        next_items[54u] = x_row_14.z;
        next_items[55u] = x_row_14.w;
        let base_15 = ((ticket_2 * 16384u) + 14336u) + (lane * 4u);
        let x_row_15 = x_rows[base_15 >> 2u];
        next_items[56u] = x_row_15.x;
        next_items[57u] = x_row_15.y;
        next_items[58u] = x_row_15.z;
        next_items[59u] = x_row_15.w;
        let base_16 = ((ticket_2 * 16384u) + 15360u) + (lane * 4u);
        let x_row_16 = x_rows[base_16 >> 2u];
        next_items[60u] = x_row_16.x;
        next_items[61u] = x_row_16.y;
        next_items[62u] = x_row_16.z;
        next_items[63u] = x_row_16.w;
        let region_at = ((region + 1u) & 1u) * 128u;
        let both = next_items[0u] + next_items[1u];
        let both_2 = rounded_f32(next_items[2u] + next_items[3u], zero);
        let both_3 = rounded_f32(both, zero) + both_2;
        var total = both_3;
        let bit = 1u;
        let theirs = subgroupShuffleXor(total, bit);
        total = rounded_f32(total, zero) + theirs;
        let bit_2 = 2u;
        let theirs_2 = subgroupShuffleXor(total, bit_2);
        total = rounded_f32(total, zero) + theirs_2;
        let bit_3 = 4u;
        let theirs_3 = subgroupShuffleXor(total, bit_3);
        total = rounded_f32(total, zero) + theirs_3;
        let bit_4 = 8u;
        let theirs_4 = subgroupShuffleXor(total, bit_4);
        total = rounded_f32(total, zero) + theirs_4;
        let bit_5 = 16u;
        let theirs_5 = subgroupShuffleXor(total, bit_5);
        total = rounded_f32(total, zero) + theirs_5;
        if (sub == 0u) {
          scan_block_totals[region_at + block] = total;
        }
        let both_4 = rounded_f32(next_items[4u] + next_items[5u], zero);
        let both_5 = rounded_f32(next_items[6u] + next_items[7u], zero);
        let both_6 = both_4 + both_5;
        var total_2 = both_6;
        let bit_6 = 1u;
        let theirs_6 = subgroupShuffleXor(total_2, bit_6);
        total_2 = rounded_f32(total_2, zero) + theirs_6;
        let bit_7 = 2u;
        let theirs_7 = subgroupShuffleXor(total_2, bit_7);
        total_2 = rounded_f32(total_2, zero) + theirs_7;
        let bit_8 = 4u;
        let theirs_8 = subgroupShuffleXor(total_2, bit_8);
        total_2 = rounded_f32(total_2, zero) + theirs_8;
        let bit_9 = 8u;
        let theirs_9 = subgroupShuffleXor(total_2, bit_9);
        total_2 = rounded_f32(total_2, zero) + theirs_9;
        let bit_10 = 16u;
        let theirs_10 = subgroupShuffleXor(total_2, bit_10);
        total_2 = rounded_f32(total_2, zero) + theirs_10;
        if (sub == 0u) {
          scan_block_totals[region_at + (8u + block)] = total_2;
        }
        let both_7 = rounded_f32(next_items[8u] + next_items[9u], zero);
        let both_8 = rounded_f32(next_items[10u] + next_items[11u], zero);
        let both_9 = both_7 + both_8;
        var total_3 = both_9;
        let bit_11 = 1u;
        let theirs_11 = subgroupShuffleXor(total_3, bit_11);
        total_3 = rounded_f32(total_3, zero) + theirs_11;
        let bit_12 = 2u;
        let theirs_12 = subgroupShuffleXor(total_3, bit_12);
        total_3 = rounded_f32(total_3, zero) + theirs_12;
        let bit_13 = 4u;
        let theirs_13 = subgroupShuffleXor(total_3, bit_13);
        total_3 = rounded_f32(total_3, zero) + theirs_13;
        let bit_14 = 8u;
        let theirs_14 = subgroupShuffleXor(total_3, bit_14);
        total_3 = rounded_f32(total_3, zero) + theirs_14;
        let bit_15 = 16u;
        let theirs_15 = subgroupShuffleXor(total_3, bit_15);
        total_3 = rounded_f32(total_3, zero) + theirs_15;
        if (sub == 0u) {
          scan_block_totals[region_at + (16u + block)] = total_3;
        }
        let both_10 = rounded_f32(next_items[12u] + next_items[13u], zero);
        let both_11 = rounded_f32(next_items[14u] + next_items[15u], zero);
        let both_12 = both_10 + both_11;
        var total_4 = both_12;
        let bit_16 = 1u;
        let theirs_16 = subgroupShuffleXor(total_4, bit_16);
        total_4 = rounded_f32(total_4, zero) + theirs_16;
        let bit_17 = 2u;
        let theirs_17 = subgroupShuffleXor(total_4, bit_17);
        total_4 = rounded_f32(total_4, zero) + theirs_17;
        let bit_18 = 4u;
        let theirs_18 = subgroupShuffleXor(total_4, bit_18);
        total_4 = rounded_f32(total_4, zero) + theirs_18;
        let bit_19 = 8u;
        let theirs_19 = subgroupShuffleXor(total_4, bit_19);
        total_4 = rounded_f32(total_4, zero) + theirs_19;
        let bit_20 = 16u;
        let theirs_20 = subgroupShuffleXor(total_4, bit_20);
        total_4 = rounded_f32(total_4, zero) + theirs_20;
        if (sub == 0u) {
          scan_block_totals[region_at + (24u + block)] = total_4;
        }
        let both_13 = rounded_f32(next_items[16u] + next_items[17u], zero);
        let both_14 = rounded_f32(next_items[18u] + next_items[19u], zero);
        let both_15 = both_13 + both_14;
        var total_5 = both_15;
        let bit_21 = 1u;
        let theirs_21 = subgroupShuffleXor(total_5, bit_21);
        total_5 = rounded_f32(total_5, zero) + theirs_21;
        let bit_22 = 2u;
        let theirs_22 = subgroupShuffleXor(total_5, bit_22);
        total_5 = rounded_f32(total_5, zero) + theirs_22;
        let bit_23 = 4u;
        let theirs_23 = subgroupShuffleXor(total_5, bit_23);
        total_5 = rounded_f32(total_5, zero) + theirs_23;
        let bit_24 = 8u;
        let theirs_24 = subgroupShuffleXor(total_5, bit_24);
        total_5 = rounded_f32(total_5, zero) + theirs_24;
        let bit_25 = 16u;
        let theirs_25 = subgroupShuffleXor(total_5, bit_25);
        total_5 = rounded_f32(total_5, zero) + theirs_25;
        if (sub == 0u) {
          scan_block_totals[region_at + (32u + block)] = total_5;
        }
        let both_16 = rounded_f32(next_items[20u] + next_items[21u], zero);
        let both_17 = rounded_f32(next_items[22u] + next_items[23u], zero);
        let both_18 = both_16 + both_17;
        var total_6 = both_18;
        let bit_26 = 1u;
        let theirs_26 = subgroupShuffleXor(total_6, bit_26);
        total_6 = rounded_f32(total_6, zero) + theirs_26;
        let bit_27 = 2u;
        let theirs_27 = subgroupShuffleXor(total_6, bit_27);
        total_6 = rounded_f32(total_6, zero) + theirs_27;
        let bit_28 = 4u;
        let theirs_28 = subgroupShuffleXor(total_6, bit_28);
        total_6 = rounded_f32(total_6, zero) + theirs_28;
        let bit_29 = 8u;
        let theirs_29 = subgroupShuffleXor(total_6, bit_29);
        total_6 = rounded_f32(total_6, zero) + theirs_29;
        let bit_30 = 16u;
        let theirs_30 = subgroupShuffleXor(total_6, bit_30);
        total_6 = rounded_f32(total_6, zero) + theirs_30;
        if (sub == 0u) {
          scan_block_totals[region_at + (40u + block)] = total_6;
        }
        let both_19 = rounded_f32(next_items[24u] + next_items[25u], zero);
        let both_20 = rounded_f32(next_items[26u] + next_items[27u], zero);
        let both_21 = both_19 + both_20;
        var total_7 = both_21;
        let bit_31 = 1u;
        let theirs_31 = subgroupShuffleXor(total_7, bit_31);
        total_7 = rounded_f32(total_7, zero) + theirs_31;
        let bit_32 = 2u;
        let theirs_32 = subgroupShuffleXor(total_7, bit_32);
        total_7 = rounded_f32(total_7, zero) + theirs_32;
        let bit_33 = 4u;
        let theirs_33 = subgroupShuffleXor(total_7, bit_33);
        total_7 = rounded_f32(total_7, zero) + theirs_33;
        let bit_34 = 8u;
        let theirs_34 = subgroupShuffleXor(total_7, bit_34);
        total_7 = rounded_f32(total_7, zero) + theirs_34;
        let bit_35 = 16u;
        let theirs_35 = subgroupShuffleXor(total_7, bit_35);
        total_7 = rounded_f32(total_7, zero) + theirs_35;
        if (sub == 0u) {
          scan_block_totals[region_at + (48u + block)] = total_7;
        }
        let both_22 = rounded_f32(next_items[28u] + next_items[29u], zero);
        let both_23 = rounded_f32(next_items[30u] + next_items[31u], zero);
        let both_24 = both_22 + both_23;
        var total_8 = both_24;
        let bit_36 = 1u;
        let theirs_36 = subgroupShuffleXor(total_8, bit_36);
        total_8 = rounded_f32(total_8, zero) + theirs_36;
        let bit_37 = 2u;
        let theirs_37 = subgroupShuffleXor(total_8, bit_37);
        total_8 = rounded_f32(total_8, zero) + theirs_37;
        let bit_38 = 4u;
        let theirs_38 = subgroupShuffleXor(total_8, bit_38);
        total_8 = rounded_f32(total_8, zero) + theirs_38;
        let bit_39 = 8u;
        let theirs_39 = subgroupShuffleXor(total_8, bit_39);
        total_8 = rounded_f32(total_8, zero) + theirs_39;
        let bit_40 = 16u;
        let theirs_40 = subgroupShuffleXor(total_8, bit_40);
        total_8 = rounded_f32(total_8, zero) + theirs_40;
        if (sub == 0u) {
          scan_block_totals[region_at + (56u + block)] = total_8;
        }
        let both_25 = rounded_f32(next_items[32u] + next_items[33u], zero);
        let both_26 = rounded_f32(next_items[34u] + next_items[35u], zero);
        let both_27 = both_25 + both_26;
        var total_9 = both_27;
        let bit_41 = 1u;
        let theirs_41 = subgroupShuffleXor(total_9, bit_41);
        total_9 = rounded_f32(total_9, zero) + theirs_41;
        let bit_42 = 2u;
        let theirs_42 = subgroupShuffleXor(total_9, bit_42);
        total_9 = rounded_f32(total_9, zero) + theirs_42;
        let bit_43 = 4u;
        let theirs_43 = subgroupShuffleXor(total_9, bit_43);
        total_9 = rounded_f32(total_9, zero) + theirs_43;
        let bit_44 = 8u;
        let theirs_44 = subgroupShuffleXor(total_9, bit_44);
        total_9 = rounded_f32(total_9, zero) + theirs_44;
        let bit_45 = 16u;
        let theirs_45 = subgroupShuffleXor(total_9, bit_45);
        total_9 = rounded_f32(total_9, zero) + theirs_45;
        if (sub == 0u) {
          scan_block_totals[region_at + (64u + block)] = total_9;
        }
        let both_28 = rounded_f32(next_items[36u] + next_items[37u], zero);
        let both_29 = rounded_f32(next_items[38u] + next_items[39u], zero);
        let both_30 = both_28 + both_29;
        var total_10 = both_30;
        let bit_46 = 1u;
        let theirs_46 = subgroupShuffleXor(total_10, bit_46);
        total_10 = rounded_f32(total_10, zero) + theirs_46;
        let bit_47 = 2u;
        let theirs_47 = subgroupShuffleXor(total_10, bit_47);
        total_10 = rounded_f32(total_10, zero) + theirs_47;
        let bit_48 = 4u;
        let theirs_48 = subgroupShuffleXor(total_10, bit_48);
        total_10 = rounded_f32(total_10, zero) + theirs_48;
        let bit_49 = 8u;
        let theirs_49 = subgroupShuffleXor(total_10, bit_49);
        total_10 = rounded_f32(total_10, zero) + theirs_49;
        let bit_50 = 16u;
        let theirs_50 = subgroupShuffleXor(total_10, bit_50);
        total_10 = rounded_f32(total_10, zero) + theirs_50;
        if (sub == 0u) {
          scan_block_totals[region_at + (72u + block)] = total_10;
        }
        let both_31 = rounded_f32(next_items[40u] + next_items[41u], zero);
        let both_32 = rounded_f32(next_items[42u] + next_items[43u], zero);
        let both_33 = both_31 + both_32;
        var total_11 = both_33;
        let bit_51 = 1u;
        let theirs_51 = subgroupShuffleXor(total_11, bit_51);
        total_11 = rounded_f32(total_11, zero) + theirs_51;
        let bit_52 = 2u;
        let theirs_52 = subgroupShuffleXor(total_11, bit_52);
        total_11 = rounded_f32(total_11, zero) + theirs_52;
        let bit_53 = 4u;
        let theirs_53 = subgroupShuffleXor(total_11, bit_53);
        total_11 = rounded_f32(total_11, zero) + theirs_53;
        let bit_54 = 8u;
        let theirs_54 = subgroupShuffleXor(total_11, bit_54);
        total_11 = rounded_f32(total_11, zero) + theirs_54;
        let bit_55 = 16u;
        let theirs_55 = subgroupShuffleXor(total_11, bit_55);
        total_11 = rounded_f32(total_11, zero) + theirs_55;
        if (sub == 0u) {
          scan_block_totals[region_at + (80u + block)] = total_11;
        }
        let both_34 = rounded_f32(next_items[44u] + next_items[45u], zero);
        let both_35 = rounded_f32(next_items[46u] + next_items[47u], zero);
        let both_36 = both_34 + both_35;
        var total_12 = both_36;
        let bit_56 = 1u;
        let theirs_56 = subgroupShuffleXor(total_12, bit_56);
        total_12 = rounded_f32(total_12, zero) + theirs_56;
        let bit_57 = 2u;
        let theirs_57 = subgroupShuffleXor(total_12, bit_57);
        total_12 = rounded_f32(total_12, zero) + theirs_57;
        let bit_58 = 4u;
        let theirs_58 = subgroupShuffleXor(total_12, bit_58);
        total_12 = rounded_f32(total_12, zero) + theirs_58;
        let bit_59 = 8u;
        let theirs_59 = subgroupShuffleXor(total_12, bit_59);
        total_12 = rounded_f32(total_12, zero) + theirs_59;
        let bit_60 = 16u;
        let theirs_60 = subgroupShuffleXor(total_12, bit_60);
        total_12 = rounded_f32(total_12, zero) + theirs_60;
        if (sub == 0u) {
          scan_block_totals[region_at + (88u + block)] = total_12;
        }
        let both_37 = rounded_f32(next_items[48u] + next_items[49u], zero);
        let both_38 = rounded_f32(next_items[50u] + next_items[51u], zero);
        let both_39 = both_37 + both_38;
        var total_13 = both_39;
        let bit_61 = 1u;
        let theirs_61 = subgroupShuffleXor(total_13, bit_61);
        total_13 = rounded_f32(total_13, zero) + theirs_61;
        let bit_62 = 2u;
        let theirs_62 = subgroupShuffleXor(total_13, bit_62);
        total_13 = rounded_f32(total_13, zero) + theirs_62;
        let bit_63 = 4u;
        let theirs_63 = subgroupShuffleXor(total_13, bit_63);
        total_13 = rounded_f32(total_13, zero) + theirs_63;
        let bit_64 = 8u;
        let theirs_64 = subgroupShuffleXor(total_13, bit_64);
        total_13 = rounded_f32(total_13, zero) + theirs_64;
        let bit_65 = 16u;
        let theirs_65 = subgroupShuffleXor(total_13, bit_65);
        total_13 = rounded_f32(total_13, zero) + theirs_65;
        if (sub == 0u) {
          scan_block_totals[region_at + (96u + block)] = total_13;
        }
        let both_40 = rounded_f32(next_items[52u] + next_items[53u], zero);
        let both_41 = rounded_f32(next_items[54u] + next_items[55u], zero);
        let both_42 = both_40 + both_41;
        var total_14 = both_42;
        let bit_66 = 1u;
        let theirs_66 = subgroupShuffleXor(total_14, bit_66);
        total_14 = rounded_f32(total_14, zero) + theirs_66;
        let bit_67 = 2u;
        let theirs_67 = subgroupShuffleXor(total_14, bit_67);
        total_14 = rounded_f32(total_14, zero) + theirs_67;
        let bit_68 = 4u;
        let theirs_68 = subgroupShuffleXor(total_14, bit_68);
        total_14 = rounded_f32(total_14, zero) + theirs_68;
        let bit_69 = 8u;
        let theirs_69 = subgroupShuffleXor(total_14, bit_69);
        total_14 = rounded_f32(total_14, zero) + theirs_69;
        let bit_70 = 16u;
        let theirs_70 = subgroupShuffleXor(total_14, bit_70);
        total_14 = rounded_f32(total_14, zero) + theirs_70;
        if (sub == 0u) {
          scan_block_totals[region_at + (104u + block)] = total_14;
        }
        let both_43 = rounded_f32(next_items[56u] + next_items[57u], zero);
        let both_44 = rounded_f32(next_items[58u] + next_items[59u], zero);
        let both_45 = both_43 + both_44;
        var total_15 = both_45;
        let bit_71 = 1u;
        let theirs_71 = subgroupShuffleXor(total_15, bit_71);
        total_15 = rounded_f32(total_15, zero) + theirs_71;
        let bit_72 = 2u;
        let theirs_72 = subgroupShuffleXor(total_15, bit_72);
        total_15 = rounded_f32(total_15, zero) + theirs_72;
        let bit_73 = 4u;
        let theirs_73 = subgroupShuffleXor(total_15, bit_73);
        total_15 = rounded_f32(total_15, zero) + theirs_73;
        let bit_74 = 8u;
        let theirs_74 = subgroupShuffleXor(total_15, bit_74);
        total_15 = rounded_f32(total_15, zero) + theirs_74;
        let bit_75 = 16u;
        let theirs_75 = subgroupShuffleXor(total_15, bit_75);
        total_15 = rounded_f32(total_15, zero) + theirs_75;
        if (sub == 0u) {
          scan_block_totals[region_at + (112u + block)] = total_15;
        }
        let both_46 = rounded_f32(next_items[60u] + next_items[61u], zero);
        let both_47 = rounded_f32(next_items[62u] + next_items[63u], zero);
        let both_48 = both_46 + both_47;
        var total_16 = both_48;
        let bit_76 = 1u;
        let theirs_76 = subgroupShuffleXor(total_16, bit_76);
        total_16 = rounded_f32(total_16, zero) + theirs_76;
        let bit_77 = 2u;
        let theirs_77 = subgroupShuffleXor(total_16, bit_77);
        total_16 = rounded_f32(total_16, zero) + theirs_77;
        let bit_78 = 4u;
        let theirs_78 = subgroupShuffleXor(total_16, bit_78);
        total_16 = rounded_f32(total_16, zero) + theirs_78;
        let bit_79 = 8u;
        let theirs_79 = subgroupShuffleXor(total_16, bit_79);
        total_16 = rounded_f32(total_16, zero) + theirs_79;
        let bit_80 = 16u;
        let theirs_80 = subgroupShuffleXor(total_16, bit_80);
        total_16 = rounded_f32(total_16, zero) + theirs_80;
        if (sub == 0u) {
          scan_block_totals[region_at + (120u + block)] = total_16;
        }
        workgroupBarrier();
        let block_2 = scan_block_totals[region_at + (sub * 4u)];
        let block_3 = scan_block_totals[region_at + ((sub * 4u) + 1u)];
        let block_4 = scan_block_totals[region_at + ((sub * 4u) + 2u)];
        let block_5 = scan_block_totals[region_at + ((sub * 4u) + 3u)];
        let both_49 = rounded_f32(block_2 + block_3, zero);
        let both_50 = rounded_f32(block_4 + block_5, zero);
        let both_51 = both_49 + both_50;
        var total_17 = both_51;
        let bit_81 = 1u;
        let theirs_81 = subgroupShuffleXor(total_17, bit_81);
        total_17 = rounded_f32(total_17, zero) + theirs_81;
        let bit_82 = 2u;
        let theirs_82 = subgroupShuffleXor(total_17, bit_82);
        total_17 = rounded_f32(total_17, zero) + theirs_82;
        let bit_83 = 4u;
        let theirs_83 = subgroupShuffleXor(total_17, bit_83);
        total_17 = rounded_f32(total_17, zero) + theirs_83;
        let bit_84 = 8u;
        let theirs_84 = subgroupShuffleXor(total_17, bit_84);
        total_17 = rounded_f32(total_17, zero) + theirs_84;
        let bit_85 = 16u;
        let theirs_85 = subgroupShuffleXor(total_17, bit_85);
        total_17 = rounded_f32(total_17, zero) + theirs_85;
        next_own = total_17;
        if (lane == 0u) {
          let at = (ticket_2 * 2u) + 1u;
          atomicStore(&status[at], (bitcast<u32>(next_own) & 65535u) | 65536u);
          atomicStore(&status[at + 1u], (bitcast<u32>(next_own) >> 16u) | 65536u);
        }
      }
      var missing = 0u;
      while (missing != 4294967295u) {
        var mine_missing = 4294967295u;
        if (lane < ((tile >> 15u) & 31u)) {
          var tries = 0u;
          while ((!(((seen_7 & seen_8) & 65536u) != 0u)) & (tries < 4096u)) {
            let at = (((((((tile >> 20u) << 5u) + lane) + (params.n >> 14u)) + (params.n >> 19u)) + (params.n >> 24u)) * 2u) + 1u;
            let word = atomicLoad(&status[at]);
            seen_7 = word;
            let word_2 = atomicLoad(&status[at + 1u]);
            seen_8 = word_2;
            tries = tries + 1u;
          }
          if (!(((seen_7 & seen_8) & 65536u) != 0u)) {
            mine_missing = lane + 96u;
          }
        }
        if (lane < ((tile >> 10u) & 31u)) {
          var tries = 0u;
          while ((!(((seen_5 & seen_6) & 65536u) != 0u)) & (tries < 4096u)) {
            let at = ((((((tile >> 15u) << 5u) + lane) + (params.n >> 14u)) + (params.n >> 19u)) * 2u) + 1u;
            let word = atomicLoad(&status[at]);
            seen_5 = word;
            let word_2 = atomicLoad(&status[at + 1u]);
            seen_6 = word_2;
            tries = tries + 1u;
          }
          if (!(((seen_5 & seen_6) & 65536u) != 0u)) {
            mine_missing = lane + 64u;
          }
        }
        if (lane < ((tile >> 5u) & 31u)) {
          var tries = 0u;
          while ((!(((seen_3 & seen_4) & 65536u) != 0u)) & (tries < 4096u)) {
            let at = (((((tile >> 10u) << 5u) + lane) + (params.n >> 14u)) * 2u) + 1u;
            let word = atomicLoad(&status[at]);
            seen_3 = word;
            let word_2 = atomicLoad(&status[at + 1u]);
            seen_4 = word_2;
            tries = tries + 1u;
          }
          if (!(((seen_3 & seen_4) & 65536u) != 0u)) {
            mine_missing = lane + 32u;
          }
        }
        if (lane < (tile & 31u)) {
          var tries = 0u;
          while ((!(((seen & seen_2) & 65536u) != 0u)) & (tries < 4096u)) {
            let at = ((((tile >> 5u) << 5u) + lane) * 2u) + 1u;
            let word = atomicLoad(&status[at]);
            seen = word;
            let word_2 = atomicLoad(&status[at + 1u]);
            seen_2 = word_2;
            tries = tries + 1u;
          }
          if (!(((seen & seen_2) & 65536u) != 0u)) {
            mine_missing = lane;
          }
        }
        var total = mine_missing;
        let bit = 1u;
        let theirs = subgroupShuffleXor(total, bit);
        total = min(total, theirs);
        let bit_2 = 2u;
        let theirs_2 = subgroupShuffleXor(total, bit_2);
        total = min(total, theirs_2);
        let bit_3 = 4u;
        let theirs_3 = subgroupShuffleXor(total, bit_3);
        total = min(total, theirs_3);
        let bit_4 = 8u;
        let theirs_4 = subgroupShuffleXor(total, bit_4);
        total = min(total, theirs_4);
        let bit_5 = 16u;
        let theirs_5 = subgroupShuffleXor(total, bit_5);
        total = min(total, theirs_5);
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
          let bit_6 = 1u;
          let theirs_6 = subgroupShuffleXor(total_2, bit_6);
          sibling[0u] = theirs_6;
          own_2[0u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_6;
          let bit_7 = 2u;
          let theirs_7 = subgroupShuffleXor(total_2, bit_7);
          sibling[1u] = theirs_7;
          own_2[1u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_7;
          let bit_8 = 4u;
          let theirs_8 = subgroupShuffleXor(total_2, bit_8);
          sibling[2u] = theirs_8;
          own_2[2u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_8;
          let bit_9 = 8u;
          let theirs_9 = subgroupShuffleXor(total_2, bit_9);
          sibling[3u] = theirs_9;
          own_2[3u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_9;
          let bit_10 = 16u;
          let theirs_10 = subgroupShuffleXor(total_2, bit_10);
          sibling[4u] = theirs_10;
          own_2[4u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_10;
          var carry = before;
          var has_carry = (tile >> 20u) != 0u;
          let round = 4u;
          let is_upper_11 = (sub & (1u << (round & 31u))) != 0u;
          let block_2 = select(own_2[round], sibling[round], is_upper_11);
          let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
          if (is_upper_11) {
            carry = joined;
            has_carry = true;
          }
          let round_2 = 3u;
          let is_upper_12 = (sub & (1u << (round_2 & 31u))) != 0u;
          let block_3 = select(own_2[round_2], sibling[round_2], is_upper_12);
          let joined_2 = select(block_3, (rounded_f32(carry, zero) + block_3), has_carry);
          if (is_upper_12) {
            carry = joined_2;
            has_carry = true;
          }
          let round_3 = 2u;
          let is_upper_13 = (sub & (1u << (round_3 & 31u))) != 0u;
          let block_4 = select(own_2[round_3], sibling[round_3], is_upper_13);
          let joined_3 = select(block_4, (rounded_f32(carry, zero) + block_4), has_carry);
          if (is_upper_13) {
            carry = joined_3;
            has_carry = true;
          }
          let round_4 = 1u;
          let is_upper_14 = (sub & (1u << (round_4 & 31u))) != 0u;
          let block_5 = select(own_2[round_4], sibling[round_4], is_upper_14);
          let joined_4 = select(block_5, (rounded_f32(carry, zero) + block_5), has_carry);
          if (is_upper_14) {
            carry = joined_4;
            has_carry = true;
          }
          let round_5 = 0u;
          let is_upper_15 = (sub & (1u << (round_5 & 31u))) != 0u;
          let block_6 = select(own_2[round_5], sibling[round_5], is_upper_15);
          let joined_5 = select(block_6, (rounded_f32(carry, zero) + block_6), has_carry);
          if (is_upper_15) {
            carry = joined_5;
            has_carry = true;
          }
          let picked = subgroupShuffle(carry, (tile >> 15u) & 31u);
          before = picked;
        }
        let above_2 = rounded_f32(before, zero);
        if (((tile >> 10u) & 31u) != 0u) {
          var total_2 = slot_3;
          var sibling: array<f32, 5>;
          var own_2: array<f32, 5>;
          let bit_6 = 1u;
          let theirs_6 = subgroupShuffleXor(total_2, bit_6);
          sibling[0u] = theirs_6;
          own_2[0u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_6;
          let bit_7 = 2u;
          let theirs_7 = subgroupShuffleXor(total_2, bit_7);
          sibling[1u] = theirs_7;
          own_2[1u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_7;
          let bit_8 = 4u;
          let theirs_8 = subgroupShuffleXor(total_2, bit_8);
          sibling[2u] = theirs_8;
          own_2[2u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_8;
          let bit_9 = 8u;
          let theirs_9 = subgroupShuffleXor(total_2, bit_9);
          sibling[3u] = theirs_9;
          own_2[3u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_9;
          let bit_10 = 16u;
          let theirs_10 = subgroupShuffleXor(total_2, bit_10);
          sibling[4u] = theirs_10;
          own_2[4u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_10;
          var carry = before;
          var has_carry = (tile >> 15u) != 0u;
          let round = 4u;
          let is_upper_11 = (sub & (1u << (round & 31u))) != 0u;
          let block_2 = select(own_2[round], sibling[round], is_upper_11);
          let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
          if (is_upper_11) {
            carry = joined;
            has_carry = true;
          }
          let round_2 = 3u;
          let is_upper_12 = (sub & (1u << (round_2 & 31u))) != 0u;
          let block_3 = select(own_2[round_2], sibling[round_2], is_upper_12);
          let joined_2 = select(block_3, (rounded_f32(carry, zero) + block_3), has_carry);
          if (is_upper_12) {
            carry = joined_2;
            has_carry = true;
          }
          let round_3 = 2u;
          let is_upper_13 = (sub & (1u << (round_3 & 31u))) != 0u;
          let block_4 = select(own_2[round_3], sibling[round_3], is_upper_13);
          let joined_3 = select(block_4, (rounded_f32(carry, zero) + block_4), has_carry);
          if (is_upper_13) {
            carry = joined_3;
            has_carry = true;
          }
          let round_4 = 1u;
          let is_upper_14 = (sub & (1u << (round_4 & 31u))) != 0u;
          let block_5 = select(own_2[round_4], sibling[round_4], is_upper_14);
          let joined_4 = select(block_5, (rounded_f32(carry, zero) + block_5), has_carry);
          if (is_upper_14) {
            carry = joined_4;
            has_carry = true;
          }
          let round_5 = 0u;
          let is_upper_15 = (sub & (1u << (round_5 & 31u))) != 0u;
          let block_6 = select(own_2[round_5], sibling[round_5], is_upper_15);
          let joined_5 = select(block_6, (rounded_f32(carry, zero) + block_6), has_carry);
          if (is_upper_15) {
            carry = joined_5;
            has_carry = true;
          }
          let picked = subgroupShuffle(carry, (tile >> 10u) & 31u);
          before = picked;
        }
        let above_3 = before;
        if (((tile >> 5u) & 31u) != 0u) {
          var total_2 = slot_2;
          var sibling: array<f32, 5>;
          var own_2: array<f32, 5>;
          let bit_6 = 1u;
          let theirs_6 = subgroupShuffleXor(total_2, bit_6);
          sibling[0u] = theirs_6;
          own_2[0u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_6;
          let bit_7 = 2u;
          let theirs_7 = subgroupShuffleXor(total_2, bit_7);
          sibling[1u] = theirs_7;
          own_2[1u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_7;
          let bit_8 = 4u;
          let theirs_8 = subgroupShuffleXor(total_2, bit_8);
          sibling[2u] = theirs_8;
          own_2[2u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_8;
          let bit_9 = 8u;
          let theirs_9 = subgroupShuffleXor(total_2, bit_9);
          sibling[3u] = theirs_9;
          own_2[3u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_9;
          let bit_10 = 16u;
          let theirs_10 = subgroupShuffleXor(total_2, bit_10);
          sibling[4u] = theirs_10;
          own_2[4u] = rounded_f32(total_2, zero);
          total_2 = rounded_f32(total_2, zero) + theirs_10;
          var carry = before;
          var has_carry = (tile >> 10u) != 0u;
          let round = 4u;
          let is_upper_11 = (sub & (1u << (round & 31u))) != 0u;
          let block_2 = select(own_2[round], sibling[round], is_upper_11);
          let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
          if (is_upper_11) {
            carry = joined;
            has_carry = true;
          }
          let round_2 = 3u;
          let is_upper_12 = (sub & (1u << (round_2 & 31u))) != 0u;
          let block_3 = select(own_2[round_2], sibling[round_2], is_upper_12);
          let joined_2 = select(block_3, (rounded_f32(carry, zero) + block_3), has_carry);
          if (is_upper_12) {
            carry = joined_2;
            has_carry = true;
          }
          let round_3 = 2u;
          let is_upper_13 = (sub & (1u << (round_3 & 31u))) != 0u;
          let block_4 = select(own_2[round_3], sibling[round_3], is_upper_13);
          let joined_3 = select(block_4, (rounded_f32(carry, zero) + block_4), has_carry);
          if (is_upper_13) {
            carry = joined_3;
            has_carry = true;
          }
          let round_4 = 1u;
          let is_upper_14 = (sub & (1u << (round_4 & 31u))) != 0u;
          let block_5 = select(own_2[round_4], sibling[round_4], is_upper_14);
          let joined_4 = select(block_5, (rounded_f32(carry, zero) + block_5), has_carry);
          if (is_upper_14) {
            carry = joined_4;
            has_carry = true;
          }
          let round_5 = 0u;
          let is_upper_15 = (sub & (1u << (round_5 & 31u))) != 0u;
          let block_6 = select(own_2[round_5], sibling[round_5], is_upper_15);
          let joined_5 = select(block_6, (rounded_f32(carry, zero) + block_6), has_carry);
          if (is_upper_15) {
            carry = joined_5;
            has_carry = true;
          }
          let picked = subgroupShuffle(carry, (tile >> 5u) & 31u);
          before = picked;
        }
        let slot_5 = select(slot, own, (sub == (tile & 31u)));
        var total_2 = slot_5;
        var sibling: array<f32, 5>;
        var own_2: array<f32, 5>;
        let bit_6 = 1u;
        let theirs_6 = subgroupShuffleXor(total_2, bit_6);
        sibling[0u] = theirs_6;
        own_2[0u] = rounded_f32(total_2, zero);
        total_2 = rounded_f32(total_2, zero) + theirs_6;
        let bit_7 = 2u;
        let theirs_7 = subgroupShuffleXor(total_2, bit_7);
        sibling[1u] = theirs_7;
        own_2[1u] = rounded_f32(total_2, zero);
        total_2 = rounded_f32(total_2, zero) + theirs_7;
        let bit_8 = 4u;
        let theirs_8 = subgroupShuffleXor(total_2, bit_8);
        sibling[2u] = theirs_8;
        own_2[2u] = rounded_f32(total_2, zero);
        total_2 = rounded_f32(total_2, zero) + theirs_8;
        let bit_9 = 8u;
        let theirs_9 = subgroupShuffleXor(total_2, bit_9);
        sibling[3u] = theirs_9;
        own_2[3u] = rounded_f32(total_2, zero);
        total_2 = rounded_f32(total_2, zero) + theirs_9;
        let bit_10 = 16u;
        let theirs_10 = subgroupShuffleXor(total_2, bit_10);
        sibling[4u] = theirs_10;
        own_2[4u] = rounded_f32(total_2, zero);
        total_2 = rounded_f32(total_2, zero) + theirs_10;
        var carry = before;
        var has_carry = (tile >> 5u) != 0u;
        var inclusive = select(total_2, (rounded_f32(before, zero) + rounded_f32(total_2, zero)), ((tile >> 5u) != 0u));
        let round = 4u;
        let is_upper_11 = (sub & (1u << (round & 31u))) != 0u;
        let block_2 = select(own_2[round], sibling[round], is_upper_11);
        let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
        if (is_upper_11) {
          carry = joined;
          has_carry = true;
        } else {
          inclusive = joined;
        }
        let round_2 = 3u;
        let is_upper_12 = (sub & (1u << (round_2 & 31u))) != 0u;
        let block_3 = select(own_2[round_2], sibling[round_2], is_upper_12);
        let joined_2 = select(block_3, (rounded_f32(carry, zero) + block_3), has_carry);
        if (is_upper_12) {
          carry = joined_2;
          has_carry = true;
        } else {
          inclusive = joined_2;
        }
        let round_3 = 2u;
        let is_upper_13 = (sub & (1u << (round_3 & 31u))) != 0u;
        let block_4 = select(own_2[round_3], sibling[round_3], is_upper_13);
        let joined_3 = select(block_4, (rounded_f32(carry, zero) + block_4), has_carry);
        if (is_upper_13) {
          carry = joined_3;
          has_carry = true;
        } else {
          inclusive = joined_3;
        }
        let round_4 = 1u;
        let is_upper_14 = (sub & (1u << (round_4 & 31u))) != 0u;
        let block_5 = select(own_2[round_4], sibling[round_4], is_upper_14);
        let joined_4 = select(block_5, (rounded_f32(carry, zero) + block_5), has_carry);
        if (is_upper_14) {
          carry = joined_4;
          has_carry = true;
        } else {
          inclusive = joined_4;
        }
        let round_5 = 0u;
        let is_upper_15 = (sub & (1u << (round_5 & 31u))) != 0u;
        let block_6 = select(own_2[round_5], sibling[round_5], is_upper_15);
        let joined_5 = select(block_6, (rounded_f32(carry, zero) + block_6), has_carry);
        if (is_upper_15) {
          carry = joined_5;
          has_carry = true;
        } else {
          inclusive = joined_5;
        }
        let picked = subgroupShuffle(inclusive, tile & 31u);
        let picked_2 = subgroupShuffle(carry, tile & 31u);
        var after = picked;
        before = picked_2;
        if ((tile & 31u) == 31u) {
          if ((lane == 0u) & (total == 4294967295u)) {
            let at = (((tile >> 5u) + (params.n >> 14u)) * 2u) + 1u;
            atomicStore(&status[at], (bitcast<u32>(total_2) & 65535u) | 65536u);
            atomicStore(&status[at + 1u], (bitcast<u32>(total_2) >> 16u) | 65536u);
          }
          let slot_6 = select(slot_2, total_2, (sub == ((tile >> 5u) & 31u)));
          var total_3 = slot_6;
          var sibling_2: array<f32, 5>;
          var own_3: array<f32, 5>;
          let bit_11 = 1u;
          let theirs_11 = subgroupShuffleXor(total_3, bit_11);
          sibling_2[0u] = theirs_11;
          own_3[0u] = rounded_f32(total_3, zero);
          total_3 = rounded_f32(total_3, zero) + theirs_11;
          let bit_12 = 2u;
          let theirs_12 = subgroupShuffleXor(total_3, bit_12);
          sibling_2[1u] = theirs_12;
          own_3[1u] = rounded_f32(total_3, zero);
          total_3 = rounded_f32(total_3, zero) + theirs_12;
          let bit_13 = 4u;
          let theirs_13 = subgroupShuffleXor(total_3, bit_13);
          sibling_2[2u] = theirs_13;
          own_3[2u] = rounded_f32(total_3, zero);
          total_3 = rounded_f32(total_3, zero) + theirs_13;
          let bit_14 = 8u;
          let theirs_14 = subgroupShuffleXor(total_3, bit_14);
          sibling_2[3u] = theirs_14;
          own_3[3u] = rounded_f32(total_3, zero);
          total_3 = rounded_f32(total_3, zero) + theirs_14;
          let bit_15 = 16u;
          let theirs_15 = subgroupShuffleXor(total_3, bit_15);
          sibling_2[4u] = theirs_15;
          own_3[4u] = rounded_f32(total_3, zero);
          total_3 = rounded_f32(total_3, zero) + theirs_15;
          var carry_2 = above_3;
          var has_carry_2 = (tile >> 10u) != 0u;
          var inclusive_2 = select(total_3, (rounded_f32(above_3, zero) + rounded_f32(total_3, zero)), ((tile >> 10u) != 0u));
          let round_6 = 4u;
          let is_upper_21 = (sub & (1u << (round_6 & 31u))) != 0u;
          let block_7 = select(own_3[round_6], sibling_2[round_6], is_upper_21);
          let joined_6 = select(block_7, (rounded_f32(carry_2, zero) + block_7), has_carry_2);
          if (is_upper_21) {
            carry_2 = joined_6;
            has_carry_2 = true;
          } else {
            inclusive_2 = joined_6;
          }
          let round_7 = 3u;
          let is_upper_22 = (sub & (1u << (round_7 & 31u))) != 0u;
          let block_8 = select(own_3[round_7], sibling_2[round_7], is_upper_22);
          let joined_7 = select(block_8, (rounded_f32(carry_2, zero) + block_8), has_carry_2);
          if (is_upper_22) {
            carry_2 = joined_7;
            has_carry_2 = true;
          } else {
            inclusive_2 = joined_7;
          }
          let round_8 = 2u;
          let is_upper_23 = (sub & (1u << (round_8 & 31u))) != 0u;
          let block_9 = select(own_3[round_8], sibling_2[round_8], is_upper_23);
          let joined_8 = select(block_9, (rounded_f32(carry_2, zero) + block_9), has_carry_2);
          if (is_upper_23) {
            carry_2 = joined_8;
            has_carry_2 = true;
          } else {
            inclusive_2 = joined_8;
          }
          let round_9 = 1u;
          let is_upper_24 = (sub & (1u << (round_9 & 31u))) != 0u;
          let block_10 = select(own_3[round_9], sibling_2[round_9], is_upper_24);
          let joined_9 = select(block_10, (rounded_f32(carry_2, zero) + block_10), has_carry_2);
          if (is_upper_24) {
            carry_2 = joined_9;
            has_carry_2 = true;
          } else {
            inclusive_2 = joined_9;
          }
          let round_10 = 0u;
          let is_upper_25 = (sub & (1u << (round_10 & 31u))) != 0u;
          let block_11 = select(own_3[round_10], sibling_2[round_10], is_upper_25);
          let joined_10 = select(block_11, (rounded_f32(carry_2, zero) + block_11), has_carry_2);
          if (is_upper_25) {
            carry_2 = joined_10;
            has_carry_2 = true;
          } else {
            inclusive_2 = joined_10;
          }
          let picked_3 = subgroupShuffle(inclusive_2, (tile >> 5u) & 31u);
          after = picked_3;
          if (((tile >> 5u) & 31u) == 31u) {
            if ((lane == 0u) & (total == 4294967295u)) {
              let at = ((((tile >> 10u) + (params.n >> 14u)) + (params.n >> 19u)) * 2u) + 1u;
              atomicStore(&status[at], (bitcast<u32>(total_3) & 65535u) | 65536u);
              atomicStore(&status[at + 1u], (bitcast<u32>(total_3) >> 16u) | 65536u);
            }
            let slot_7 = select(slot_3, total_3, (sub == ((tile >> 10u) & 31u)));
            var total_4 = slot_7;
            var sibling_3: array<f32, 5>;
            var own_4: array<f32, 5>;
            let bit_16 = 1u;
            let theirs_16 = subgroupShuffleXor(total_4, bit_16);
            sibling_3[0u] = theirs_16;
            own_4[0u] = rounded_f32(total_4, zero);
            total_4 = rounded_f32(total_4, zero) + theirs_16;
            let bit_17 = 2u;
            let theirs_17 = subgroupShuffleXor(total_4, bit_17);
            sibling_3[1u] = theirs_17;
            own_4[1u] = rounded_f32(total_4, zero);
            total_4 = rounded_f32(total_4, zero) + theirs_17;
            let bit_18 = 4u;
            let theirs_18 = subgroupShuffleXor(total_4, bit_18);
            sibling_3[2u] = theirs_18;
            own_4[2u] = rounded_f32(total_4, zero);
            total_4 = rounded_f32(total_4, zero) + theirs_18;
            let bit_19 = 8u;
            let theirs_19 = subgroupShuffleXor(total_4, bit_19);
            sibling_3[3u] = theirs_19;
            own_4[3u] = rounded_f32(total_4, zero);
            total_4 = rounded_f32(total_4, zero) + theirs_19;
            let bit_20 = 16u;
            let theirs_20 = subgroupShuffleXor(total_4, bit_20);
            sibling_3[4u] = theirs_20;
            own_4[4u] = rounded_f32(total_4, zero);
            total_4 = rounded_f32(total_4, zero) + theirs_20;
            var carry_3 = above_2;
            var has_carry_3 = (tile >> 15u) != 0u;
            var inclusive_3 = select(total_4, (above_2 + rounded_f32(total_4, zero)), ((tile >> 15u) != 0u));
            let round_11 = 4u;
            let is_upper_31 = (sub & (1u << (round_11 & 31u))) != 0u;
            let block_12 = select(own_4[round_11], sibling_3[round_11], is_upper_31);
            let joined_11 = select(block_12, (carry_3 + block_12), has_carry_3);
            if (is_upper_31) {
              carry_3 = rounded_f32(joined_11, zero);
              has_carry_3 = true;
            } else {
              inclusive_3 = joined_11;
            }
            let round_12 = 3u;
            let is_upper_32 = (sub & (1u << (round_12 & 31u))) != 0u;
            let block_13 = select(own_4[round_12], sibling_3[round_12], is_upper_32);
            let joined_12 = select(block_13, (carry_3 + block_13), has_carry_3);
            if (is_upper_32) {
              carry_3 = rounded_f32(joined_12, zero);
              has_carry_3 = true;
            } else {
              inclusive_3 = joined_12;
            }
            let round_13 = 2u;
            let is_upper_33 = (sub & (1u << (round_13 & 31u))) != 0u;
            let block_14 = select(own_4[round_13], sibling_3[round_13], is_upper_33);
            let joined_13 = select(block_14, (carry_3 + block_14), has_carry_3);
            if (is_upper_33) {
              carry_3 = rounded_f32(joined_13, zero);
              has_carry_3 = true;
            } else {
              inclusive_3 = joined_13;
            }
            let round_14 = 1u;
            let is_upper_34 = (sub & (1u << (round_14 & 31u))) != 0u;
            let block_15 = select(own_4[round_14], sibling_3[round_14], is_upper_34);
            let joined_14 = select(block_15, (carry_3 + block_15), has_carry_3);
            if (is_upper_34) {
              carry_3 = rounded_f32(joined_14, zero);
              has_carry_3 = true;
            } else {
              inclusive_3 = joined_14;
            }
            let round_15 = 0u;
            let is_upper_35 = (sub & (1u << (round_15 & 31u))) != 0u;
            let block_16 = select(own_4[round_15], sibling_3[round_15], is_upper_35);
            let joined_15 = select(block_16, (carry_3 + block_16), has_carry_3);
            if (is_upper_35) {
              carry_3 = rounded_f32(joined_15, zero);
              has_carry_3 = true;
            } else {
              inclusive_3 = joined_15;
            }
            let picked_4 = subgroupShuffle(inclusive_3, (tile >> 10u) & 31u);
            after = picked_4;
            if (((tile >> 10u) & 31u) == 31u) {
              if ((lane == 0u) & (total == 4294967295u)) {
                let at = (((((tile >> 15u) + (params.n >> 14u)) + (params.n >> 19u)) + (params.n >> 24u)) * 2u) + 1u;
                atomicStore(&status[at], (bitcast<u32>(total_4) & 65535u) | 65536u);
                atomicStore(&status[at + 1u], (bitcast<u32>(total_4) >> 16u) | 65536u);
              }
              let slot_8 = select(slot_4, total_4, (sub == ((tile >> 15u) & 31u)));
              var total_5 = slot_8;
              var sibling_4: array<f32, 5>;
              var own_5: array<f32, 5>;
              let bit_21 = 1u;
              let theirs_21 = subgroupShuffleXor(total_5, bit_21);
              sibling_4[0u] = theirs_21;
              own_5[0u] = rounded_f32(total_5, zero);
              total_5 = rounded_f32(total_5, zero) + theirs_21;
              let bit_22 = 2u;
              let theirs_22 = subgroupShuffleXor(total_5, bit_22);
              sibling_4[1u] = theirs_22;
              own_5[1u] = rounded_f32(total_5, zero);
              total_5 = rounded_f32(total_5, zero) + theirs_22;
              let bit_23 = 4u;
              let theirs_23 = subgroupShuffleXor(total_5, bit_23);
              sibling_4[2u] = theirs_23;
              own_5[2u] = rounded_f32(total_5, zero);
              total_5 = rounded_f32(total_5, zero) + theirs_23;
              let bit_24 = 8u;
              let theirs_24 = subgroupShuffleXor(total_5, bit_24);
              sibling_4[3u] = theirs_24;
              own_5[3u] = rounded_f32(total_5, zero);
              total_5 = rounded_f32(total_5, zero) + theirs_24;
              let bit_25 = 16u;
              let theirs_25 = subgroupShuffleXor(total_5, bit_25);
              sibling_4[4u] = theirs_25;
              own_5[4u] = rounded_f32(total_5, zero);
              total_5 = rounded_f32(total_5, zero) + theirs_25;
              var carry_4 = above;
              var has_carry_4 = (tile >> 20u) != 0u;
              var inclusive_4 = select(total_5, (above + rounded_f32(total_5, zero)), ((tile >> 20u) != 0u));
              let round_16 = 4u;
              let is_upper_41 = (sub & (1u << (round_16 & 31u))) != 0u;
              let block_17 = select(own_5[round_16], sibling_4[round_16], is_upper_41);
              let joined_16 = select(block_17, (carry_4 + block_17), has_carry_4);
              if (is_upper_41) {
                carry_4 = rounded_f32(joined_16, zero);
                has_carry_4 = true;
              } else {
                inclusive_4 = joined_16;
              }
              let round_17 = 3u;
              let is_upper_42 = (sub & (1u << (round_17 & 31u))) != 0u;
              let block_18 = select(own_5[round_17], sibling_4[round_17], is_upper_42);
              let joined_17 = select(block_18, (carry_4 + block_18), has_carry_4);
              if (is_upper_42) {
                carry_4 = rounded_f32(joined_17, zero);
                has_carry_4 = true;
              } else {
                inclusive_4 = joined_17;
              }
              let round_18 = 2u;
              let is_upper_43 = (sub & (1u << (round_18 & 31u))) != 0u;
              let block_19 = select(own_5[round_18], sibling_4[round_18], is_upper_43);
              let joined_18 = select(block_19, (carry_4 + block_19), has_carry_4);
              if (is_upper_43) {
                carry_4 = rounded_f32(joined_18, zero);
                has_carry_4 = true;
              } else {
                inclusive_4 = joined_18;
              }
              let round_19 = 1u;
              let is_upper_44 = (sub & (1u << (round_19 & 31u))) != 0u;
              let block_20 = select(own_5[round_19], sibling_4[round_19], is_upper_44);
              let joined_19 = select(block_20, (carry_4 + block_20), has_carry_4);
              if (is_upper_44) {
                carry_4 = rounded_f32(joined_19, zero);
                has_carry_4 = true;
              } else {
                inclusive_4 = joined_19;
              }
              let round_20 = 0u;
              let is_upper_45 = (sub & (1u << (round_20 & 31u))) != 0u;
              let block_21 = select(own_5[round_20], sibling_4[round_20], is_upper_45);
              let joined_20 = select(block_21, (carry_4 + block_21), has_carry_4);
              if (is_upper_45) {
                carry_4 = rounded_f32(joined_20, zero);
                has_carry_4 = true;
              } else {
                inclusive_4 = joined_20;
              }
              let picked_5 = subgroupShuffle(inclusive_4, (tile >> 15u) & 31u);
              after = picked_5;
            }
          }
        }
        let region_at = (region & 1u) * 128u;
        let block_7 = scan_block_totals[region_at + (sub * 4u)];
        let block_8 = scan_block_totals[region_at + ((sub * 4u) + 1u)];
        let block_9 = scan_block_totals[region_at + ((sub * 4u) + 2u)];
        let block_10 = scan_block_totals[region_at + ((sub * 4u) + 3u)];
        let both = block_7 + block_8;
        let both_2 = rounded_f32(block_9 + block_10, zero);
        let both_3 = rounded_f32(both, zero) + both_2;
        var total_3 = both_3;
        var sibling_2: array<f32, 5>;
        var own_3: array<f32, 5>;
        let bit_11 = 1u;
        let theirs_11 = subgroupShuffleXor(total_3, bit_11);
        sibling_2[0u] = theirs_11;
        own_3[0u] = rounded_f32(total_3, zero);
        total_3 = rounded_f32(total_3, zero) + theirs_11;
        let bit_12 = 2u;
        let theirs_12 = subgroupShuffleXor(total_3, bit_12);
        sibling_2[1u] = theirs_12;
        own_3[1u] = rounded_f32(total_3, zero);
        total_3 = rounded_f32(total_3, zero) + theirs_12;
        let bit_13 = 4u;
        let theirs_13 = subgroupShuffleXor(total_3, bit_13);
        sibling_2[2u] = theirs_13;
        own_3[2u] = rounded_f32(total_3, zero);
        total_3 = rounded_f32(total_3, zero) + theirs_13;
        let bit_14 = 8u;
        let theirs_14 = subgroupShuffleXor(total_3, bit_14);
        sibling_2[3u] = theirs_14;
        own_3[3u] = rounded_f32(total_3, zero);
        total_3 = rounded_f32(total_3, zero) + theirs_14;
        let bit_15 = 16u;
        let theirs_15 = subgroupShuffleXor(total_3, bit_15);
        sibling_2[4u] = theirs_15;
        own_3[4u] = rounded_f32(total_3, zero);
        total_3 = rounded_f32(total_3, zero) + theirs_15;
        var carry_2 = before;
        var has_carry_2 = tile != 0u;
        let round_6 = 4u;
        let is_upper_21 = (sub & (1u << (round_6 & 31u))) != 0u;
        let block_11 = select(own_3[round_6], sibling_2[round_6], is_upper_21);
        let joined_6 = select(block_11, (rounded_f32(carry_2, zero) + block_11), has_carry_2);
        if (is_upper_21) {
          carry_2 = joined_6;
          has_carry_2 = true;
        }
        let round_7 = 3u;
        let is_upper_22 = (sub & (1u << (round_7 & 31u))) != 0u;
        let block_12 = select(own_3[round_7], sibling_2[round_7], is_upper_22);
        let joined_7 = select(block_12, (rounded_f32(carry_2, zero) + block_12), has_carry_2);
        if (is_upper_22) {
          carry_2 = joined_7;
          has_carry_2 = true;
        }
        let round_8 = 2u;
        let is_upper_23 = (sub & (1u << (round_8 & 31u))) != 0u;
        let block_13 = select(own_3[round_8], sibling_2[round_8], is_upper_23);
        let joined_8 = select(block_13, (rounded_f32(carry_2, zero) + block_13), has_carry_2);
        if (is_upper_23) {
          carry_2 = joined_8;
          has_carry_2 = true;
        }
        let round_9 = 1u;
        let is_upper_24 = (sub & (1u << (round_9 & 31u))) != 0u;
        let block_14 = select(own_3[round_9], sibling_2[round_9], is_upper_24);
        let joined_9 = select(block_14, (rounded_f32(carry_2, zero) + block_14), has_carry_2);
        if (is_upper_24) {
          carry_2 = joined_9;
          has_carry_2 = true;
        }
        let round_10 = 0u;
        let is_upper_25 = (sub & (1u << (round_10 & 31u))) != 0u;
        let block_15 = select(own_3[round_10], sibling_2[round_10], is_upper_25);
        let joined_10 = select(block_15, (rounded_f32(carry_2, zero) + block_15), has_carry_2);
        if (is_upper_25) {
          carry_2 = joined_10;
          has_carry_2 = true;
        }
        let prefix = select(block_7, (rounded_f32(carry_2, zero) + block_7), has_carry_2);
        let prefix_2 = select(both, (rounded_f32(carry_2, zero) + rounded_f32(both, zero)), has_carry_2);
        let prefix_3 = rounded_f32(prefix_2, zero) + block_9;
        if (lane < 32u) {
          scan_prefixes[sub * 4u] = carry_2;
          scan_prefixes[(sub * 4u) + 1u] = prefix;
          scan_prefixes[(sub * 4u) + 2u] = prefix_2;
          scan_prefixes[(sub * 4u) + 3u] = prefix_3;
          if (lane == 0u) {
            scan_prefixes[128u] = after;
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
          var lost = rounded_f32(0f, zero);
          for (var i = 0u; i < (1u << (bits & 31u)); i += 1u) {
            workgroupBarrier();
            let region_at_2 = 256u;
            let base = ((first + i) * 16384u) + (lane * 4u);
            let x_row = x_rows[base >> 2u];
            let both_4 = rounded_f32(x_row.x + x_row.y, zero);
            let both_5 = rounded_f32(x_row.z + x_row.w, zero);
            let both_6 = both_4 + both_5;
            var total_4 = both_6;
            let bit_16 = 1u;
            let theirs_16 = subgroupShuffleXor(total_4, bit_16);
            total_4 = rounded_f32(total_4, zero) + theirs_16;
            let bit_17 = 2u;
            let theirs_17 = subgroupShuffleXor(total_4, bit_17);
            total_4 = rounded_f32(total_4, zero) + theirs_17;
            let bit_18 = 4u;
            let theirs_18 = subgroupShuffleXor(total_4, bit_18);
            total_4 = rounded_f32(total_4, zero) + theirs_18;
            let bit_19 = 8u;
            let theirs_19 = subgroupShuffleXor(total_4, bit_19);
            total_4 = rounded_f32(total_4, zero) + theirs_19;
            let bit_20 = 16u;
            let theirs_20 = subgroupShuffleXor(total_4, bit_20);
            total_4 = rounded_f32(total_4, zero) + theirs_20;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + block] = total_4;
            }
            let base_2 = (((first + i) * 16384u) + 1024u) + (lane * 4u);
            let x_row_2 = x_rows[base_2 >> 2u];
            let both_7 = rounded_f32(x_row_2.x + x_row_2.y, zero);
            let both_8 = rounded_f32(x_row_2.z + x_row_2.w, zero);
            let both_9 = both_7 + both_8;
            var total_5 = both_9;
            let bit_21 = 1u;
            let theirs_21 = subgroupShuffleXor(total_5, bit_21);
            total_5 = rounded_f32(total_5, zero) + theirs_21;
            let bit_22 = 2u;
            let theirs_22 = subgroupShuffleXor(total_5, bit_22);
            total_5 = rounded_f32(total_5, zero) + theirs_22;
            let bit_23 = 4u;
            let theirs_23 = subgroupShuffleXor(total_5, bit_23);
            total_5 = rounded_f32(total_5, zero) + theirs_23;
            let bit_24 = 8u;
            let theirs_24 = subgroupShuffleXor(total_5, bit_24);
            total_5 = rounded_f32(total_5, zero) + theirs_24;
            let bit_25 = 16u;
            let theirs_25 = subgroupShuffleXor(total_5, bit_25);
            total_5 = rounded_f32(total_5, zero) + theirs_25;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (8u + block)] = total_5;
            }
            let base_3 = (((first + i) * 16384u) + 2048u) + (lane * 4u);
            let x_row_3 = x_rows[base_3 >> 2u];
            let both_10 = rounded_f32(x_row_3.x + x_row_3.y, zero);
            let both_11 = rounded_f32(x_row_3.z + x_row_3.w, zero);
            let both_12 = both_10 + both_11;
            var total_6 = both_12;
            let bit_26 = 1u;
            let theirs_26 = subgroupShuffleXor(total_6, bit_26);
            total_6 = rounded_f32(total_6, zero) + theirs_26;
            let bit_27 = 2u;
            let theirs_27 = subgroupShuffleXor(total_6, bit_27);
            total_6 = rounded_f32(total_6, zero) + theirs_27;
            let bit_28 = 4u;
            let theirs_28 = subgroupShuffleXor(total_6, bit_28);
            total_6 = rounded_f32(total_6, zero) + theirs_28;
            let bit_29 = 8u;
            let theirs_29 = subgroupShuffleXor(total_6, bit_29);
            total_6 = rounded_f32(total_6, zero) + theirs_29;
            let bit_30 = 16u;
            let theirs_30 = subgroupShuffleXor(total_6, bit_30);
            total_6 = rounded_f32(total_6, zero) + theirs_30;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (16u + block)] = total_6;
            }
            let base_4 = (((first + i) * 16384u) + 3072u) + (lane * 4u);
            let x_row_4 = x_rows[base_4 >> 2u];
            let both_13 = rounded_f32(x_row_4.x + x_row_4.y, zero);
            let both_14 = rounded_f32(x_row_4.z + x_row_4.w, zero);
            let both_15 = both_13 + both_14;
            var total_7 = both_15;
            let bit_31 = 1u;
            let theirs_31 = subgroupShuffleXor(total_7, bit_31);
            total_7 = rounded_f32(total_7, zero) + theirs_31;
            let bit_32 = 2u;
            let theirs_32 = subgroupShuffleXor(total_7, bit_32);
            total_7 = rounded_f32(total_7, zero) + theirs_32;
            let bit_33 = 4u;
            let theirs_33 = subgroupShuffleXor(total_7, bit_33);
            total_7 = rounded_f32(total_7, zero) + theirs_33;
            let bit_34 = 8u;
            let theirs_34 = subgroupShuffleXor(total_7, bit_34);
            total_7 = rounded_f32(total_7, zero) + theirs_34;
            let bit_35 = 16u;
            let theirs_35 = subgroupShuffleXor(total_7, bit_35);
            total_7 = rounded_f32(total_7, zero) + theirs_35;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (24u + block)] = total_7;
            }
            let base_5 = (((first + i) * 16384u) + 4096u) + (lane * 4u);
            let x_row_5 = x_rows[base_5 >> 2u];
            let both_16 = rounded_f32(x_row_5.x + x_row_5.y, zero);
            let both_17 = rounded_f32(x_row_5.z + x_row_5.w, zero);
            let both_18 = both_16 + both_17;
            var total_8 = both_18;
            let bit_36 = 1u;
            let theirs_36 = subgroupShuffleXor(total_8, bit_36);
            total_8 = rounded_f32(total_8, zero) + theirs_36;
            let bit_37 = 2u;
            let theirs_37 = subgroupShuffleXor(total_8, bit_37);
            total_8 = rounded_f32(total_8, zero) + theirs_37;
            let bit_38 = 4u;
            let theirs_38 = subgroupShuffleXor(total_8, bit_38);
            total_8 = rounded_f32(total_8, zero) + theirs_38;
            let bit_39 = 8u;
            let theirs_39 = subgroupShuffleXor(total_8, bit_39);
            total_8 = rounded_f32(total_8, zero) + theirs_39;
            let bit_40 = 16u;
            let theirs_40 = subgroupShuffleXor(total_8, bit_40);
            total_8 = rounded_f32(total_8, zero) + theirs_40;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (32u + block)] = total_8;
            }
            let base_6 = (((first + i) * 16384u) + 5120u) + (lane * 4u);
            let x_row_6 = x_rows[base_6 >> 2u];
            let both_19 = rounded_f32(x_row_6.x + x_row_6.y, zero);
            let both_20 = rounded_f32(x_row_6.z + x_row_6.w, zero);
            let both_21 = both_19 + both_20;
            var total_9 = both_21;
            let bit_41 = 1u;
            let theirs_41 = subgroupShuffleXor(total_9, bit_41);
            total_9 = rounded_f32(total_9, zero) + theirs_41;
            let bit_42 = 2u;
            let theirs_42 = subgroupShuffleXor(total_9, bit_42);
            total_9 = rounded_f32(total_9, zero) + theirs_42;
            let bit_43 = 4u;
            let theirs_43 = subgroupShuffleXor(total_9, bit_43);
            total_9 = rounded_f32(total_9, zero) + theirs_43;
            let bit_44 = 8u;
            let theirs_44 = subgroupShuffleXor(total_9, bit_44);
            total_9 = rounded_f32(total_9, zero) + theirs_44;
            let bit_45 = 16u;
            let theirs_45 = subgroupShuffleXor(total_9, bit_45);
            total_9 = rounded_f32(total_9, zero) + theirs_45;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (40u + block)] = total_9;
            }
            let base_7 = (((first + i) * 16384u) + 6144u) + (lane * 4u);
            let x_row_7 = x_rows[base_7 >> 2u];
            let both_22 = rounded_f32(x_row_7.x + x_row_7.y, zero);
            let both_23 = rounded_f32(x_row_7.z + x_row_7.w, zero);
            let both_24 = both_22 + both_23;
            var total_10 = both_24;
            let bit_46 = 1u;
            let theirs_46 = subgroupShuffleXor(total_10, bit_46);
            total_10 = rounded_f32(total_10, zero) + theirs_46;
            let bit_47 = 2u;
            let theirs_47 = subgroupShuffleXor(total_10, bit_47);
            total_10 = rounded_f32(total_10, zero) + theirs_47;
            let bit_48 = 4u;
            let theirs_48 = subgroupShuffleXor(total_10, bit_48);
            total_10 = rounded_f32(total_10, zero) + theirs_48;
            let bit_49 = 8u;
            let theirs_49 = subgroupShuffleXor(total_10, bit_49);
            total_10 = rounded_f32(total_10, zero) + theirs_49;
            let bit_50 = 16u;
            let theirs_50 = subgroupShuffleXor(total_10, bit_50);
            total_10 = rounded_f32(total_10, zero) + theirs_50;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (48u + block)] = total_10;
            }
            let base_8 = (((first + i) * 16384u) + 7168u) + (lane * 4u);
            let x_row_8 = x_rows[base_8 >> 2u];
            let both_25 = rounded_f32(x_row_8.x + x_row_8.y, zero);
            let both_26 = rounded_f32(x_row_8.z + x_row_8.w, zero);
            let both_27 = both_25 + both_26;
            var total_11 = both_27;
            let bit_51 = 1u;
            let theirs_51 = subgroupShuffleXor(total_11, bit_51);
            total_11 = rounded_f32(total_11, zero) + theirs_51;
            let bit_52 = 2u;
            let theirs_52 = subgroupShuffleXor(total_11, bit_52);
            total_11 = rounded_f32(total_11, zero) + theirs_52;
            let bit_53 = 4u;
            let theirs_53 = subgroupShuffleXor(total_11, bit_53);
            total_11 = rounded_f32(total_11, zero) + theirs_53;
            let bit_54 = 8u;
            let theirs_54 = subgroupShuffleXor(total_11, bit_54);
            total_11 = rounded_f32(total_11, zero) + theirs_54;
            let bit_55 = 16u;
            let theirs_55 = subgroupShuffleXor(total_11, bit_55);
            total_11 = rounded_f32(total_11, zero) + theirs_55;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (56u + block)] = total_11;
            }
            let base_9 = (((first + i) * 16384u) + 8192u) + (lane * 4u);
            let x_row_9 = x_rows[base_9 >> 2u];
            let both_28 = rounded_f32(x_row_9.x + x_row_9.y, zero);
            let both_29 = rounded_f32(x_row_9.z + x_row_9.w, zero);
            let both_30 = both_28 + both_29;
            var total_12 = both_30;
            let bit_56 = 1u;
            let theirs_56 = subgroupShuffleXor(total_12, bit_56);
            total_12 = rounded_f32(total_12, zero) + theirs_56;
            let bit_57 = 2u;
            let theirs_57 = subgroupShuffleXor(total_12, bit_57);
            total_12 = rounded_f32(total_12, zero) + theirs_57;
            let bit_58 = 4u;
            let theirs_58 = subgroupShuffleXor(total_12, bit_58);
            total_12 = rounded_f32(total_12, zero) + theirs_58;
            let bit_59 = 8u;
            let theirs_59 = subgroupShuffleXor(total_12, bit_59);
            total_12 = rounded_f32(total_12, zero) + theirs_59;
            let bit_60 = 16u;
            let theirs_60 = subgroupShuffleXor(total_12, bit_60);
            total_12 = rounded_f32(total_12, zero) + theirs_60;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (64u + block)] = total_12;
            }
            let base_10 = (((first + i) * 16384u) + 9216u) + (lane * 4u);
            let x_row_10 = x_rows[base_10 >> 2u];
            let both_31 = rounded_f32(x_row_10.x + x_row_10.y, zero);
            let both_32 = rounded_f32(x_row_10.z + x_row_10.w, zero);
            let both_33 = both_31 + both_32;
            var total_13 = both_33;
            let bit_61 = 1u;
            let theirs_61 = subgroupShuffleXor(total_13, bit_61);
            total_13 = rounded_f32(total_13, zero) + theirs_61;
            let bit_62 = 2u;
            let theirs_62 = subgroupShuffleXor(total_13, bit_62);
            total_13 = rounded_f32(total_13, zero) + theirs_62;
            let bit_63 = 4u;
            let theirs_63 = subgroupShuffleXor(total_13, bit_63);
            total_13 = rounded_f32(total_13, zero) + theirs_63;
            let bit_64 = 8u;
            let theirs_64 = subgroupShuffleXor(total_13, bit_64);
            total_13 = rounded_f32(total_13, zero) + theirs_64;
            let bit_65 = 16u;
            let theirs_65 = subgroupShuffleXor(total_13, bit_65);
            total_13 = rounded_f32(total_13, zero) + theirs_65;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (72u + block)] = total_13;
            }
            let base_11 = (((first + i) * 16384u) + 10240u) + (lane * 4u);
            let x_row_11 = x_rows[base_11 >> 2u];
            let both_34 = rounded_f32(x_row_11.x + x_row_11.y, zero);
            let both_35 = rounded_f32(x_row_11.z + x_row_11.w, zero);
            let both_36 = both_34 + both_35;
            var total_14 = both_36;
            let bit_66 = 1u;
            let theirs_66 = subgroupShuffleXor(total_14, bit_66);
            total_14 = rounded_f32(total_14, zero) + theirs_66;
            let bit_67 = 2u;
            let theirs_67 = subgroupShuffleXor(total_14, bit_67);
            total_14 = rounded_f32(total_14, zero) + theirs_67;
            let bit_68 = 4u;
            let theirs_68 = subgroupShuffleXor(total_14, bit_68);
            total_14 = rounded_f32(total_14, zero) + theirs_68;
            let bit_69 = 8u;
            let theirs_69 = subgroupShuffleXor(total_14, bit_69);
            total_14 = rounded_f32(total_14, zero) + theirs_69;
            let bit_70 = 16u;
            let theirs_70 = subgroupShuffleXor(total_14, bit_70);
            total_14 = rounded_f32(total_14, zero) + theirs_70;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (80u + block)] = total_14;
            }
            let base_12 = (((first + i) * 16384u) + 11264u) + (lane * 4u);
            let x_row_12 = x_rows[base_12 >> 2u];
            let both_37 = rounded_f32(x_row_12.x + x_row_12.y, zero);
            let both_38 = rounded_f32(x_row_12.z + x_row_12.w, zero);
            let both_39 = both_37 + both_38;
            var total_15 = both_39;
            let bit_71 = 1u;
            let theirs_71 = subgroupShuffleXor(total_15, bit_71);
            total_15 = rounded_f32(total_15, zero) + theirs_71;
            let bit_72 = 2u;
            let theirs_72 = subgroupShuffleXor(total_15, bit_72);
            total_15 = rounded_f32(total_15, zero) + theirs_72;
            let bit_73 = 4u;
            let theirs_73 = subgroupShuffleXor(total_15, bit_73);
            total_15 = rounded_f32(total_15, zero) + theirs_73;
            let bit_74 = 8u;
            let theirs_74 = subgroupShuffleXor(total_15, bit_74);
            total_15 = rounded_f32(total_15, zero) + theirs_74;
            let bit_75 = 16u;
            let theirs_75 = subgroupShuffleXor(total_15, bit_75);
            total_15 = rounded_f32(total_15, zero) + theirs_75;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (88u + block)] = total_15;
            }
            let base_13 = (((first + i) * 16384u) + 12288u) + (lane * 4u);
            let x_row_13 = x_rows[base_13 >> 2u];
            let both_40 = rounded_f32(x_row_13.x + x_row_13.y, zero);
            let both_41 = rounded_f32(x_row_13.z + x_row_13.w, zero);
            let both_42 = both_40 + both_41;
            var total_16 = both_42;
            let bit_76 = 1u;
            let theirs_76 = subgroupShuffleXor(total_16, bit_76);
            total_16 = rounded_f32(total_16, zero) + theirs_76;
            let bit_77 = 2u;
            let theirs_77 = subgroupShuffleXor(total_16, bit_77);
            total_16 = rounded_f32(total_16, zero) + theirs_77;
            let bit_78 = 4u;
            let theirs_78 = subgroupShuffleXor(total_16, bit_78);
            total_16 = rounded_f32(total_16, zero) + theirs_78;
            let bit_79 = 8u;
            let theirs_79 = subgroupShuffleXor(total_16, bit_79);
            total_16 = rounded_f32(total_16, zero) + theirs_79;
            let bit_80 = 16u;
            let theirs_80 = subgroupShuffleXor(total_16, bit_80);
            total_16 = rounded_f32(total_16, zero) + theirs_80;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (96u + block)] = total_16;
            }
            let base_14 = (((first + i) * 16384u) + 13312u) + (lane * 4u);
            let x_row_14 = x_rows[base_14 >> 2u];
            let both_43 = rounded_f32(x_row_14.x + x_row_14.y, zero);
            let both_44 = rounded_f32(x_row_14.z + x_row_14.w, zero);
            let both_45 = both_43 + both_44;
            var total_17 = both_45;
            let bit_81 = 1u;
            let theirs_81 = subgroupShuffleXor(total_17, bit_81);
            total_17 = rounded_f32(total_17, zero) + theirs_81;
            let bit_82 = 2u;
            let theirs_82 = subgroupShuffleXor(total_17, bit_82);
            total_17 = rounded_f32(total_17, zero) + theirs_82;
            let bit_83 = 4u;
            let theirs_83 = subgroupShuffleXor(total_17, bit_83);
            total_17 = rounded_f32(total_17, zero) + theirs_83;
            let bit_84 = 8u;
            let theirs_84 = subgroupShuffleXor(total_17, bit_84);
            total_17 = rounded_f32(total_17, zero) + theirs_84;
            let bit_85 = 16u;
            let theirs_85 = subgroupShuffleXor(total_17, bit_85);
            total_17 = rounded_f32(total_17, zero) + theirs_85;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (104u + block)] = total_17;
            }
            let base_15 = (((first + i) * 16384u) + 14336u) + (lane * 4u);
            let x_row_15 = x_rows[base_15 >> 2u];
            let both_46 = rounded_f32(x_row_15.x + x_row_15.y, zero);
            let both_47 = rounded_f32(x_row_15.z + x_row_15.w, zero);
            let both_48 = both_46 + both_47;
            var total_18 = both_48;
            let bit_86 = 1u;
            let theirs_86 = subgroupShuffleXor(total_18, bit_86);
            total_18 = rounded_f32(total_18, zero) + theirs_86;
            let bit_87 = 2u;
            let theirs_87 = subgroupShuffleXor(total_18, bit_87);
            total_18 = rounded_f32(total_18, zero) + theirs_87;
            let bit_88 = 4u;
            let theirs_88 = subgroupShuffleXor(total_18, bit_88);
            total_18 = rounded_f32(total_18, zero) + theirs_88;
            let bit_89 = 8u;
            let theirs_89 = subgroupShuffleXor(total_18, bit_89);
            total_18 = rounded_f32(total_18, zero) + theirs_89;
            let bit_90 = 16u;
            let theirs_90 = subgroupShuffleXor(total_18, bit_90);
            total_18 = rounded_f32(total_18, zero) + theirs_90;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (112u + block)] = total_18;
            }
            let base_16 = (((first + i) * 16384u) + 15360u) + (lane * 4u);
            let x_row_16 = x_rows[base_16 >> 2u];
            let both_49 = rounded_f32(x_row_16.x + x_row_16.y, zero);
            let both_50 = rounded_f32(x_row_16.z + x_row_16.w, zero);
            let both_51 = both_49 + both_50;
            var total_19 = both_51;
            let bit_91 = 1u;
            let theirs_91 = subgroupShuffleXor(total_19, bit_91);
            total_19 = rounded_f32(total_19, zero) + theirs_91;
            let bit_92 = 2u;
            let theirs_92 = subgroupShuffleXor(total_19, bit_92);
            total_19 = rounded_f32(total_19, zero) + theirs_92;
            let bit_93 = 4u;
            let theirs_93 = subgroupShuffleXor(total_19, bit_93);
            total_19 = rounded_f32(total_19, zero) + theirs_93;
            let bit_94 = 8u;
            let theirs_94 = subgroupShuffleXor(total_19, bit_94);
            total_19 = rounded_f32(total_19, zero) + theirs_94;
            let bit_95 = 16u;
            let theirs_95 = subgroupShuffleXor(total_19, bit_95);
            total_19 = rounded_f32(total_19, zero) + theirs_95;
            if (sub == 0u) {
              scan_block_totals[region_at_2 + (120u + block)] = total_19;
            }
            workgroupBarrier();
            let block_16 = scan_block_totals[region_at_2 + (sub * 4u)];
            let block_17 = scan_block_totals[region_at_2 + ((sub * 4u) + 1u)];
            let block_18 = scan_block_totals[region_at_2 + ((sub * 4u) + 2u)];
            let block_19 = scan_block_totals[region_at_2 + ((sub * 4u) + 3u)];
            let both_52 = rounded_f32(block_16 + block_17, zero);
            let both_53 = rounded_f32(block_18 + block_19, zero);
            let both_54 = both_52 + both_53;
            var total_20 = both_54;
            let bit_96 = 1u;
            let theirs_96 = subgroupShuffleXor(total_20, bit_96);
            total_20 = rounded_f32(total_20, zero) + theirs_96;
            let bit_97 = 2u;
            let theirs_97 = subgroupShuffleXor(total_20, bit_97);
            total_20 = rounded_f32(total_20, zero) + theirs_97;
            let bit_98 = 4u;
            let theirs_98 = subgroupShuffleXor(total_20, bit_98);
            total_20 = rounded_f32(total_20, zero) + theirs_98;
            let bit_99 = 8u;
            let theirs_99 = subgroupShuffleXor(total_20, bit_99);
            total_20 = rounded_f32(total_20, zero) + theirs_99;
            let bit_100 = 16u;
            let theirs_100 = subgroupShuffleXor(total_20, bit_100);
            total_20 = rounded_f32(total_20, zero) + theirs_100;
            lost = rounded_f32(total_20, zero);
            let next = i + 1u;
            let ones = min(31u - countLeadingZeros(next & (0u - next)), 15u);
            for (var k = 0u; k < ones; k += 1u) {
              let both_55 = rounded_f32(lost_blocks[k] + lost, zero);
              lost = both_55;
            }
            lost_blocks[ones] = lost;
          }
          if (level == 0u) {
            if (lane == 0u) {
              let at = (slot_at * 2u) + 1u;
              atomicStore(&status[at], (bitcast<u32>(lost) & 65535u) | 65536u);
              atomicStore(&status[at + 1u], (bitcast<u32>(lost) >> 16u) | 65536u);
            }
          }
          if (level == 1u) {
            if (lane == 0u) {
              let at = ((slot_at + (params.n >> 14u)) * 2u) + 1u;
              atomicStore(&status[at], (bitcast<u32>(lost) & 65535u) | 65536u);
              atomicStore(&status[at + 1u], (bitcast<u32>(lost) >> 16u) | 65536u);
            }
          }
          if (level == 2u) {
            if (lane == 0u) {
              let at = (((slot_at + (params.n >> 14u)) + (params.n >> 19u)) * 2u) + 1u;
              atomicStore(&status[at], (bitcast<u32>(lost) & 65535u) | 65536u);
              atomicStore(&status[at + 1u], (bitcast<u32>(lost) >> 16u) | 65536u);
            }
          }
          if (level == 3u) {
            if (lane == 0u) {
              let at = ((((slot_at + (params.n >> 14u)) + (params.n >> 19u)) + (params.n >> 24u)) * 2u) + 1u;
              atomicStore(&status[at], (bitcast<u32>(lost) & 65535u) | 65536u);
              atomicStore(&status[at + 1u], (bitcast<u32>(lost) >> 16u) | 65536u);
            }
          }
        }
      }
      let start = scan_prefixes[block];
      let item = items[0u];
      let item_2 = items[1u];
      let item_3 = items[2u];
      let item_4 = items[3u];
      let both = item + item_2;
      let both_2 = rounded_f32(item_3 + item_4, zero);
      let both_3 = rounded_f32(both, zero) + both_2;
      var total = both_3;
      var sibling: array<f32, 5>;
      var own_2: array<f32, 5>;
      let bit = 1u;
      let theirs = subgroupShuffleXor(total, bit);
      sibling[0u] = theirs;
      own_2[0u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
      let bit_2 = 2u;
      let theirs_2 = subgroupShuffleXor(total, bit_2);
      sibling[1u] = theirs_2;
      own_2[1u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_2;
      let bit_3 = 4u;
      let theirs_3 = subgroupShuffleXor(total, bit_3);
      sibling[2u] = theirs_3;
      own_2[2u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_3;
      let bit_4 = 8u;
      let theirs_4 = subgroupShuffleXor(total, bit_4);
      sibling[3u] = theirs_4;
      own_2[3u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_4;
      let bit_5 = 16u;
      let theirs_5 = subgroupShuffleXor(total, bit_5);
      sibling[4u] = theirs_5;
      own_2[4u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_5;
      var carry = start;
      var has_carry = (tile != 0u) | (block != 0u);
      var inclusive = select(total, (start + rounded_f32(total, zero)), ((tile != 0u) | (block != 0u)));
      let round = 4u;
      let is_upper_6 = (sub & (1u << (round & 31u))) != 0u;
      let block_2 = select(own_2[round], sibling[round], is_upper_6);
      let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
      if (is_upper_6) {
        carry = joined;
        has_carry = true;
      } else {
        inclusive = joined;
      }
      let round_2 = 3u;
      let is_upper_7 = (sub & (1u << (round_2 & 31u))) != 0u;
      let block_3 = select(own_2[round_2], sibling[round_2], is_upper_7);
      let joined_2 = select(block_3, (rounded_f32(carry, zero) + block_3), has_carry);
      if (is_upper_7) {
        carry = joined_2;
        has_carry = true;
      } else {
        inclusive = joined_2;
      }
      let round_3 = 2u;
      let is_upper_8 = (sub & (1u << (round_3 & 31u))) != 0u;
      let block_4 = select(own_2[round_3], sibling[round_3], is_upper_8);
      let joined_3 = select(block_4, (rounded_f32(carry, zero) + block_4), has_carry);
      if (is_upper_8) {
        carry = joined_3;
        has_carry = true;
      } else {
        inclusive = joined_3;
      }
      let round_4 = 1u;
      let is_upper_9 = (sub & (1u << (round_4 & 31u))) != 0u;
      let block_5 = select(own_2[round_4], sibling[round_4], is_upper_9);
      let joined_4 = select(block_5, (rounded_f32(carry, zero) + block_5), has_carry);
      if (is_upper_9) {
        carry = joined_4;
        has_carry = true;
      } else {
        inclusive = joined_4;
      }
      let round_5 = 0u;
      let is_upper_10 = (sub & (1u << (round_5 & 31u))) != 0u;
      let block_6 = select(own_2[round_5], sibling[round_5], is_upper_10);
      let joined_5 = select(block_6, (rounded_f32(carry, zero) + block_6), has_carry);
      if (is_upper_10) {
        carry = joined_5;
        has_carry = true;
      } else {
        inclusive = joined_5;
      }
      let prefix = select(item, (rounded_f32(carry, zero) + item), has_carry);
      let prefix_2 = select(both, (rounded_f32(carry, zero) + rounded_f32(both, zero)), has_carry);
      let prefix_3 = rounded_f32(prefix_2, zero) + item_3;
      let last = select(inclusive, scan_prefixes[block + 1u], (sub == 31u));
      let base = (tile * 16384u) + (lane * 4u);
      sum_rows[base >> 2u] = vec4<f32>(prefix, prefix_2, prefix_3, last);
      let start_2 = scan_prefixes[8u + block];
      let item_5 = items[4u];
      let item_6 = items[5u];
      let item_7 = items[6u];
      let item_8 = items[7u];
      let both_4 = rounded_f32(item_5 + item_6, zero);
      let both_5 = rounded_f32(item_7 + item_8, zero);
      let both_6 = both_4 + both_5;
      var total_2 = both_6;
      var sibling_2: array<f32, 5>;
      var own_3: array<f32, 5>;
      let bit_6 = 1u;
      let theirs_6 = subgroupShuffleXor(total_2, bit_6);
      sibling_2[0u] = theirs_6;
      own_3[0u] = rounded_f32(total_2, zero);
      total_2 = rounded_f32(total_2, zero) + theirs_6;
      let bit_7 = 2u;
      let theirs_7 = subgroupShuffleXor(total_2, bit_7);
      sibling_2[1u] = theirs_7;
      own_3[1u] = rounded_f32(total_2, zero);
      total_2 = rounded_f32(total_2, zero) + theirs_7;
      let bit_8 = 4u;
      let theirs_8 = subgroupShuffleXor(total_2, bit_8);
      sibling_2[2u] = theirs_8;
      own_3[2u] = rounded_f32(total_2, zero);
      total_2 = rounded_f32(total_2, zero) + theirs_8;
      let bit_9 = 8u;
      let theirs_9 = subgroupShuffleXor(total_2, bit_9);
      sibling_2[3u] = theirs_9;
      own_3[3u] = rounded_f32(total_2, zero);
      total_2 = rounded_f32(total_2, zero) + theirs_9;
      let bit_10 = 16u;
      let theirs_10 = subgroupShuffleXor(total_2, bit_10);
      sibling_2[4u] = theirs_10;
      own_3[4u] = rounded_f32(total_2, zero);
      total_2 = rounded_f32(total_2, zero) + theirs_10;
      var carry_2 = start_2;
      var has_carry_2 = (tile != 0u) | ((8u + block) != 0u);
      var inclusive_2 = select(total_2, (start_2 + rounded_f32(total_2, zero)), ((tile != 0u) | ((8u + block) != 0u)));
      let round_6 = 4u;
      let is_upper_16 = (sub & (1u << (round_6 & 31u))) != 0u;
      let block_7 = select(own_3[round_6], sibling_2[round_6], is_upper_16);
      let joined_6 = select(block_7, (rounded_f32(carry_2, zero) + block_7), has_carry_2);
      if (is_upper_16) {
        carry_2 = joined_6;
        has_carry_2 = true;
      } else {
        inclusive_2 = joined_6;
      }
      let round_7 = 3u;
      let is_upper_17 = (sub & (1u << (round_7 & 31u))) != 0u;
      let block_8 = select(own_3[round_7], sibling_2[round_7], is_upper_17);
      let joined_7 = select(block_8, (rounded_f32(carry_2, zero) + block_8), has_carry_2);
      if (is_upper_17) {
        carry_2 = joined_7;
        has_carry_2 = true;
      } else {
        inclusive_2 = joined_7;
      }
      let round_8 = 2u;
      let is_upper_18 = (sub & (1u << (round_8 & 31u))) != 0u;
      let block_9 = select(own_3[round_8], sibling_2[round_8], is_upper_18);
      let joined_8 = select(block_9, (rounded_f32(carry_2, zero) + block_9), has_carry_2);
      if (is_upper_18) {
        carry_2 = joined_8;
        has_carry_2 = true;
      } else {
        inclusive_2 = joined_8;
      }
      let round_9 = 1u;
      let is_upper_19 = (sub & (1u << (round_9 & 31u))) != 0u;
      let block_10 = select(own_3[round_9], sibling_2[round_9], is_upper_19);
      let joined_9 = select(block_10, (rounded_f32(carry_2, zero) + block_10), has_carry_2);
      if (is_upper_19) {
        carry_2 = joined_9;
        has_carry_2 = true;
      } else {
        inclusive_2 = joined_9;
      }
      let round_10 = 0u;
      let is_upper_20 = (sub & (1u << (round_10 & 31u))) != 0u;
      let block_11 = select(own_3[round_10], sibling_2[round_10], is_upper_20);
      let joined_10 = select(block_11, (rounded_f32(carry_2, zero) + block_11), has_carry_2);
      if (is_upper_20) {
        carry_2 = joined_10;
        has_carry_2 = true;
      } else {
        inclusive_2 = joined_10;
      }
      let prefix_4 = select(item_5, (rounded_f32(carry_2, zero) + item_5), has_carry_2);
      let prefix_5 = rounded_f32(select(both_4, (rounded_f32(carry_2, zero) + both_4), has_carry_2), zero);
      let prefix_6 = prefix_5 + item_7;
      let last_2 = select(inclusive_2, scan_prefixes[(8u + block) + 1u], (sub == 31u));
      let base_2 = ((tile * 16384u) + 1024u) + (lane * 4u);
      sum_rows[base_2 >> 2u] = vec4<f32>(prefix_4, prefix_5, prefix_6, last_2);
      let start_3 = scan_prefixes[16u + block];
      let item_9 = items[8u];
      let item_10 = items[9u];
      let item_11 = items[10u];
      let item_12 = items[11u];
      let both_7 = rounded_f32(item_9 + item_10, zero);
      let both_8 = rounded_f32(item_11 + item_12, zero);
      let both_9 = both_7 + both_8;
      var total_3 = both_9;
      var sibling_3: array<f32, 5>;
      var own_4: array<f32, 5>;
      let bit_11 = 1u;
      let theirs_11 = subgroupShuffleXor(total_3, bit_11);
      sibling_3[0u] = theirs_11;
      own_4[0u] = rounded_f32(total_3, zero);
      total_3 = rounded_f32(total_3, zero) + theirs_11;
      let bit_12 = 2u;
      let theirs_12 = subgroupShuffleXor(total_3, bit_12);
      sibling_3[1u] = theirs_12;
      own_4[1u] = rounded_f32(total_3, zero);
      total_3 = rounded_f32(total_3, zero) + theirs_12;
      let bit_13 = 4u;
      let theirs_13 = subgroupShuffleXor(total_3, bit_13);
      sibling_3[2u] = theirs_13;
      own_4[2u] = rounded_f32(total_3, zero);
      total_3 = rounded_f32(total_3, zero) + theirs_13;
      let bit_14 = 8u;
      let theirs_14 = subgroupShuffleXor(total_3, bit_14);
      sibling_3[3u] = theirs_14;
      own_4[3u] = rounded_f32(total_3, zero);
      total_3 = rounded_f32(total_3, zero) + theirs_14;
      let bit_15 = 16u;
      let theirs_15 = subgroupShuffleXor(total_3, bit_15);
      sibling_3[4u] = theirs_15;
      own_4[4u] = rounded_f32(total_3, zero);
      total_3 = rounded_f32(total_3, zero) + theirs_15;
      var carry_3 = start_3;
      var has_carry_3 = (tile != 0u) | ((16u + block) != 0u);
      var inclusive_3 = select(total_3, (start_3 + rounded_f32(total_3, zero)), ((tile != 0u) | ((16u + block) != 0u)));
      let round_11 = 4u;
      let is_upper_26 = (sub & (1u << (round_11 & 31u))) != 0u;
      let block_12 = select(own_4[round_11], sibling_3[round_11], is_upper_26);
      let joined_11 = select(block_12, (carry_3 + block_12), has_carry_3);
      if (is_upper_26) {
        carry_3 = rounded_f32(joined_11, zero);
        has_carry_3 = true;
      } else {
        inclusive_3 = joined_11;
      }
      let round_12 = 3u;
      let is_upper_27 = (sub & (1u << (round_12 & 31u))) != 0u;
      let block_13 = select(own_4[round_12], sibling_3[round_12], is_upper_27);
      let joined_12 = select(block_13, (carry_3 + block_13), has_carry_3);
      if (is_upper_27) {
        carry_3 = rounded_f32(joined_12, zero);
        has_carry_3 = true;
      } else {
        inclusive_3 = joined_12;
      }
      let round_13 = 2u;
      let is_upper_28 = (sub & (1u << (round_13 & 31u))) != 0u;
      let block_14 = select(own_4[round_13], sibling_3[round_13], is_upper_28);
      let joined_13 = select(block_14, (carry_3 + block_14), has_carry_3);
      if (is_upper_28) {
        carry_3 = rounded_f32(joined_13, zero);
        has_carry_3 = true;
      } else {
        inclusive_3 = joined_13;
      }
      let round_14 = 1u;
      let is_upper_29 = (sub & (1u << (round_14 & 31u))) != 0u;
      let block_15 = select(own_4[round_14], sibling_3[round_14], is_upper_29);
      let joined_14 = select(block_15, (carry_3 + block_15), has_carry_3);
      if (is_upper_29) {
        carry_3 = rounded_f32(joined_14, zero);
        has_carry_3 = true;
      } else {
        inclusive_3 = joined_14;
      }
      let round_15 = 0u;
      let is_upper_30 = (sub & (1u << (round_15 & 31u))) != 0u;
      let block_16 = select(own_4[round_15], sibling_3[round_15], is_upper_30);
      let joined_15 = select(block_16, (carry_3 + block_16), has_carry_3);
      if (is_upper_30) {
        carry_3 = rounded_f32(joined_15, zero);
        has_carry_3 = true;
      } else {
        inclusive_3 = joined_15;
      }
      let prefix_7 = select(item_9, (carry_3 + item_9), has_carry_3);
      let prefix_8 = rounded_f32(select(both_7, (carry_3 + both_7), has_carry_3), zero);
      let prefix_9 = prefix_8 + item_11;
      let last_3 = select(inclusive_3, scan_prefixes[(16u + block) + 1u], (sub == 31u));
      let base_3 = ((tile * 16384u) + 2048u) + (lane * 4u);
      sum_rows[base_3 >> 2u] = vec4<f32>(prefix_7, prefix_8, prefix_9, last_3);
      let start_4 = scan_prefixes[24u + block];
      let item_13 = items[12u];
      let item_14 = items[13u];
      let item_15 = items[14u];
      let item_16 = items[15u];
      let both_10 = rounded_f32(item_13 + item_14, zero);
      let both_11 = rounded_f32(item_15 + item_16, zero);
      let both_12 = both_10 + both_11;
      var total_4 = both_12;
      var sibling_4: array<f32, 5>;
      var own_5: array<f32, 5>;
      let bit_16 = 1u;
      let theirs_16 = subgroupShuffleXor(total_4, bit_16);
      sibling_4[0u] = theirs_16;
      own_5[0u] = rounded_f32(total_4, zero);
      total_4 = rounded_f32(total_4, zero) + theirs_16;
      let bit_17 = 2u;
      let theirs_17 = subgroupShuffleXor(total_4, bit_17);
      sibling_4[1u] = theirs_17;
      own_5[1u] = rounded_f32(total_4, zero);
      total_4 = rounded_f32(total_4, zero) + theirs_17;
      let bit_18 = 4u;
      let theirs_18 = subgroupShuffleXor(total_4, bit_18);
      sibling_4[2u] = theirs_18;
      own_5[2u] = rounded_f32(total_4, zero);
      total_4 = rounded_f32(total_4, zero) + theirs_18;
      let bit_19 = 8u;
      let theirs_19 = subgroupShuffleXor(total_4, bit_19);
      sibling_4[3u] = theirs_19;
      own_5[3u] = rounded_f32(total_4, zero);
      total_4 = rounded_f32(total_4, zero) + theirs_19;
      let bit_20 = 16u;
      let theirs_20 = subgroupShuffleXor(total_4, bit_20);
      sibling_4[4u] = theirs_20;
      own_5[4u] = rounded_f32(total_4, zero);
      total_4 = rounded_f32(total_4, zero) + theirs_20;
      var carry_4 = start_4;
      var has_carry_4 = (tile != 0u) | ((24u + block) != 0u);
      var inclusive_4 = select(total_4, (start_4 + rounded_f32(total_4, zero)), ((tile != 0u) | ((24u + block) != 0u)));
      let round_16 = 4u;
      let is_upper_36 = (sub & (1u << (round_16 & 31u))) != 0u;
      let block_17 = select(own_5[round_16], sibling_4[round_16], is_upper_36);
      let joined_16 = select(block_17, (carry_4 + block_17), has_carry_4);
      if (is_upper_36) {
        carry_4 = rounded_f32(joined_16, zero);
        has_carry_4 = true;
      } else {
        inclusive_4 = joined_16;
      }
      let round_17 = 3u;
      let is_upper_37 = (sub & (1u << (round_17 & 31u))) != 0u;
      let block_18 = select(own_5[round_17], sibling_4[round_17], is_upper_37);
      let joined_17 = select(block_18, (carry_4 + block_18), has_carry_4);
      if (is_upper_37) {
        carry_4 = rounded_f32(joined_17, zero);
        has_carry_4 = true;
      } else {
        inclusive_4 = joined_17;
      }
      let round_18 = 2u;
      let is_upper_38 = (sub & (1u << (round_18 & 31u))) != 0u;
      let block_19 = select(own_5[round_18], sibling_4[round_18], is_upper_38);
      let joined_18 = select(block_19, (carry_4 + block_19), has_carry_4);
      if (is_upper_38) {
        carry_4 = rounded_f32(joined_18, zero);
        has_carry_4 = true;
      } else {
        inclusive_4 = joined_18;
      }
      let round_19 = 1u;
      let is_upper_39 = (sub & (1u << (round_19 & 31u))) != 0u;
      let block_20 = select(own_5[round_19], sibling_4[round_19], is_upper_39);
      let joined_19 = select(block_20, (carry_4 + block_20), has_carry_4);
      if (is_upper_39) {
        carry_4 = rounded_f32(joined_19, zero);
        has_carry_4 = true;
      } else {
        inclusive_4 = joined_19;
      }
      let round_20 = 0u;
      let is_upper_40 = (sub & (1u << (round_20 & 31u))) != 0u;
      let block_21 = select(own_5[round_20], sibling_4[round_20], is_upper_40);
      let joined_20 = select(block_21, (carry_4 + block_21), has_carry_4);
      if (is_upper_40) {
        carry_4 = rounded_f32(joined_20, zero);
        has_carry_4 = true;
      } else {
        inclusive_4 = joined_20;
      }
      let prefix_10 = select(item_13, (carry_4 + item_13), has_carry_4);
      let prefix_11 = rounded_f32(select(both_10, (carry_4 + both_10), has_carry_4), zero);
      let prefix_12 = prefix_11 + item_15;
      let last_4 = select(inclusive_4, scan_prefixes[(24u + block) + 1u], (sub == 31u));
      let base_4 = ((tile * 16384u) + 3072u) + (lane * 4u);
      sum_rows[base_4 >> 2u] = vec4<f32>(prefix_10, prefix_11, prefix_12, last_4);
      let start_5 = scan_prefixes[32u + block];
      let item_17 = items[16u];
      let item_18 = items[17u];
      let item_19 = items[18u];
      let item_20 = items[19u];
      let both_13 = rounded_f32(item_17 + item_18, zero);
      let both_14 = rounded_f32(item_19 + item_20, zero);
      let both_15 = both_13 + both_14;
      var total_5 = both_15;
      var sibling_5: array<f32, 5>;
      var own_6: array<f32, 5>;
      let bit_21 = 1u;
      let theirs_21 = subgroupShuffleXor(total_5, bit_21);
      sibling_5[0u] = theirs_21;
      own_6[0u] = rounded_f32(total_5, zero);
      total_5 = rounded_f32(total_5, zero) + theirs_21;
      let bit_22 = 2u;
      let theirs_22 = subgroupShuffleXor(total_5, bit_22);
      sibling_5[1u] = theirs_22;
      own_6[1u] = rounded_f32(total_5, zero);
      total_5 = rounded_f32(total_5, zero) + theirs_22;
      let bit_23 = 4u;
      let theirs_23 = subgroupShuffleXor(total_5, bit_23);
      sibling_5[2u] = theirs_23;
      own_6[2u] = rounded_f32(total_5, zero);
      total_5 = rounded_f32(total_5, zero) + theirs_23;
      let bit_24 = 8u;
      let theirs_24 = subgroupShuffleXor(total_5, bit_24);
      sibling_5[3u] = theirs_24;
      own_6[3u] = rounded_f32(total_5, zero);
      total_5 = rounded_f32(total_5, zero) + theirs_24;
      let bit_25 = 16u;
      let theirs_25 = subgroupShuffleXor(total_5, bit_25);
      sibling_5[4u] = theirs_25;
      own_6[4u] = rounded_f32(total_5, zero);
      total_5 = rounded_f32(total_5, zero) + theirs_25;
      var carry_5 = start_5;
      var has_carry_5 = (tile != 0u) | ((32u + block) != 0u);
      var inclusive_5 = select(total_5, (start_5 + rounded_f32(total_5, zero)), ((tile != 0u) | ((32u + block) != 0u)));
      let round_21 = 4u;
      let is_upper_46 = (sub & (1u << (round_21 & 31u))) != 0u;
      let block_22 = select(own_6[round_21], sibling_5[round_21], is_upper_46);
      let joined_21 = rounded_f32(select(block_22, (carry_5 + block_22), has_carry_5), zero);
      if (is_upper_46) {
        carry_5 = joined_21;
        has_carry_5 = true;
      } else {
        inclusive_5 = joined_21;
      }
      let round_22 = 3u;
      let is_upper_47 = (sub & (1u << (round_22 & 31u))) != 0u;
      let block_23 = select(own_6[round_22], sibling_5[round_22], is_upper_47);
      let joined_22 = rounded_f32(select(block_23, (carry_5 + block_23), has_carry_5), zero);
      if (is_upper_47) {
        carry_5 = joined_22;
        has_carry_5 = true;
      } else {
        inclusive_5 = joined_22;
      }
      let round_23 = 2u;
      let is_upper_48 = (sub & (1u << (round_23 & 31u))) != 0u;
      let block_24 = select(own_6[round_23], sibling_5[round_23], is_upper_48);
      let joined_23 = rounded_f32(select(block_24, (carry_5 + block_24), has_carry_5), zero);
      if (is_upper_48) {
        carry_5 = joined_23;
        has_carry_5 = true;
      } else {
        inclusive_5 = joined_23;
      }
      let round_24 = 1u;
      let is_upper_49 = (sub & (1u << (round_24 & 31u))) != 0u;
      let block_25 = select(own_6[round_24], sibling_5[round_24], is_upper_49);
      let joined_24 = rounded_f32(select(block_25, (carry_5 + block_25), has_carry_5), zero);
      if (is_upper_49) {
        carry_5 = joined_24;
        has_carry_5 = true;
      } else {
        inclusive_5 = joined_24;
      }
      let round_25 = 0u;
      let is_upper_50 = (sub & (1u << (round_25 & 31u))) != 0u;
      let block_26 = select(own_6[round_25], sibling_5[round_25], is_upper_50);
      let joined_25 = rounded_f32(select(block_26, (carry_5 + block_26), has_carry_5), zero);
      if (is_upper_50) {
        carry_5 = joined_25;
        has_carry_5 = true;
      } else {
        inclusive_5 = joined_25;
      }
      let prefix_13 = select(item_17, (carry_5 + item_17), has_carry_5);
      let prefix_14 = rounded_f32(select(both_13, (carry_5 + both_13), has_carry_5), zero);
      let prefix_15 = prefix_14 + item_19;
      let last_5 = select(inclusive_5, scan_prefixes[(32u + block) + 1u], (sub == 31u));
      let base_5 = ((tile * 16384u) + 4096u) + (lane * 4u);
      sum_rows[base_5 >> 2u] = vec4<f32>(prefix_13, prefix_14, prefix_15, last_5);
      let start_6 = scan_prefixes[40u + block];
      let item_21 = items[20u];
      let item_22 = items[21u];
      let item_23 = items[22u];
      let item_24 = items[23u];
      let both_16 = rounded_f32(item_21 + item_22, zero);
      let both_17 = rounded_f32(item_23 + item_24, zero);
      let both_18 = both_16 + both_17;
      var total_6 = both_18;
      var sibling_6: array<f32, 5>;
      var own_7: array<f32, 5>;
      let bit_26 = 1u;
      let theirs_26 = subgroupShuffleXor(total_6, bit_26);
      sibling_6[0u] = theirs_26;
      own_7[0u] = rounded_f32(total_6, zero);
      total_6 = rounded_f32(total_6, zero) + theirs_26;
      let bit_27 = 2u;
      let theirs_27 = subgroupShuffleXor(total_6, bit_27);
      sibling_6[1u] = theirs_27;
      own_7[1u] = rounded_f32(total_6, zero);
      total_6 = rounded_f32(total_6, zero) + theirs_27;
      let bit_28 = 4u;
      let theirs_28 = subgroupShuffleXor(total_6, bit_28);
      sibling_6[2u] = theirs_28;
      own_7[2u] = rounded_f32(total_6, zero);
      total_6 = rounded_f32(total_6, zero) + theirs_28;
      let bit_29 = 8u;
      let theirs_29 = subgroupShuffleXor(total_6, bit_29);
      sibling_6[3u] = theirs_29;
      own_7[3u] = rounded_f32(total_6, zero);
      total_6 = rounded_f32(total_6, zero) + theirs_29;
      let bit_30 = 16u;
      let theirs_30 = subgroupShuffleXor(total_6, bit_30);
      sibling_6[4u] = theirs_30;
      own_7[4u] = rounded_f32(total_6, zero);
      total_6 = rounded_f32(total_6, zero) + theirs_30;
      var carry_6 = start_6;
      var has_carry_6 = (tile != 0u) | ((40u + block) != 0u);
      var inclusive_6 = select(total_6, (start_6 + rounded_f32(total_6, zero)), ((tile != 0u) | ((40u + block) != 0u)));
      let round_26 = 4u;
      let is_upper_56 = (sub & (1u << (round_26 & 31u))) != 0u;
      let block_27 = select(own_7[round_26], sibling_6[round_26], is_upper_56);
      let joined_26 = rounded_f32(select(block_27, (carry_6 + block_27), has_carry_6), zero);
      if (is_upper_56) {
        carry_6 = joined_26;
        has_carry_6 = true;
      } else {
        inclusive_6 = joined_26;
      }
      let round_27 = 3u;
      let is_upper_57 = (sub & (1u << (round_27 & 31u))) != 0u;
      let block_28 = select(own_7[round_27], sibling_6[round_27], is_upper_57);
      let joined_27 = rounded_f32(select(block_28, (carry_6 + block_28), has_carry_6), zero);
      if (is_upper_57) {
        carry_6 = joined_27;
        has_carry_6 = true;
      } else {
        inclusive_6 = joined_27;
      }
      let round_28 = 2u;
      let is_upper_58 = (sub & (1u << (round_28 & 31u))) != 0u;
      let block_29 = select(own_7[round_28], sibling_6[round_28], is_upper_58);
      let joined_28 = rounded_f32(select(block_29, (carry_6 + block_29), has_carry_6), zero);
      if (is_upper_58) {
        carry_6 = joined_28;
        has_carry_6 = true;
      } else {
        inclusive_6 = joined_28;
      }
      let round_29 = 1u;
      let is_upper_59 = (sub & (1u << (round_29 & 31u))) != 0u;
      let block_30 = select(own_7[round_29], sibling_6[round_29], is_upper_59);
      let joined_29 = rounded_f32(select(block_30, (carry_6 + block_30), has_carry_6), zero);
      if (is_upper_59) {
        carry_6 = joined_29;
        has_carry_6 = true;
      } else {
        inclusive_6 = joined_29;
      }
      let round_30 = 0u;
      let is_upper_60 = (sub & (1u << (round_30 & 31u))) != 0u;
      let block_31 = select(own_7[round_30], sibling_6[round_30], is_upper_60);
      let joined_30 = rounded_f32(select(block_31, (carry_6 + block_31), has_carry_6), zero);
      if (is_upper_60) {
        carry_6 = joined_30;
        has_carry_6 = true;
      } else {
        inclusive_6 = joined_30;
      }
      let prefix_16 = select(item_21, (carry_6 + item_21), has_carry_6);
      let prefix_17 = rounded_f32(select(both_16, (carry_6 + both_16), has_carry_6), zero);
      let prefix_18 = prefix_17 + item_23;
      let last_6 = select(inclusive_6, scan_prefixes[(40u + block) + 1u], (sub == 31u));
      let base_6 = ((tile * 16384u) + 5120u) + (lane * 4u);
      sum_rows[base_6 >> 2u] = vec4<f32>(prefix_16, prefix_17, prefix_18, last_6);
      let start_7 = scan_prefixes[48u + block];
      let item_25 = items[24u];
      let item_26 = items[25u];
      let item_27 = items[26u];
      let item_28 = items[27u];
      let both_19 = rounded_f32(item_25 + item_26, zero);
      let both_20 = rounded_f32(item_27 + item_28, zero);
      let both_21 = both_19 + both_20;
      var total_7 = both_21;
      var sibling_7: array<f32, 5>;
      var own_8: array<f32, 5>;
      let bit_31 = 1u;
      let theirs_31 = subgroupShuffleXor(total_7, bit_31);
      sibling_7[0u] = theirs_31;
      own_8[0u] = rounded_f32(total_7, zero);
      total_7 = rounded_f32(total_7, zero) + theirs_31;
      let bit_32 = 2u;
      let theirs_32 = subgroupShuffleXor(total_7, bit_32);
      sibling_7[1u] = theirs_32;
      own_8[1u] = rounded_f32(total_7, zero);
      total_7 = rounded_f32(total_7, zero) + theirs_32;
      let bit_33 = 4u;
      let theirs_33 = subgroupShuffleXor(total_7, bit_33);
      sibling_7[2u] = theirs_33;
      own_8[2u] = rounded_f32(total_7, zero);
      total_7 = rounded_f32(total_7, zero) + theirs_33;
      let bit_34 = 8u;
      let theirs_34 = subgroupShuffleXor(total_7, bit_34);
      sibling_7[3u] = theirs_34;
      own_8[3u] = rounded_f32(total_7, zero);
      total_7 = rounded_f32(total_7, zero) + theirs_34;
      let bit_35 = 16u;
      let theirs_35 = subgroupShuffleXor(total_7, bit_35);
      sibling_7[4u] = theirs_35;
      own_8[4u] = rounded_f32(total_7, zero);
      total_7 = rounded_f32(total_7, zero) + theirs_35;
      var carry_7 = start_7;
      var has_carry_7 = (tile != 0u) | ((48u + block) != 0u);
      var inclusive_7 = select(total_7, (start_7 + rounded_f32(total_7, zero)), ((tile != 0u) | ((48u + block) != 0u)));
      let round_31 = 4u;
      let is_upper_66 = (sub & (1u << (round_31 & 31u))) != 0u;
      let block_32 = select(own_8[round_31], sibling_7[round_31], is_upper_66);
      let joined_31 = rounded_f32(select(block_32, (carry_7 + block_32), has_carry_7), zero);
      if (is_upper_66) {
        carry_7 = joined_31;
        has_carry_7 = true;
      } else {
        inclusive_7 = joined_31;
      }
      let round_32 = 3u;
      let is_upper_67 = (sub & (1u << (round_32 & 31u))) != 0u;
      let block_33 = select(own_8[round_32], sibling_7[round_32], is_upper_67);
      let joined_32 = rounded_f32(select(block_33, (carry_7 + block_33), has_carry_7), zero);
      if (is_upper_67) {
        carry_7 = joined_32;
        has_carry_7 = true;
      } else {
        inclusive_7 = joined_32;
      }
      let round_33 = 2u;
      let is_upper_68 = (sub & (1u << (round_33 & 31u))) != 0u;
      let block_34 = select(own_8[round_33], sibling_7[round_33], is_upper_68);
      let joined_33 = rounded_f32(select(block_34, (carry_7 + block_34), has_carry_7), zero);
      if (is_upper_68) {
        carry_7 = joined_33;
        has_carry_7 = true;
      } else {
        inclusive_7 = joined_33;
      }
      let round_34 = 1u;
      let is_upper_69 = (sub & (1u << (round_34 & 31u))) != 0u;
      let block_35 = select(own_8[round_34], sibling_7[round_34], is_upper_69);
      let joined_34 = rounded_f32(select(block_35, (carry_7 + block_35), has_carry_7), zero);
      if (is_upper_69) {
        carry_7 = joined_34;
        has_carry_7 = true;
      } else {
        inclusive_7 = joined_34;
      }
      let round_35 = 0u;
      let is_upper_70 = (sub & (1u << (round_35 & 31u))) != 0u;
      let block_36 = select(own_8[round_35], sibling_7[round_35], is_upper_70);
      let joined_35 = rounded_f32(select(block_36, (carry_7 + block_36), has_carry_7), zero);
      if (is_upper_70) {
        carry_7 = joined_35;
        has_carry_7 = true;
      } else {
        inclusive_7 = joined_35;
      }
      let prefix_19 = select(item_25, (carry_7 + item_25), has_carry_7);
      let prefix_20 = rounded_f32(select(both_19, (carry_7 + both_19), has_carry_7), zero);
      let prefix_21 = prefix_20 + item_27;
      let last_7 = select(inclusive_7, scan_prefixes[(48u + block) + 1u], (sub == 31u));
      let base_7 = ((tile * 16384u) + 6144u) + (lane * 4u);
      sum_rows[base_7 >> 2u] = vec4<f32>(prefix_19, prefix_20, prefix_21, last_7);
      let start_8 = scan_prefixes[56u + block];
      let item_29 = items[28u];
      let item_30 = items[29u];
      let item_31 = items[30u];
      let item_32 = items[31u];
      let both_22 = rounded_f32(item_29 + item_30, zero);
      let both_23 = rounded_f32(item_31 + item_32, zero);
      let both_24 = both_22 + both_23;
      var total_8 = both_24;
      var sibling_8: array<f32, 5>;
      var own_9: array<f32, 5>;
      let bit_36 = 1u;
      let theirs_36 = subgroupShuffleXor(total_8, bit_36);
      sibling_8[0u] = theirs_36;
      own_9[0u] = rounded_f32(total_8, zero);
      total_8 = rounded_f32(total_8, zero) + theirs_36;
      let bit_37 = 2u;
      let theirs_37 = subgroupShuffleXor(total_8, bit_37);
      sibling_8[1u] = theirs_37;
      own_9[1u] = rounded_f32(total_8, zero);
      total_8 = rounded_f32(total_8, zero) + theirs_37;
      let bit_38 = 4u;
      let theirs_38 = subgroupShuffleXor(total_8, bit_38);
      sibling_8[2u] = theirs_38;
      own_9[2u] = rounded_f32(total_8, zero);
      total_8 = rounded_f32(total_8, zero) + theirs_38;
      let bit_39 = 8u;
      let theirs_39 = subgroupShuffleXor(total_8, bit_39);
      sibling_8[3u] = theirs_39;
      own_9[3u] = rounded_f32(total_8, zero);
      total_8 = rounded_f32(total_8, zero) + theirs_39;
      let bit_40 = 16u;
      let theirs_40 = subgroupShuffleXor(total_8, bit_40);
      sibling_8[4u] = theirs_40;
      own_9[4u] = rounded_f32(total_8, zero);
      total_8 = rounded_f32(total_8, zero) + theirs_40;
      var carry_8 = start_8;
      var has_carry_8 = (tile != 0u) | ((56u + block) != 0u);
      var inclusive_8 = select(total_8, (start_8 + rounded_f32(total_8, zero)), ((tile != 0u) | ((56u + block) != 0u)));
      let round_36 = 4u;
      let is_upper_76 = (sub & (1u << (round_36 & 31u))) != 0u;
      let block_37 = select(own_9[round_36], sibling_8[round_36], is_upper_76);
      let joined_36 = rounded_f32(select(block_37, (carry_8 + block_37), has_carry_8), zero);
      if (is_upper_76) {
        carry_8 = joined_36;
        has_carry_8 = true;
      } else {
        inclusive_8 = joined_36;
      }
      let round_37 = 3u;
      let is_upper_77 = (sub & (1u << (round_37 & 31u))) != 0u;
      let block_38 = select(own_9[round_37], sibling_8[round_37], is_upper_77);
      let joined_37 = rounded_f32(select(block_38, (carry_8 + block_38), has_carry_8), zero);
      if (is_upper_77) {
        carry_8 = joined_37;
        has_carry_8 = true;
      } else {
        inclusive_8 = joined_37;
      }
      let round_38 = 2u;
      let is_upper_78 = (sub & (1u << (round_38 & 31u))) != 0u;
      let block_39 = select(own_9[round_38], sibling_8[round_38], is_upper_78);
      let joined_38 = rounded_f32(select(block_39, (carry_8 + block_39), has_carry_8), zero);
      if (is_upper_78) {
        carry_8 = joined_38;
        has_carry_8 = true;
      } else {
        inclusive_8 = joined_38;
      }
      let round_39 = 1u;
      let is_upper_79 = (sub & (1u << (round_39 & 31u))) != 0u;
      let block_40 = select(own_9[round_39], sibling_8[round_39], is_upper_79);
      let joined_39 = rounded_f32(select(block_40, (carry_8 + block_40), has_carry_8), zero);
      if (is_upper_79) {
        carry_8 = joined_39;
        has_carry_8 = true;
      } else {
        inclusive_8 = joined_39;
      }
      let round_40 = 0u;
      let is_upper_80 = (sub & (1u << (round_40 & 31u))) != 0u;
      let block_41 = select(own_9[round_40], sibling_8[round_40], is_upper_80);
      let joined_40 = rounded_f32(select(block_41, (carry_8 + block_41), has_carry_8), zero);
      if (is_upper_80) {
        carry_8 = joined_40;
        has_carry_8 = true;
      } else {
        inclusive_8 = joined_40;
      }
      let prefix_22 = select(item_29, (carry_8 + item_29), has_carry_8);
      let prefix_23 = rounded_f32(select(both_22, (carry_8 + both_22), has_carry_8), zero);
      let prefix_24 = prefix_23 + item_31;
      let last_8 = select(inclusive_8, scan_prefixes[(56u + block) + 1u], (sub == 31u));
      let base_8 = ((tile * 16384u) + 7168u) + (lane * 4u);
      sum_rows[base_8 >> 2u] = vec4<f32>(prefix_22, prefix_23, prefix_24, last_8);
      let start_9 = scan_prefixes[64u + block];
      let item_33 = items[32u];
      let item_34 = items[33u];
      let item_35 = items[34u];
      let item_36 = items[35u];
      let both_25 = rounded_f32(item_33 + item_34, zero);
      let both_26 = rounded_f32(item_35 + item_36, zero);
      let both_27 = both_25 + both_26;
      var total_9 = both_27;
      var sibling_9: array<f32, 5>;
      var own_10: array<f32, 5>;
      let bit_41 = 1u;
      let theirs_41 = subgroupShuffleXor(total_9, bit_41);
      sibling_9[0u] = theirs_41;
      own_10[0u] = rounded_f32(total_9, zero);
      total_9 = rounded_f32(total_9, zero) + theirs_41;
      let bit_42 = 2u;
      let theirs_42 = subgroupShuffleXor(total_9, bit_42);
      sibling_9[1u] = theirs_42;
      own_10[1u] = rounded_f32(total_9, zero);
      total_9 = rounded_f32(total_9, zero) + theirs_42;
      let bit_43 = 4u;
      let theirs_43 = subgroupShuffleXor(total_9, bit_43);
      sibling_9[2u] = theirs_43;
      own_10[2u] = rounded_f32(total_9, zero);
      total_9 = rounded_f32(total_9, zero) + theirs_43;
      let bit_44 = 8u;
      let theirs_44 = subgroupShuffleXor(total_9, bit_44);
      sibling_9[3u] = theirs_44;
      own_10[3u] = rounded_f32(total_9, zero);
      total_9 = rounded_f32(total_9, zero) + theirs_44;
      let bit_45 = 16u;
      let theirs_45 = subgroupShuffleXor(total_9, bit_45);
      sibling_9[4u] = theirs_45;
      own_10[4u] = rounded_f32(total_9, zero);
      total_9 = rounded_f32(total_9, zero) + theirs_45;
      var carry_9 = start_9;
      var has_carry_9 = (tile != 0u) | ((64u + block) != 0u);
      var inclusive_9 = select(total_9, (start_9 + rounded_f32(total_9, zero)), ((tile != 0u) | ((64u + block) != 0u)));
      let round_41 = 4u;
      let is_upper_86 = (sub & (1u << (round_41 & 31u))) != 0u;
      let block_42 = select(own_10[round_41], sibling_9[round_41], is_upper_86);
      let joined_41 = rounded_f32(select(block_42, (carry_9 + block_42), has_carry_9), zero);
      if (is_upper_86) {
        carry_9 = joined_41;
        has_carry_9 = true;
      } else {
        inclusive_9 = joined_41;
      }
      let round_42 = 3u;
      let is_upper_87 = (sub & (1u << (round_42 & 31u))) != 0u;
      let block_43 = select(own_10[round_42], sibling_9[round_42], is_upper_87);
      let joined_42 = rounded_f32(select(block_43, (carry_9 + block_43), has_carry_9), zero);
      if (is_upper_87) {
        carry_9 = joined_42;
        has_carry_9 = true;
      } else {
        inclusive_9 = joined_42;
      }
      let round_43 = 2u;
      let is_upper_88 = (sub & (1u << (round_43 & 31u))) != 0u;
      let block_44 = select(own_10[round_43], sibling_9[round_43], is_upper_88);
      let joined_43 = rounded_f32(select(block_44, (carry_9 + block_44), has_carry_9), zero);
      if (is_upper_88) {
        carry_9 = joined_43;
        has_carry_9 = true;
      } else {
        inclusive_9 = joined_43;
      }
      let round_44 = 1u;
      let is_upper_89 = (sub & (1u << (round_44 & 31u))) != 0u;
      let block_45 = select(own_10[round_44], sibling_9[round_44], is_upper_89);
      let joined_44 = rounded_f32(select(block_45, (carry_9 + block_45), has_carry_9), zero);
      if (is_upper_89) {
        carry_9 = joined_44;
        has_carry_9 = true;
      } else {
        inclusive_9 = joined_44;
      }
      let round_45 = 0u;
      let is_upper_90 = (sub & (1u << (round_45 & 31u))) != 0u;
      let block_46 = select(own_10[round_45], sibling_9[round_45], is_upper_90);
      let joined_45 = rounded_f32(select(block_46, (carry_9 + block_46), has_carry_9), zero);
      if (is_upper_90) {
        carry_9 = joined_45;
        has_carry_9 = true;
      } else {
        inclusive_9 = joined_45;
      }
      let prefix_25 = select(item_33, (carry_9 + item_33), has_carry_9);
      let prefix_26 = rounded_f32(select(both_25, (carry_9 + both_25), has_carry_9), zero);
      let prefix_27 = prefix_26 + item_35;
      let last_9 = select(inclusive_9, scan_prefixes[(64u + block) + 1u], (sub == 31u));
      let base_9 = ((tile * 16384u) + 8192u) + (lane * 4u);
      sum_rows[base_9 >> 2u] = vec4<f32>(prefix_25, prefix_26, prefix_27, last_9);
      let start_10 = scan_prefixes[72u + block];
      let item_37 = items[36u];
      let item_38 = items[37u];
      let item_39 = items[38u];
      let item_40 = items[39u];
      let both_28 = rounded_f32(item_37 + item_38, zero);
      let both_29 = rounded_f32(item_39 + item_40, zero);
      let both_30 = both_28 + both_29;
      var total_10 = both_30;
      var sibling_10: array<f32, 5>;
      var own_11: array<f32, 5>;
      let bit_46 = 1u;
      let theirs_46 = subgroupShuffleXor(total_10, bit_46);
      sibling_10[0u] = theirs_46;
      own_11[0u] = rounded_f32(total_10, zero);
      total_10 = rounded_f32(total_10, zero) + theirs_46;
      let bit_47 = 2u;
      let theirs_47 = subgroupShuffleXor(total_10, bit_47);
      sibling_10[1u] = theirs_47;
      own_11[1u] = rounded_f32(total_10, zero);
      total_10 = rounded_f32(total_10, zero) + theirs_47;
      let bit_48 = 4u;
      let theirs_48 = subgroupShuffleXor(total_10, bit_48);
      sibling_10[2u] = theirs_48;
      own_11[2u] = rounded_f32(total_10, zero);
      total_10 = rounded_f32(total_10, zero) + theirs_48;
      let bit_49 = 8u;
      let theirs_49 = subgroupShuffleXor(total_10, bit_49);
      sibling_10[3u] = theirs_49;
      own_11[3u] = rounded_f32(total_10, zero);
      total_10 = rounded_f32(total_10, zero) + theirs_49;
      let bit_50 = 16u;
      let theirs_50 = subgroupShuffleXor(total_10, bit_50);
      sibling_10[4u] = theirs_50;
      own_11[4u] = rounded_f32(total_10, zero);
      total_10 = rounded_f32(total_10, zero) + theirs_50;
      var carry_10 = start_10;
      var has_carry_10 = (tile != 0u) | ((72u + block) != 0u);
      var inclusive_10 = select(total_10, (start_10 + rounded_f32(total_10, zero)), ((tile != 0u) | ((72u + block) != 0u)));
      let round_46 = 4u;
      let is_upper_96 = (sub & (1u << (round_46 & 31u))) != 0u;
      let block_47 = select(own_11[round_46], sibling_10[round_46], is_upper_96);
      let joined_46 = rounded_f32(select(block_47, (carry_10 + block_47), has_carry_10), zero);
      if (is_upper_96) {
        carry_10 = joined_46;
        has_carry_10 = true;
      } else {
        inclusive_10 = joined_46;
      }
      let round_47 = 3u;
      let is_upper_97 = (sub & (1u << (round_47 & 31u))) != 0u;
      let block_48 = select(own_11[round_47], sibling_10[round_47], is_upper_97);
      let joined_47 = rounded_f32(select(block_48, (carry_10 + block_48), has_carry_10), zero);
      if (is_upper_97) {
        carry_10 = joined_47;
        has_carry_10 = true;
      } else {
        inclusive_10 = joined_47;
      }
      let round_48 = 2u;
      let is_upper_98 = (sub & (1u << (round_48 & 31u))) != 0u;
      let block_49 = select(own_11[round_48], sibling_10[round_48], is_upper_98);
      let joined_48 = rounded_f32(select(block_49, (carry_10 + block_49), has_carry_10), zero);
      if (is_upper_98) {
        carry_10 = joined_48;
        has_carry_10 = true;
      } else {
        inclusive_10 = joined_48;
      }
      let round_49 = 1u;
      let is_upper_99 = (sub & (1u << (round_49 & 31u))) != 0u;
      let block_50 = select(own_11[round_49], sibling_10[round_49], is_upper_99);
      let joined_49 = rounded_f32(select(block_50, (carry_10 + block_50), has_carry_10), zero);
      if (is_upper_99) {
        carry_10 = joined_49;
        has_carry_10 = true;
      } else {
        inclusive_10 = joined_49;
      }
      let round_50 = 0u;
      let is_upper_100 = (sub & (1u << (round_50 & 31u))) != 0u;
      let block_51 = select(own_11[round_50], sibling_10[round_50], is_upper_100);
      let joined_50 = rounded_f32(select(block_51, (carry_10 + block_51), has_carry_10), zero);
      if (is_upper_100) {
        carry_10 = joined_50;
        has_carry_10 = true;
      } else {
        inclusive_10 = joined_50;
      }
      let prefix_28 = select(item_37, (carry_10 + item_37), has_carry_10);
      let prefix_29 = rounded_f32(select(both_28, (carry_10 + both_28), has_carry_10), zero);
      let prefix_30 = prefix_29 + item_39;
      let last_10 = select(inclusive_10, scan_prefixes[(72u + block) + 1u], (sub == 31u));
      let base_10 = ((tile * 16384u) + 9216u) + (lane * 4u);
      sum_rows[base_10 >> 2u] = vec4<f32>(prefix_28, prefix_29, prefix_30, last_10);
      let start_11 = scan_prefixes[80u + block];
      let item_41 = items[40u];
      let item_42 = items[41u];
      let item_43 = items[42u];
      let item_44 = items[43u];
      let both_31 = rounded_f32(item_41 + item_42, zero);
      let both_32 = rounded_f32(item_43 + item_44, zero);
      let both_33 = both_31 + both_32;
      var total_11 = both_33;
      var sibling_11: array<f32, 5>;
      var own_12: array<f32, 5>;
      let bit_51 = 1u;
      let theirs_51 = subgroupShuffleXor(total_11, bit_51);
      sibling_11[0u] = theirs_51;
      own_12[0u] = rounded_f32(total_11, zero);
      total_11 = rounded_f32(total_11, zero) + theirs_51;
      let bit_52 = 2u;
      let theirs_52 = subgroupShuffleXor(total_11, bit_52);
      sibling_11[1u] = theirs_52;
      own_12[1u] = rounded_f32(total_11, zero);
      total_11 = rounded_f32(total_11, zero) + theirs_52;
      let bit_53 = 4u;
      let theirs_53 = subgroupShuffleXor(total_11, bit_53);
      sibling_11[2u] = theirs_53;
      own_12[2u] = rounded_f32(total_11, zero);
      total_11 = rounded_f32(total_11, zero) + theirs_53;
      let bit_54 = 8u;
      let theirs_54 = subgroupShuffleXor(total_11, bit_54);
      sibling_11[3u] = theirs_54;
      own_12[3u] = rounded_f32(total_11, zero);
      total_11 = rounded_f32(total_11, zero) + theirs_54;
      let bit_55 = 16u;
      let theirs_55 = subgroupShuffleXor(total_11, bit_55);
      sibling_11[4u] = theirs_55;
      own_12[4u] = rounded_f32(total_11, zero);
      total_11 = rounded_f32(total_11, zero) + theirs_55;
      var carry_11 = start_11;
      var has_carry_11 = (tile != 0u) | ((80u + block) != 0u);
      var inclusive_11 = select(total_11, (start_11 + rounded_f32(total_11, zero)), ((tile != 0u) | ((80u + block) != 0u)));
      let round_51 = 4u;
      let is_upper_106 = (sub & (1u << (round_51 & 31u))) != 0u;
      let block_52 = select(own_12[round_51], sibling_11[round_51], is_upper_106);
      let joined_51 = rounded_f32(select(block_52, (carry_11 + block_52), has_carry_11), zero);
      if (is_upper_106) {
        carry_11 = joined_51;
        has_carry_11 = true;
      } else {
        inclusive_11 = joined_51;
      }
      let round_52 = 3u;
      let is_upper_107 = (sub & (1u << (round_52 & 31u))) != 0u;
      let block_53 = select(own_12[round_52], sibling_11[round_52], is_upper_107);
      let joined_52 = rounded_f32(select(block_53, (carry_11 + block_53), has_carry_11), zero);
      if (is_upper_107) {
        carry_11 = joined_52;
        has_carry_11 = true;
      } else {
        inclusive_11 = joined_52;
      }
      let round_53 = 2u;
      let is_upper_108 = (sub & (1u << (round_53 & 31u))) != 0u;
      let block_54 = select(own_12[round_53], sibling_11[round_53], is_upper_108);
      let joined_53 = rounded_f32(select(block_54, (carry_11 + block_54), has_carry_11), zero);
      if (is_upper_108) {
        carry_11 = joined_53;
        has_carry_11 = true;
      } else {
        inclusive_11 = joined_53;
      }
      let round_54 = 1u;
      let is_upper_109 = (sub & (1u << (round_54 & 31u))) != 0u;
      let block_55 = select(own_12[round_54], sibling_11[round_54], is_upper_109);
      let joined_54 = rounded_f32(select(block_55, (carry_11 + block_55), has_carry_11), zero);
      if (is_upper_109) {
        carry_11 = joined_54;
        has_carry_11 = true;
      } else {
        inclusive_11 = joined_54;
      }
      let round_55 = 0u;
      let is_upper_110 = (sub & (1u << (round_55 & 31u))) != 0u;
      let block_56 = select(own_12[round_55], sibling_11[round_55], is_upper_110);
      let joined_55 = rounded_f32(select(block_56, (carry_11 + block_56), has_carry_11), zero);
      if (is_upper_110) {
        carry_11 = joined_55;
        has_carry_11 = true;
      } else {
        inclusive_11 = joined_55;
      }
      let prefix_31 = select(item_41, (carry_11 + item_41), has_carry_11);
      let prefix_32 = rounded_f32(select(both_31, (carry_11 + both_31), has_carry_11), zero);
      let prefix_33 = prefix_32 + item_43;
      let last_11 = select(inclusive_11, scan_prefixes[(80u + block) + 1u], (sub == 31u));
      let base_11 = ((tile * 16384u) + 10240u) + (lane * 4u);
      sum_rows[base_11 >> 2u] = vec4<f32>(prefix_31, prefix_32, prefix_33, last_11);
      let start_12 = scan_prefixes[88u + block];
      let item_45 = items[44u];
      let item_46 = items[45u];
      let item_47 = items[46u];
      let item_48 = items[47u];
      let both_34 = rounded_f32(item_45 + item_46, zero);
      let both_35 = rounded_f32(item_47 + item_48, zero);
      let both_36 = both_34 + both_35;
      var total_12 = both_36;
      var sibling_12: array<f32, 5>;
      var own_13: array<f32, 5>;
      let bit_56 = 1u;
      let theirs_56 = subgroupShuffleXor(total_12, bit_56);
      sibling_12[0u] = theirs_56;
      own_13[0u] = rounded_f32(total_12, zero);
      total_12 = rounded_f32(total_12, zero) + theirs_56;
      let bit_57 = 2u;
      let theirs_57 = subgroupShuffleXor(total_12, bit_57);
      sibling_12[1u] = theirs_57;
      own_13[1u] = rounded_f32(total_12, zero);
      total_12 = rounded_f32(total_12, zero) + theirs_57;
      let bit_58 = 4u;
      let theirs_58 = subgroupShuffleXor(total_12, bit_58);
      sibling_12[2u] = theirs_58;
      own_13[2u] = rounded_f32(total_12, zero);
      total_12 = rounded_f32(total_12, zero) + theirs_58;
      let bit_59 = 8u;
      let theirs_59 = subgroupShuffleXor(total_12, bit_59);
      sibling_12[3u] = theirs_59;
      own_13[3u] = rounded_f32(total_12, zero);
      total_12 = rounded_f32(total_12, zero) + theirs_59;
      let bit_60 = 16u;
      let theirs_60 = subgroupShuffleXor(total_12, bit_60);
      sibling_12[4u] = theirs_60;
      own_13[4u] = rounded_f32(total_12, zero);
      total_12 = rounded_f32(total_12, zero) + theirs_60;
      var carry_12 = start_12;
      var has_carry_12 = (tile != 0u) | ((88u + block) != 0u);
      var inclusive_12 = select(total_12, (start_12 + rounded_f32(total_12, zero)), ((tile != 0u) | ((88u + block) != 0u)));
      let round_56 = 4u;
      let is_upper_116 = (sub & (1u << (round_56 & 31u))) != 0u;
      let block_57 = select(own_13[round_56], sibling_12[round_56], is_upper_116);
      let joined_56 = rounded_f32(select(block_57, (carry_12 + block_57), has_carry_12), zero);
      if (is_upper_116) {
        carry_12 = joined_56;
        has_carry_12 = true;
      } else {
        inclusive_12 = joined_56;
      }
      let round_57 = 3u;
      let is_upper_117 = (sub & (1u << (round_57 & 31u))) != 0u;
      let block_58 = select(own_13[round_57], sibling_12[round_57], is_upper_117);
      let joined_57 = rounded_f32(select(block_58, (carry_12 + block_58), has_carry_12), zero);
      if (is_upper_117) {
        carry_12 = joined_57;
        has_carry_12 = true;
      } else {
        inclusive_12 = joined_57;
      }
      let round_58 = 2u;
      let is_upper_118 = (sub & (1u << (round_58 & 31u))) != 0u;
      let block_59 = select(own_13[round_58], sibling_12[round_58], is_upper_118);
      let joined_58 = rounded_f32(select(block_59, (carry_12 + block_59), has_carry_12), zero);
      if (is_upper_118) {
        carry_12 = joined_58;
        has_carry_12 = true;
      } else {
        inclusive_12 = joined_58;
      }
      let round_59 = 1u;
      let is_upper_119 = (sub & (1u << (round_59 & 31u))) != 0u;
      let block_60 = select(own_13[round_59], sibling_12[round_59], is_upper_119);
      let joined_59 = rounded_f32(select(block_60, (carry_12 + block_60), has_carry_12), zero);
      if (is_upper_119) {
        carry_12 = joined_59;
        has_carry_12 = true;
      } else {
        inclusive_12 = joined_59;
      }
      let round_60 = 0u;
      let is_upper_120 = (sub & (1u << (round_60 & 31u))) != 0u;
      let block_61 = select(own_13[round_60], sibling_12[round_60], is_upper_120);
      let joined_60 = rounded_f32(select(block_61, (carry_12 + block_61), has_carry_12), zero);
      if (is_upper_120) {
        carry_12 = joined_60;
        has_carry_12 = true;
      } else {
        inclusive_12 = joined_60;
      }
      let prefix_34 = select(item_45, (carry_12 + item_45), has_carry_12);
      let prefix_35 = rounded_f32(select(both_34, (carry_12 + both_34), has_carry_12), zero);
      let prefix_36 = prefix_35 + item_47;
      let last_12 = select(inclusive_12, scan_prefixes[(88u + block) + 1u], (sub == 31u));
      let base_12 = ((tile * 16384u) + 11264u) + (lane * 4u);
      sum_rows[base_12 >> 2u] = vec4<f32>(prefix_34, prefix_35, prefix_36, last_12);
      let start_13 = scan_prefixes[96u + block];
      let item_49 = items[48u];
      let item_50 = items[49u];
      let item_51 = items[50u];
      let item_52 = items[51u];
      let both_37 = rounded_f32(item_49 + item_50, zero);
      let both_38 = rounded_f32(item_51 + item_52, zero);
      let both_39 = both_37 + both_38;
      var total_13 = both_39;
      var sibling_13: array<f32, 5>;
      var own_14: array<f32, 5>;
      let bit_61 = 1u;
      let theirs_61 = subgroupShuffleXor(total_13, bit_61);
      sibling_13[0u] = theirs_61;
      own_14[0u] = rounded_f32(total_13, zero);
      total_13 = rounded_f32(total_13, zero) + theirs_61;
      let bit_62 = 2u;
      let theirs_62 = subgroupShuffleXor(total_13, bit_62);
      sibling_13[1u] = theirs_62;
      own_14[1u] = rounded_f32(total_13, zero);
      total_13 = rounded_f32(total_13, zero) + theirs_62;
      let bit_63 = 4u;
      let theirs_63 = subgroupShuffleXor(total_13, bit_63);
      sibling_13[2u] = theirs_63;
      own_14[2u] = rounded_f32(total_13, zero);
      total_13 = rounded_f32(total_13, zero) + theirs_63;
      let bit_64 = 8u;
      let theirs_64 = subgroupShuffleXor(total_13, bit_64);
      sibling_13[3u] = theirs_64;
      own_14[3u] = rounded_f32(total_13, zero);
      total_13 = rounded_f32(total_13, zero) + theirs_64;
      let bit_65 = 16u;
      let theirs_65 = subgroupShuffleXor(total_13, bit_65);
      sibling_13[4u] = theirs_65;
      own_14[4u] = rounded_f32(total_13, zero);
      total_13 = rounded_f32(total_13, zero) + theirs_65;
      var carry_13 = start_13;
      var has_carry_13 = (tile != 0u) | ((96u + block) != 0u);
      var inclusive_13 = select(total_13, (start_13 + rounded_f32(total_13, zero)), ((tile != 0u) | ((96u + block) != 0u)));
      let round_61 = 4u;
      let is_upper_126 = (sub & (1u << (round_61 & 31u))) != 0u;
      let block_62 = select(own_14[round_61], sibling_13[round_61], is_upper_126);
      let joined_61 = rounded_f32(select(block_62, (carry_13 + block_62), has_carry_13), zero);
      if (is_upper_126) {
        carry_13 = joined_61;
        has_carry_13 = true;
      } else {
        inclusive_13 = joined_61;
      }
      let round_62 = 3u;
      let is_upper_127 = (sub & (1u << (round_62 & 31u))) != 0u;
      let block_63 = select(own_14[round_62], sibling_13[round_62], is_upper_127);
      let joined_62 = rounded_f32(select(block_63, (carry_13 + block_63), has_carry_13), zero);
      if (is_upper_127) {
        carry_13 = joined_62;
        has_carry_13 = true;
      } else {
        inclusive_13 = joined_62;
      }
      let round_63 = 2u;
      let is_upper_128 = (sub & (1u << (round_63 & 31u))) != 0u;
      let block_64 = select(own_14[round_63], sibling_13[round_63], is_upper_128);
      let joined_63 = rounded_f32(select(block_64, (carry_13 + block_64), has_carry_13), zero);
      if (is_upper_128) {
        carry_13 = joined_63;
        has_carry_13 = true;
      } else {
        inclusive_13 = joined_63;
      }
      let round_64 = 1u;
      let is_upper_129 = (sub & (1u << (round_64 & 31u))) != 0u;
      let block_65 = select(own_14[round_64], sibling_13[round_64], is_upper_129);
      let joined_64 = rounded_f32(select(block_65, (carry_13 + block_65), has_carry_13), zero);
      if (is_upper_129) {
        carry_13 = joined_64;
        has_carry_13 = true;
      } else {
        inclusive_13 = joined_64;
      }
      let round_65 = 0u;
      let is_upper_130 = (sub & (1u << (round_65 & 31u))) != 0u;
      let block_66 = select(own_14[round_65], sibling_13[round_65], is_upper_130);
      let joined_65 = rounded_f32(select(block_66, (carry_13 + block_66), has_carry_13), zero);
      if (is_upper_130) {
        carry_13 = joined_65;
        has_carry_13 = true;
      } else {
        inclusive_13 = joined_65;
      }
      let prefix_37 = select(item_49, (carry_13 + item_49), has_carry_13);
      let prefix_38 = rounded_f32(select(both_37, (carry_13 + both_37), has_carry_13), zero);
      let prefix_39 = prefix_38 + item_51;
      let last_13 = select(inclusive_13, scan_prefixes[(96u + block) + 1u], (sub == 31u));
      let base_13 = ((tile * 16384u) + 12288u) + (lane * 4u);
      sum_rows[base_13 >> 2u] = vec4<f32>(prefix_37, prefix_38, prefix_39, last_13);
      let start_14 = scan_prefixes[104u + block];
      let item_53 = items[52u];
      let item_54 = items[53u];
      let item_55 = items[54u];
      let item_56 = items[55u];
      let both_40 = rounded_f32(item_53 + item_54, zero);
      let both_41 = rounded_f32(item_55 + item_56, zero);
      let both_42 = both_40 + both_41;
      var total_14 = both_42;
      var sibling_14: array<f32, 5>;
      var own_15: array<f32, 5>;
      let bit_66 = 1u;
      let theirs_66 = subgroupShuffleXor(total_14, bit_66);
      sibling_14[0u] = theirs_66;
      own_15[0u] = rounded_f32(total_14, zero);
      total_14 = rounded_f32(total_14, zero) + theirs_66;
      let bit_67 = 2u;
      let theirs_67 = subgroupShuffleXor(total_14, bit_67);
      sibling_14[1u] = theirs_67;
      own_15[1u] = rounded_f32(total_14, zero);
      total_14 = rounded_f32(total_14, zero) + theirs_67;
      let bit_68 = 4u;
      let theirs_68 = subgroupShuffleXor(total_14, bit_68);
      sibling_14[2u] = theirs_68;
      own_15[2u] = rounded_f32(total_14, zero);
      total_14 = rounded_f32(total_14, zero) + theirs_68;
      let bit_69 = 8u;
      let theirs_69 = subgroupShuffleXor(total_14, bit_69);
      sibling_14[3u] = theirs_69;
      own_15[3u] = rounded_f32(total_14, zero);
      total_14 = rounded_f32(total_14, zero) + theirs_69;
      let bit_70 = 16u;
      let theirs_70 = subgroupShuffleXor(total_14, bit_70);
      sibling_14[4u] = theirs_70;
      own_15[4u] = rounded_f32(total_14, zero);
      total_14 = rounded_f32(total_14, zero) + theirs_70;
      var carry_14 = start_14;
      var has_carry_14 = (tile != 0u) | ((104u + block) != 0u);
      var inclusive_14 = select(total_14, (start_14 + rounded_f32(total_14, zero)), ((tile != 0u) | ((104u + block) != 0u)));
      let round_66 = 4u;
      let is_upper_136 = (sub & (1u << (round_66 & 31u))) != 0u;
      let block_67 = select(own_15[round_66], sibling_14[round_66], is_upper_136);
      let joined_66 = rounded_f32(select(block_67, (carry_14 + block_67), has_carry_14), zero);
      if (is_upper_136) {
        carry_14 = joined_66;
        has_carry_14 = true;
      } else {
        inclusive_14 = joined_66;
      }
      let round_67 = 3u;
      let is_upper_137 = (sub & (1u << (round_67 & 31u))) != 0u;
      let block_68 = select(own_15[round_67], sibling_14[round_67], is_upper_137);
      let joined_67 = rounded_f32(select(block_68, (carry_14 + block_68), has_carry_14), zero);
      if (is_upper_137) {
        carry_14 = joined_67;
        has_carry_14 = true;
      } else {
        inclusive_14 = joined_67;
      }
      let round_68 = 2u;
      let is_upper_138 = (sub & (1u << (round_68 & 31u))) != 0u;
      let block_69 = select(own_15[round_68], sibling_14[round_68], is_upper_138);
      let joined_68 = rounded_f32(select(block_69, (carry_14 + block_69), has_carry_14), zero);
      if (is_upper_138) {
        carry_14 = joined_68;
        has_carry_14 = true;
      } else {
        inclusive_14 = joined_68;
      }
      let round_69 = 1u;
      let is_upper_139 = (sub & (1u << (round_69 & 31u))) != 0u;
      let block_70 = select(own_15[round_69], sibling_14[round_69], is_upper_139);
      let joined_69 = rounded_f32(select(block_70, (carry_14 + block_70), has_carry_14), zero);
      if (is_upper_139) {
        carry_14 = joined_69;
        has_carry_14 = true;
      } else {
        inclusive_14 = joined_69;
      }
      let round_70 = 0u;
      let is_upper_140 = (sub & (1u << (round_70 & 31u))) != 0u;
      let block_71 = select(own_15[round_70], sibling_14[round_70], is_upper_140);
      let joined_70 = rounded_f32(select(block_71, (carry_14 + block_71), has_carry_14), zero);
      if (is_upper_140) {
        carry_14 = joined_70;
        has_carry_14 = true;
      } else {
        inclusive_14 = joined_70;
      }
      let prefix_40 = select(item_53, (carry_14 + item_53), has_carry_14);
      let prefix_41 = rounded_f32(select(both_40, (carry_14 + both_40), has_carry_14), zero);
      let prefix_42 = prefix_41 + item_55;
      let last_14 = select(inclusive_14, scan_prefixes[(104u + block) + 1u], (sub == 31u));
      let base_14 = ((tile * 16384u) + 13312u) + (lane * 4u);
      sum_rows[base_14 >> 2u] = vec4<f32>(prefix_40, prefix_41, prefix_42, last_14);
      let start_15 = scan_prefixes[112u + block];
      let item_57 = items[56u];
      let item_58 = items[57u];
      let item_59 = items[58u];
      let item_60 = items[59u];
      let both_43 = rounded_f32(item_57 + item_58, zero);
      let both_44 = rounded_f32(item_59 + item_60, zero);
      let both_45 = both_43 + both_44;
      var total_15 = both_45;
      var sibling_15: array<f32, 5>;
      var own_16: array<f32, 5>;
      let bit_71 = 1u;
      let theirs_71 = subgroupShuffleXor(total_15, bit_71);
      sibling_15[0u] = theirs_71;
      own_16[0u] = rounded_f32(total_15, zero);
      total_15 = rounded_f32(total_15, zero) + theirs_71;
      let bit_72 = 2u;
      let theirs_72 = subgroupShuffleXor(total_15, bit_72);
      sibling_15[1u] = theirs_72;
      own_16[1u] = rounded_f32(total_15, zero);
      total_15 = rounded_f32(total_15, zero) + theirs_72;
      let bit_73 = 4u;
      let theirs_73 = subgroupShuffleXor(total_15, bit_73);
      sibling_15[2u] = theirs_73;
      own_16[2u] = rounded_f32(total_15, zero);
      total_15 = rounded_f32(total_15, zero) + theirs_73;
      let bit_74 = 8u;
      let theirs_74 = subgroupShuffleXor(total_15, bit_74);
      sibling_15[3u] = theirs_74;
      own_16[3u] = rounded_f32(total_15, zero);
      total_15 = rounded_f32(total_15, zero) + theirs_74;
      let bit_75 = 16u;
      let theirs_75 = subgroupShuffleXor(total_15, bit_75);
      sibling_15[4u] = theirs_75;
      own_16[4u] = rounded_f32(total_15, zero);
      total_15 = rounded_f32(total_15, zero) + theirs_75;
      var carry_15 = start_15;
      var has_carry_15 = (tile != 0u) | ((112u + block) != 0u);
      var inclusive_15 = select(total_15, (start_15 + rounded_f32(total_15, zero)), ((tile != 0u) | ((112u + block) != 0u)));
      let round_71 = 4u;
      let is_upper_146 = (sub & (1u << (round_71 & 31u))) != 0u;
      let block_72 = select(own_16[round_71], sibling_15[round_71], is_upper_146);
      let joined_71 = rounded_f32(select(block_72, (carry_15 + block_72), has_carry_15), zero);
      if (is_upper_146) {
        carry_15 = joined_71;
        has_carry_15 = true;
      } else {
        inclusive_15 = joined_71;
      }
      let round_72 = 3u;
      let is_upper_147 = (sub & (1u << (round_72 & 31u))) != 0u;
      let block_73 = select(own_16[round_72], sibling_15[round_72], is_upper_147);
      let joined_72 = rounded_f32(select(block_73, (carry_15 + block_73), has_carry_15), zero);
      if (is_upper_147) {
        carry_15 = joined_72;
        has_carry_15 = true;
      } else {
        inclusive_15 = joined_72;
      }
      let round_73 = 2u;
      let is_upper_148 = (sub & (1u << (round_73 & 31u))) != 0u;
      let block_74 = select(own_16[round_73], sibling_15[round_73], is_upper_148);
      let joined_73 = rounded_f32(select(block_74, (carry_15 + block_74), has_carry_15), zero);
      if (is_upper_148) {
        carry_15 = joined_73;
        has_carry_15 = true;
      } else {
        inclusive_15 = joined_73;
      }
      let round_74 = 1u;
      let is_upper_149 = (sub & (1u << (round_74 & 31u))) != 0u;
      let block_75 = select(own_16[round_74], sibling_15[round_74], is_upper_149);
      let joined_74 = rounded_f32(select(block_75, (carry_15 + block_75), has_carry_15), zero);
      if (is_upper_149) {
        carry_15 = joined_74;
        has_carry_15 = true;
      } else {
        inclusive_15 = joined_74;
      }
      let round_75 = 0u;
      let is_upper_150 = (sub & (1u << (round_75 & 31u))) != 0u;
      let block_76 = select(own_16[round_75], sibling_15[round_75], is_upper_150);
      let joined_75 = rounded_f32(select(block_76, (carry_15 + block_76), has_carry_15), zero);
      if (is_upper_150) {
        carry_15 = joined_75;
        has_carry_15 = true;
      } else {
        inclusive_15 = joined_75;
      }
      let prefix_43 = select(item_57, (carry_15 + item_57), has_carry_15);
      let prefix_44 = rounded_f32(select(both_43, (carry_15 + both_43), has_carry_15), zero);
      let prefix_45 = prefix_44 + item_59;
      let last_15 = select(inclusive_15, scan_prefixes[(112u + block) + 1u], (sub == 31u));
      let base_15 = ((tile * 16384u) + 14336u) + (lane * 4u);
      sum_rows[base_15 >> 2u] = vec4<f32>(prefix_43, prefix_44, prefix_45, last_15);
      let start_16 = scan_prefixes[120u + block];
      let item_61 = items[60u];
      let item_62 = items[61u];
      let item_63 = items[62u];
      let item_64 = items[63u];
      let both_46 = rounded_f32(item_61 + item_62, zero);
      let both_47 = rounded_f32(item_63 + item_64, zero);
      let both_48 = both_46 + both_47;
      var total_16 = both_48;
      var sibling_16: array<f32, 5>;
      var own_17: array<f32, 5>;
      let bit_76 = 1u;
      let theirs_76 = subgroupShuffleXor(total_16, bit_76);
      sibling_16[0u] = theirs_76;
      own_17[0u] = rounded_f32(total_16, zero);
      total_16 = rounded_f32(total_16, zero) + theirs_76;
      let bit_77 = 2u;
      let theirs_77 = subgroupShuffleXor(total_16, bit_77);
      sibling_16[1u] = theirs_77;
      own_17[1u] = rounded_f32(total_16, zero);
      total_16 = rounded_f32(total_16, zero) + theirs_77;
      let bit_78 = 4u;
      let theirs_78 = subgroupShuffleXor(total_16, bit_78);
      sibling_16[2u] = theirs_78;
      own_17[2u] = rounded_f32(total_16, zero);
      total_16 = rounded_f32(total_16, zero) + theirs_78;
      let bit_79 = 8u;
      let theirs_79 = subgroupShuffleXor(total_16, bit_79);
      sibling_16[3u] = theirs_79;
      own_17[3u] = rounded_f32(total_16, zero);
      total_16 = rounded_f32(total_16, zero) + theirs_79;
      let bit_80 = 16u;
      let theirs_80 = subgroupShuffleXor(total_16, bit_80);
      sibling_16[4u] = theirs_80;
      own_17[4u] = rounded_f32(total_16, zero);
      total_16 = rounded_f32(total_16, zero) + theirs_80;
      var carry_16 = start_16;
      var has_carry_16 = (tile != 0u) | ((120u + block) != 0u);
      var inclusive_16 = select(total_16, (start_16 + rounded_f32(total_16, zero)), ((tile != 0u) | ((120u + block) != 0u)));
      let round_76 = 4u;
      let is_upper_156 = (sub & (1u << (round_76 & 31u))) != 0u;
      let block_77 = select(own_17[round_76], sibling_16[round_76], is_upper_156);
      let joined_76 = rounded_f32(select(block_77, (carry_16 + block_77), has_carry_16), zero);
      if (is_upper_156) {
        carry_16 = joined_76;
        has_carry_16 = true;
      } else {
        inclusive_16 = joined_76;
      }
      let round_77 = 3u;
      let is_upper_157 = (sub & (1u << (round_77 & 31u))) != 0u;
      let block_78 = select(own_17[round_77], sibling_16[round_77], is_upper_157);
      let joined_77 = rounded_f32(select(block_78, (carry_16 + block_78), has_carry_16), zero);
      if (is_upper_157) {
        carry_16 = joined_77;
        has_carry_16 = true;
      } else {
        inclusive_16 = joined_77;
      }
      let round_78 = 2u;
      let is_upper_158 = (sub & (1u << (round_78 & 31u))) != 0u;
      let block_79 = select(own_17[round_78], sibling_16[round_78], is_upper_158);
      let joined_78 = rounded_f32(select(block_79, (carry_16 + block_79), has_carry_16), zero);
      if (is_upper_158) {
        carry_16 = joined_78;
        has_carry_16 = true;
      } else {
        inclusive_16 = joined_78;
      }
      let round_79 = 1u;
      let is_upper_159 = (sub & (1u << (round_79 & 31u))) != 0u;
      let block_80 = select(own_17[round_79], sibling_16[round_79], is_upper_159);
      let joined_79 = rounded_f32(select(block_80, (carry_16 + block_80), has_carry_16), zero);
      if (is_upper_159) {
        carry_16 = joined_79;
        has_carry_16 = true;
      } else {
        inclusive_16 = joined_79;
      }
      let round_80 = 0u;
      let is_upper_160 = (sub & (1u << (round_80 & 31u))) != 0u;
      let block_81 = select(own_17[round_80], sibling_16[round_80], is_upper_160);
      let joined_80 = rounded_f32(select(block_81, (carry_16 + block_81), has_carry_16), zero);
      if (is_upper_160) {
        carry_16 = joined_80;
        has_carry_16 = true;
      } else {
        inclusive_16 = joined_80;
      }
      let prefix_46 = select(item_61, (carry_16 + item_61), has_carry_16);
      let prefix_47 = rounded_f32(select(both_46, (carry_16 + both_46), has_carry_16), zero);
      let prefix_48 = prefix_47 + item_63;
      let last_16 = select(inclusive_16, scan_prefixes[(120u + block) + 1u], (sub == 31u));
      let base_16 = ((tile * 16384u) + 15360u) + (lane * 4u);
      sum_rows[base_16 >> 2u] = vec4<f32>(prefix_46, prefix_47, prefix_48, last_16);
      tile = ticket_2;
      region = region + 1u;
      own = next_own;
      items[0u] = next_items[0u];
      items[1u] = next_items[1u];
      items[2u] = next_items[2u];
      items[3u] = next_items[3u];
      items[4u] = next_items[4u];
      items[5u] = next_items[5u];
      items[6u] = next_items[6u];
      items[7u] = next_items[7u];
      items[8u] = next_items[8u];
      items[9u] = next_items[9u];
      items[10u] = next_items[10u];
      items[11u] = next_items[11u];
      items[12u] = next_items[12u];
      items[13u] = next_items[13u];
      items[14u] = next_items[14u];
      items[15u] = next_items[15u];
      items[16u] = next_items[16u];
      items[17u] = next_items[17u];
      items[18u] = next_items[18u];
      items[19u] = next_items[19u];
      items[20u] = next_items[20u];
      items[21u] = next_items[21u];
      items[22u] = next_items[22u];
      items[23u] = next_items[23u];
      items[24u] = next_items[24u];
      items[25u] = next_items[25u];
      items[26u] = next_items[26u];
      items[27u] = next_items[27u];
      items[28u] = next_items[28u];
      items[29u] = next_items[29u];
      items[30u] = next_items[30u];
      items[31u] = next_items[31u];
      items[32u] = next_items[32u];
      items[33u] = next_items[33u];
      items[34u] = next_items[34u];
      items[35u] = next_items[35u];
      items[36u] = next_items[36u];
      items[37u] = next_items[37u];
      items[38u] = next_items[38u];
      items[39u] = next_items[39u];
      items[40u] = next_items[40u];
      items[41u] = next_items[41u];
      items[42u] = next_items[42u];
      items[43u] = next_items[43u];
      items[44u] = next_items[44u];
      items[45u] = next_items[45u];
      items[46u] = next_items[46u];
      items[47u] = next_items[47u];
      items[48u] = next_items[48u];
      items[49u] = next_items[49u];
      items[50u] = next_items[50u];
      items[51u] = next_items[51u];
      items[52u] = next_items[52u];
      items[53u] = next_items[53u];
      items[54u] = next_items[54u];
      items[55u] = next_items[55u];
      items[56u] = next_items[56u];
      items[57u] = next_items[57u];
      items[58u] = next_items[58u];
      items[59u] = next_items[59u];
      items[60u] = next_items[60u];
      items[61u] = next_items[61u];
      items[62u] = next_items[62u];
      items[63u] = next_items[63u];
    }
  }
}

var<workgroup> tail_lanes_f32: array<f32, 512>;
// The items behind the last full tile, 64 to a work-item.
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
  if (group < min(params.n - ((params.n / 16384u) * 16384u), 1u)) {
    let tiles = params.n >> 14u;
    let base = (tiles * 16384u) + (lane * 64u);
    var items: array<f32, 64>;
    for (var k = 0u; k < 64u; k += 1u) {
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
      let at = (((((((tiles >> 20u) << 5u) + sub) + (params.n >> 14u)) + (params.n >> 19u)) + (params.n >> 24u)) * 2u) + 1u;
      let word = atomicLoad(&status[at]);
      seen_7 = word;
      let word_2 = atomicLoad(&status[at + 1u]);
      seen_8 = word_2;
    }
    if (sub < ((tiles >> 10u) & 31u)) {
      let at = ((((((tiles >> 15u) << 5u) + sub) + (params.n >> 14u)) + (params.n >> 19u)) * 2u) + 1u;
      let word = atomicLoad(&status[at]);
      seen_5 = word;
      let word_2 = atomicLoad(&status[at + 1u]);
      seen_6 = word_2;
    }
    if (sub < ((tiles >> 5u) & 31u)) {
      let at = (((((tiles >> 10u) << 5u) + sub) + (params.n >> 14u)) * 2u) + 1u;
      let word = atomicLoad(&status[at]);
      seen_3 = word;
      let word_2 = atomicLoad(&status[at + 1u]);
      seen_4 = word_2;
    }
    if (sub < (tiles & 31u)) {
      let at = ((((tiles >> 5u) << 5u) + sub) * 2u) + 1u;
      let word = atomicLoad(&status[at]);
      seen = word;
      let word_2 = atomicLoad(&status[at + 1u]);
      seen_2 = word_2;
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
      let bit = 1u;
      let theirs = subgroupShuffleXor(total, bit);
      sibling[0u] = theirs;
      own[0u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
      let bit_2 = 2u;
      let theirs_2 = subgroupShuffleXor(total, bit_2);
      sibling[1u] = theirs_2;
      own[1u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_2;
      let bit_3 = 4u;
      let theirs_3 = subgroupShuffleXor(total, bit_3);
      sibling[2u] = theirs_3;
      own[2u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_3;
      let bit_4 = 8u;
      let theirs_4 = subgroupShuffleXor(total, bit_4);
      sibling[3u] = theirs_4;
      own[3u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_4;
      let bit_5 = 16u;
      let theirs_5 = subgroupShuffleXor(total, bit_5);
      sibling[4u] = theirs_5;
      own[4u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_5;
      var carry = before;
      var has_carry = (tiles >> 20u) != 0u;
      let round = 4u;
      let is_upper_6 = (sub & (1u << (round & 31u))) != 0u;
      let block_2 = select(own[round], sibling[round], is_upper_6);
      let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
      if (is_upper_6) {
        carry = joined;
        has_carry = true;
      }
      let round_2 = 3u;
      let is_upper_7 = (sub & (1u << (round_2 & 31u))) != 0u;
      let block_3 = select(own[round_2], sibling[round_2], is_upper_7);
      let joined_2 = select(block_3, (rounded_f32(carry, zero) + block_3), has_carry);
      if (is_upper_7) {
        carry = joined_2;
        has_carry = true;
      }
      let round_3 = 2u;
      let is_upper_8 = (sub & (1u << (round_3 & 31u))) != 0u;
      let block_4 = select(own[round_3], sibling[round_3], is_upper_8);
      let joined_3 = select(block_4, (rounded_f32(carry, zero) + block_4), has_carry);
      if (is_upper_8) {
        carry = joined_3;
        has_carry = true;
      }
      let round_4 = 1u;
      let is_upper_9 = (sub & (1u << (round_4 & 31u))) != 0u;
      let block_5 = select(own[round_4], sibling[round_4], is_upper_9);
      let joined_4 = select(block_5, (rounded_f32(carry, zero) + block_5), has_carry);
      if (is_upper_9) {
        carry = joined_4;
        has_carry = true;
      }
      let round_5 = 0u;
      let is_upper_10 = (sub & (1u << (round_5 & 31u))) != 0u;
      let block_6 = select(own[round_5], sibling[round_5], is_upper_10);
      let joined_5 = select(block_6, (rounded_f32(carry, zero) + block_6), has_carry);
      if (is_upper_10) {
        carry = joined_5;
        has_carry = true;
      }
      let picked = subgroupShuffle(carry, (tiles >> 15u) & 31u);
      before = picked;
    }
    if (((tiles >> 10u) & 31u) != 0u) {
      var total = slot_3;
      var sibling: array<f32, 5>;
      var own: array<f32, 5>;
      let bit = 1u;
      let theirs = subgroupShuffleXor(total, bit);
      sibling[0u] = theirs;
      own[0u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
      let bit_2 = 2u;
      let theirs_2 = subgroupShuffleXor(total, bit_2);
      sibling[1u] = theirs_2;
      own[1u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_2;
      let bit_3 = 4u;
      let theirs_3 = subgroupShuffleXor(total, bit_3);
      sibling[2u] = theirs_3;
      own[2u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_3;
      let bit_4 = 8u;
      let theirs_4 = subgroupShuffleXor(total, bit_4);
      sibling[3u] = theirs_4;
      own[3u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_4;
      let bit_5 = 16u;
      let theirs_5 = subgroupShuffleXor(total, bit_5);
      sibling[4u] = theirs_5;
      own[4u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_5;
      var carry = before;
      var has_carry = (tiles >> 15u) != 0u;
      let round = 4u;
      let is_upper_6 = (sub & (1u << (round & 31u))) != 0u;
      let block_2 = select(own[round], sibling[round], is_upper_6);
      let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
      if (is_upper_6) {
        carry = joined;
        has_carry = true;
      }
      let round_2 = 3u;
      let is_upper_7 = (sub & (1u << (round_2 & 31u))) != 0u;
      let block_3 = select(own[round_2], sibling[round_2], is_upper_7);
      let joined_2 = select(block_3, (rounded_f32(carry, zero) + block_3), has_carry);
      if (is_upper_7) {
        carry = joined_2;
        has_carry = true;
      }
      let round_3 = 2u;
      let is_upper_8 = (sub & (1u << (round_3 & 31u))) != 0u;
      let block_4 = select(own[round_3], sibling[round_3], is_upper_8);
      let joined_3 = select(block_4, (rounded_f32(carry, zero) + block_4), has_carry);
      if (is_upper_8) {
        carry = joined_3;
        has_carry = true;
      }
      let round_4 = 1u;
      let is_upper_9 = (sub & (1u << (round_4 & 31u))) != 0u;
      let block_5 = select(own[round_4], sibling[round_4], is_upper_9);
      let joined_4 = select(block_5, (rounded_f32(carry, zero) + block_5), has_carry);
      if (is_upper_9) {
        carry = joined_4;
        has_carry = true;
      }
      let round_5 = 0u;
      let is_upper_10 = (sub & (1u << (round_5 & 31u))) != 0u;
      let block_6 = select(own[round_5], sibling[round_5], is_upper_10);
      let joined_5 = select(block_6, (rounded_f32(carry, zero) + block_6), has_carry);
      if (is_upper_10) {
        carry = joined_5;
        has_carry = true;
      }
      let picked = subgroupShuffle(carry, (tiles >> 10u) & 31u);
      before = picked;
    }
    if (((tiles >> 5u) & 31u) != 0u) {
      var total = slot_2;
      var sibling: array<f32, 5>;
      var own: array<f32, 5>;
      let bit = 1u;
      let theirs = subgroupShuffleXor(total, bit);
      sibling[0u] = theirs;
      own[0u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs;
      let bit_2 = 2u;
      let theirs_2 = subgroupShuffleXor(total, bit_2);
      sibling[1u] = theirs_2;
      own[1u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_2;
      let bit_3 = 4u;
      let theirs_3 = subgroupShuffleXor(total, bit_3);
      sibling[2u] = theirs_3;
      own[2u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_3;
      let bit_4 = 8u;
      let theirs_4 = subgroupShuffleXor(total, bit_4);
      sibling[3u] = theirs_4;
      own[3u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_4;
      let bit_5 = 16u;
      let theirs_5 = subgroupShuffleXor(total, bit_5);
      sibling[4u] = theirs_5;
      own[4u] = rounded_f32(total, zero);
      total = rounded_f32(total, zero) + theirs_5;
      var carry = before;
      var has_carry = (tiles >> 10u) != 0u;
      let round = 4u;
      let is_upper_6 = (sub & (1u << (round & 31u))) != 0u;
      let block_2 = select(own[round], sibling[round], is_upper_6);
      let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
      if (is_upper_6) {
        carry = joined;
        has_carry = true;
      }
      let round_2 = 3u;
      let is_upper_7 = (sub & (1u << (round_2 & 31u))) != 0u;
      let block_3 = select(own[round_2], sibling[round_2], is_upper_7);
      let joined_2 = select(block_3, (rounded_f32(carry, zero) + block_3), has_carry);
      if (is_upper_7) {
        carry = joined_2;
        has_carry = true;
      }
      let round_3 = 2u;
      let is_upper_8 = (sub & (1u << (round_3 & 31u))) != 0u;
      let block_4 = select(own[round_3], sibling[round_3], is_upper_8);
      let joined_3 = select(block_4, (rounded_f32(carry, zero) + block_4), has_carry);
      if (is_upper_8) {
        carry = joined_3;
        has_carry = true;
      }
      let round_4 = 1u;
      let is_upper_9 = (sub & (1u << (round_4 & 31u))) != 0u;
      let block_5 = select(own[round_4], sibling[round_4], is_upper_9);
      let joined_4 = select(block_5, (rounded_f32(carry, zero) + block_5), has_carry);
      if (is_upper_9) {
        carry = joined_4;
        has_carry = true;
      }
      let round_5 = 0u;
      let is_upper_10 = (sub & (1u << (round_5 & 31u))) != 0u;
      let block_6 = select(own[round_5], sibling[round_5], is_upper_10);
      let joined_5 = select(block_6, (rounded_f32(carry, zero) + block_6), has_carry);
      if (is_upper_10) {
        carry = joined_5;
        has_carry = true;
      }
      let picked = subgroupShuffle(carry, (tiles >> 5u) & 31u);
      before = picked;
    }
    var total = slot;
    var sibling: array<f32, 5>;
    var own: array<f32, 5>;
    let bit = 1u;
    let theirs = subgroupShuffleXor(total, bit);
    sibling[0u] = theirs;
    own[0u] = rounded_f32(total, zero);
    total = rounded_f32(total, zero) + theirs;
    let bit_2 = 2u;
    let theirs_2 = subgroupShuffleXor(total, bit_2);
    sibling[1u] = theirs_2;
    own[1u] = rounded_f32(total, zero);
    total = rounded_f32(total, zero) + theirs_2;
    let bit_3 = 4u;
    let theirs_3 = subgroupShuffleXor(total, bit_3);
    sibling[2u] = theirs_3;
    own[2u] = rounded_f32(total, zero);
    total = rounded_f32(total, zero) + theirs_3;
    let bit_4 = 8u;
    let theirs_4 = subgroupShuffleXor(total, bit_4);
    sibling[3u] = theirs_4;
    own[3u] = rounded_f32(total, zero);
    total = rounded_f32(total, zero) + theirs_4;
    let bit_5 = 16u;
    let theirs_5 = subgroupShuffleXor(total, bit_5);
    sibling[4u] = theirs_5;
    own[4u] = rounded_f32(total, zero);
    total = rounded_f32(total, zero) + theirs_5;
    var carry = before;
    var has_carry = (tiles >> 5u) != 0u;
    let round = 4u;
    let is_upper_6 = (sub & (1u << (round & 31u))) != 0u;
    let block_2 = select(own[round], sibling[round], is_upper_6);
    let joined = select(block_2, (rounded_f32(carry, zero) + block_2), has_carry);
    if (is_upper_6) {
      carry = joined;
      has_carry = true;
    }
    let round_2 = 3u;
    let is_upper_7 = (sub & (1u << (round_2 & 31u))) != 0u;
    let block_3 = select(own[round_2], sibling[round_2], is_upper_7);
    let joined_2 = select(block_3, (rounded_f32(carry, zero) + block_3), has_carry);
    if (is_upper_7) {
      carry = joined_2;
      has_carry = true;
    }
    let round_3 = 2u;
    let is_upper_8 = (sub & (1u << (round_3 & 31u))) != 0u;
    let block_4 = select(own[round_3], sibling[round_3], is_upper_8);
    let joined_3 = select(block_4, (rounded_f32(carry, zero) + block_4), has_carry);
    if (is_upper_8) {
      carry = joined_3;
      has_carry = true;
    }
    let round_4 = 1u;
    let is_upper_9 = (sub & (1u << (round_4 & 31u))) != 0u;
    let block_5 = select(own[round_4], sibling[round_4], is_upper_9);
    let joined_4 = select(block_5, (rounded_f32(carry, zero) + block_5), has_carry);
    if (is_upper_9) {
      carry = joined_4;
      has_carry = true;
    }
    let round_5 = 0u;
    let is_upper_10 = (sub & (1u << (round_5 & 31u))) != 0u;
    let block_6 = select(own[round_5], sibling[round_5], is_upper_10);
    let joined_5 = select(block_6, (rounded_f32(carry, zero) + block_6), has_carry);
    if (is_upper_10) {
      carry = joined_5;
      has_carry = true;
    }
    let picked = subgroupShuffle(carry, tiles & 31u);
    before = picked;
    // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
    for (var k = 1u; k < 64u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    for (var k = 3u; k < 64u; k += 4u) {
      items[k] = rounded_f32(items[k - 2u] + items[k], zero);
    }
    for (var k = 7u; k < 64u; k += 8u) {
      items[k] = rounded_f32(items[k - 4u] + items[k], zero);
    }
    for (var k = 15u; k < 64u; k += 16u) {
      items[k] = rounded_f32(items[k - 8u] + items[k], zero);
    }
    for (var k = 31u; k < 64u; k += 32u) {
      items[k] = rounded_f32(items[k - 16u] + items[k], zero);
    }
    items[63u] = rounded_f32(items[31u] + items[63u], zero);
    var total_2 = items[63u];
    var sibling_2: array<f32, 8>;
    var own_2: array<f32, 8>;
    for (var round_6 = 0u; round_6 < near; round_6 += 1u) {
      let bit_6 = 1u << (round_6 & 31u);
      let theirs_6 = subgroupShuffleXor(total_2, bit_6);
      sibling_2[round_6] = theirs_6;
      own_2[round_6] = rounded_f32(total_2, zero);
      total_2 = rounded_f32(total_2, zero) + theirs_6;
    }
    workgroupBarrier();
    for (var round_6 = near; round_6 < 8u; round_6 += 1u) {
      let bit_6 = 1u << (round_6 & 31u);
      let slot_5 = ((round_6 & 1u) * 256u) + lane;
      tail_lanes_f32[slot_5] = total_2;
      workgroupBarrier();
      let theirs_6 = tail_lanes_f32[slot_5 ^ bit_6];
      sibling_2[round_6] = theirs_6;
      own_2[round_6] = rounded_f32(total_2, zero);
      total_2 = rounded_f32(total_2, zero) + theirs_6;
    }
    var carry_2 = rounded_f32(before, zero);
    var has_carry_2 = tiles != 0u;
    var inclusive_2 = select(total_2, (rounded_f32(before, zero) + rounded_f32(total_2, zero)), (tiles != 0u));
    for (var step = 0u; step < 8u; step += 1u) {
      let round_6 = 7u - step;
      let is_upper_11 = (lane & (1u << (round_6 & 31u))) != 0u;
      let block_7 = select(own_2[round_6], sibling_2[round_6], is_upper_11);
      let joined_6 = select(block_7, (carry_2 + block_7), has_carry_2);
      if (is_upper_11) {
        carry_2 = rounded_f32(joined_6, zero);
        has_carry_2 = true;
      } else {
        inclusive_2 = joined_6;
      }
    }
    items[31u] = rounded_f32(select(items[31u], (carry_2 + items[31u]), has_carry_2), zero);
    items[15u] = rounded_f32(select(items[15u], (carry_2 + items[15u]), has_carry_2), zero);
    items[47u] = rounded_f32(items[31u] + items[47u], zero);
    items[7u] = rounded_f32(select(items[7u], (carry_2 + items[7u]), has_carry_2), zero);
    for (var k = 23u; k < 64u; k += 16u) {
      items[k] = rounded_f32(items[k - 8u] + items[k], zero);
    }
    items[3u] = rounded_f32(select(items[3u], (carry_2 + items[3u]), has_carry_2), zero);
    for (var k = 11u; k < 64u; k += 8u) {
      items[k] = rounded_f32(items[k - 4u] + items[k], zero);
    }
    items[1u] = rounded_f32(select(items[1u], (carry_2 + items[1u]), has_carry_2), zero);
    for (var k = 5u; k < 64u; k += 4u) {
      items[k] = rounded_f32(items[k - 2u] + items[k], zero);
    }
    items[0u] = rounded_f32(select(items[0u], (carry_2 + items[0u]), has_carry_2), zero);
    for (var k = 2u; k < 64u; k += 2u) {
      items[k] = rounded_f32(items[k - 1u] + items[k], zero);
    }
    items[63u] = rounded_f32(inclusive_2, zero);
    for (var k = 0u; k < 64u; k += 1u) {
      let i = min(base + k, params.n - 1u);
      let inclusive_3 = items[k];
      if ((base + k) < params.n) {
        sum[i] = inclusive_3;
      }
    }
  }
}
