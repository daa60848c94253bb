import { NUMBER, requireArguments } from "../base/arguments.ts";

/** Random numbers that are the same in every engine, so that counterexamples are reproducible. */
export interface Random {
  /** 32 random bits. */
  bits(): number;
  /** An integer from 0 to `end` - 1. */
  below(end: number): number;
  /** One of the list, which is not empty. */
  pick<T>(list: readonly T[]): T;
}

/**
 * A stream of random numbers (splitmix32).
 * @category Authors
 */
export function randomOf(seed: number): Random {
  requireArguments(arguments, "randomOf", { seed: NUMBER });
  let state = seed | 0;
  const bits = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  const below = (end: number): number => Math.floor((bits() / 2 ** 32) * end);
  return { bits, below, pick: (list) => list[below(list.length)] as (typeof list)[number] };
}
