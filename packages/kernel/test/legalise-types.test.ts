/** Programs in types that an implementation lacks give the same in the types that it has. */

import { Names } from "@groupwise/ir/base/names.js";
import { wordOf } from "@groupwise/ir/tables/convert-value.js";
import { sameValue } from "@groupwise/ir/tables/literal.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, test } from "vitest";
import { fc } from "../../ir/test/fast-check.ts";
import { anyOf } from "../../ir/test/support.ts";
import type { Capabilities } from "../src/capabilities/capabilities.ts";
import { type ArrayRef, Code } from "../src/language/build.ts";
import type { Expr, VarExpr } from "../src/language/expr.ts";
import {
  add,
  binary,
  bitcast,
  builtin,
  call,
  cast,
  join,
  load,
  lt,
  param,
  select,
  sub,
  u32,
  unary,
  word,
} from "../src/language/make-expr.ts";
import { unitsOf } from "../src/language/memory.ts";
import type { Buffer, Fn, GroupFn, Kernel, Module, SharedArray } from "../src/language/module.ts";
import type { NativeStmt } from "../src/language/stmt.ts";
import { usesOfBlock } from "../src/language/uses.ts";
import { allExprs } from "../src/language/walk.ts";
import { HALF_NAMES, WORD_NAMES } from "../src/library/types/half-names.ts";
import { runPasses } from "../src/passes/base/pass.ts";
import { PASSES } from "../src/passes/list.ts";
import { itemsLimit } from "../src/passes/types/forms.ts";
import { legaliseGroupFn, legaliseTypes } from "../src/passes/types/types.ts";
import { runGroup } from "./kernel-interpreter.ts";
import { linesOf } from "./kernel-text.ts";
import { bufferWith, kernelWith, moduleWith, stmtsOf } from "./modules.ts";
import { SIMT } from "./simt.ts";

const capabilities: Capabilities = {
  ...SIMT,
  scalars: { ...SIMT.scalars, f16: "emulated", f32: "native", f64: "emulated" },
  tile: { workGroupSize: 1, itemsPerWorkItem: 1 },
  splitArrays: false,
  surplusGroups: false,
};
/** Halves are bits in memory. */
const BITS: Capabilities = { ...capabilities, halfMemory: "u16", narrow: "native" };
const RUNS = process.env.GROUPWISE_FULL ? 1200 : 60;
const TYPES = ["i64", "u64", "f16", "f64"] as const;
type Type = (typeof TYPES)[number];

/** Some statements over two variables, an array of four, vec4s and a parameter; each number chooses. */
type Program = readonly { readonly kind: number; readonly op: number; readonly inner: readonly number[] }[];
const programs = fc.array(
  fc.record({ kind: fc.nat(12), op: fc.nat(9), inner: fc.array(fc.nat(9), { maxLength: 3 }) }),
  { minLength: 1, maxLength: 8 },
);

interface Parts {
  readonly x: VarExpr;
  readonly y: VarExpr;
  readonly items: ArrayRef;
  readonly slot: ArrayRef;
  readonly seed: Expr;
  /** Read and written as vec4s: eight values, and eight u32. */
  readonly rows: ArrayRef;
  readonly words: ArrayRef;
  /** Four u32. */
  readonly counts: ArrayRef;
}

const isFloat = ({ type }: Expr): boolean => SCALARS[type].kind === "float";
/** A value of the bits of two others. */
function ofBits(x: Expr, y: Expr): Expr {
  if (x.type === "f16") return join("f16", [binary("and", word(0, x), u32(0x7fff))]);
  const swapped = join("u64", [word(1, x), word(0, y)]);
  return bitcast(x.type, add(swapped, bitcast("u64", y)));
}

function calculate(op: number, { x, y, seed }: Parts): Expr {
  const list = [
    add(x, y),
    sub(y, x),
    binary("mul", add(x, seed), y),
    binary("max", x, seed),
    select(lt(x, y), sub(x, y), y),
    cast(x.type, cast("u32", call("is_less", "bool", [y, x]))),
    call("twice", x.type, [y]),
    unary(isFloat(x) ? "neg" : "not", x),
    unary("abs", sub(x, y)),
    // The bits of NaN may be others.
    select(binary("and", binary("eq", x, x), binary("eq", y, y)), ofBits(x, y), y),
  ];
  return list[op] as Expr;
}
/** A function of a value of the type. */
const twice = (type: Type): Fn => {
  const a: VarExpr = { kind: "var", name: "a", type };
  // A name that a word of the parameter has not.
  const none: VarExpr = { kind: "var", name: "a_lo", type: "u32" };
  const body: Fn["body"] = [
    { kind: "let", name: none.name, value: cast("u32", lt(a, a)) },
    { kind: "return", values: [select(binary("eq", none, u32(0)), add(a, a), a)] },
  ];
  return { name: "twice", doc: "", params: [{ name: "a", type }], returns: type, width: 1, body };
};

/** One that returns another type. */
const isLess = (type: Type): Fn => {
  const [a, b] = ["a", "b"].map((name): VarExpr => ({ kind: "var", name, type })) as [VarExpr, VarExpr];
  const params = [a, b].map(({ name }) => ({ name, type }));
  return {
    name: "is_less",
    doc: "",
    params,
    returns: "bool",
    width: 1,
    body: [{ kind: "return", values: [lt(a, b)] }],
  };
};

function write(code: Code, program: Program, parts: Parts): void {
  const { x, y, items, slot, seed } = parts;
  for (const { kind, op, inner } of program) {
    const short = (body: Code): void => {
      for (const one of inner) body.assign(one % 2 === 0 ? x : y, calculate(one, parts));
    };
    const at = u32(op % 4);
    // Each reads what it writes.
    if (kind === 0) code.assign(x, calculate(op, parts));
    if (kind === 1) code.assign(y, calculate(op, parts));
    if (kind === 2) code.store(items, at, binary("add", code.load(items, at), calculate(op, parts)));
    if (kind === 3) code.if(lt(x, y), short, (otherwise) => otherwise.assign(y, x));
    if (kind === 4) code.for("k", u32(0), u32(2), short);
    if (kind === 5) {
      code.store(slot, u32(0), calculate(op, parts));
      code.barrier();
      code.assign(x, code.load(slot, u32(0)));
      code.barrier();
    }
    // Vec4s of several types have one name, in blocks of their own.
    if (kind === 7)
      code.for("k", u32(0), u32(2), (body) => {
        const row = body.loadRow("row", parts.rows, u32(4 * (op % 2)));
        body.assign(x, row[op % 4] as Expr);
        body.storeRow(parts.rows, u32(4 - 4 * (op % 2)), [x, calculate(op, parts), y, row[3] as Expr]);
      });
    if (kind === 8)
      code.for("k", u32(0), u32(2), (body) => {
        const row = body.loadRow("row", parts.words, u32(4 * (op % 2)));
        body.assign(y, cast(y.type, row[op % 4] as Expr));
        body.storeRow(
          parts.words,
          u32(4),
          row.map((one, i) => select(lt(x, y), add(one, i === 1 ? param("count", "u32") : u32(i)), one)),
        );
      });
    if (kind === 9) {
      const value = calculate(op, parts);
      const own = code.intrinsic("shuffle", "own", [value, cast("u32", lt(x, x))]);
      code.assign(x, code.intrinsic("shuffle-xor", "moved", [own, u32(0)]));
    }
    if (kind === 10) code.assign(y, select(code.intrinsic("some-lane", "some", [lt(y, x)]), x, seed));
    if (kind === 11) {
      const given = { left: [x], right: [calculate(op, parts)] };
      const { sum } = code.routine({ title: "adds", doc: "" }, given, ({ left, right }) => ({
        sum: [add(left[0] as Expr, right[0] as Expr)],
      }));
      code.assign(y, sum[0] as Expr);
    }
    if (kind === 6) {
      // A condition that takes statements, or none.
      const two = cast(x.type, u32(2));
      const rounds = op % 2 === 0 ? code.var("rounds", cast(x.type, u32(0))) : undefined;
      if (!rounds) code.store(items, u32(3), cast(x.type, u32(0)));
      const count = rounds ?? code.load(items, u32(3));
      code.while(lt(count, two), (body) => {
        const next = add(count, cast(x.type, u32(1)));
        if (rounds) body.assign(rounds, next);
        else body.store(items, u32(3), next);
        short(body);
      });
    }
    // What a variable was before it changes.
    if (kind === 12) {
      const old = code.let("old", op % 2 === 0 ? y : select(lt(x, y), x, y));
      code.assign(y, calculate(op, parts));
      code.store(parts.counts, at, add(code.load(parts.counts, at), u32(1)));
      code.assign(x, add(old, old));
    }
  }
}

function moduleOf(type: Type, program: Program): Module {
  const code = new Code(new Names(["x", "y", "rows", "words", "counts", "k", "seed", "slot"]), true);
  const storage = (name: string): ArrayRef => ({ space: "storage", name, type });
  const lane = code.let("lane", builtin("local-id"));
  const parts: Parts = {
    x: code.var("a", code.load(storage("x"), lane)),
    y: code.var("b", code.load(storage("x"), add(lane, u32(1)))),
    items: code.array("items", type, 4),
    slot: { space: "work-group", name: "slot", type },
    seed: param("seed", type),
    rows: storage("rows"),
    words: { ...storage("words"), type: "u32" },
    counts: { ...storage("counts"), type: "u32" },
  };
  write(code, program, parts);
  code.store(storage("y"), lane, parts.x);
  code.store(storage("y"), add(lane, u32(1)), parts.y);
  code.store(storage("y"), add(lane, u32(2)), code.load(parts.items, u32(1)));
  const shared: SharedArray[] = [{ name: "slot", type, length: 1 }];
  const buffer = (name: string): Buffer =>
    bufferWith(name, name === "x" ? "input" : "output", name === "words" || name === "counts" ? "u32" : type);
  const params = [
    { name: "seed", type, role: "user" },
    { name: "count", type: "u32", role: "user" },
  ] as const;
  return moduleWith([kernelWith(code.stmts, { shared })], {
    params,
    buffers: ["x", "y", "rows", "words", "counts"].map(buffer),
    functions: [twice(type), isLess(type)],
  });
}

const run = (module: Module, storage: Record<string, ScalarValue[]>, params: Record<string, ScalarValue>) =>
  runGroup(module.kernels[0] as Kernel, { size: 1, storage, functions: module.functions, params, own: OWN });

const wordsOf = (type: Scalar, value: ScalarValue): number[] => [
  wordOf(type, value, 0),
  wordOf(type, value, 1),
];

/** Two halves in a word, the first one in the low bits, and back. */
const inPairs = (bits: readonly number[]): number[] =>
  Array.from({ length: Math.ceil(bits.length / 2) }, (_, i) => {
    const [low = 0, high = 0] = bits.slice(2 * i);
    return (low | (high << 16)) >>> 0;
  });
const alone = (words: readonly number[]): number[] => words.flatMap((pair) => [pair & 0xffff, pair >>> 16]);

/** Conversions that a device has. */
const half = (bits: number): number => SCALARS.f16.fromHost(bits & 0xffff) as number;
const bitsOf = (x: number): number => wordOf("f16", SCALARS.f16.wrap(x), 0);
const OWN = {
  [HALF_NAMES.toBits]: bitsOf,
  [HALF_NAMES.ofBits]: half,
  [WORD_NAMES.ofHighBits]: (bits: number) => half(bits >>> 16),
  [WORD_NAMES.twoToBits]: (x: number, y: number) => inPairs([bitsOf(x), bitsOf(y)])[0] as number,
};

const WORDS = [3, 2 ** 32 - 1, 70_000, 0, 1, 9, 2 ** 31, 5];

function compare(
  type: Type,
  program: Program,
  values: readonly ScalarValue[],
  device: Capabilities = capabilities,
): void {
  const [a, b, seed] = values as [ScalarValue, ScalarValue, ScalarValue];
  const whole = moduleOf(type, program);
  const legal = runPasses(PASSES, whole, { capabilities: device });
  if ("refused" in legal) throw legal.error;
  const rows = Array.from({ length: 8 }, (_, i) => (values[3 + i] ?? values[i % 3]) as ScalarValue);
  const want = {
    x: [a, b],
    y: Array<ScalarValue>(3).fill(0),
    rows: [...rows],
    words: [...WORDS],
    counts: [0, 0, 0, 0],
  };
  run(whole, want, { seed, count: 9 });
  const inWords = type !== "f16";
  const inMemory = (list: readonly ScalarValue[]): ScalarValue[] => {
    if (inWords) return list.flatMap((value) => wordsOf(type, value));
    if (device.halfMemory !== "u16") return [...list];
    const bits = list.map((value) => wordOf(type, value, 0));
    return device.narrow === "words" ? inPairs(bits) : bits;
  };
  const got = {
    x: inMemory([a, b]),
    y: inMemory([0, 0, 0].map((zero) => SCALARS[type].wrap(zero))),
    rows: inMemory(rows),
    words: [...WORDS],
    counts: [0, 0, 0, 0],
  };
  const [lo, hi] = wordsOf(type, seed) as [number, number];
  run(legal, got, { ...(inWords ? { seed_lo: lo, seed_hi: hi } : { seed: lo }), count: 9 });
  expect([got.words, got.counts]).toEqual([want.words, want.counts]);
  for (const name of ["y", "rows"] as const) {
    // Where two halves are a word, they are compared one by one.
    const single = (list: readonly ScalarValue[]): readonly ScalarValue[] =>
      device.narrow === "words" && device.halfMemory === "u16" ? alone(list as readonly number[]) : list;
    const [expected, found] = [single(inMemory(want[name])), single(got[name])];
    const isNone = (i: number): boolean => Number.isNaN(want[name][inWords ? Math.floor(i / 2) : i]);
    const wrong = expected.findIndex((word, i) => !isNone(i) && !sameValue(word, found[i] as ScalarValue));
    expect(wrong < 0 ? "" : `${name}: ${wrong} is ${found[wrong]}, not ${expected[wrong]}`).toBe("");
  }
}

const values = (type: Type): fc.Arbitrary<ScalarValue[]> =>
  fc.array(anyOf(type), { minLength: 11, maxLength: 11 });

/** A module of one kernel and a parameter of 64 bits in native types. */
function rewritten(code: Code, more: Partial<Module> = {}, device: Capabilities = capabilities): Module {
  const seeds = [{ name: "seed", type: "u64", role: "user" }] as const;
  const module = moduleWith([kernelWith(code.stmts)], { params: seeds, ...more });
  return legaliseTypes(module, { capabilities: device });
}
const linesOfKernel = (module: Module): string[] => linesOf(module.kernels[0]?.body ?? []);
/** What is no valid kernel. */
const REFUSED = expect.objectContaining({ code: "bad-kernel" });
const seed = param("seed", "u64");

describe("types that are emulated", () => {
  test.each(TYPES)("random programs in %s return the same results", (type) => {
    fc.assert(
      fc.property(programs, values(type), (program, list) => {
        compare(type, program, list);
      }),
      { numRuns: RUNS },
    );
  });

  const having = (...types: Type[]): Capabilities => ({
    ...capabilities,
    scalars: { ...capabilities.scalars, ...Object.fromEntries(types.map((type) => [type, "native"])) },
  });
  test("doubles return the same results where integers of 64 bits are native", () => {
    fc.assert(
      fc.property(programs, values("f64"), (program, list) => {
        compare("f64", program, list, having("i64", "u64"));
      }),
      { numRuns: RUNS / 3 },
    );
  });

  const IN_WORDS: Capabilities = { ...BITS, narrow: "words" };
  test.each<readonly [string, Capabilities]>([
    ["of the device, but bits as parameters", having("f16")],
    ["in elements of 16 bits", BITS],
    ["two in a word", IN_WORDS],
    ["two in a word, converted by the device", { ...IN_WORDS, halfConversions: "exact" }],
    ["converted by the device, conversions apart", { ...IN_WORDS, halfConversions: "apart" }],
  ])("halves return the same results: %s", (_, device) => {
    fc.assert(
      fc.property(programs, values("f16"), (program, list) => {
        compare("f16", program, list, device);
      }),
      { numRuns: RUNS / 3 },
    );
  });

  test("an assignment reads both words before it writes one", () => {
    // x = y - x borrows from x's low word.
    compare("u64", [{ kind: 0, op: 1, inner: [] }], [2n ** 32n + 5n, 3n, 0n]);
    compare("i64", [{ kind: 4, op: 0, inner: [0, 0, 1] }], [0xffffffffn, 0xffffffffn, 1n]);
  });

  test("only native types remain, in memory of the same size", () => {
    for (const type of TYPES) {
      const program = [5, 11].map((kind) => ({ kind, op: 2, inner: [] }));
      const { params, buffers, kernels } = legaliseTypes(moduleOf(type, program), { capabilities });
      const results = kernels[0]?.body.flatMap((stmt) => (stmt.kind === "results" ? [stmt.values] : []));
      expect(results).toMatchObject([{ length: type === "f16" ? 1 : 2 }]);
      expect(buffers.map(unitsOf)).toEqual(type === "f16" ? [1, 1, 1, 1, 1] : [2, 2, 2, 1, 1]);
      const from = { name: "seed", type };
      const bits = { type: "u32", role: "user" };
      expect(params.slice(0, -1)).toEqual(
        type === "f16"
          ? [{ name: "seed", ...bits, from: { ...from, word: 0 } }]
          : [0, 1].map((word) => ({ name: ["seed_lo", "seed_hi"][word], ...bits, from: { ...from, word } })),
      );
      expect(kernels[0]?.shared.map((array) => array.type)).toEqual(
        type === "f16" ? ["f32"] : ["u32", "u32"],
      );
      expect(JSON.stringify(kernels)).not.toContain(`"${type}"`);
    }
  });

  test("a loop bound that could change is refused if it takes statements", () => {
    const code = new Code(new Names());
    const x = code.var("x", { kind: "const", type: "u64", value: "3" });
    const bound = cast("u32", binary("div", x, { kind: "const", type: "u64", value: "2" }));
    code.for("k", u32(0), bound, (body) => body.assign(x, add(x, x)));
    expect(() => rewritten(code)).toThrowError(REFUSED);
  });

  test("a loop bound that takes no statements may be a variable, and one that takes some may be fixed", () => {
    const code = new Code(new Names());
    const end = code.var("end", u32(2));
    code.assign(end, u32(3));
    code.for("k", u32(0), end, (body) => body.assign(end, end));
    const wide = (name: string): Expr => cast("u64", param(name, "u32"));
    const fixed = cast("u32", binary("div", code.let("n", wide("n")), wide("m")));
    code.for("l", u32(0), fixed, (body) => body.assign(end, end));
    expect(() => rewritten(code)).not.toThrow();
  });

  test("a vec4 of bits is not taken for one of its name in another block", () => {
    const program = [7, 8].map((kind) => ({ kind, op: 0, inner: [] }));
    compare("f16", program, [1, 2, 3], BITS);
  });

  test("words have names where they can change, or are read again", () => {
    const code = new Code(new Names(["seed", "x"]), true);
    const x = { space: "storage", name: "x", type: "u64" } as const;
    const a = code.var("a", seed);
    const b = code.let("b", a);
    const c = code.let("c", seed);
    code.let("d", seed, "argument");
    code.let("e", b);
    code.assign(a, join("u64", [word(1, a), word(0, b)]));
    const items = code.array("items", "u64", 4);
    code.store(items, u32(1), add(code.load(x, u32(3)), select(lt(b, c), b, c)));
    const calls = call("is_less", "bool", [code.load(x, u32(5)), c]);
    code.while(calls, (body) => void body.loadRow("row", x, u32(4)));
    code.while(lt(param("m", "u32"), u32(1)), () => {});
    code.storeRow(x, u32(8), [code.load(x, u32(6)), c, c, c]);
    expect(linesOfKernel(rewritten(code))).toEqual([
      ...["var a_lo seed_lo", "var a_hi seed_hi", "let b_lo a_lo", "let b_hi a_hi"],
      ...["let d_lo seed_lo argument", "let d_hi seed_hi argument"],
      ...["assign a_lo a_hi", "assign a_hi b_lo"],
      ...["array items_lo u32 4", "array items_hi u32 4", "let word_lo x[6]", "let word_hi x[7]"],
      "let which or(lt(b_hi, seed_hi), and(eq(b_hi, seed_hi), lt(b_lo, seed_lo)))",
      ...["let word_lo_2 select(which, b_lo, seed_lo)", "let word_hi_2 select(which, b_hi, seed_hi)"],
      ...["let sum add(word_lo, word_lo_2)", "store items_lo 1 sum"],
      "store items_hi 1 add(add(word_hi, word_hi_2), cast(lt(sum, word_lo)))",
      ...["let word_lo_3 x[10]", "let word_hi_3 x[11]"],
      "var goes_on is_less(word_lo_3, word_hi_3, seed_lo, seed_hi)",
      "while goes_on",
      ...["  load-row row_2 x u32 8", "  load-row row_3 x u32 12"],
      ...["  let word_lo_4 x[10]", "  let word_hi_4 x[11]"],
      "  assign goes_on is_less(word_lo_4, word_hi_4, seed_lo, seed_hi)",
      "while lt(m, 1)",
      ...["let stored_lo x[12]", "let stored_hi x[13]"],
      "store-row x 16 stored_lo stored_hi seed_lo seed_hi",
      "store-row x 20 seed_lo seed_hi seed_lo seed_hi",
    ]);
  });

  test("words pass through functions of a language, which do not combine them", () => {
    const code = new Code(new Names(["seed"]));
    const [v, w] = [code.var("v", seed), code.var("w", u32(1))];
    const moved = { fn: "broadcast", op: undefined } as never as Pick<NativeStmt, "fn" | "op">;
    code.native(v, { ...moved, value: join("u64", [word(1, v), word(0, v)]), source: add(w, u32(1)) });
    code.native(w, { ...moved, value: word(0, seed), source: undefined });
    expect(linesOfKernel(rewritten(code))).toEqual([
      ...["var v_lo seed_lo", "var v_hi seed_hi", "var w 1"],
      ...["let source add(w, 1)", "let v_next v_lo"],
      "native v_lo broadcast undefined v_hi source",
      "native v_hi broadcast undefined v_next source",
      "native w broadcast undefined seed_lo undefined",
    ]);
    code.native(v, { ...moved, op: "add", value: seed, source: undefined });
    expect(() => rewritten(code)).toThrow(REFUSED);
  });

  test("what is not there in words is refused", () => {
    const type = "u64";
    const unknown: readonly Expr[] = [
      { kind: "var", name: "none", type },
      { kind: "part", of: "none", index: 0, type },
      { kind: "load", space: "private", array: "none", index: u32(0), type },
      { kind: "builtin", builtin: "local-id", type } as never,
    ];
    for (const e of unknown) {
      const code = new Code(new Names());
      code.let("x", e);
      expect(() => rewritten(code)).toThrow(REFUSED);
    }
  });

  test("elements of other types stay as they are", () => {
    const code = new Code(new Names());
    code.stmts.push({
      kind: "store",
      space: "storage",
      array: "s",
      index: u32(0),
      value: u32(1),
      memory: "u16",
    });
    expect(rewritten(code, { buffers: [bufferWith("s", "output", "u16")] }).kernels[0]?.body).toEqual(
      code.stmts,
    );
    const native = having("f16", "f64");
    const from = load("storage", "d", "f64", u32(0));
    const casts = new Code(new Names());
    casts.store({ space: "storage", name: "h", type: "f16" }, u32(0), cast("f16", from));
    expect(rewritten(casts, {}, native).kernels[0]?.body).toEqual(casts.stmts);
  });

  test("other sums read those of halves without a guard, unless compilers may omit conversions", () => {
    for (const halfConversions of [undefined, "exact", "apart"] as const) {
      const module = moduleOf("f16", [{ kind: 0, op: 0, inner: [] }]);
      const device = { ...capabilities, ...(halfConversions && { halfConversions }) };
      const { kernels, functions } = legaliseTypes(module, { capabilities: device });
      for (const { body } of [kernels[0] as Kernel, functions[0] as Fn])
        expect(usesOfBlock(body).calls.has(HALF_NAMES.sum)).toBe(halfConversions !== "apart");
    }
  });

  test("functions read halves in the form of arrays", () => {
    const value = load("storage", "h", "f16", u32(0));
    const fn: Fn = { ...twice("f16"), body: [{ kind: "return", values: [value] }] };
    const { functions } = rewritten(new Code(new Names()), { functions: [fn] }, BITS);
    const loads = [...allExprs(functions[0]?.body ?? [])].filter(({ kind }) => kind === "load");
    expect(loads).toEqual([{ ...load("storage", "h", "u32", u32(0)), memory: "u16" }]);
  });

  test("functions of work-groups take and return words", () => {
    const code = new Code(new Names(["x", "h", "lanes_lo", "lanes", "halves"]));
    const lanes = { space: "work-group", name: "lanes", type: "u64" } as const;
    const halves = { space: "work-group", name: "halves", type: "f16" } as const;
    const [x, h, at] = (["x:u64", "h:f16", "lanes_lo:u32"] as const).map((one): VarExpr => {
      const [name, type] = one.split(":") as [string, Scalar];
      return { kind: "var", name, type };
    }) as [VarExpr, VarExpr, VarExpr];
    code.let("lanes_hi", at);
    code.store(lanes, at, x);
    code.store(halves, at, h);
    code.store(halves, at, code.load(halves, u32(0)));
    const fn: GroupFn = {
      ...{ name: "g", doc: [], workGroupSize: 1, returns: "u64", width: 2 },
      params: [x, h, at].map(({ name, type }) => ({ name, type })),
      shared: [lanes, halves].map(({ name, type }) => ({ name, type, length: 1 })),
      body: [...code.stmts, { kind: "return", values: [x, code.load(lanes, at)] }],
    };
    const { params, returns, width, shared, body } = legaliseGroupFn(fn, BITS);
    expect(linesOf(body)).toEqual([
      ...["let lanes_hi lanes_lo", "store lanes_lo_2 lanes_lo x.0", "store lanes_hi_2 lanes_lo x.1"],
      ...["store halves lanes_lo h", "store halves lanes_lo halves[0]"],
      ...["let word_lo lanes_lo_2[lanes_lo]", "let word_hi lanes_hi_2[lanes_lo]"],
      "return x.0 x.1 word_lo word_hi",
    ]);
    const parts = [...allExprs(body)].filter(({ kind }) => kind === "part");
    expect(new Set(parts.map(({ type }) => type))).toEqual(new Set(["u32"]));
    expect(params).toEqual([
      { name: "x", type: "u32", width: 2 },
      { name: "h", type: "f32" },
      { name: "lanes_lo", type: "u32" },
    ]);
    expect({ returns, width }).toEqual({ returns: "u32", width: 4 });
    const arrays = [
      ["lanes_lo_2", "u32"],
      ["lanes_hi_2", "u32"],
      ["halves", "f32"],
    ];
    expect(shared).toEqual(arrays.map(([name, type]) => ({ name, type, length: 1 })));
    const half = { ...fn, returns: "f16", width: 1, body: [] } as const;
    expect(legaliseGroupFn(half, BITS)).toMatchObject({ returns: "f32", width: 1 });
  });

  test("a module of native types is unchanged", () => {
    const params = [{ name: "n", type: "u32", role: "length" }] as const;
    const module = moduleWith([kernelWith(stmtsOf((code) => void code.let("one", u32(1))))], { params });
    expect(legaliseTypes(module, { capabilities })).toBe(module);
    expect(itemsLimit(module, capabilities)).toBe(capabilities.maxItems);
  });

  test("indexes of words limit the items to half of those of u32", () => {
    const limit = (type: Type): number => itemsLimit(moduleOf(type, []), capabilities);
    expect(TYPES.map(limit)).toEqual([2 ** 31, 2 ** 31, capabilities.maxItems, 2 ** 31]);
    expect(itemsLimit(moduleOf("i64", []), { ...capabilities, maxItems: 1000 })).toBe(1000);
  });
});
