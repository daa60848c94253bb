import { randomOf as streamOf } from "@groupwise/core/laws";

/** Random numbers that are the same in every engine and every version, so that failures can be reproduced. */
export interface Random {
  /** 32 random bits. */
  bits(): number;
  /** In [0, 1), 32 bits of it. */
  unit(): number;
  /** An integer from `low` to `high`, both included. */
  int(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** True with a probability of `p`. */
  chance(p: number): boolean;
}

/** Numbers from 0 to 1, the same for the same seed. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A number of many magnitudes and both signs: sums of such numbers depend on the grouping. */
export const rounding = (next: () => number): number => (next() - 0.5) * 2 ** Math.floor(next() * 20 - 10);

/** FNV-1a of a text. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}

/** A stream of random numbers that its seeds determine. */
export function randomOf(...seeds: readonly (string | number)[]): Random {
  const { bits, below, pick } = streamOf(hash(seeds.join("|")));
  const unit = (): number => bits() / 2 ** 32;
  const int = (low: number, high: number): number => low + below(high - low + 1);
  return { bits, unit, int, pick, chance: (p) => unit() < p };
}
