/** Scans and reduces: chained, of one operand, of both scopes in one pipeline. */
import { f32, i32, pipeline, u32 } from "@groupwise/dsl";
import { type Case, caseOf } from "./base/case.ts";

const options = (workGroupSize: number) => ({ workGroupSize, places: false });
const group = { scope: "work-group" } as const;

const prefixSum = pipeline(
  "prefix-sum",
  { x: f32 },
  ({ x }) => ({ sum: x.scanInclusive("add") }),
  options(256),
);

const workGroup = pipeline(
  "work-group",
  { x: u32 },
  ({ x }) => ({
    before: x.scanExclusive("add", group),
    total: x.reduce("add", group),
  }),
  options(100),
);

const several = pipeline(
  "several-of-one",
  { x: i32 },
  ({ x }) => ({
    least: x.reduce("min"),
    greatest: x.reduce("max"),
    sum: x.scanInclusive("add"),
    before: x.scanExclusive("add"),
    highest: x.scanInclusive("max"),
    parity: x.scanExclusive("xor"),
    inGroup: x.scanInclusive("mul", group),
    range: x.reduce("max").sub(x.reduce("min")),
  }),
  options(64),
);

const normalised = pipeline(
  "normalised",
  { x: f32 },
  ({ x }, { size }) => {
    const mean = x.reduce("add").div(size().toF32());
    return { mean, running: x.sub(mean).scanInclusive("add") };
  },
  options(128),
);

const mixed = pipeline(
  "mixed-scopes",
  { x: i32 },
  ({ x }) => {
    const within = x.scanInclusive("add", group);
    const top = within.reduce("max", group);
    const offset = top.perItem().scanExclusive("add");
    const all = x.reduce("xor");
    return {
      within,
      top,
      joined: within.add(offset),
      against: within.sub(all).scanExclusive("max", group),
      tops: top.perItem().reduce("max"),
    };
  },
  options(64),
);

const chained = pipeline(
  "chained-scans",
  { x: u32 },
  ({ x }, { index }) => {
    const once = x.and(3).scanInclusive("add");
    const twice = once.add(index()).scanExclusive("add");
    const inGroup = twice.xor(once).scanInclusive("max", group);
    return { twice, inGroup, thrice: inGroup.scanInclusive("add"), last: twice.reduce("max") };
  },
  options(64),
);

const floats = pipeline(
  "float-chain",
  { x: f32 },
  ({ x }) => {
    const within = x.scanInclusive("add", group);
    const device = within.scanExclusive("add");
    const peak = device.reduce("max");
    return {
      within,
      device,
      low: device.scanInclusive("min", group),
      share: peak.sub(device).reduce("add", group),
    };
  },
  options(100),
);

const deep = pipeline(
  "deep-chain",
  { x: i32 },
  ({ x }) => {
    let value = x;
    for (let round = 0; round < 2; round++) {
      value = value.sub(value.reduce("min")).scanInclusive("add").xor(value.reduce("add", group));
    }
    return { value };
  },
  options(32),
);

const moments = pipeline(
  "moments",
  { x: f32 },
  ({ x }, { size }) => {
    const mean = x.reduce("add").div(size().toF32());
    const away = x.sub(mean);
    return { mean, square: away.mul(away).reduce("add") };
  },
  options(64),
);
const composed = pipeline(
  "composed",
  { x: f32, y: f32 },
  ({ x, y }) => {
    const a = moments({ x });
    const b = moments({ x: y.sub(a.mean) });
    return {
      mean: a.mean,
      rest: b.mean,
      ratio: a.square.div(b.square),
      both: x.add(a.mean).add(y).scanInclusive("add"),
    };
  },
  options(256),
);

/** The index of the last mark before each item: a maximum scan instead of a segmented one. */
const lastMark = pipeline(
  "last-mark",
  { x: u32 },
  ({ x }, { index }) => {
    const marked = x.and(7).eq(0);
    const at = marked.select(index().add(1), 0).scanInclusive("max");
    return { at, since: index().add(1).sub(at), longest: index().add(1).sub(at).reduce("max") };
  },
  options(64),
);

/** Every work-item uses the total of its work-group, whose size is not a power of two. */
const away = pipeline(
  "away-from-total",
  { x: u32 },
  ({ x }) => ({ rest: x.reduce("add", group).sub(x), top: x.reduce("max", group).eq(x) }),
  options(100),
);

export const SCANS: readonly Case[] = [
  caseOf(prefixSum, "the smallest scan over the device", { typical: true }),
  caseOf(workGroup, "the smallest collectives of work-groups, of a size that is no power of two", {
    typical: true,
  }),
  caseOf(several, "several collectives of one operand, of both scopes"),
  caseOf(normalised, "a scan of what a reduce has normalised", { typical: true }),
  caseOf(mixed, "both scopes in one pipeline, values crossing between them", {
    share: "sample",
    typical: true,
  }),
  caseOf(chained, "scans of scans, of both scopes", { share: "sample" }),
  caseOf(floats, "float sums of float sums: the order at every level"),
  caseOf(deep, "many stages one after the other"),
  caseOf(composed, "a pipeline applied twice inside another"),
  caseOf(away, "a group's total in each of its items, where the size is no power of two"),
  caseOf(lastMark, "collectives of an index; arithmetic after them"),
];
