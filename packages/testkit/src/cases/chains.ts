/**
 * Scans of scans, with another type between the two: the first one's variable, or a word of it, is the operand of the second before
 * the first adds the item. A read that moves behind the assignment returns the value of the next item.
 */
import { f16, f32, f64, i32, i64, operator, outputs, pipeline, u32, u64 } from "@groupwise/dsl";
import { type Case, caseOf } from "./base/case.ts";

const options = { workGroupSize: 16, places: false } as const;
const group = { scope: "work-group" } as const;

/** One, two and four fields, none of which may be exchanged. */
const product = operator("product", i64, {
  combine: (left, right) => left.mul(right),
  identity: 1n,
  commutative: true,
});
const affine = operator(
  "affine",
  { a: u64, b: u64 },
  {
    combine: (left, right) => ({ a: left.a.mul(right.a), b: left.b.mul(right.a).add(right.b) }),
    identity: { a: 1n, b: 0n },
  },
);
const mixed = operator(
  "mixed",
  { count: u32, sum: i64, last: f64, most: u64 },
  {
    combine: (left, right) => ({
      count: left.count.add(right.count),
      sum: left.sum.add(right.sum),
      last: left.last.max(right.last),
      most: left.most.max(right.most),
    }),
    identity: { count: 0, sum: 0n, last: Number.NEGATIVE_INFINITY, most: 0n },
  },
);

const product64 = pipeline(
  "product-of-counts",
  { x: u32 },
  ({ x }) => ({ y: x.scanExclusive("add").toI64().scanExclusive("mul") }),
  options,
);
const threeDeep = pipeline(
  "three-deep",
  { x: u32, k: i64 },
  ({ x, k }) => {
    const once = x.scanExclusive("add");
    const twice = once.toU64().add(k.toU64()).scanExclusive("xor");
    return { once, twice, thrice: twice.toU32().toI64().scanExclusive("add"), rest: k.scanExclusive("min") };
  },
  options,
);
const records = pipeline(
  "records-of-scans",
  { x: u32, y: f32 },
  ({ x, y }) => {
    const before = x.scanExclusive("add");
    const record = { count: before.and(1), sum: before.toI64(), last: y.toF64(), most: before.toU64() };
    const { count, sum, last, most } = mixed.scanExclusive(record);
    return { count, sum, last, most, again: product.scanExclusive(count.toI64().sub(2n)) };
  },
  options,
);

/** The pipelines that every device runs. */
export const CHAINED: readonly Case[] = [
  caseOf(product64, "a 64-bit scan of a scan of words", { share: "some" }),
  caseOf(threeDeep, "scans three deep, from words to 64 bits and back"),
  caseOf(records, "a scan of records of several widths, of a scan and of its scan"),
];

const others = [
  pipeline("unsigned", { x: u32 }, ({ x }) => ({ y: x.scanExclusive("add").toU64().scanExclusive("mul") })),
  pipeline("signed", { x: i32 }, ({ x }) => ({ y: x.scanExclusive("add").toI64().scanExclusive("min") })),
  pipeline("inclusive-last", { x: u32 }, ({ x }) => ({
    y: x.scanExclusive("max").toI64().scanInclusive("mul"),
  })),
  pipeline("inclusive-first", { x: u32 }, ({ x }) => ({
    y: x.scanInclusive("xor").toI64().scanExclusive("add"),
  })),
  pipeline("both-forms", { x: u32 }, ({ x }) => {
    const { scan, total } = x.scanWithTotal("add");
    const before = x.scanExclusive("add").toI64();
    return { scan, total, y: before.scanExclusive("max"), z: before.scanInclusive("xor") };
  }),
  pipeline("back-to-words", { x: i64 }, ({ x }) => ({
    y: x.scanExclusive("add").toU32().scanExclusive("add"),
    z: x.scanExclusive("add").toU32().toI64().scanExclusive("or"),
  })),
  pipeline("doubles-of-words", { x: u32 }, ({ x }) => ({
    y: x.scanExclusive("add").toF64().scanExclusive("add"),
  })),
  pipeline("words-of-doubles", { x: f64 }, ({ x }) => ({
    y: x.scanExclusive("max").toI64().scanExclusive("add").toU64().scanExclusive("xor"),
  })),
  pipeline("halves-of-words", { x: u32 }, ({ x }) => ({
    y: x.and(3).scanExclusive("add").toF16().scanExclusive("add"),
  })),
  pipeline("words-of-halves", { x: f16 }, ({ x }) => ({
    y: x.scanExclusive("max").toI64().scanExclusive("mul"),
    z: x.scanExclusive("add").toF64().scanExclusive("min"),
  })),
  pipeline("chosen", { x: u32, k: i64 }, ({ x, k }) => {
    const [a, b] = [x.scanExclusive("add"), x.scanExclusive("xor")];
    return {
      y: x.and(1).eq(1).select(a, b).toI64().scanExclusive("mul"),
      z: a.toI64().max(k).scanExclusive("max"),
    };
  }),
  pipeline("one-field", { x: u32 }, ({ x }) => ({
    y: product.scanExclusive(x.scanExclusive("add").toI64()),
    z: product.scanExclusive(x.toI64()).toU32().toI64().scanExclusive("add"),
  })),
  pipeline("two-fields", { x: u32, k: u32 }, ({ x, k }) => {
    const [a, b] = [x.scanExclusive("add").toU64(), k.scanExclusive("xor").toU64()];
    const maps = affine.scanExclusive({ a, b });
    return { y: maps.b, z: maps.a.toU32().toU64().scanExclusive("add") };
  }),
  pipeline("exchanged-fields", { x: u32 }, ({ x }) => {
    const { count, sum } = mixed.scanExclusive({
      count: x,
      sum: x.toI64(),
      last: x.toF64(),
      most: x.toU64(),
    });
    const again = mixed.scanExclusive({
      count: sum.toU32(),
      sum: count.toI64(),
      last: 1,
      most: count.toU64(),
    });
    return outputs({ again });
  }),
  pipeline("reversed", { x: u32 }, ({ x }) => ({
    y: x.scanExclusive("add", { reverse: true }).toI64().scanExclusive("mul", { reverse: true }),
    z: x.scanExclusive("add").toI64().scanExclusive("mul", { reverse: true }),
  })),
  pipeline("segmented", { x: u32 }, ({ x }) => {
    const segments = x.and(7).eq(0);
    const once = x.scanExclusive("add", { segments });
    return { y: once.toI64().scanExclusive("mul", { segments }), z: once.toU64().scanExclusive("max") };
  }),
  pipeline("seeded", { x: u32 }, ({ x }) => ({
    y: x.scanExclusive("add", { seed: 3 }).toI64().scanExclusive("mul", { seed: -5n }),
    z: product.scanExclusive(x.scanExclusive("add").toI64(), { seed: 7n }),
  })),
  pipeline("of-work-groups", { x: u32 }, ({ x }) => ({
    y: x.scanExclusive("add", group).toI64().scanExclusive("mul", group),
    z: x.scanExclusive("add", group).toU64().scanExclusive("add"),
    total: x.scanExclusive("max").toI64().reduce("add", group),
  })),
  pipeline("totals", { x: u32 }, ({ x }) => {
    const once = x.scanExclusive("add").toI64();
    return {
      sum: once.reduce("add"),
      most: once.scanExclusive("mul").reduce("max"),
      product: product.reduce(once),
    };
  }),
  pipeline("scattered", { x: u32, k: i64 }, ({ x, k }) => {
    const isKept = x.and(1).eq(1);
    const at = isKept.toU32().scanExclusive("add");
    const far = at.toI64().scanExclusive("add");
    return {
      moved: far.scatter({ to: at, where: isKept, length: isKept.toU32().reduce("add") }),
      y: far.add(k).scanExclusive("xor"),
    };
  }),
];

/** Further pipelines of the kind, for devices on which compiling is quick. */
export const CHAINS: readonly Case[] = [...CHAINED, ...others.map((one) => caseOf(one, "scans of scans"))];
