// prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target gpujs
// Each function is a gpu.js kernel: gpu.js reads its text, so no tool may rename or rewrite it.

// Aggregates of blocks of 8 items.
export function totals_1_2(x) {
  const first = this.thread.x * 8;
  const start = first;
  const block = x[start];
  const block_2 = x[start + 1];
  const block_3 = x[start + 2];
  const block_4 = x[start + 3];
  const block_5 = x[start + 4];
  const block_6 = x[start + 5];
  const block_7 = x[start + 6];
  const block_8 = x[start + 7];
  const both = Math.fround(block + block_2);
  const both_2 = Math.fround(block_3 + block_4);
  const both_3 = Math.fround(block_5 + block_6);
  const both_4 = Math.fround(block_7 + block_8);
  const both_5 = Math.fround(both + both_2);
  const both_6 = Math.fround(both_3 + both_4);
  const both_7 = Math.fround(both_5 + both_6);
  return both_7;
}

// Aggregates of blocks of 64 items.
export function totals_2_2(totals_1) {
  const first = this.thread.x * 8;
  const start = first;
  const block = totals_1[start];
  const block_2 = totals_1[start + 1];
  const block_3 = totals_1[start + 2];
  const block_4 = totals_1[start + 3];
  const block_5 = totals_1[start + 4];
  const block_6 = totals_1[start + 5];
  const block_7 = totals_1[start + 6];
  const block_8 = totals_1[start + 7];
  const both = Math.fround(block + block_2);
  const both_2 = Math.fround(block_3 + block_4);
  const both_3 = Math.fround(block_5 + block_6);
  const both_4 = Math.fround(block_7 + block_8);
  const both_5 = Math.fround(both + both_2);
  const both_6 = Math.fround(both_3 + both_4);
  const both_7 = Math.fround(both_5 + both_6);
  return both_7;
}

// Aggregates of blocks of 512 items.
export function totals_3_2(totals_2) {
  const first = this.thread.x * 8;
  const start = first;
  const block = totals_2[start];
  const block_2 = totals_2[start + 1];
  const block_3 = totals_2[start + 2];
  const block_4 = totals_2[start + 3];
  const block_5 = totals_2[start + 4];
  const block_6 = totals_2[start + 5];
  const block_7 = totals_2[start + 6];
  const block_8 = totals_2[start + 7];
  const both = Math.fround(block + block_2);
  const both_2 = Math.fround(block_3 + block_4);
  const both_3 = Math.fround(block_5 + block_6);
  const both_4 = Math.fround(block_7 + block_8);
  const both_5 = Math.fround(both + both_2);
  const both_6 = Math.fround(both_3 + both_4);
  const both_7 = Math.fround(both_5 + both_6);
  return both_7;
}

// Aggregates of blocks of 4096 items.
export function totals_4_2(totals_3) {
  const first = this.thread.x * 8;
  const start = first;
  const block = totals_3[start];
  const block_2 = totals_3[start + 1];
  const block_3 = totals_3[start + 2];
  const block_4 = totals_3[start + 3];
  const block_5 = totals_3[start + 4];
  const block_6 = totals_3[start + 5];
  const block_7 = totals_3[start + 6];
  const block_8 = totals_3[start + 7];
  const both = Math.fround(block + block_2);
  const both_2 = Math.fround(block_3 + block_4);
  const both_3 = Math.fround(block_5 + block_6);
  const both_4 = Math.fround(block_7 + block_8);
  const both_5 = Math.fround(both + both_2);
  const both_6 = Math.fround(both_3 + both_4);
  const both_7 = Math.fround(both_5 + both_6);
  return both_7;
}

// Aggregates of blocks of 32768 items.
export function totals_5_2(totals_4) {
  const first = this.thread.x * 8;
  const start = first;
  const block = totals_4[start];
  const block_2 = totals_4[start + 1];
  const block_3 = totals_4[start + 2];
  const block_4 = totals_4[start + 3];
  const block_5 = totals_4[start + 4];
  const block_6 = totals_4[start + 5];
  const block_7 = totals_4[start + 6];
  const block_8 = totals_4[start + 7];
  const both = Math.fround(block + block_2);
  const both_2 = Math.fround(block_3 + block_4);
  const both_3 = Math.fround(block_5 + block_6);
  const both_4 = Math.fround(block_7 + block_8);
  const both_5 = Math.fround(both + both_2);
  const both_6 = Math.fround(both_3 + both_4);
  const both_7 = Math.fround(both_5 + both_6);
  return both_7;
}

// Aggregates of blocks of 262144 items.
export function totals_6_2(totals_5) {
  const first = this.thread.x * 8;
  const start = first;
  const block = totals_5[start];
  const block_2 = totals_5[start + 1];
  const block_3 = totals_5[start + 2];
  const block_4 = totals_5[start + 3];
  const block_5 = totals_5[start + 4];
  const block_6 = totals_5[start + 5];
  const block_7 = totals_5[start + 6];
  const block_8 = totals_5[start + 7];
  const both = Math.fround(block + block_2);
  const both_2 = Math.fround(block_3 + block_4);
  const both_3 = Math.fround(block_5 + block_6);
  const both_4 = Math.fround(block_7 + block_8);
  const both_5 = Math.fround(both + both_2);
  const both_6 = Math.fround(both_3 + both_4);
  const both_7 = Math.fround(both_5 + both_6);
  return both_7;
}

// Aggregates of blocks of 2097152 items.
export function totals_7_2(totals_6) {
  const first = this.thread.x * 8;
  const start = first;
  const block = totals_6[start];
  const block_2 = totals_6[start + 1];
  const block_3 = totals_6[start + 2];
  const block_4 = totals_6[start + 3];
  const block_5 = totals_6[start + 4];
  const block_6 = totals_6[start + 5];
  const block_7 = totals_6[start + 6];
  const block_8 = totals_6[start + 7];
  const both = Math.fround(block + block_2);
  const both_2 = Math.fround(block_3 + block_4);
  const both_3 = Math.fround(block_5 + block_6);
  const both_4 = Math.fround(block_7 + block_8);
  const both_5 = Math.fround(both + both_2);
  const both_6 = Math.fround(both_3 + both_4);
  const both_7 = Math.fround(both_5 + both_6);
  return both_7;
}

// Aggregates of blocks of 16777216 items.
export function totals_8_2(totals_7) {
  const first = this.thread.x * 8;
  const start = first;
  const block = totals_7[start];
  const block_2 = totals_7[start + 1];
  const block_3 = totals_7[start + 2];
  const block_4 = totals_7[start + 3];
  const block_5 = totals_7[start + 4];
  const block_6 = totals_7[start + 5];
  const block_7 = totals_7[start + 6];
  const block_8 = totals_7[start + 7];
  const both = Math.fround(block + block_2);
  const both_2 = Math.fround(block_3 + block_4);
  const both_3 = Math.fround(block_5 + block_6);
  const both_4 = Math.fround(block_7 + block_8);
  const both_5 = Math.fround(both + both_2);
  const both_6 = Math.fround(both_3 + both_4);
  const both_7 = Math.fround(both_5 + both_6);
  return both_7;
}

// Prefixes of the blocks of 16777216 items.
export function prefixes_8_2(totals_8) {
  let prefix = 0;
  const rest = this.thread.x & 7;
  const parent = this.thread.x >> 3;
  const aligned = parent * 8;
  if ((rest & 4) !== 0) {
    const before = aligned;
    const start = before;
    const block = totals_8[start];
    const block_2 = totals_8[start + 1];
    const block_3 = totals_8[start + 2];
    const block_4 = totals_8[start + 3];
    const both = Math.fround(block + block_2);
    const both_2 = Math.fround(block_3 + block_4);
    const both_3 = Math.fround(both + both_2);
    prefix = before !== 0 ? Math.fround(prefix + both_3) : both_3;
  }
  if ((rest & 2) !== 0) {
    const before_2 = aligned + (rest & 4);
    const start_2 = before_2;
    const block_5 = totals_8[start_2];
    const block_6 = totals_8[start_2 + 1];
    const both_4 = Math.fround(block_5 + block_6);
    prefix = before_2 !== 0 ? Math.fround(prefix + both_4) : both_4;
  }
  if ((rest & 1) !== 0) {
    const before_3 = aligned + (rest & 6);
    const start_3 = before_3;
    const block_7 = totals_8[start_3];
    prefix = before_3 !== 0 ? Math.fround(prefix + block_7) : block_7;
  }
  return prefix;
}

// Prefixes of the blocks of 2097152 items.
export function prefixes_7_2(totals_7, prefixes_8) {
  let prefix = 0;
  const rest = this.thread.x & 7;
  const parent = this.thread.x >> 3;
  if (parent !== 0) {
    prefix = prefixes_8[parent];
  }
  const aligned = parent * 8;
  if ((rest & 4) !== 0) {
    const before = aligned;
    const start = before;
    const block = totals_7[start];
    const block_2 = totals_7[start + 1];
    const block_3 = totals_7[start + 2];
    const block_4 = totals_7[start + 3];
    const both = Math.fround(block + block_2);
    const both_2 = Math.fround(block_3 + block_4);
    const both_3 = Math.fround(both + both_2);
    prefix = before !== 0 ? Math.fround(prefix + both_3) : both_3;
  }
  if ((rest & 2) !== 0) {
    const before_2 = aligned + (rest & 4);
    const start_2 = before_2;
    const block_5 = totals_7[start_2];
    const block_6 = totals_7[start_2 + 1];
    const both_4 = Math.fround(block_5 + block_6);
    prefix = before_2 !== 0 ? Math.fround(prefix + both_4) : both_4;
  }
  if ((rest & 1) !== 0) {
    const before_3 = aligned + (rest & 6);
    const start_3 = before_3;
    const block_7 = totals_7[start_3];
    prefix = before_3 !== 0 ? Math.fround(prefix + block_7) : block_7;
  }
  return prefix;
}

// Prefixes of the blocks of 262144 items.
export function prefixes_6_2(totals_6, prefixes_7) {
  let prefix = 0;
  const rest = this.thread.x & 7;
  const parent = this.thread.x >> 3;
  if (parent !== 0) {
    prefix = prefixes_7[parent];
  }
  const aligned = parent * 8;
  if ((rest & 4) !== 0) {
    const before = aligned;
    const start = before;
    const block = totals_6[start];
    const block_2 = totals_6[start + 1];
    const block_3 = totals_6[start + 2];
    const block_4 = totals_6[start + 3];
    const both = Math.fround(block + block_2);
    const both_2 = Math.fround(block_3 + block_4);
    const both_3 = Math.fround(both + both_2);
    prefix = before !== 0 ? Math.fround(prefix + both_3) : both_3;
  }
  if ((rest & 2) !== 0) {
    const before_2 = aligned + (rest & 4);
    const start_2 = before_2;
    const block_5 = totals_6[start_2];
    const block_6 = totals_6[start_2 + 1];
    const both_4 = Math.fround(block_5 + block_6);
    prefix = before_2 !== 0 ? Math.fround(prefix + both_4) : both_4;
  }
  if ((rest & 1) !== 0) {
    const before_3 = aligned + (rest & 6);
    const start_3 = before_3;
    const block_7 = totals_6[start_3];
    prefix = before_3 !== 0 ? Math.fround(prefix + block_7) : block_7;
  }
  return prefix;
}

// Prefixes of the blocks of 32768 items.
export function prefixes_5_2(totals_5, prefixes_6) {
  let prefix = 0;
  const rest = this.thread.x & 7;
  const parent = this.thread.x >> 3;
  if (parent !== 0) {
    prefix = prefixes_6[parent];
  }
  const aligned = parent * 8;
  if ((rest & 4) !== 0) {
    const before = aligned;
    const start = before;
    const block = totals_5[start];
    const block_2 = totals_5[start + 1];
    const block_3 = totals_5[start + 2];
    const block_4 = totals_5[start + 3];
    const both = Math.fround(block + block_2);
    const both_2 = Math.fround(block_3 + block_4);
    const both_3 = Math.fround(both + both_2);
    prefix = before !== 0 ? Math.fround(prefix + both_3) : both_3;
  }
  if ((rest & 2) !== 0) {
    const before_2 = aligned + (rest & 4);
    const start_2 = before_2;
    const block_5 = totals_5[start_2];
    const block_6 = totals_5[start_2 + 1];
    const both_4 = Math.fround(block_5 + block_6);
    prefix = before_2 !== 0 ? Math.fround(prefix + both_4) : both_4;
  }
  if ((rest & 1) !== 0) {
    const before_3 = aligned + (rest & 6);
    const start_3 = before_3;
    const block_7 = totals_5[start_3];
    prefix = before_3 !== 0 ? Math.fround(prefix + block_7) : block_7;
  }
  return prefix;
}

// Prefixes of the blocks of 4096 items.
export function prefixes_4_2(totals_4, prefixes_5) {
  let prefix = 0;
  const rest = this.thread.x & 7;
  const parent = this.thread.x >> 3;
  if (parent !== 0) {
    prefix = prefixes_5[parent];
  }
  const aligned = parent * 8;
  if ((rest & 4) !== 0) {
    const before = aligned;
    const start = before;
    const block = totals_4[start];
    const block_2 = totals_4[start + 1];
    const block_3 = totals_4[start + 2];
    const block_4 = totals_4[start + 3];
    const both = Math.fround(block + block_2);
    const both_2 = Math.fround(block_3 + block_4);
    const both_3 = Math.fround(both + both_2);
    prefix = before !== 0 ? Math.fround(prefix + both_3) : both_3;
  }
  if ((rest & 2) !== 0) {
    const before_2 = aligned + (rest & 4);
    const start_2 = before_2;
    const block_5 = totals_4[start_2];
    const block_6 = totals_4[start_2 + 1];
    const both_4 = Math.fround(block_5 + block_6);
    prefix = before_2 !== 0 ? Math.fround(prefix + both_4) : both_4;
  }
  if ((rest & 1) !== 0) {
    const before_3 = aligned + (rest & 6);
    const start_3 = before_3;
    const block_7 = totals_4[start_3];
    prefix = before_3 !== 0 ? Math.fround(prefix + block_7) : block_7;
  }
  return prefix;
}

// Prefixes of the blocks of 512 items.
export function prefixes_3_2(totals_3, prefixes_4) {
  let prefix = 0;
  const rest = this.thread.x & 7;
  const parent = this.thread.x >> 3;
  if (parent !== 0) {
    prefix = prefixes_4[parent];
  }
  const aligned = parent * 8;
  if ((rest & 4) !== 0) {
    const before = aligned;
    const start = before;
    const block = totals_3[start];
    const block_2 = totals_3[start + 1];
    const block_3 = totals_3[start + 2];
    const block_4 = totals_3[start + 3];
    const both = Math.fround(block + block_2);
    const both_2 = Math.fround(block_3 + block_4);
    const both_3 = Math.fround(both + both_2);
    prefix = before !== 0 ? Math.fround(prefix + both_3) : both_3;
  }
  if ((rest & 2) !== 0) {
    const before_2 = aligned + (rest & 4);
    const start_2 = before_2;
    const block_5 = totals_3[start_2];
    const block_6 = totals_3[start_2 + 1];
    const both_4 = Math.fround(block_5 + block_6);
    prefix = before_2 !== 0 ? Math.fround(prefix + both_4) : both_4;
  }
  if ((rest & 1) !== 0) {
    const before_3 = aligned + (rest & 6);
    const start_3 = before_3;
    const block_7 = totals_3[start_3];
    prefix = before_3 !== 0 ? Math.fround(prefix + block_7) : block_7;
  }
  return prefix;
}

// Prefixes of the blocks of 64 items.
export function prefixes_2_2(totals_2, prefixes_3) {
  let prefix = 0;
  const rest = this.thread.x & 7;
  const parent = this.thread.x >> 3;
  if (parent !== 0) {
    prefix = prefixes_3[parent];
  }
  const aligned = parent * 8;
  if ((rest & 4) !== 0) {
    const before = aligned;
    const start = before;
    const block = totals_2[start];
    const block_2 = totals_2[start + 1];
    const block_3 = totals_2[start + 2];
    const block_4 = totals_2[start + 3];
    const both = Math.fround(block + block_2);
    const both_2 = Math.fround(block_3 + block_4);
    const both_3 = Math.fround(both + both_2);
    prefix = before !== 0 ? Math.fround(prefix + both_3) : both_3;
  }
  if ((rest & 2) !== 0) {
    const before_2 = aligned + (rest & 4);
    const start_2 = before_2;
    const block_5 = totals_2[start_2];
    const block_6 = totals_2[start_2 + 1];
    const both_4 = Math.fround(block_5 + block_6);
    prefix = before_2 !== 0 ? Math.fround(prefix + both_4) : both_4;
  }
  if ((rest & 1) !== 0) {
    const before_3 = aligned + (rest & 6);
    const start_3 = before_3;
    const block_7 = totals_2[start_3];
    prefix = before_3 !== 0 ? Math.fround(prefix + block_7) : block_7;
  }
  return prefix;
}

// Prefixes of the blocks of 8 items.
export function prefixes_1_2(totals_1, prefixes_2) {
  let prefix = 0;
  const rest = this.thread.x & 7;
  const parent = this.thread.x >> 3;
  if (parent !== 0) {
    prefix = prefixes_2[parent];
  }
  const aligned = parent * 8;
  if ((rest & 4) !== 0) {
    const before = aligned;
    const start = before;
    const block = totals_1[start];
    const block_2 = totals_1[start + 1];
    const block_3 = totals_1[start + 2];
    const block_4 = totals_1[start + 3];
    const both = Math.fround(block + block_2);
    const both_2 = Math.fround(block_3 + block_4);
    const both_3 = Math.fround(both + both_2);
    prefix = before !== 0 ? Math.fround(prefix + both_3) : both_3;
  }
  if ((rest & 2) !== 0) {
    const before_2 = aligned + (rest & 4);
    const start_2 = before_2;
    const block_5 = totals_1[start_2];
    const block_6 = totals_1[start_2 + 1];
    const both_4 = Math.fround(block_5 + block_6);
    prefix = before_2 !== 0 ? Math.fround(prefix + both_4) : both_4;
  }
  if ((rest & 1) !== 0) {
    const before_3 = aligned + (rest & 6);
    const start_3 = before_3;
    const block_7 = totals_1[start_3];
    prefix = before_3 !== 0 ? Math.fround(prefix + block_7) : block_7;
  }
  return prefix;
}

// scan-inclusive add of f32, device scope
export function scan_inclusive_1(x, prefixes_1) {
  const end = this.thread.x + 1;
  let prefix = 0;
  const rest = end & 7;
  const parent = end >> 3;
  if (parent !== 0) {
    prefix = prefixes_1[parent];
  }
  const aligned = parent * 8;
  if ((rest & 4) !== 0) {
    const before = aligned;
    const start = before;
    const block = x[start];
    const block_2 = x[start + 1];
    const block_3 = x[start + 2];
    const block_4 = x[start + 3];
    const both = Math.fround(block + block_2);
    const both_2 = Math.fround(block_3 + block_4);
    const both_3 = Math.fround(both + both_2);
    prefix = before !== 0 ? Math.fround(prefix + both_3) : both_3;
  }
  if ((rest & 2) !== 0) {
    const before_2 = aligned + (rest & 4);
    const start_2 = before_2;
    const block_5 = x[start_2];
    const block_6 = x[start_2 + 1];
    const both_4 = Math.fround(block_5 + block_6);
    prefix = before_2 !== 0 ? Math.fround(prefix + both_4) : both_4;
  }
  if ((rest & 1) !== 0) {
    const before_3 = aligned + (rest & 6);
    const start_3 = before_3;
    const block_7 = x[start_3];
    prefix = before_3 !== 0 ? Math.fround(prefix + block_7) : block_7;
  }
  return prefix;
}

/** In order; a pass without elements is skipped, an empty array gets one element. Arguments: arrays, integers, floats. */
export const passes = [
  { kernel: totals_1_2, output: "totals_1", cells: (n) => (1 * Math.floor(n / 8)), arrays: ["x"], integers: [], floats: [] },
  { kernel: totals_2_2, output: "totals_2", cells: (n) => (1 * Math.floor(n / 64)), arrays: ["totals_1"], integers: [], floats: [] },
  { kernel: totals_3_2, output: "totals_3", cells: (n) => (1 * Math.floor(n / 512)), arrays: ["totals_2"], integers: [], floats: [] },
  { kernel: totals_4_2, output: "totals_4", cells: (n) => (1 * Math.floor(n / 4096)), arrays: ["totals_3"], integers: [], floats: [] },
  { kernel: totals_5_2, output: "totals_5", cells: (n) => (1 * Math.floor(n / 32768)), arrays: ["totals_4"], integers: [], floats: [] },
  { kernel: totals_6_2, output: "totals_6", cells: (n) => (1 * Math.floor(n / 262144)), arrays: ["totals_5"], integers: [], floats: [] },
  { kernel: totals_7_2, output: "totals_7", cells: (n) => (1 * Math.floor(n / 2097152)), arrays: ["totals_6"], integers: [], floats: [] },
  { kernel: totals_8_2, output: "totals_8", cells: (n) => (1 * Math.floor(n / 16777216)), arrays: ["totals_7"], integers: [], floats: [] },
  { kernel: prefixes_8_2, output: "prefixes_8", cells: (n) => (1 * (Math.floor(n / 16777216) + 1)), arrays: ["totals_8"], integers: [], floats: [] },
  { kernel: prefixes_7_2, output: "prefixes_7", cells: (n) => (1 * (Math.floor(n / 2097152) + 1)), arrays: ["totals_7", "prefixes_8"], integers: [], floats: [] },
  { kernel: prefixes_6_2, output: "prefixes_6", cells: (n) => (1 * (Math.floor(n / 262144) + 1)), arrays: ["totals_6", "prefixes_7"], integers: [], floats: [] },
  { kernel: prefixes_5_2, output: "prefixes_5", cells: (n) => (1 * (Math.floor(n / 32768) + 1)), arrays: ["totals_5", "prefixes_6"], integers: [], floats: [] },
  { kernel: prefixes_4_2, output: "prefixes_4", cells: (n) => (1 * (Math.floor(n / 4096) + 1)), arrays: ["totals_4", "prefixes_5"], integers: [], floats: [] },
  { kernel: prefixes_3_2, output: "prefixes_3", cells: (n) => (1 * (Math.floor(n / 512) + 1)), arrays: ["totals_3", "prefixes_4"], integers: [], floats: [] },
  { kernel: prefixes_2_2, output: "prefixes_2", cells: (n) => (1 * (Math.floor(n / 64) + 1)), arrays: ["totals_2", "prefixes_3"], integers: [], floats: [] },
  { kernel: prefixes_1_2, output: "prefixes_1", cells: (n) => (1 * (Math.floor(n / 8) + 1)), arrays: ["totals_1", "prefixes_2"], integers: [], floats: [] },
  { kernel: scan_inclusive_1, output: "sum", cells: (n) => n, arrays: ["x", "prefixes_1"], integers: [], floats: [] },
];
