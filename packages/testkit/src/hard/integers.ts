/** Pairs of 64-bit integers, many of them hard by construction. Two words each, the low one first. */

const INTEGERS = [0n, 1n, 2n, 3n, 5n, 10n, 0xffffn, 0x10000n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 31n + 1n];
INTEGERS.push(2n ** 32n - 1n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n);
INTEGERS.push(
  2n ** 24n - 1n,
  2n ** 24n,
  2n ** 24n + 1n,
  65519n,
  65520n,
  65504n,
  2n ** 62n,
  2n ** 63n - 1n,
  2n ** 63n,
);
INTEGERS.push(...INTEGERS.map((x) => BigInt.asUintN(64, -x)));

/** Every pair of special values first; then a pattern for each word, and often a second value near the first. */
export function integers(count: number, next: () => number): Uint32Array[] {
  const a = new BigUint64Array(count);
  const b = new BigUint64Array(count);
  const word = (): number => {
    const kind = next() & 7;
    if (kind < 3) return next();
    if (kind < 5) return next() >>> (next() & 31);
    return [0, 0xffffffff, 0x80000000][kind - 5] as number;
  };
  const [aWords, bWords] = [new Uint32Array(a.buffer), new Uint32Array(b.buffer)];
  for (let i = 0; i < count; i++) {
    if (i < INTEGERS.length ** 2) {
      a[i] = INTEGERS[Math.floor(i / INTEGERS.length)] as bigint;
      b[i] = INTEGERS[i % INTEGERS.length] as bigint;
      continue;
    }
    aWords[2 * i] = word();
    aWords[2 * i + 1] = word();
    bWords[2 * i] = word();
    bWords[2 * i + 1] = word();
    if (next() % 4 === 0) {
      bWords[2 * i + 1] = aWords[2 * i + 1] as number;
      if (next() % 2) bWords[2 * i] = (aWords[2 * i] as number) + (next() % 5) - 2;
    }
    // Leading digits, and trailing digits that determine the rounding.
    if (next() % 8 === 0) {
      const head = (1n << 24n) | BigInt(next() & 0xffffff);
      const tail = [0n, 1n, (1n << 37n) - 1n, 1n << 37n, (1n << 37n) + 1n][next() % 5] as bigint;
      const whole = ((head << 38n) | tail) >> BigInt(next() % 40);
      a[i] = next() % 2 ? whole : -whole;
    }
  }
  return [aWords, bWords];
}
