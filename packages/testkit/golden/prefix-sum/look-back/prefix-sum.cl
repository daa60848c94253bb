// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target opencl --look-back
// OpenCL C 1.2. Build options: -cl-std=CL1.2
// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
// Tiles: 256 x 4 items. Division of floats: exact.
// Passes, one after the other; a pass without work-groups is skipped:
//   scan: min(floor(n / 8192), 512) work-groups of 256
//   tail: min((n - (floor(n / 8192) * 8192)), 1) work-groups of 256

// A product and a sum must not become one operation: the results would differ between devices.
#pragma OPENCL FP_CONTRACT OFF

// Scan of the full tiles, 8192 items each, in 8 rows; work-groups take tile after tile.
// Totals of tiles, of 32 tiles, ? are published once; a prefix is a fold over at most 31 of each level.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void scan(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global float* sum, // output, n elements
  volatile __global uint* status) // scratch, (((((floor(n / 8192) + floor(n / 262144)) + floor(n / 8388608)) + floor(n / 268435456)) * 2) + 1) elements, all zero at first
{
  __local float block_totals[192];
  __local float prefixes[65];
  __local uint told[2];
  __local float lanes_f32[512];
  __local uint lanes_u32[512];
  const uint lane = (uint)get_local_id(0);
  const uint sub = lane & 31u;
  const uint block = lane >> 5u;
  const uint tiles = n >> 13u;
  if (lane == 0u) {
    const uint taken = atomic_add(&status[0u], 1u);
    told[1u] = taken;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint ticket = told[1u];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint tile = ticket;
  uint region = 0u;
  float own = 0.0f;
  float items[32] = {0};
  float next_items[32] = {0};
  if (tile < tiles) {
    for (uint row = 0u; row < 8u; row++) {
      const uint base = ((tile * 8192u) + (row * 1024u)) + (lane * 4u);
      const float4 x_row = ((__global const float4*)x)[base >> 2u];
      items[row * 4u] = x_row.x;
      items[(row * 4u) + 1u] = x_row.y;
      items[(row * 4u) + 2u] = x_row.z;
      items[(row * 4u) + 3u] = x_row.w;
    }
    const uint region_at = (region & 1u) * 64u;
    for (uint row = 0u; row < 8u; row++) {
      const float both = items[row * 4u] + items[(row * 4u) + 1u];
      const float both_2 = items[(row * 4u) + 2u] + items[(row * 4u) + 3u];
      const float both_3 = both + both_2;
      float total = both_3;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 5u; round++) {
        const uint bit = 1u << round;
        const uint slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
        lanes_f32[slot] = total;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float theirs = lanes_f32[slot ^ bit];
        total = total + theirs;
      }
      if (sub == 0u) {
        block_totals[region_at + ((row * 8u) + block)] = total;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float block_2 = block_totals[region_at + (sub * 2u)];
    const float block_3 = block_totals[region_at + ((sub * 2u) + 1u)];
    const float both = block_2 + block_3;
    float total = both;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < 5u; round++) {
      const uint bit = 1u << round;
      const uint slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
      lanes_f32[slot] = total;
      barrier(CLK_LOCAL_MEM_FENCE);
      const float theirs = lanes_f32[slot ^ bit];
      total = total + theirs;
    }
    own = total;
    if (lane == 0u) {
      const uint at = (tile * 2u) + 1u;
      atomic_xchg(&status[at], (as_uint(own) & 65535u) | 65536u);
      atomic_xchg(&status[at + 1u], (as_uint(own) >> 16u) | 65536u);
    }
  }
  while (tile < tiles) {
    // a first look at the slots, which arrive while the next tile is read
    uint seen = 0u;
    uint seen_2 = 0u;
    uint seen_3 = 0u;
    uint seen_4 = 0u;
    uint seen_5 = 0u;
    uint seen_6 = 0u;
    uint seen_7 = 0u;
    uint seen_8 = 0u;
    if (lane < ((tile >> 15u) & 31u)) {
      const uint at = (((((((tile >> 20u) << 5u) + lane) + (n >> 13u)) + (n >> 18u)) + (n >> 23u)) * 2u) + 1u;
      const uint word = atomic_or(&status[at], 0u);
      const uint word_2 = atomic_or(&status[at + 1u], 0u);
      seen_7 = word;
      seen_8 = word_2;
    }
    if (lane < ((tile >> 10u) & 31u)) {
      const uint at = ((((((tile >> 15u) << 5u) + lane) + (n >> 13u)) + (n >> 18u)) * 2u) + 1u;
      const uint word = atomic_or(&status[at], 0u);
      const uint word_2 = atomic_or(&status[at + 1u], 0u);
      seen_5 = word;
      seen_6 = word_2;
    }
    if (lane < ((tile >> 5u) & 31u)) {
      const uint at = (((((tile >> 10u) << 5u) + lane) + (n >> 13u)) * 2u) + 1u;
      const uint word = atomic_or(&status[at], 0u);
      const uint word_2 = atomic_or(&status[at + 1u], 0u);
      seen_3 = word;
      seen_4 = word_2;
    }
    if (lane < (tile & 31u)) {
      const uint at = ((((tile >> 5u) << 5u) + lane) * 2u) + 1u;
      const uint word = atomic_or(&status[at], 0u);
      const uint word_2 = atomic_or(&status[at + 1u], 0u);
      seen = word;
      seen_2 = word_2;
    }
    if ((tile & 31u) == 31u) {
      uint mine_missing = 4294967295u;
      if (lane < (tile & 31u)) {
        const uint at = ((((tile >> 5u) << 5u) + lane) * 2u) + 1u;
        uint word = seen;
        uint word_2 = seen_2;
        uint tries = 0u;
        while (!(((word & word_2) & 65536u) != 0u) && (tries < 4096u)) {
          const uint now = atomic_or(&status[at], 0u);
          word = now;
          const uint now_2 = atomic_or(&status[at + 1u], 0u);
          word_2 = now_2;
          tries = tries + 1u;
        }
        seen = word;
        seen_2 = word_2;
        if (!(((seen & seen_2) & 65536u) != 0u)) {
          mine_missing = lane;
        }
      }
      uint total = mine_missing;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 5u; round++) {
        const uint bit = 1u << round;
        const uint slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
        lanes_u32[slot] = total;
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint theirs = lanes_u32[slot ^ bit];
        total = min(total, theirs);
      }
      const float slot = as_float((seen & 65535u) | (seen_2 << 16u));
      const float slot_2 = (sub == (tile & 31u)) ? own : slot;
      float total_2 = slot_2;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 5u; round++) {
        const uint bit = 1u << round;
        const uint slot_3 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
        lanes_f32[slot_3] = total_2;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float theirs = lanes_f32[slot_3 ^ bit];
        total_2 = total_2 + theirs;
      }
      if ((lane == 0u) && (total == 4294967295u)) {
        const uint at = (((tile >> 5u) + (n >> 13u)) * 2u) + 1u;
        atomic_xchg(&status[at], (as_uint(total_2) & 65535u) | 65536u);
        atomic_xchg(&status[at + 1u], (as_uint(total_2) >> 16u) | 65536u);
      }
      if (((tile >> 5u) & 31u) == 31u) {
        uint mine_missing_2 = 4294967295u;
        if (lane < ((tile >> 5u) & 31u)) {
          const uint at = (((((tile >> 10u) << 5u) + lane) + (n >> 13u)) * 2u) + 1u;
          uint word = seen_3;
          uint word_2 = seen_4;
          uint tries = 0u;
          while (!(((word & word_2) & 65536u) != 0u) && (tries < 4096u)) {
            const uint now = atomic_or(&status[at], 0u);
            word = now;
            const uint now_2 = atomic_or(&status[at + 1u], 0u);
            word_2 = now_2;
            tries = tries + 1u;
          }
          seen_3 = word;
          seen_4 = word_2;
          if (!(((seen_3 & seen_4) & 65536u) != 0u)) {
            mine_missing_2 = lane + 32u;
          }
        }
        uint total_3 = mine_missing_2;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint round = 0u; round < 5u; round++) {
          const uint bit = 1u << round;
          const uint slot_3 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          lanes_u32[slot_3] = total_3;
          barrier(CLK_LOCAL_MEM_FENCE);
          const uint theirs = lanes_u32[slot_3 ^ bit];
          total_3 = min(total_3, theirs);
        }
        const float slot_3 = as_float((seen_3 & 65535u) | (seen_4 << 16u));
        const float slot_4 = (sub == ((tile >> 5u) & 31u)) ? total_2 : slot_3;
        float total_4 = slot_4;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint round = 0u; round < 5u; round++) {
          const uint bit = 1u << round;
          const uint slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          lanes_f32[slot_5] = total_4;
          barrier(CLK_LOCAL_MEM_FENCE);
          const float theirs = lanes_f32[slot_5 ^ bit];
          total_4 = total_4 + theirs;
        }
        if ((lane == 0u) && (total_3 == 4294967295u)) {
          const uint at = ((((tile >> 10u) + (n >> 13u)) + (n >> 18u)) * 2u) + 1u;
          atomic_xchg(&status[at], (as_uint(total_4) & 65535u) | 65536u);
          atomic_xchg(&status[at + 1u], (as_uint(total_4) >> 16u) | 65536u);
        }
      }
    }
    if (lane == 0u) {
      const uint taken = atomic_add(&status[0u], 1u);
      told[1u] = taken;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint ticket_2 = told[1u];
    barrier(CLK_LOCAL_MEM_FENCE);
    float next_own = own;
    if (ticket_2 < tiles) {
      for (uint row = 0u; row < 8u; row++) {
        const uint base = ((ticket_2 * 8192u) + (row * 1024u)) + (lane * 4u);
        const float4 x_row = ((__global const float4*)x)[base >> 2u];
        next_items[row * 4u] = x_row.x;
        next_items[(row * 4u) + 1u] = x_row.y;
        next_items[(row * 4u) + 2u] = x_row.z;
        next_items[(row * 4u) + 3u] = x_row.w;
      }
      const uint region_at = ((region + 1u) & 1u) * 64u;
      for (uint row = 0u; row < 8u; row++) {
        const float both = next_items[row * 4u] + next_items[(row * 4u) + 1u];
        const float both_2 = next_items[(row * 4u) + 2u] + next_items[(row * 4u) + 3u];
        const float both_3 = both + both_2;
        float total = both_3;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint round = 0u; round < 5u; round++) {
          const uint bit = 1u << round;
          const uint slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          lanes_f32[slot] = total;
          barrier(CLK_LOCAL_MEM_FENCE);
          const float theirs = lanes_f32[slot ^ bit];
          total = total + theirs;
        }
        if (sub == 0u) {
          block_totals[region_at + ((row * 8u) + block)] = total;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const float block_2 = block_totals[region_at + (sub * 2u)];
      const float block_3 = block_totals[region_at + ((sub * 2u) + 1u)];
      const float both = block_2 + block_3;
      float total = both;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 5u; round++) {
        const uint bit = 1u << round;
        const uint slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
        lanes_f32[slot] = total;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float theirs = lanes_f32[slot ^ bit];
        total = total + theirs;
      }
      next_own = total;
      if (lane == 0u) {
        const uint at = (ticket_2 * 2u) + 1u;
        atomic_xchg(&status[at], (as_uint(next_own) & 65535u) | 65536u);
        atomic_xchg(&status[at + 1u], (as_uint(next_own) >> 16u) | 65536u);
      }
    }
    uint missing = 0u;
    while (missing != 4294967295u) {
      uint mine_missing = 4294967295u;
      if (lane < ((tile >> 15u) & 31u)) {
        const uint at = (((((((tile >> 20u) << 5u) + lane) + (n >> 13u)) + (n >> 18u)) + (n >> 23u)) * 2u) + 1u;
        uint word = seen_7;
        uint word_2 = seen_8;
        uint tries = 0u;
        while (!(((word & word_2) & 65536u) != 0u) && (tries < 4096u)) {
          const uint now = atomic_or(&status[at], 0u);
          word = now;
          const uint now_2 = atomic_or(&status[at + 1u], 0u);
          word_2 = now_2;
          tries = tries + 1u;
        }
        seen_7 = word;
        seen_8 = word_2;
        if (!(((seen_7 & seen_8) & 65536u) != 0u)) {
          mine_missing = lane + 96u;
        }
      }
      if (lane < ((tile >> 10u) & 31u)) {
        const uint at = ((((((tile >> 15u) << 5u) + lane) + (n >> 13u)) + (n >> 18u)) * 2u) + 1u;
        uint word = seen_5;
        uint word_2 = seen_6;
        uint tries = 0u;
        while (!(((word & word_2) & 65536u) != 0u) && (tries < 4096u)) {
          const uint now = atomic_or(&status[at], 0u);
          word = now;
          const uint now_2 = atomic_or(&status[at + 1u], 0u);
          word_2 = now_2;
          tries = tries + 1u;
        }
        seen_5 = word;
        seen_6 = word_2;
        if (!(((seen_5 & seen_6) & 65536u) != 0u)) {
          mine_missing = lane + 64u;
        }
      }
      if (lane < ((tile >> 5u) & 31u)) {
        const uint at = (((((tile >> 10u) << 5u) + lane) + (n >> 13u)) * 2u) + 1u;
        uint word = seen_3;
        uint word_2 = seen_4;
        uint tries = 0u;
        while (!(((word & word_2) & 65536u) != 0u) && (tries < 4096u)) {
          const uint now = atomic_or(&status[at], 0u);
          word = now;
          const uint now_2 = atomic_or(&status[at + 1u], 0u);
          word_2 = now_2;
          tries = tries + 1u;
        }
        seen_3 = word;
        seen_4 = word_2;
        if (!(((seen_3 & seen_4) & 65536u) != 0u)) {
          mine_missing = lane + 32u;
        }
      }
      if (lane < (tile & 31u)) {
        const uint at = ((((tile >> 5u) << 5u) + lane) * 2u) + 1u;
        uint word = seen;
        uint word_2 = seen_2;
        uint tries = 0u;
        while (!(((word & word_2) & 65536u) != 0u) && (tries < 4096u)) {
          const uint now = atomic_or(&status[at], 0u);
          word = now;
          const uint now_2 = atomic_or(&status[at + 1u], 0u);
          word_2 = now_2;
          tries = tries + 1u;
        }
        seen = word;
        seen_2 = word_2;
        if (!(((seen & seen_2) & 65536u) != 0u)) {
          mine_missing = lane;
        }
      }
      uint total = mine_missing;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 5u; round++) {
        const uint bit = 1u << round;
        const uint slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
        lanes_u32[slot] = total;
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint theirs = lanes_u32[slot ^ bit];
        total = min(total, theirs);
      }
      const float slot = as_float((seen & 65535u) | (seen_2 << 16u));
      const float slot_2 = as_float((seen_3 & 65535u) | (seen_4 << 16u));
      const float slot_3 = as_float((seen_5 & 65535u) | (seen_6 << 16u));
      const float slot_4 = as_float((seen_7 & 65535u) | (seen_8 << 16u));
      float before = 0.0f;
      const float above = before;
      if (((tile >> 15u) & 31u) != 0u) {
        float total_2 = slot_4;
        float sibling[5] = {0};
        float own_2[5] = {0};
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint round = 0u; round < 5u; round++) {
          const uint bit = 1u << round;
          const uint slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          lanes_f32[slot_5] = total_2;
          barrier(CLK_LOCAL_MEM_FENCE);
          const float theirs = lanes_f32[slot_5 ^ bit];
          sibling[round] = theirs;
          own_2[round] = total_2;
          total_2 = total_2 + theirs;
        }
        float carry = before;
        bool has_carry = (tile >> 20u) != 0u;
        for (uint step = 0u; step < 5u; step++) {
          const uint round = 4u - step;
          const bool is_upper = (sub & (1u << round)) != 0u;
          const float block_2 = is_upper ? sibling[round] : own_2[round];
          const float joined = has_carry ? (carry + block_2) : block_2;
          carry = is_upper ? joined : carry;
          has_carry = has_carry || is_upper;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        lanes_f32[lane] = carry;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float picked = lanes_f32[(block * 32u) + ((tile >> 15u) & 31u)];
        before = picked;
      }
      const float above_2 = before;
      if (((tile >> 10u) & 31u) != 0u) {
        float total_2 = slot_3;
        float sibling[5] = {0};
        float own_2[5] = {0};
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint round = 0u; round < 5u; round++) {
          const uint bit = 1u << round;
          const uint slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          lanes_f32[slot_5] = total_2;
          barrier(CLK_LOCAL_MEM_FENCE);
          const float theirs = lanes_f32[slot_5 ^ bit];
          sibling[round] = theirs;
          own_2[round] = total_2;
          total_2 = total_2 + theirs;
        }
        float carry = before;
        bool has_carry = (tile >> 15u) != 0u;
        for (uint step = 0u; step < 5u; step++) {
          const uint round = 4u - step;
          const bool is_upper = (sub & (1u << round)) != 0u;
          const float block_2 = is_upper ? sibling[round] : own_2[round];
          const float joined = has_carry ? (carry + block_2) : block_2;
          carry = is_upper ? joined : carry;
          has_carry = has_carry || is_upper;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        lanes_f32[lane] = carry;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float picked = lanes_f32[(block * 32u) + ((tile >> 10u) & 31u)];
        before = picked;
      }
      const float above_3 = before;
      if (((tile >> 5u) & 31u) != 0u) {
        float total_2 = slot_2;
        float sibling[5] = {0};
        float own_2[5] = {0};
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint round = 0u; round < 5u; round++) {
          const uint bit = 1u << round;
          const uint slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          lanes_f32[slot_5] = total_2;
          barrier(CLK_LOCAL_MEM_FENCE);
          const float theirs = lanes_f32[slot_5 ^ bit];
          sibling[round] = theirs;
          own_2[round] = total_2;
          total_2 = total_2 + theirs;
        }
        float carry = before;
        bool has_carry = (tile >> 10u) != 0u;
        for (uint step = 0u; step < 5u; step++) {
          const uint round = 4u - step;
          const bool is_upper = (sub & (1u << round)) != 0u;
          const float block_2 = is_upper ? sibling[round] : own_2[round];
          const float joined = has_carry ? (carry + block_2) : block_2;
          carry = is_upper ? joined : carry;
          has_carry = has_carry || is_upper;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        lanes_f32[lane] = carry;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float picked = lanes_f32[(block * 32u) + ((tile >> 5u) & 31u)];
        before = picked;
      }
      const float slot_5 = (sub == (tile & 31u)) ? own : slot;
      float total_2 = slot_5;
      float sibling[5] = {0};
      float own_2[5] = {0};
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 5u; round++) {
        const uint bit = 1u << round;
        const uint slot_6 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
        lanes_f32[slot_6] = total_2;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float theirs = lanes_f32[slot_6 ^ bit];
        sibling[round] = theirs;
        own_2[round] = total_2;
        total_2 = total_2 + theirs;
      }
      float carry = before;
      bool has_carry = (tile >> 5u) != 0u;
      float inclusive = ((tile >> 5u) != 0u) ? (before + total_2) : total_2;
      for (uint step = 0u; step < 5u; step++) {
        const uint round = 4u - step;
        const bool is_upper = (sub & (1u << round)) != 0u;
        const float block_2 = is_upper ? sibling[round] : own_2[round];
        const float joined = has_carry ? (carry + block_2) : block_2;
        inclusive = is_upper ? inclusive : joined;
        carry = is_upper ? joined : carry;
        has_carry = has_carry || is_upper;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      lanes_f32[lane] = inclusive;
      barrier(CLK_LOCAL_MEM_FENCE);
      const float picked = lanes_f32[(block * 32u) + (tile & 31u)];
      barrier(CLK_LOCAL_MEM_FENCE);
      lanes_f32[lane] = carry;
      barrier(CLK_LOCAL_MEM_FENCE);
      const float picked_2 = lanes_f32[(block * 32u) + (tile & 31u)];
      float after = picked;
      before = picked_2;
      if ((tile & 31u) == 31u) {
        if ((lane == 0u) && (total == 4294967295u)) {
          const uint at = (((tile >> 5u) + (n >> 13u)) * 2u) + 1u;
          atomic_xchg(&status[at], (as_uint(total_2) & 65535u) | 65536u);
          atomic_xchg(&status[at + 1u], (as_uint(total_2) >> 16u) | 65536u);
        }
        const float slot_6 = (sub == ((tile >> 5u) & 31u)) ? total_2 : slot_2;
        float total_3 = slot_6;
        float sibling_2[5] = {0};
        float own_3[5] = {0};
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint round = 0u; round < 5u; round++) {
          const uint bit = 1u << round;
          const uint slot_7 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
          lanes_f32[slot_7] = total_3;
          barrier(CLK_LOCAL_MEM_FENCE);
          const float theirs = lanes_f32[slot_7 ^ bit];
          sibling_2[round] = theirs;
          own_3[round] = total_3;
          total_3 = total_3 + theirs;
        }
        float carry_2 = above_3;
        bool has_carry_2 = (tile >> 10u) != 0u;
        float inclusive_2 = ((tile >> 10u) != 0u) ? (above_3 + total_3) : total_3;
        for (uint step = 0u; step < 5u; step++) {
          const uint round = 4u - step;
          const bool is_upper = (sub & (1u << round)) != 0u;
          const float block_2 = is_upper ? sibling_2[round] : own_3[round];
          const float joined = has_carry_2 ? (carry_2 + block_2) : block_2;
          inclusive_2 = is_upper ? inclusive_2 : joined;
          carry_2 = is_upper ? joined : carry_2;
          has_carry_2 = has_carry_2 || is_upper;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        lanes_f32[lane] = inclusive_2;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float picked_3 = lanes_f32[(block * 32u) + ((tile >> 5u) & 31u)];
        after = picked_3;
        if (((tile >> 5u) & 31u) == 31u) {
          if ((lane == 0u) && (total == 4294967295u)) {
            const uint at = ((((tile >> 10u) + (n >> 13u)) + (n >> 18u)) * 2u) + 1u;
            atomic_xchg(&status[at], (as_uint(total_3) & 65535u) | 65536u);
            atomic_xchg(&status[at + 1u], (as_uint(total_3) >> 16u) | 65536u);
          }
          const float slot_7 = (sub == ((tile >> 10u) & 31u)) ? total_3 : slot_3;
          float total_4 = slot_7;
          float sibling_3[5] = {0};
          float own_4[5] = {0};
          barrier(CLK_LOCAL_MEM_FENCE);
          for (uint round = 0u; round < 5u; round++) {
            const uint bit = 1u << round;
            const uint slot_8 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
            lanes_f32[slot_8] = total_4;
            barrier(CLK_LOCAL_MEM_FENCE);
            const float theirs = lanes_f32[slot_8 ^ bit];
            sibling_3[round] = theirs;
            own_4[round] = total_4;
            total_4 = total_4 + theirs;
          }
          float carry_3 = above_2;
          bool has_carry_3 = (tile >> 15u) != 0u;
          float inclusive_3 = ((tile >> 15u) != 0u) ? (above_2 + total_4) : total_4;
          for (uint step = 0u; step < 5u; step++) {
            const uint round = 4u - step;
            const bool is_upper = (sub & (1u << round)) != 0u;
            const float block_2 = is_upper ? sibling_3[round] : own_4[round];
            const float joined = has_carry_3 ? (carry_3 + block_2) : block_2;
            inclusive_3 = is_upper ? inclusive_3 : joined;
            carry_3 = is_upper ? joined : carry_3;
            has_carry_3 = has_carry_3 || is_upper;
          }
          barrier(CLK_LOCAL_MEM_FENCE);
          lanes_f32[lane] = inclusive_3;
          barrier(CLK_LOCAL_MEM_FENCE);
          const float picked_4 = lanes_f32[(block * 32u) + ((tile >> 10u) & 31u)];
          after = picked_4;
          if (((tile >> 10u) & 31u) == 31u) {
            if ((lane == 0u) && (total == 4294967295u)) {
              const uint at = (((((tile >> 15u) + (n >> 13u)) + (n >> 18u)) + (n >> 23u)) * 2u) + 1u;
              atomic_xchg(&status[at], (as_uint(total_4) & 65535u) | 65536u);
              atomic_xchg(&status[at + 1u], (as_uint(total_4) >> 16u) | 65536u);
            }
            const float slot_8 = (sub == ((tile >> 15u) & 31u)) ? total_4 : slot_4;
            float total_5 = slot_8;
            float sibling_4[5] = {0};
            float own_5[5] = {0};
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint round = 0u; round < 5u; round++) {
              const uint bit = 1u << round;
              const uint slot_9 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
              lanes_f32[slot_9] = total_5;
              barrier(CLK_LOCAL_MEM_FENCE);
              const float theirs = lanes_f32[slot_9 ^ bit];
              sibling_4[round] = theirs;
              own_5[round] = total_5;
              total_5 = total_5 + theirs;
            }
            float carry_4 = above;
            bool has_carry_4 = (tile >> 20u) != 0u;
            float inclusive_4 = ((tile >> 20u) != 0u) ? (above + total_5) : total_5;
            for (uint step = 0u; step < 5u; step++) {
              const uint round = 4u - step;
              const bool is_upper = (sub & (1u << round)) != 0u;
              const float block_2 = is_upper ? sibling_4[round] : own_5[round];
              const float joined = has_carry_4 ? (carry_4 + block_2) : block_2;
              inclusive_4 = is_upper ? inclusive_4 : joined;
              carry_4 = is_upper ? joined : carry_4;
              has_carry_4 = has_carry_4 || is_upper;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            lanes_f32[lane] = inclusive_4;
            barrier(CLK_LOCAL_MEM_FENCE);
            const float picked_5 = lanes_f32[(block * 32u) + ((tile >> 15u) & 31u)];
            after = picked_5;
          }
        }
      }
      const uint region_at = (region & 1u) * 64u;
      const float block_2 = block_totals[region_at + (sub * 2u)];
      const float block_3 = block_totals[region_at + ((sub * 2u) + 1u)];
      const float both = block_2 + block_3;
      float total_3 = both;
      float sibling_2[5] = {0};
      float own_3[5] = {0};
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 5u; round++) {
        const uint bit = 1u << round;
        const uint slot_6 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
        lanes_f32[slot_6] = total_3;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float theirs = lanes_f32[slot_6 ^ bit];
        sibling_2[round] = theirs;
        own_3[round] = total_3;
        total_3 = total_3 + theirs;
      }
      float carry_2 = before;
      bool has_carry_2 = tile != 0u;
      for (uint step = 0u; step < 5u; step++) {
        const uint round = 4u - step;
        const bool is_upper = (sub & (1u << round)) != 0u;
        const float block_4 = is_upper ? sibling_2[round] : own_3[round];
        const float joined = has_carry_2 ? (carry_2 + block_4) : block_4;
        carry_2 = is_upper ? joined : carry_2;
        has_carry_2 = has_carry_2 || is_upper;
      }
      const float prefix = has_carry_2 ? (carry_2 + block_2) : block_2;
      if (lane < 32u) {
        prefixes[sub * 2u] = carry_2;
        prefixes[(sub * 2u) + 1u] = prefix;
        if (lane == 0u) {
          prefixes[64u] = after;
        }
      }
      if (lane == 0u) {
        told[0u] = total;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint first_missing = told[0u];
      barrier(CLK_LOCAL_MEM_FENCE);
      missing = first_missing;
      if (missing != 4294967295u) {
        // a slot that did not come: its total, with the same bits, by who waits for it
        float lost_blocks[16] = {0};
        const uint level = missing >> 5u;
        const uint bits = level * 5u;
        const uint above_4 = bits + 5u;
        const uint slot_at = ((tile >> above_4) << 5u) + (missing & 31u);
        const uint first = slot_at << bits;
        float lost = 0.0f;
        for (uint i = 0u; i < (1u << bits); i++) {
          barrier(CLK_LOCAL_MEM_FENCE);
          for (uint row = 0u; row < 8u; row++) {
            const uint base = (((first + i) * 8192u) + (row * 1024u)) + (lane * 4u);
            const float4 x_row = ((__global const float4*)x)[base >> 2u];
            const float both_2 = x_row.x + x_row.y;
            const float both_3 = x_row.z + x_row.w;
            const float both_4 = both_2 + both_3;
            float total_4 = both_4;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint round = 0u; round < 5u; round++) {
              const uint bit = 1u << round;
              const uint slot_6 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
              lanes_f32[slot_6] = total_4;
              barrier(CLK_LOCAL_MEM_FENCE);
              const float theirs = lanes_f32[slot_6 ^ bit];
              total_4 = total_4 + theirs;
            }
            if (sub == 0u) {
              block_totals[128u + ((row * 8u) + block)] = total_4;
            }
          }
          barrier(CLK_LOCAL_MEM_FENCE);
          const float block_4 = block_totals[128u + (sub * 2u)];
          const float block_5 = block_totals[128u + ((sub * 2u) + 1u)];
          const float both_2 = block_4 + block_5;
          float total_4 = both_2;
          barrier(CLK_LOCAL_MEM_FENCE);
          for (uint round = 0u; round < 5u; round++) {
            const uint bit = 1u << round;
            const uint slot_6 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
            lanes_f32[slot_6] = total_4;
            barrier(CLK_LOCAL_MEM_FENCE);
            const float theirs = lanes_f32[slot_6 ^ bit];
            total_4 = total_4 + theirs;
          }
          lost = total_4;
          const uint next = i + 1u;
          const uint ones = min(31u - clz(next & (0u - next)), 15u);
          for (uint k = 0u; k < ones; k++) {
            const float both_3 = lost_blocks[k] + lost;
            lost = both_3;
          }
          lost_blocks[ones] = lost;
        }
        if (lane == 0u) {
          const uint at = ((((slot_at + ((0u < level) ? (n >> 13u) : 0u)) + ((1u < level) ? (n >> 18u) : 0u)) + ((2u < level) ? (n >> 23u) : 0u)) * 2u) + 1u;
          atomic_xchg(&status[at], (as_uint(lost) & 65535u) | 65536u);
          atomic_xchg(&status[at + 1u], (as_uint(lost) >> 16u) | 65536u);
        }
      }
    }
    for (uint row = 0u; row < 8u; row++) {
      const float start = prefixes[(row * 8u) + block];
      const float item = items[row * 4u];
      const float item_2 = items[(row * 4u) + 1u];
      const float item_3 = items[(row * 4u) + 2u];
      const float item_4 = items[(row * 4u) + 3u];
      const float both = item + item_2;
      const float both_2 = item_3 + item_4;
      const float both_3 = both + both_2;
      float total = both_3;
      float sibling[5] = {0};
      float own_2[5] = {0};
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint round = 0u; round < 5u; round++) {
        const uint bit = 1u << round;
        const uint slot = ((block * 64u) + ((round & 1u) * 32u)) + sub;
        lanes_f32[slot] = total;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float theirs = lanes_f32[slot ^ bit];
        sibling[round] = theirs;
        own_2[round] = total;
        total = total + theirs;
      }
      float carry = start;
      bool has_carry = (tile != 0u) || (((row * 8u) + block) != 0u);
      float inclusive = ((tile != 0u) || (((row * 8u) + block) != 0u)) ? (start + total) : total;
      for (uint step = 0u; step < 5u; step++) {
        const uint round = 4u - step;
        const bool is_upper = (sub & (1u << round)) != 0u;
        const float block_2 = is_upper ? sibling[round] : own_2[round];
        const float joined = has_carry ? (carry + block_2) : block_2;
        inclusive = is_upper ? inclusive : joined;
        carry = is_upper ? joined : carry;
        has_carry = has_carry || is_upper;
      }
      const float prefix = has_carry ? (carry + item) : item;
      const float prefix_2 = has_carry ? (carry + both) : both;
      const float prefix_3 = prefix_2 + item_3;
      const float last = (sub == 31u) ? prefixes[((row * 8u) + block) + 1u] : inclusive;
      const uint base = ((tile * 8192u) + (row * 1024u)) + (lane * 4u);
      ((__global float4*)sum)[base >> 2u] = (float4)(prefix, prefix_2, prefix_3, last);
    }
    tile = ticket_2;
    region = region + 1u;
    own = next_own;
    for (uint k = 0u; k < 32u; k++) {
      items[k] = next_items[k];
    }
  }
}

// The items behind the last full tile, 32 to a work-item.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void tail(
  const uint n, // number of items
  __global const float* restrict x, // input, n elements
  __global float* sum, // output, n elements
  volatile __global uint* status) // scratch, (((((floor(n / 8192) + floor(n / 262144)) + floor(n / 8388608)) + floor(n / 268435456)) * 2) + 1) elements, all zero at first
{
  __local float lanes_f32[512];
  const uint lane = (uint)get_local_id(0);
  const uint tiles = n >> 13u;
  const uint base = (tiles * 8192u) + (lane * 32u);
  float items[32] = {0};
  for (uint k = 0u; k < 32u; k++) {
    const uint i = min(base + k, n - 1u);
    const float x_i = x[i];
    items[k] = x_i;
  }
  const uint sub = lane & 31u;
  const uint block = lane >> 5u;
  uint seen = 0u;
  uint seen_2 = 0u;
  uint seen_3 = 0u;
  uint seen_4 = 0u;
  uint seen_5 = 0u;
  uint seen_6 = 0u;
  uint seen_7 = 0u;
  uint seen_8 = 0u;
  if (sub < ((tiles >> 15u) & 31u)) {
    const uint at = (((((((tiles >> 20u) << 5u) + sub) + (n >> 13u)) + (n >> 18u)) + (n >> 23u)) * 2u) + 1u;
    const uint word = atomic_or(&status[at], 0u);
    const uint word_2 = atomic_or(&status[at + 1u], 0u);
    seen_7 = word;
    seen_8 = word_2;
  }
  if (sub < ((tiles >> 10u) & 31u)) {
    const uint at = ((((((tiles >> 15u) << 5u) + sub) + (n >> 13u)) + (n >> 18u)) * 2u) + 1u;
    const uint word = atomic_or(&status[at], 0u);
    const uint word_2 = atomic_or(&status[at + 1u], 0u);
    seen_5 = word;
    seen_6 = word_2;
  }
  if (sub < ((tiles >> 5u) & 31u)) {
    const uint at = (((((tiles >> 10u) << 5u) + sub) + (n >> 13u)) * 2u) + 1u;
    const uint word = atomic_or(&status[at], 0u);
    const uint word_2 = atomic_or(&status[at + 1u], 0u);
    seen_3 = word;
    seen_4 = word_2;
  }
  if (sub < (tiles & 31u)) {
    const uint at = ((((tiles >> 5u) << 5u) + sub) * 2u) + 1u;
    const uint word = atomic_or(&status[at], 0u);
    const uint word_2 = atomic_or(&status[at + 1u], 0u);
    seen = word;
    seen_2 = word_2;
  }
  const float slot = as_float((seen & 65535u) | (seen_2 << 16u));
  const float slot_2 = as_float((seen_3 & 65535u) | (seen_4 << 16u));
  const float slot_3 = as_float((seen_5 & 65535u) | (seen_6 << 16u));
  const float slot_4 = as_float((seen_7 & 65535u) | (seen_8 << 16u));
  float before = 0.0f;
  if (((tiles >> 15u) & 31u) != 0u) {
    float total = slot_4;
    float sibling[5] = {0};
    float own[5] = {0};
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < 5u; round++) {
      const uint bit = 1u << round;
      const uint slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
      lanes_f32[slot_5] = total;
      barrier(CLK_LOCAL_MEM_FENCE);
      const float theirs = lanes_f32[slot_5 ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      total = total + theirs;
    }
    float carry = before;
    bool has_carry = (tiles >> 20u) != 0u;
    for (uint step = 0u; step < 5u; step++) {
      const uint round = 4u - step;
      const bool is_upper = (sub & (1u << round)) != 0u;
      const float block_2 = is_upper ? sibling[round] : own[round];
      const float joined = has_carry ? (carry + block_2) : block_2;
      carry = is_upper ? joined : carry;
      has_carry = has_carry || is_upper;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    lanes_f32[lane] = carry;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float picked = lanes_f32[(block * 32u) + ((tiles >> 15u) & 31u)];
    before = picked;
  }
  if (((tiles >> 10u) & 31u) != 0u) {
    float total = slot_3;
    float sibling[5] = {0};
    float own[5] = {0};
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < 5u; round++) {
      const uint bit = 1u << round;
      const uint slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
      lanes_f32[slot_5] = total;
      barrier(CLK_LOCAL_MEM_FENCE);
      const float theirs = lanes_f32[slot_5 ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      total = total + theirs;
    }
    float carry = before;
    bool has_carry = (tiles >> 15u) != 0u;
    for (uint step = 0u; step < 5u; step++) {
      const uint round = 4u - step;
      const bool is_upper = (sub & (1u << round)) != 0u;
      const float block_2 = is_upper ? sibling[round] : own[round];
      const float joined = has_carry ? (carry + block_2) : block_2;
      carry = is_upper ? joined : carry;
      has_carry = has_carry || is_upper;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    lanes_f32[lane] = carry;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float picked = lanes_f32[(block * 32u) + ((tiles >> 10u) & 31u)];
    before = picked;
  }
  if (((tiles >> 5u) & 31u) != 0u) {
    float total = slot_2;
    float sibling[5] = {0};
    float own[5] = {0};
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < 5u; round++) {
      const uint bit = 1u << round;
      const uint slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
      lanes_f32[slot_5] = total;
      barrier(CLK_LOCAL_MEM_FENCE);
      const float theirs = lanes_f32[slot_5 ^ bit];
      sibling[round] = theirs;
      own[round] = total;
      total = total + theirs;
    }
    float carry = before;
    bool has_carry = (tiles >> 10u) != 0u;
    for (uint step = 0u; step < 5u; step++) {
      const uint round = 4u - step;
      const bool is_upper = (sub & (1u << round)) != 0u;
      const float block_2 = is_upper ? sibling[round] : own[round];
      const float joined = has_carry ? (carry + block_2) : block_2;
      carry = is_upper ? joined : carry;
      has_carry = has_carry || is_upper;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    lanes_f32[lane] = carry;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float picked = lanes_f32[(block * 32u) + ((tiles >> 5u) & 31u)];
    before = picked;
  }
  float total = slot;
  float sibling[5] = {0};
  float own[5] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 5u; round++) {
    const uint bit = 1u << round;
    const uint slot_5 = ((block * 64u) + ((round & 1u) * 32u)) + sub;
    lanes_f32[slot_5] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float theirs = lanes_f32[slot_5 ^ bit];
    sibling[round] = theirs;
    own[round] = total;
    total = total + theirs;
  }
  float carry = before;
  bool has_carry = (tiles >> 5u) != 0u;
  for (uint step = 0u; step < 5u; step++) {
    const uint round = 4u - step;
    const bool is_upper = (sub & (1u << round)) != 0u;
    const float block_2 = is_upper ? sibling[round] : own[round];
    const float joined = has_carry ? (carry + block_2) : block_2;
    carry = is_upper ? joined : carry;
    has_carry = has_carry || is_upper;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  lanes_f32[lane] = carry;
  barrier(CLK_LOCAL_MEM_FENCE);
  const float picked = lanes_f32[(block * 32u) + (tiles & 31u)];
  before = picked;
  // scan of the tile: totals of aligned blocks on the way up, prefixes on the way down
  for (uint k = 1u; k < 32u; k += 2u) {
    items[k] = items[k - 1u] + items[k];
  }
  for (uint k = 3u; k < 32u; k += 4u) {
    items[k] = items[k - 2u] + items[k];
  }
  for (uint k = 7u; k < 32u; k += 8u) {
    items[k] = items[k - 4u] + items[k];
  }
  for (uint k = 15u; k < 32u; k += 16u) {
    items[k] = items[k - 8u] + items[k];
  }
  items[31u] = items[15u] + items[31u];
  float total_2 = items[31u];
  float sibling_2[8] = {0};
  float own_2[8] = {0};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint round = 0u; round < 8u; round++) {
    const uint bit = 1u << round;
    const uint slot_5 = ((round & 1u) * 256u) + lane;
    lanes_f32[slot_5] = total_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float theirs = lanes_f32[slot_5 ^ bit];
    sibling_2[round] = theirs;
    own_2[round] = total_2;
    total_2 = total_2 + theirs;
  }
  float carry_2 = before;
  bool has_carry_2 = tiles != 0u;
  float inclusive_2 = (tiles != 0u) ? (before + total_2) : total_2;
  for (uint step = 0u; step < 8u; step++) {
    const uint round = 7u - step;
    const bool is_upper = (lane & (1u << round)) != 0u;
    const float block_2 = is_upper ? sibling_2[round] : own_2[round];
    const float joined = has_carry_2 ? (carry_2 + block_2) : block_2;
    inclusive_2 = is_upper ? inclusive_2 : joined;
    carry_2 = is_upper ? joined : carry_2;
    has_carry_2 = has_carry_2 || is_upper;
  }
  items[15u] = has_carry_2 ? (carry_2 + items[15u]) : items[15u];
  items[7u] = has_carry_2 ? (carry_2 + items[7u]) : items[7u];
  items[23u] = items[15u] + items[23u];
  items[3u] = has_carry_2 ? (carry_2 + items[3u]) : items[3u];
  for (uint k = 11u; k < 32u; k += 8u) {
    items[k] = items[k - 4u] + items[k];
  }
  items[1u] = has_carry_2 ? (carry_2 + items[1u]) : items[1u];
  for (uint k = 5u; k < 32u; k += 4u) {
    items[k] = items[k - 2u] + items[k];
  }
  items[0u] = has_carry_2 ? (carry_2 + items[0u]) : items[0u];
  for (uint k = 2u; k < 32u; k += 2u) {
    items[k] = items[k - 1u] + items[k];
  }
  items[31u] = inclusive_2;
  for (uint k = 0u; k < 32u; k++) {
    const uint i = min(base + k, n - 1u);
    const float inclusive_3 = items[k];
    if ((base + k) < n) {
      sum[i] = inclusive_3;
    }
  }
}
