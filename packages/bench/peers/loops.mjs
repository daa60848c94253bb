// The loops that a person writes in JavaScript, for `bench loops`. Each type imports this module of its own, so that engines see one type in a loop.
const reduce = {
  u32(n, x, total) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum = (sum + x[i]) >>> 0;
    total[0] = sum;
  },
  i32(n, x, total) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum = (sum + x[i]) | 0;
    total[0] = sum;
  },
  f32(n, x, total) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum = Math.fround(sum + x[i]);
    total[0] = sum;
  },
};

const scan = {
  u32(n, x, y) {
    let sum = 0;
    for (let i = 0; i < n; i++) {
      sum = (sum + x[i]) >>> 0;
      y[i] = sum;
    }
  },
  i32(n, x, y) {
    let sum = 0;
    for (let i = 0; i < n; i++) {
      sum = (sum + x[i]) | 0;
      y[i] = sum;
    }
  },
  f32(n, x, y) {
    let sum = 0;
    for (let i = 0; i < n; i++) {
      sum = Math.fround(sum + x[i]);
      y[i] = sum;
    }
  },
};

function scanMax(n, x, y) {
  if (n === 0) return;
  let most = x[0];
  for (let i = 0; i < n; i++) {
    const value = x[i];
    if (value > most) most = value;
    y[i] = most;
  }
}

function compact(n, x, kept, count, above) {
  let slot = 0;
  for (let i = 0; i < n; i++) {
    const value = x[i];
    if (value > above) kept[slot++] = value;
  }
  count[0] = slot;
}

const histogram = {
  bits(n, x, counts) {
    counts.fill(0);
    for (let i = 0; i < n; i++) counts[x[i] & 255]++;
  },
  whole(n, x, counts) {
    counts.fill(0);
    for (let i = 0; i < n; i++) {
      const value = x[i];
      if (value >= 0 && value < 256) counts[Math.trunc(value)]++;
    }
  },
};

export const plain = (type) => ({
  "reduce-add": reduce[type],
  "scan-add": scan[type],
  "scan-max": scanMax,
  compact,
  histogram: type === "f32" ? histogram.whole : histogram.bits,
});
