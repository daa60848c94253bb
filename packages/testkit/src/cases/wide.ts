/** 64-bit integers, halves and doubles: the same pipelines on devices with and without these types. */
import { f16, f64, i64, param, pipeline, table, u64 } from "@groupwise/dsl";
import { type Case, caseOf } from "./base/case.ts";

const options = (workGroupSize: number) => ({ workGroupSize, places: false });
const group = { scope: "work-group" } as const;

const ledger = pipeline(
  "ledger",
  { x: i64 },
  ({ x }) => ({ balance: x.scanInclusive("add", group), lowest: x.reduce("min", group) }),
  options(64),
);

const doubles = pipeline("doubles", { x: f64 }, ({ x }) => ({ sum: x.reduce("add") }), options(64));

const halves = pipeline(
  "halves",
  { x: f16 },
  ({ x }) => ({ before: x.scanExclusive("add", group), peak: x.reduce("max", group) }),
  options(64),
);

const wideMix = pipeline(
  "wide-mix",
  { x: f64, y: u64, z: f16, scale: param(f64), mask: param(u64) },
  ({ x, y, z, scale, mask }) => {
    const scaled = x.mul(scale).scanInclusive("add", group);
    const masked = y.and(mask).scanExclusive("xor");
    return {
      scaled,
      masked,
      near: scaled.toF16().add(z),
      large: masked.gt(y).any(group),
      total: z.toF64().add(x).reduce("max"),
    };
  },
  options(32),
);

const unread = pipeline(
  "unread-wide",
  { x: u64, h: f16, d: f64, i: i64, t: table(f16), p: param(f16) },
  ({ x }) => ({ twice: x.add(x), same: x.eq(x), none: x.gt(3n).xor(x.gt(3n)) }),
  options(32),
);

/** All lengths of significands, and both ends of the exponents. */
const HALVES = [2.890625, 65504, -65472, 2 ** -14, 1 + 2 ** -10, 0.333251953125, -1e-4, 2049, 40000];
const written = pipeline(
  "constants-in-halves",
  { x: f16, y: i64, z: f64 },
  ({ x, y, z }) => ({
    ...Object.fromEntries(HALVES.map((value, i) => [`sum${i}`, x.add(value)])),
    ...Object.fromEntries(HALVES.map((value, i) => [`same${i}`, f16(value).perItem()])),
    less: HALVES.reduce((count, value) => count.add(x.lt(value).toU32()), x.ge(65504).toU32()),
    turned: y.add(-(2n ** 63n) + 1n).xor(0x0123456789abcdefn),
    third: z.mul(1 / 3).add(1e300),
  }),
  options(64),
);

export const WIDE: readonly Case[] = [
  caseOf(ledger, "64-bit integers in a work-group", { typical: true }),
  caseOf(doubles, "a sum of doubles over the device", { typical: true }),
  caseOf(halves, "halves in a work-group", { typical: true }),
  caseOf(unread, "wide types that nothing reads: the text names them all the same", { params: [{ p: 1.5 }] }),
  caseOf(written, "constants that need every digit of a half, and of 64 bits", { share: "least" }),
  caseOf(wideMix, "wide types beside one another, as inputs, parameters and conversions", {
    share: "sample",
    params: [
      { scale: 0.1, mask: 0xffffffff00000001n },
      { scale: -3, mask: 0xffffffffffffffffn },
    ],
  }),
];
