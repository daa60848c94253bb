/**
 * The rule of docs/decisions/contraction.md, looked for in lowered kernels: no operation that rounds reads what a float
 * expression computed, unless a guard is between them. An interpreter over three abstract values, opaque, computed and
 * settled, shares nothing with what writes the guards. Settled is a half that was loaded or is a rounded sum of halves: a sum
 * of halves may read it, and no other operation.
 */
import { type Capabilities, check, type Pipeline } from "@groupwise/core";
import { allExprs, type Expr, lower, type Module, type Stmt } from "@groupwise/core/kernel";
import { type BinaryOp, lookBackFor, withHalfConversions } from "@groupwise/core/target";
import { f16, f32, pipeline, u32 } from "@groupwise/dsl";
import { CASES } from "@groupwise/testkit";
import { isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect, test } from "vitest";
import { WGSL_CAPABILITIES, withHalves } from "../src/print/capabilities.ts";
import { QUIRKS } from "../src/print/quirks.ts";

const isFloat = (e: Expr): boolean => e.type === "f32" || e.type === "f16";
const rounds = (e: Expr): boolean =>
  e.kind === "binary" && isFloat(e) && ["add", "sub", "mul", "div", "rem"].includes(e.op);
/** The operation that a function computes also for subnormal numbers: it reads its operands as the operation does. */
function operationOf(e: Expr): Expr {
  const [, op] = (e.kind === "call" && /^(add|sub|mul)_f32$/.exec(e.fn)) || [];
  const [left, right] = e.kind === "call" ? e.args : [];
  if (!op || !left || !right) return e;
  return { kind: "binary", op: op as BinaryOp, left, right, type: e.type };
}
/** 0, -0, subnormals, infinities and NaN: what rules of numbers are wrong about. */
const isOdd = (value: unknown): boolean =>
  !(Math.abs(Number(value)) >= 2 ** -126 && Number.isFinite(Number(value)));

/** How much a compiler may know of a value. */
const [OPAQUE, SETTLED, COMPUTED] = [0, 1, 2] as const;
type Level = 0 | 1 | 2;
const most = (levels: readonly Level[]): Level => Math.max(OPAQUE, ...levels) as Level;
const SETTLING: ReadonlySet<string> = new Set(["round_sum_f16", "f32_of_f16_bits", "f32_of_high_f16_bits"]);
/** Whether bits are those of a float that was rounded to a half, which may be two conversions that a compiler sees through. */
const isRoundedHalf = (e: Expr): boolean => e.kind === "call" && e.fn === "round_f16";

/** Names and arrays whose value a compiler may know as the result of a float expression, as keys of {@link Scope}. */
class Known {
  private readonly levels = new Map<string, Level>();
  raise(key: string, level: Level): void {
    this.levels.set(key, most([level, this.of(key)]));
  }
  of(key: string): Level {
    return this.levels.get(key) ?? OPAQUE;
  }
  get total(): number {
    return [...this.levels.values()].reduce((sum: number, level) => sum + level, 0);
  }
}

class Watch {
  readonly problems: string[] = [];
  private readonly zeros = new Set<string>();
  private readonly module: Module;
  /** Blocks side by side may declare one name: the statement says which is meant. */
  private readonly keys = new Map<Stmt, string>();
  private scope = new Map<string, string>();

  constructor(module: Module) {
    this.module = module;
    for (const { name, body } of module.kernels) {
      const known = new Known();
      // What a loop's end leaves is there at its beginning.
      for (let before = -1; before !== known.total; ) {
        before = known.total;
        this.problems.length = 0;
        this.block(body, known, name);
      }
    }
  }

  private key(name: string): string {
    return this.scope.get(name) ?? name;
  }

  /** The key of the name that a statement declares, for what comes after it. */
  private declare(stmt: Stmt, name: string): string {
    const key = this.keys.get(stmt) ?? `${name} ${this.keys.size}`;
    this.keys.set(stmt, key);
    this.scope.set(name, key);
    return key;
  }

  private block(stmts: readonly Stmt[], known: Known, place: string): void {
    const { scope } = this;
    this.scope = new Map(scope);
    for (const stmt of stmts) this.statement(stmt, known, place);
    this.scope = scope;
  }

  private statement(stmt: Stmt, known: Known, place: string): void {
    switch (stmt.kind) {
      case "let": {
        const isZero = this.isZeroParam(stmt.value);
        const level = this.levelOf(stmt.value, known, place);
        const key = this.declare(stmt, stmt.name);
        if (isZero) this.zeros.add(key);
        known.raise(key, level);
        break;
      }
      case "var":
      case "assign": {
        const level = this.levelOf(stmt.value, known, place);
        known.raise(stmt.kind === "var" ? this.declare(stmt, stmt.name) : this.key(stmt.name), level);
        break;
      }
      case "array":
        this.declare(stmt, stmt.name);
        break;
      case "store": {
        const level = this.levelOf(stmt.value, known, place);
        if (stmt.space !== "work-group") known.raise(this.key(stmt.array), level);
        this.levelOf(stmt.index, known, place);
        break;
      }
      case "store-row":
        for (const value of stmt.values) known.raise(this.key(stmt.array), this.levelOf(value, known, place));
        break;
      case "load-row": {
        const level = known.of(this.key(stmt.array));
        known.raise(this.declare(stmt, stmt.name), level);
        break;
      }
      case "if":
        this.levelOf(stmt.condition, known, place);
        this.block(stmt.then, known, place);
        this.block(stmt.otherwise, known, place);
        break;
      case "for":
      case "while":
        this.block(stmt.body, known, place);
        break;
      case "choice":
        this.block(stmt.native, known, place);
        this.block(stmt.portable, known, place);
        break;
      case "intrinsic":
        for (const arg of stmt.args) this.levelOf(arg, known, place);
        this.declare(stmt, stmt.name);
        break;
      case "call":
        for (const arg of stmt.args) this.levelOf(arg, known, place);
        break;
      default:
    }
  }

  private levelOf(given: Expr, known: Known, place: string, inSum = false): Level {
    const e = operationOf(given);
    const parts: Expr[] = [];
    switch (e.kind) {
      case "const":
        return isFloat(e) && isOdd(e.value) ? COMPUTED : OPAQUE;
      case "var":
        return known.of(this.key(e.name));
      case "part":
        return known.of(this.key(e.of));
      case "param":
      case "builtin":
        return OPAQUE;
      case "load":
        this.levelOf(e.index, known, place);
        return e.space === "work-group" ? OPAQUE : known.of(this.key(e.array));
      case "unary":
      case "cast":
      case "bitcast":
      case "word":
        parts.push(e.of);
        break;
      case "binary":
        parts.push(e.left, e.right);
        break;
      case "select":
        parts.push(e.condition, e.then, e.otherwise);
        break;
      case "join":
        parts.push(...e.words);
        break;
      case "call":
        parts.push(...e.args);
        break;
    }
    // The sum that a half is rounded from, or its magnitude.
    const ofSum = (e.kind === "call" && e.fn === "round_sum_f16") || (inSum && e.kind === "unary");
    const levels = parts.map((part) => this.levelOf(part, known, place, ofSum));
    const converts = e.kind === "cast" && isFloat(e) && isFloat(e.of);
    if ((rounds(e) || converts) && most(levels) > (inSum ? SETTLED : OPAQUE))
      this.problems.push(`${place}: ${JSON.stringify(e)}`);
    if (e.kind === "binary" && e.op === "sub" && isFloat(e) && this.isLikeLeft(e.left, e.right))
      this.problems.push(`${place}: cancels ${JSON.stringify(e)}`);
    if (e.kind === "call" && /^(rounded|opaque)_f(16|32)$/.test(e.fn))
      return this.isZero(e.args[1]) ? OPAQUE : COMPUTED;
    if (e.kind === "bitcast" && isRoundedHalf(e.of)) return COMPUTED;
    if (!isFloat(e) || e.kind === "bitcast" || e.kind === "join") return OPAQUE;
    if (e.kind === "call" && SETTLING.has(e.fn)) return SETTLED;
    return e.kind === "select" ? most(levels.slice(1)) : COMPUTED;
  }

  /** A subtrahend that could be the minuend under another name. */
  private isLikeLeft(left: Expr, right: Expr): boolean {
    if (left.kind === "const" || right.kind === "const") return false;
    return !(right.kind === "call" && right.fn.startsWith("opaque_"));
  }

  private isZeroParam(e: Expr): boolean {
    const zero = this.module.params.find(({ role }) => role === "zero");
    return zero !== undefined && e.kind === "param" && e.name === zero.name;
  }

  private isZero(e: Expr | undefined): boolean {
    return e?.kind === "var" && this.zeros.has(this.key(e.name));
  }
}

const problemsOf = (ir: Pipeline, capabilities: Capabilities): readonly string[] =>
  new Watch(lower(check(ir), capabilities).module).problems;

const large = (capabilities: Capabilities): Capabilities => ({
  ...capabilities,
  maxWorkGroupSize: 1024,
  workGroupMemory: 49152,
  subgroups: { minSize: 32, maxSize: 32 },
  lookBack: lookBackFor({ maxWorkGroupSize: 1024 }),
});
const DEVICES: Readonly<Record<string, Capabilities>> = {
  "any device": WGSL_CAPABILITIES,
  "a device with halves": withHalves(WGSL_CAPABILITIES),
  "a large GPU without halves": large(WGSL_CAPABILITIES),
  "a large GPU that converts halves": large(withHalfConversions(WGSL_CAPABILITIES, "exact")),
  "a large GPU that converts halves apart": large(withHalfConversions(WGSL_CAPABILITIES, "apart")),
  "a large GPU": large(withHalves(WGSL_CAPABILITIES)),
};

const usesHalves = (i: number): boolean => JSON.stringify(CASES[i]?.ir).includes('"f16"');

describe.each(Object.entries(DEVICES))("for %s", (device, capabilities) => {
  // Outside of full runs every other pipeline for one of the devices, by turns; a part of those of halves for a large GPU that converts them.
  const devices = Object.keys(DEVICES);
  const turn = devices.indexOf(device);
  const isOfHalves = /large/.test(device) && !device.endsWith("GPU");
  const cases = CASES.filter((_, i) =>
    isFullRun()
      ? device.endsWith("GPU") || usesHalves(i)
      : isOfHalves
        ? usesHalves(i) && i % 4 === turn % 4
        : i % (2 * devices.length) === devices.length + turn,
  );
  test.each(cases.map(({ ir }) => [ir.name, ir] as const))("%s: every operand is opaque", (_name, ir) => {
    expect(problemsOf(ir, capabilities)).toEqual([]);
  });
});

describe("the check itself", () => {
  const unguarded: Capabilities = {
    ...withHalves(WGSL_CAPABILITIES),
    expand: WGSL_CAPABILITIES.expand.filter((name) => name !== "guard-rounding"),
  };
  const faulty = {
    "a sum and a constant": pipeline("p", { x: f32 }, ({ x }) => ({ y: x.add(3).sub(3) })),
    "a product and a sum": pipeline("p", { x: f32 }, ({ x }) => ({ y: x.mul(x).add(x) })),
    "a value and itself": pipeline("p", { x: f32 }, ({ x }) => ({ y: x.sub(x) })),
    "a value and 0": pipeline("p", { x: f32 }, ({ x }) => ({ y: x.add(0) })),
    "sums of a scan": pipeline("p", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") })),
    "a wider type": pipeline("p", { x: f16 }, ({ x }) => ({ y: x.mul(x).toF32() })),
  };
  test.each(Object.entries(faulty))("finds %s where guards are missing", (_, source) => {
    expect(problemsOf(source.ir, unguarded)).not.toEqual([]);
    expect(problemsOf(source.ir, withHalves(WGSL_CAPABILITIES))).toEqual([]);
  });

  test("a -0 in a select is guarded for drivers that need it", () => {
    const { ir } = pipeline("p", { x: f32 }, ({ x }) => ({ y: x.lt(1).select(f32(1), f32(-0)).add(x) }));
    const guardsFor = (left: string): number => {
      const expand = WGSL_CAPABILITIES.expand.filter((name) => name !== left);
      const { module } = lower(check(ir), { ...WGSL_CAPABILITIES, expand });
      const isGuard = (e: Expr): boolean => e.kind === "call" && e.fn === "rounded_f32";
      return module.kernels.flatMap(({ body }) => [...allExprs(body)]).filter(isGuard).length;
    };
    expect(QUIRKS.minusZero.value).toEqual(["guard-minus-zero"]);
    // In the four items of a row, and in one of the tail.
    expect(guardsFor("")).toBe(guardsFor("guard-minus-zero") + 5);
    expect(guardsFor("guard-rounding")).toBe(0);
  });

  describe("sums of emulated halves", () => {
    const guardedIn = (ir: Pipeline): readonly string[] => {
      const { module } = lower(check(ir), WGSL_CAPABILITIES);
      // The last pass of a reduce begins with 0.
      const guards = module.kernels
        .filter(({ name }) => name !== "finish")
        .flatMap(({ body }) => [...allExprs(body)])
        .filter((e) => e.kind === "call" && /^(rounded|opaque)_/.test(e.fn));
      return guards.map((e) => JSON.stringify(e));
    };

    test("read sums and loaded halves without a guard", () => {
      const chain = pipeline("p", { x: f16, w: f16 }, ({ x, w }) => ({ y: x.add(w).add(x).add(3).add(w) }));
      const total = pipeline("p", { x: f16 }, ({ x }) => ({ y: x.reduce("add") }));
      for (const { ir } of [chain, total]) expect(guardedIn(ir)).toEqual([]);
    });

    test("read in a routine what is guarded before", () => {
      const { ir } = pipeline("p", { x: f16 }, ({ x }) => ({ y: x.scanInclusive("add") }));
      expect(problemsOf(ir, DEVICES["a large GPU without halves"] as Capabilities)).toEqual([]);
    });

    test("are guarded for other operations, and where a compiler could know or cancel them", () => {
      const one = pipeline("p", { x: f16, w: f16 }, ({ x, w }) => ({
        product: x.add(w).mul(w),
        wider: x.sub(w).toF32().add(1),
        difference: x.add(w).sub(x.add(w)),
        ofZero: x.add(w).add(0),
      }));
      expect(problemsOf(one.ir, WGSL_CAPABILITIES)).toEqual([]);
      for (const output of ["product", "wider", "difference", "ofZero"] as const) {
        const alone = pipeline("p", { x: f16, w: f16 }, ({ x, w }) => ({ y: one({ x, w })[output] }));
        expect(guardedIn(alone.ir), output).not.toEqual([]);
      }
      const known = pipeline("p", { x: f16, i: u32 }, ({ x, i }) => {
        const which = i.lt(1);
        const [one, other] = [which.select(f16(1), f16(2)), which.select(f16(3), f16(4))];
        return { y: one.add(other).add(x) };
      });
      expect(guardedIn(known.ir)).not.toEqual([]);
    });
  });

  test("one operation between load and store needs no guard, and minima need none", () => {
    for (const source of [
      pipeline("p", { x: f32, w: f32 }, ({ x, w }) => ({
        sum: x.add(w),
        product: x.mul(w),
        three: x.add(3),
      })),
      pipeline("p", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("max") })),
    ]) {
      const { module } = lower(check(source.ir), WGSL_CAPABILITIES);
      expect(module.params.map(({ role }) => role)).not.toContain("zero");
      expect(problemsOf(source.ir, WGSL_CAPABILITIES)).toEqual([]);
    }
  });
});
