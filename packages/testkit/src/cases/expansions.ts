/** Operations that implementations lack, in few lines; the goldens show their expansions. */
import { bool, f16, f32, pipeline, u32 } from "@groupwise/dsl";
import { type Case, caseOf } from "./base/case.ts";

const expansions = pipeline(
  "expansions",
  { x: f32, y: f32, k: u32, h: f16 },
  ({ x, y, k, h }) => {
    const quotient = x.lt(y).select(x.div(y), x.div(4));
    const sign = k.eq(0).select(f32(1), -0);
    // A device may flush subnormal quotients, so each is added to another number.
    return {
      float: quotient.min(Number.POSITIVE_INFINITY).mul(sign).add(k.or(1).toF32()),
      half: h.div(k.toF16()).add(1),
      count: k.div(x.toU32()).add(k.popcount()).add(k.toI32().abs().rem(3).toU32()),
      wide: x.toI64(),
    };
  },
  { workGroupSize: 64, places: false },
);

/** GCC returns -0 for such differences of two zeros if they are one expression. */
const fromZero = pipeline(
  "from-zero",
  { x: f32, k: u32 },
  ({ x, k }) => ({
    opposite: f32(0).sub(x.abs()),
    ofInteger: f32(0).sub(k.and(1).toF32()),
    greatest: x.reduce("max"),
  }),
  { workGroupSize: 64, places: false },
);

/** Where the condition is made of a number that it cannot see, ptxas optimises again and drops each of these conversions (`findings/ptxas-least-floats.sh`). */
const leastFloats = pipeline(
  "least-floats",
  { k: u32, yes: bool },
  ({ k, yes }) => {
    const condition = yes.toI32().neg().bitsAs("u32").ne(0);
    const chosen = condition.select(f32(2 ** -149), f32(0));
    const bits = k.min(1).bitsAs("f32");
    return {
      same: condition,
      ...{ floor: chosen.floor(), trunc: chosen.trunc(), half: chosen.toF16(), double: chosen.toF64() },
      ...{ signed: chosen.toI64(), unsigned: chosen.toU64() },
      ...{ floorOfBits: bits.floor(), doubleOfBits: bits.toF64() },
    };
  },
  { workGroupSize: 64, places: false },
);

export const EXPANSIONS: readonly Case[] = [
  caseOf(expansions, "operations that implementations lack"),
  caseOf(fromZero, "what is subtracted from 0, which may be 0, and a maximum"),
  caseOf(leastFloats, "conversions of the least float and 0, which are chosen, or the bits of an integer"),
];
