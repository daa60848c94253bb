/** 64-bit integers, halves and doubles: the same pipelines where the types exist and where they do not. */
import { f16, f64, i64, param, pipeline, u64 } from "@groupwise/dsl";
import { type Case, caseOf } from "./case.ts";

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

export const WIDE: readonly Case[] = [
  caseOf(ledger, "64-bit integers in a work-group", { golden: true }),
  caseOf(doubles, "a sum of doubles over the device", { golden: true }),
  caseOf(halves, "halves in a work-group", { golden: true }),
  caseOf(wideMix, "wide types beside one another, as inputs, parameters and conversions", {
    params: [
      { scale: 0.1, mask: 0xffffffff00000001n },
      { scale: -3, mask: 0xffffffffffffffffn },
    ],
  }),
];
