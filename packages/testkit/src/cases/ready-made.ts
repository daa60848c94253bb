/**
 * The ready-made operators. Other tests compare them with plain loops; these check that every target returns the same
 * results.
 */
import {
  affine,
  argmax,
  argmin,
  bool,
  compensatedSum,
  f32,
  i32,
  matrix2x2,
  minMax,
  modularSum,
  moments,
  outputs,
  pipeline,
  saturated,
  saturatingStep,
  saturatingSteps,
  saturatingSum,
  segmented,
  u32,
  variance,
  welford,
} from "@groupwise/dsl";
import { randomOf } from "../data/random.ts";
import { type Case, caseOf } from "./base/case.ts";

const options = (workGroupSize: number) => ({ workGroupSize, places: false });
const group = { scope: "work-group" } as const;

const extremes = pipeline(
  "extremes",
  { x: f32, k: i32 },
  ({ x, k }, { index }) =>
    outputs({
      highest: argmax(f32).scanInclusive({ value: x, index: index() }),
      lowest: argmin(i32).reduce({ value: k, index: index() }),
      ends: minMax(f32).reduce({ min: x, max: x }, group),
    }),
  options(64),
);

const statistics = pipeline(
  "statistics",
  { x: f32 },
  ({ x }) => {
    const all = welford(f32).reduce(moments(x));
    return outputs({
      count: all.count,
      mean: all.mean,
      variance: variance(all),
      // Whole numbers: squares of small deviations are subnormal, which a device may flush.
      inGroup: variance(welford(f32).scanInclusive(moments(x.toI32().rem(1000).toF32()), group)),
      sum: compensatedSum(f32).scanInclusive({ sum: x, error: 0 }),
    });
  },
  options(100),
);

const recurrences = pipeline(
  "recurrences",
  { x: f32, a: u32, b: u32 },
  ({ x, a, b }) => {
    const one = u32(1);
    return outputs({
      // Exponential smoothing: y = 0.75 y + 0.25 x.
      smoothed: affine(f32).scanInclusive({ a: 0.75, b: x.mul(0.25) }).b,
      linear: affine(u32).scanExclusive({ a, b }).b,
      matrix: matrix2x2(u32).reduce({
        m: [
          [a, one],
          [one, b],
        ],
      }),
    });
  },
  options(64),
);

const bounded = pipeline(
  "bounded-sums",
  { x: u32, k: i32 },
  ({ x, k }) => ({
    saturating: saturatingSum(u32).scanInclusive(x),
    steps: saturated(saturatingSteps().scanInclusive(saturatingStep(k)), 7),
    modular: modularSum(u32, 4294967291).scanInclusive(x.rem(4294967291)),
  }),
  options(128),
);

const inSegments = pipeline(
  "argmax-in-segments",
  { x: f32, starts: bool },
  ({ x, starts }, { index }) =>
    outputs({
      best: segmented(argmax(f32)).scanInclusive({ starts, of: { value: x, index: index() } }),
      sum: segmented("add", u32).scanExclusive({ starts, of: index() }).of,
    }),
  options(64),
);

/** Segments of about four items. */
const heads = (n: number, seed: number) => {
  const random = randomOf("heads", n, seed);
  return { starts: Uint8Array.from({ length: n }, () => (random.chance(0.25) ? 1 : 0)) };
};

export const READY_MADE: readonly Case[] = [
  caseOf(extremes, "argmax, argmin, least and greatest", { typical: true }),
  caseOf(statistics, "mean and variance, compensated sums"),
  caseOf(recurrences, "linear recurrences, products of matrices"),
  caseOf(bounded, "saturating and modular sums"),
  caseOf(inSegments, "operators lifted to segments", { inputs: heads }),
];
