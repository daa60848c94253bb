/** Devices that fail as devices were seen to fail: the probe finds each failure, and results are right all the same. */
import {
  type Artifact,
  type Capabilities,
  check,
  evaluate,
  type Pipeline,
  reference,
  type Target,
} from "@groupwise/core";
import {
  Answers,
  Earned,
  earnedTrials,
  errorOf,
  FUNCTION_ROWS,
  type FunctionName,
  GENERATOR,
  isOn,
  PROBED,
  planTried,
  requireEarned,
} from "@groupwise/core/target";
import { f32, i32, pipeline, u32 } from "@groupwise/dsl";
import type { Expr, SharedSpace } from "@groupwise/kernel/language/expr.js";
import { add, binary, call, constant, mul, select, unary } from "@groupwise/kernel/language/make-expr.js";
import { mapParts } from "@groupwise/kernel/language/map-expr.js";
import type { Module } from "@groupwise/kernel/language/module.js";
import type { Stmt } from "@groupwise/kernel/language/stmt.js";
import { mapBlocks } from "@groupwise/kernel/language/walk.js";
import { bodyName } from "@groupwise/kernel/library/functions/format.js";
import { mapExprs, mapKernels } from "@groupwise/kernel/passes/base/pass.js";
import { isOn as isRemedyOn } from "@groupwise/kernel/probe/remedies.js";
import { opencl, openclCapabilities } from "@groupwise/target-opencl";
import { WGSL_CAPABILITIES, wgsl } from "@groupwise/target-wgsl";
import { describe, expect, test } from "vitest";
import { runKernels } from "../../kernel/test/kernel-interpreter.ts";

type Own = Readonly<Record<string, (...args: number[]) => number>>;
/** What a device makes of its texts. */
interface Fake {
  readonly rewrite?: (e: Expr) => Expr | undefined;
  readonly own?: Own;
  readonly flushes?: boolean;
  /** A function that it does not build. */
  readonly lacks?: string;
  readonly restate?: (stmt: Stmt) => readonly Stmt[] | undefined;
}

const MODULES = new WeakMap<Artifact, Module>();
/** The target, whose artifacts are found with the modules that they were printed from. */
const printing = (target: Target): Target => ({
  ...target,
  print: (plan, options) => {
    const printed = target.print(plan, options);
    MODULES.set(printed, plan.module);
    // A probe's manifest is a copy.
    MODULES.set(printed.files as never, plan.module);
    return printed;
  },
});

/** Functions as languages promise them. */
const EXACT: Own = Object.fromEntries(
  (Object.keys(FUNCTION_ROWS) as FunctionName[]).flatMap((op) =>
    (["i32", "u32", "i64", "u64", "f32", "f64"] as const)
      .filter((type) => isOn(FUNCTION_ROWS[op], type))
      .map((type) => [
        bodyName(op, type),
        (...args: number[]) => FUNCTION_ROWS[op].apply(type, args) as number,
      ]),
  ),
);
const FMA = EXACT.fma_of_f32 as (a: number, b: number, c: number) => number;

function run(fake: Fake, artifact: Artifact, storage: Record<string, unknown[]>, n: number): void {
  const module = MODULES.get(artifact.files as never) as Module;
  const owned = module.functions.filter(({ own }) => own).map(({ name }) => name);
  if (fake.lacks && owned.includes(fake.lacks))
    throw errorOf("device-error", { device: "a fake", reason: `no ${fake.lacks}` });
  const { rewrite } = fake;
  const change = (e: Expr): Expr => {
    const inner = mapParts(e, change);
    return rewrite?.(inner) ?? inner;
  };
  const isKnown = ([name]: readonly [string, unknown]): boolean =>
    owned.includes(name) || name in GLSL_DIVISION;
  const own = Object.fromEntries(Object.entries({ ...EXACT, ...fake.own }).filter(isKnown));
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.flatMap((stmt) => fake.restate?.(stmt) ?? [mapBlocks(stmt, block)]);
  const restated = mapKernels(module, (kernel) => ({ ...kernel, body: block(kernel.body) }));
  const changed = rewrite ? mapExprs(restated, change) : restated;
  runKernels(changed, n, { storage: storage as never, own, flushes: fake.flushes ?? false });
}

const memoryOf = (artifact: Artifact, n: number, given: Record<string, readonly unknown[]>) =>
  Object.fromEntries(
    artifact.manifest.bindings.map(({ name, elements, cleared }) => [
      name,
      [...(given[name] ?? Array(evaluate(elements as number, n)).fill(cleared ? 0 : undefined))],
    ]),
  );

const earnedBy = (fake: Fake, target: Target, claimed: Capabilities): Earned =>
  new Earned(target, claimed, async (artifact, given) => {
    const storage = memoryOf(artifact, 1, { given: [...given] });
    run(fake, artifact, storage, 1);
    return storage.found as number[];
  });

type Given = Readonly<Record<string, readonly number[]>>;
/** The outputs that differ from the reference. */
function differing(fake: Fake, ir: Pipeline, artifact: Artifact, given: Given): readonly string[] {
  const n = Object.values(given)[0]?.length ?? 0;
  const storage = memoryOf(artifact, n, given);
  run(fake, artifact, storage, n);
  const checked = check(ir);
  const want = reference(checked, { n, inputs: given });
  return checked.sinks.flatMap(({ name }) =>
    want[name]?.every((x, i) => Object.is(x, storage[name]?.[i])) ? [] : [name],
  );
}

const float = (x: Expr): boolean => x.type === "f32";
const isZero = (e: Expr): boolean => e.kind === "const" && e.value === 0;
/** As rusticl 25. */
const FOLDS: Fake = {
  rewrite: (e) => {
    if (e.kind !== "binary" || !float(e)) return undefined;
    if (e.op === "mul" && isZero(e.right)) return constant("f32", 0);
    if (e.op === "add" && isZero(e.right)) return e.left;
    return e.op === "sub" && isZero(e.left) ? unary("neg", e.right) : undefined;
  },
};
const FLUSHES: Fake = {
  own: { fma_of_f32: (a, b, c) => (Math.abs(FMA(a, b, c)) < 2 ** -126 ? 0 : FMA(a, b, c)) },
};
const GLSL_DIVISION: Own = {
  glsl_div_i32: (a, b) => (b === 0 ? 0 : Math.trunc(a / b) | 0),
  glsl_rem_i32: (a, b) => (b === 0 ? -1 : ((a >>> 0) % (b >>> 0)) | 0),
  glsl_div_u32: (a, b) => (b === 0 ? 0 : Math.trunc(a / b)),
  glsl_rem_u32: (a, b) => (b === 0 ? 0xffffffff : a % b),
};
/** As Mesa's OpenGL ES, to which naga leaves division. */
const GLSL: Fake = {
  rewrite: (e) =>
    e.kind === "binary" && (e.op === "div" || e.op === "rem") && (e.type === "i32" || e.type === "u32")
      ? call(`glsl_${e.op}_${e.type}`, e.type, [e.left, e.right])
      : undefined,
  own: GLSL_DIVISION,
};
/** As rusticl 26: halves are not rounded on the way, and the magnitude of a difference from infinity is lost. */
const HALVES: Fake = {
  rewrite: (e) => {
    if (e.kind === "cast" && e.type === "f32" && e.of.kind === "cast" && e.of.of.type === "f32")
      return e.of.of;
    const isOfInfinity = (of: Expr): boolean =>
      of.kind === "binary" && of.op === "sub" && of.right.kind === "const" && of.right.value === "inf";
    return e.kind === "unary" && e.op === "abs" && isOfInfinity(e.of) ? e.of : undefined;
  },
};
/** Subnormal halves become zeros of their sign. */
const flushing = (isFlushed: (e: Expr) => boolean): Fake => ({
  rewrite: (e) =>
    isFlushed(e)
      ? select(binary("lt", unary("abs", e), constant(e.type, 2 ** -14)), mul(e, constant(e.type, 0)), e)
      : undefined,
});
const WIDENS = flushing((e) => e.kind === "cast" && e.type === "f32" && e.of.type === "f16");
const SUMS = flushing((e) => e.kind === "binary" && e.type === "f16" && e.op === "add");
const LACKS: Fake = { lacks: "fma_of_f32" };

/** Atomic additions that return what they leave. */
const returnsSums = (space: SharedSpace): Fake => ({
  restate: (stmt) => {
    if (stmt.kind !== "atomic-add" || stmt.space !== space) return undefined;
    const before: Expr = { kind: "var", name: `${stmt.name}_before`, type: "u32" };
    return [
      { ...stmt, name: before.name },
      { kind: "let", name: stmt.name, value: add(before, stmt.value) },
    ];
  },
});
/** Vectors of words, of which each is the first. */
const REPEATS: Fake = {
  rewrite: (e) =>
    e.kind === "part" && e.of.startsWith("words") && e.index > 0 ? { ...e, index: 0 } : undefined,
};
/** Operators on device memory that overwrite it. */
const OVERWRITES: Fake = {
  restate: (stmt) => {
    if (stmt.kind !== "atomic" || stmt.space !== "storage") return undefined;
    const { space, array, index, value } = stmt;
    return [{ kind: "store", space, array, index, value }];
  },
};

const folded = pipeline("folded", { x: f32 }, ({ x }) => ({ a: x.mul(0), b: x.add(0), c: f32(0).sub(x) }));
const FLOATS = { x: [Number.NaN, -1, -0, 0, Number.POSITIVE_INFINITY, 2 ** -149, 3] };
const fused = pipeline("fused", { x: f32, y: f32, z: f32 }, ({ x, y, z }) => ({ y1: x.fma(y, z) }));
const FUSED = { x: [0, 1, 2 ** -100, 3], y: [1, 2 ** -149, 2 ** -40, 5], z: [2 ** -149, 0, 0, 7] };
const halved = pipeline("halved", { x: f32 }, ({ x }) => ({
  rounded: x.toF16().toF32(),
  far: x.toF16().absdiff(Number.POSITIVE_INFINITY).add(1).toF32(),
}));
const SINGLES = { x: [1 + 2 ** -20, -(1 + 2 ** -11), 3, 2049, 0] };
const widened = pipeline("widened", { x: f32 }, ({ x }) => ({ wide: x.toF16().toF32() }));
const summed = pipeline("summed", { x: f32 }, ({ x }) => ({ twice: x.toF16().add(x.toF16()).toF32() }));
const SMALL = { x: [2 ** -24, -3 * 2 ** -20, 2 ** -14, 1] };
const divided = pipeline("divided", { x: i32, y: i32, k: u32, m: u32 }, ({ x, y, k, m }) => ({
  quotient: x.div(y),
  rest: x.rem(y),
  parity: x.rem(2),
  whole: k.div(m),
  left: k.rem(m),
}));
const WHOLE = {
  ...{ x: [-7, 7, 5, 5, -0x80000000, -9], y: [2, -2, 0, 3, -1, -4] },
  ...{ k: [7, 5, 0xffffffff, 1, 2, 3], m: [0, 2, 10, 0, 3, 1] },
};

const scanned = pipeline("scanned", { k: u32 }, ({ k }) => ({ sums: k.scanInclusive("add") }));
const ranked = pipeline("ranked", { k: u32 }, ({ k }) => ({ to: k.rem(4).rank({ bins: 4 }) }));
const COUNTS = { k: Array.from({ length: 4100 }, (_, i) => (i * i) % 7) };

const OPENCL = openclCapabilities();
const WEBGPU: Capabilities = { ...WGSL_CAPABILITIES, subnormals: "kept" };
const SUBGROUPS = { minSize: 32, maxSize: 32, ballots: true, ranksByBallots: true } as const;
/** Tiles of 4096 items. */
const LOOK_BACK = { workGroupSize: 32, rows: 1, groups: 4, polls: 4 } as const;
const LOOKING: Capabilities = { ...WEBGPU, subgroups: SUBGROUPS, lookBack: LOOK_BACK };
const BY_ROWS: Capabilities = { ...OPENCL, subgroups: SUBGROUPS, lookBack: { ...LOOK_BACK, slotRows: true } };
const NATIVE_HALVES = openclCapabilities({ fp16: true });
const HALF_REMEDIES = ["round-to-half", "guard-rounding"] as const;
const FAILURES = [
  ["algebra that floats do not have", FOLDS, opencl, OPENCL, folded.ir, FLOATS, ["guard-rounding"]],
  ["an fma that flushes", FLUSHES, opencl, OPENCL, fused.ir, FUSED, ["without-fma_of_f32"]],
  ["division as GLSL leaves it", GLSL, wgsl, WEBGPU, divided.ir, WHOLE, ["int-divide", "int-remainder"]],
  ["halves in a register", HALVES, opencl, NATIVE_HALVES, halved.ir, SINGLES, HALF_REMEDIES],
  ["halves flushed as they widen", WIDENS, opencl, NATIVE_HALVES, widened.ir, SMALL, ["emulated-f16"]],
  ["sums of halves that flush", SUMS, opencl, NATIVE_HALVES, summed.ir, SMALL, ["emulated-f16"]],
  ["tickets one too large", returnsSums("storage"), wgsl, LOOKING, scanned.ir, COUNTS, ["two-passes"]],
  ["counts one too large", returnsSums("work-group"), wgsl, LOOKING, ranked.ir, COUNTS, ["rank-by-bits"]],
  ["an fma that does not build", LACKS, opencl, OPENCL, fused.ir, FUSED, ["without-fma_of_f32"]],
] as const;

describe.each(FAILURES)("%s", (_, fake, language, claimed, ir, given, remedies) => {
  const target = printing(language);
  const earned = earnedBy(fake, target, claimed);

  test("is found, and what stands for it is right", async () => {
    const { artifact: trusting } = await planTried(ir, target, claimed, []);
    const wrong = (): readonly string[] => differing(fake, ir, trusting, given);
    if (fake === LACKS) expect(wrong).toThrow("fma");
    else expect(wrong()).not.toEqual([]);
    await expect(requireEarned(earned, trusting.manifest)).rejects.toMatchObject({
      code: "unsupported",
      what: expect.stringContaining(fake === LACKS ? "no fma_of_f32" : "it is"),
    });

    const { artifact, capabilities } = await planTried(ir, target, claimed, earnedTrials(earned));
    expect(differing(fake, ir, artifact, given)).toEqual([]);
    await requireEarned(earned, artifact.manifest);
    expect(remedies.filter((remedy) => isRemedyOn(remedy, claimed))).toEqual([]);
    expect(remedies.filter((remedy) => !isRemedyOn(remedy, capabilities))).toEqual([]);
  });

  test("is not met by what is emitted without a device", async () => {
    const { artifact } = await planTried(ir, target, target.capabilities, []);
    expect(differing(fake, ir, artifact, given)).toEqual([]);
  });
});

test.each([
  [opencl, BY_ROWS],
  [wgsl, LOOKING],
])(
  "a device that computes as its language says passes, and gets the text that it had",
  async (language, claimed) => {
    const target = printing(language);
    const earned = earnedBy({}, target, claimed);
    expect((await earned.report()).filter(({ reason }) => reason !== undefined)).toEqual([]);
    for (const { ir } of [folded, fused, divided, scanned, ranked]) {
      const [trusting, tried] = await Promise.all(
        [[], earnedTrials(earned)].map((trials) => planTried(ir, target, claimed, trials)),
      );
      expect(tried?.artifact.files).toEqual(trusting?.artifact.files);
    }
  },
);

const CLZ: Fake = {
  rewrite: (e) => (e.kind === "unary" && e.op === "clz" ? constant("u32", 31) : undefined),
};
const zeros = pipeline("zeros", { k: u32 }, ({ k }) => ({ zeros: k.clz() }));
const counted = pipeline("counted", { k: u32 }, ({ k }) => ({
  counts: u32(1).scatter({ to: k, combine: "add", capacity: u32(7) }),
}));
test.each([
  ["u32 clz", CLZ, zeros.ir],
  ["u32 atomic add in device memory", OVERWRITES, counted.ir],
])("a device that fails what nothing stands for is refused, by the name %s", async (name, fake, ir) => {
  const earned = earnedBy(fake, printing(wgsl), WEBGPU);
  const { artifact } = await planTried(ir, wgsl, WEBGPU, earnedTrials(earned));
  await expect(requireEarned(earned, artifact.manifest)).rejects.toMatchObject({
    code: "unsupported",
    message: expect.stringContaining(name),
  });
});

test.each([
  ["u32 atomic add in device memory", OVERWRITES, undefined],
  ["u32 atomic load of 4 in device memory", REPEATS, ["words-alone"]],
])("the report names %s, and what stands for it", async (name, fake, instead) => {
  const report = await earnedBy(fake, printing(opencl), BY_ROWS).report();
  const row = report.find(({ id }) => id === name);
  expect(row).toMatchObject(instead ? { instead } : { instead: [], refused: true });
  expect(row?.reason).toContain("it is");
});

test("a file has each row judged in the form that it names, whatever other rows it names", async () => {
  const earned = earnedBy(GLSL, printing(wgsl), WEBGPU);
  const assumes = ["u32 rem by int-divide", "u32 div", "u32 rem", "u32 rem"];
  const failed = await earned.failed({ assumes, pipeline: "forms" });
  expect(failed.map(({ id }) => id)).toEqual(["u32 div", "u32 rem"]);
});

test.each([
  [["u32 modulo"], "unsupported"],
  [["__proto__"], "unsupported"],
  [["u32 rem by __proto__"], "unsupported"],
  [["u32 rem by emulated-f64"], "unsupported"],
  [["u32 rem by int-divide and int-divide"], "unsupported"],
  // WGSL has neither the type nor the function.
  [["f64 add"], "unsupported"],
  [["gcd_of_u32"], "unsupported"],
  [["sqrt_of_f32"], "unsupported"],
  [[1], "bad-argument"],
  ["u32 rem", "bad-argument"],
  [null, "bad-argument"],
])("a file that assumes %j is refused, and the device is not asked", async (assumes, code) => {
  const earned = new Earned(wgsl, WEBGPU, () => Promise.reject(new Error("it was asked")));
  await expect(earned.failed({ assumes: assumes as never, pipeline: "p" })).rejects.toMatchObject({ code });
});

test("a report counts where a probe can have made it", () => {
  const device = { target: "wgsl", name: "a fake", driver: "1", hardware: "one" };
  const rows = [
    { id: "u32 add" },
    { id: "u32 rem", reason: "it differs", instead: ["int-divide"] },
    { id: "u32 div", reason: "it differs", instead: ["emulated-__proto__"] },
    { id: "__proto__" },
  ];
  const report = { generator: GENERATOR, target: "wgsl", driver: "1", hardware: "one", rows };
  expect(PROBED.is(report)).toBe(true);
  const { verdicts, inexact } = new Answers(report, device);
  expect([[...verdicts.keys()], [...inexact]]).toEqual([["u32 add", "u32 rem"], ["u32 rem"]]);
  for (const row of [
    null,
    "u32 add",
    {},
    { id: "u32 add", instead: "int-divide" },
    { id: "u32 add", reason: 1 },
  ])
    expect(PROBED.is({ ...report, rows: [row] })).toBe(false);
  expect(PROBED.is({ ...report, driver: 1n })).toBe(false);
});
