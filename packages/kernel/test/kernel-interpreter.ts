/** Runs one work-group of a kernel in JavaScript: the lanes take turns, and meet at barriers. */

import { evaluate } from "@groupwise/ir/base/formula.js";
import { bitcastValue, castValue, wordOf } from "@groupwise/ir/tables/convert-value.js";
import { BINARY, UNARY } from "@groupwise/ir/tables/expr-op.js";
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { BinaryExpr, Builtin, Expr } from "../src/language/expr.ts";
import { zeroOf } from "../src/language/make-expr.ts";
import { mapParts, partsOf } from "../src/language/map-expr.ts";
import { memoryOf, unitsOf, valueIn } from "../src/language/memory.ts";
import type { Buffer, Fn, Kernel, Module } from "../src/language/module.ts";
import type { Intrinsic, IntrinsicStmt, Stmt } from "../src/language/stmt.ts";

type Store = Map<string, ScalarValue[]>;
/** What a lane waits for: all to come, a value of another lane of its subgroup, or a condition of all of these. */
type Wait = "barrier" | Exchange;
interface Exchange {
  readonly kind: string;
  /** By how much the lanes of a pair differ. */
  readonly by?: number;
  readonly value: ScalarValue;
  /** The number of the lane that answers; undefined where all do. */
  readonly from?: number;
  /** How the values of 32 lanes are combined. */
  readonly both?: (a: ScalarValue, b: ScalarValue) => ScalarValue;
}

export interface GroupRun {
  /** Work-items that really come; the kernel's `workGroupSize` is the most. */
  readonly size: number;
  /** Work-items of a subgroup; 1 without shuffles. */
  readonly subgroupSize?: number;
  /** The group's number, 0 when not given. */
  readonly group?: number;
  /** Device memory by name. */
  readonly storage: Record<string, ScalarValue[]>;
  readonly functions?: readonly Fn[];
  /** Functions that a language spells itself. */
  readonly own?: Readonly<Record<string, (...args: number[]) => number>>;
  readonly params?: Readonly<Record<string, ScalarValue>>;
  /** True: a device that flushes subnormal operands and results of sums, differences and products of f32 to zeros of their sign. */
  readonly flushes?: boolean;
  /** True: a compiler without vectors. */
  readonly lacksVectors?: boolean;
}

const LEAST_NORMAL = 2 ** -126;
const flushed = (x: number): number => (Math.abs(x) < LEAST_NORMAL ? 0 * x : x);

/** The same 32 bits as a word and as a float. */
const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** What the written JavaScript calls. */
const HELPERS = {
  BINARY,
  UNARY,
  bitcastValue,
  castValue,
  wordOf,
  index(array: readonly ScalarValue[], at: number): number {
    if (!(at < array.length)) throw new RangeError(`index ${at} of ${array.length}`);
    return at;
  },
  /** An element that something wrote. */
  element(array: readonly ScalarValue[], at: number): ScalarValue {
    const value = array[HELPERS.index(array, at)];
    if (value === undefined)
      throw new RangeError(`element ${at} of ${array.length} is read, and nobody wrote it`);
    return value;
  },
  /** A sum that is said to be in range must not wrap. */
  inRange(a: ScalarValue, b: ScalarValue): number {
    if (Number(a) + Number(b) >= 2 ** 32) throw new RangeError(`${a} + ${b} wraps`);
    return Number(a) + Number(b);
  },
  flushed,
  bitsOf(x: number): number {
    float[0] = x;
    return word[0] as number;
  },
  floatOf(bits: number): number {
    word[0] = bits;
    return float[0] as number;
  },
  join(type: Scalar, words: readonly ScalarValue[]): ScalarValue {
    if (type === "f16") return SCALARS.f16.fromHost(Number(words[0]) & 0xffff);
    if (words.length === 1) return bitcastValue("u32", type, words[0] as number);
    const bits = words.reduceRight<bigint>((all, part) => (all << 32n) | BigInt(part), 0n);
    return bitcastValue("u64", type, bits);
  },
  some: (a: ScalarValue, b: ScalarValue): ScalarValue => a || b,
  row: (array: readonly ScalarValue[], first: number, width: number): ScalarValue[] =>
    Array.from({ length: width }, (_, i) => HELPERS.element(array, first + i)),
  /** An operation on each element of vectors; values are the same for each. */
  each: (
    width: number,
    operands: readonly (ScalarValue | readonly ScalarValue[])[],
    apply: (...of: ScalarValue[]) => ScalarValue,
  ): ScalarValue[] =>
    Array.from({ length: width }, (_, i) =>
      apply(...operands.map((one) => (Array.isArray(one) ? one[i] : one) as ScalarValue)),
    ),
  stored(array: ScalarValue[], first: number, values: readonly ScalarValue[]): void {
    for (const [i, value] of values.entries()) array[HELPERS.index(array, first + i)] = value;
  },
};

type Written = Readonly<Partial<Record<BinaryExpr["op"], (a: string, b: string) => string>>>;
const COMPARED: Written = {
  eq: (a, b) => `(${a} === ${b})`,
  ne: (a, b) => `(${a} !== ${b})`,
  lt: (a, b) => `(${a} < ${b})`,
  le: (a, b) => `(${a} <= ${b})`,
  gt: (a, b) => `(${a} > ${b})`,
  ge: (a, b) => `(${a} >= ${b})`,
};
/** Operators in JavaScript, for what kernels compute most; the tables have the others. */
const WRITTEN: Readonly<Partial<Record<Scalar, Written>>> = {
  u32: {
    ...COMPARED,
    add: (a, b) => `(${a} + ${b} >>> 0)`,
    sub: (a, b) => `(${a} - ${b} >>> 0)`,
    mul: (a, b) => `(Math.imul(${a}, ${b}) >>> 0)`,
    and: (a, b) => `((${a} & ${b}) >>> 0)`,
    or: (a, b) => `((${a} | ${b}) >>> 0)`,
    xor: (a, b) => `((${a} ^ ${b}) >>> 0)`,
    shl: (a, b) => `(${a} << ${b} >>> 0)`,
    shr: (a, b) => `(${a} >>> ${b})`,
  },
  f32: {
    ...COMPARED,
    add: (a, b) => `Math.fround(${a} + ${b})`,
    sub: (a, b) => `Math.fround(${a} - ${b})`,
    mul: (a, b) => `Math.fround(${a} * ${b})`,
    div: (a, b) => `Math.fround(${a} / ${b})`,
  },
};

const BUILTINS: Readonly<Record<Builtin, string>> = {
  "local-id": "lane",
  "group-id": "(run.group ?? 0)",
  "group-size": "run.size",
  "subgroup-size": "(run.subgroupSize ?? 1)",
  cell: "0",
};

function literal(type: Scalar, value: unknown): string {
  const decoded = decodeLiteral(type, value);
  return typeof decoded === "bigint" ? `${decoded}n` : Object.is(decoded, -0) ? "-0" : String(decoded);
}

/** Writes the body of a kernel or of a function as JavaScript, whose variables are those of one lane. */
class Body {
  /** Names of variables that a lane has. */
  readonly names = new Set<string>();
  readonly called = new Set<string>();
  /** Arrays of the device and of the work-group that are read or written, as names of variables and what these are. */
  readonly arrays = new Map<string, string>();
  private readonly run: GroupRun;
  /** The function; a kernel has none. Lanes wait for others only in kernels. */
  private readonly fn: Fn | undefined;

  constructor(run: GroupRun, fn?: Fn) {
    this.run = run;
    this.fn = fn;
  }

  block(stmts: readonly Stmt[]): string {
    return stmts.map((stmt) => this.stmt(stmt)).join("\n");
  }

  private name(kind: "value" | "results" | "array", name: string): string {
    const own = `${kind}_${name}`;
    if (kind !== "value" || !this.fn?.params.some((param) => param.name === name)) this.names.add(own);
    return own;
  }

  private set(name: string, value: string): string {
    return `${this.name("value", name)} = ${value};`;
  }

  private wait(what: string): string {
    return this.fn ? `(() => { throw new Error("${this.fn.name} waits for others"); })()` : `yield ${what}`;
  }

  private array(space: string, name: string): string {
    if (space === "private") return this.name("array", name);
    const [variable, value] =
      space === "storage"
        ? [`storage_${name}`, `run.storage.${name}`]
        : [`shared_${name}`, `shared.get("${name}")`];
    this.arrays.set(variable, value);
    return variable;
  }

  private element(space: string, name: string, index: Expr): string {
    const array = this.array(space, name);
    return `${array}[help.index(${array}, ${this.eval(index)})]`;
  }

  private loaded(space: string, name: string, index: Expr): string {
    return `help.element(${this.array(space, name)}, ${this.eval(index)})`;
  }

  private stmt(stmt: Stmt): string {
    switch (stmt.kind) {
      case "comment":
      case "routine":
      case "results":
        return "";
      case "let":
      case "var":
      case "assign":
        return this.set(stmt.name, this.eval(stmt.value));
      case "array": {
        const zero = literal(stmt.type, zeroOf(stmt.type).value);
        return `${this.name("array", stmt.name)} = Array(${stmt.length}).fill(${zero});`;
      }
      case "choice":
        if (stmt.feature === "vectors")
          return this.block(this.run.lacksVectors ? stmt.portable : stmt.native);
        throw new Error(`no ${stmt.feature} here`);
      case "store":
        if (stmt.value.width !== undefined) {
          const of = this.array(stmt.space, stmt.array);
          return `help.stored(${of}, ${this.eval(stmt.index)}, ${this.eval(stmt.value)});`;
        }
        return `${this.element(stmt.space, stmt.array, stmt.index)} = ${this.eval(stmt.value)};`;
      case "atomic": {
        const old = this.loaded(stmt.space, stmt.array, stmt.index);
        const value = `help.BINARY.${stmt.op}.apply("${stmt.value.type}", ${old}, ${this.eval(stmt.value)})`;
        return `${this.element(stmt.space, stmt.array, stmt.index)} = ${value};`;
      }
      case "barrier":
        return `${this.wait('"barrier"')};`;
      case "uniform-load": {
        const barrier = `${this.wait('"barrier"')};`;
        return barrier + this.set(stmt.name, this.element("work-group", stmt.array, stmt.index)) + barrier;
      }
      case "prefetch":
        return `help.index(${this.array("storage", stmt.array)}, ${this.eval(stmt.index)});`;
      case "load-row": {
        const array = this.array("storage", stmt.array);
        return `${this.name("results", stmt.name)} = help.row(${array}, ${this.eval(stmt.index)}, ${stmt.width ?? 4});`;
      }
      case "store-row": {
        const array = this.array("storage", stmt.array);
        const stores = stmt.values.map((value, i) => `${array}[first + ${i}] = ${this.eval(value)};`);
        return `{ const first = help.index(${array}, ${this.eval(stmt.index)}); ${stores.join(" ")} }`;
      }
      case "atomic-load-row": {
        const results = this.name("results", stmt.name);
        return `if (${this.eval(stmt.condition)}) {
          const first = ${this.eval(stmt.index)};
          if (first % ${stmt.width} !== 0) throw new Error("a row of ${stmt.width} words begins at " + first);
          ${results} = help.row(${this.array("storage", stmt.array)}, first, ${stmt.width});
        } else ${results} = Array(${stmt.width}).fill(0);`;
      }
      case "atomic-load":
        return this.set(stmt.name, this.loaded("storage", stmt.array, stmt.index));
      case "atomic-add": {
        const before = this.name("value", stmt.name);
        const sum = `${before} + ${this.eval(stmt.value)} >>> 0`;
        const place = this.element(stmt.space, stmt.array, stmt.index);
        return `${before} = ${this.loaded(stmt.space, stmt.array, stmt.index)}; ${place} = ${sum};`;
      }
      case "atomic-store":
        return `${this.element("storage", stmt.array, stmt.index)} = ${this.eval(stmt.value)};`;
      case "intrinsic":
        return this.exchange(stmt);
      case "if":
        return `if (${this.eval(stmt.condition)}) {\n${this.block(stmt.then)}\n} else {\n${this.block(stmt.otherwise)}\n}`;
      case "for": {
        const i = this.name("value", stmt.name);
        const [from, below] = [this.eval(stmt.from), this.eval(stmt.below)];
        return `for (${i} = ${from}; ${i} < ${below}; ${i} += ${stmt.step}) {\n${this.block(stmt.body)}\n}`;
      }
      case "while":
        return `while (${this.eval(stmt.condition)}) {\n${this.block(stmt.body)}\n}`;
      case "call":
        return `${this.name("results", stmt.name)} = ${this.call(stmt.fn, stmt.args)};`;
      case "return":
        return `return [${stmt.values.map((value) => this.eval(value)).join(", ")}];`;
      default:
        throw new Error(`no ${stmt.kind} here`);
    }
  }

  private exchange({ fn, name, args, op }: IntrinsicStmt): string {
    const [value, lane = ""] = args.map((arg) => this.eval(arg));
    const how: Readonly<Record<Intrinsic, string>> = {
      "shuffle-xor": `by: ${lane}, from: lane % (run.subgroupSize ?? 1) ^ ${lane}`,
      shuffle: `by: 0, from: ${lane}`,
      ballot: "by: 0",
      "some-lane": "by: 0, both: help.some",
      "reduce-lanes": `by: 0, both: (a, b) => ${this.operation(op ?? "add", args[0]?.type as Scalar, "a", "b")}`,
    };
    return this.set(name, this.wait(`{ kind: "${fn}", value: ${value}, ${how[fn]} }`));
  }

  /** An array of the results. */
  private call(name: string, args: readonly Expr[]): string {
    const given = args.map((arg) => this.eval(arg));
    if (this.run.own?.[name]) return `[run.own.${name}(${given.join(", ")})]`;
    this.called.add(name);
    return `${name}_of(${["lane", ...given].join(", ")})`;
  }

  private binary({ op, left, right, inRange }: BinaryExpr): string {
    const [a, b] = [this.eval(left), this.eval(right)];
    if (this.run.flushes && left.type === "f32" && BINARY[op].rounds)
      return `help.flushed(${this.operation(op, "f32", `help.flushed(${a})`, `help.flushed(${b})`)})`;
    if (inRange) return `help.inRange(${a}, ${b})`;
    return this.operation(op, left.type, a, b);
  }

  private operation(op: BinaryExpr["op"], type: Scalar, a: string, b: string): string {
    return WRITTEN[type]?.[op]?.(a, b) ?? `help.BINARY.${op}.apply("${type}", ${a}, ${b})`;
  }

  /** A vector is an array. */
  private vector(e: Expr & { readonly width: number }): string {
    if (e.kind === "var") return this.name("value", e.name);
    if (e.kind === "load")
      return `help.row(${this.array(e.space, e.array)}, ${this.eval(e.index)}, ${e.width})`;
    const parts = partsOf(e);
    // Each element by the expression of values, of names that stand for its parts.
    const names = parts.map((part, i): Expr => ({ kind: "var", name: `part_${i}`, type: part.type }));
    let next = 0;
    const one = mapParts(e, () => names[next++] as Expr);
    const { width: _, ...single } = one;
    const text = this.eval(single as Expr);
    const params = names.map((_, i) => this.name("value", `part_${i}`)).join(", ");
    return `help.each(${e.width}, [${parts.map((part) => this.eval(part)).join(", ")}], (${params}) => ${text})`;
  }

  private eval(e: Expr): string {
    if (e.kind === "permute") {
      const all = [e.left, ...(e.right ? [e.right] : [])].map((one) => this.eval(one)).join(", ");
      const picked = `((of) => ${JSON.stringify(e.pattern)}.map((at) => of[at]))([${all}].flat())`;
      return e.width === undefined ? `${picked}[0]` : picked;
    }
    if (e.kind === "bits")
      return `(${this.eval(e.of)}.reduce((all, one, i) => all | (one ? 1 << i : 0), 0) >>> 0)`;
    if (e.width !== undefined) return this.vector({ ...e, width: e.width });
    switch (e.kind) {
      case "const":
        return literal(e.type, e.value);
      case "var":
        return this.name("value", e.name);
      case "builtin":
        return BUILTINS[e.builtin];
      case "load":
        return this.loaded(e.space, e.array, e.index);
      case "unary":
        return `help.UNARY.${e.op}.apply("${e.type}", ${this.eval(e.of)})`;
      case "binary":
        return this.binary(e);
      case "select":
        return `(${this.eval(e.condition)} ? ${this.eval(e.then)} : ${this.eval(e.otherwise)})`;
      case "cast":
        return `help.castValue("${e.of.type}", "${e.type}", ${this.eval(e.of)})`;
      case "bitcast": {
        const forms = `${e.of.type} ${e.type}`;
        const of = this.eval(e.of);
        if (forms === "f32 u32") return `help.bitsOf(${of})`;
        if (forms === "u32 f32") return `help.floatOf(${of})`;
        return `help.bitcastValue("${e.of.type}", "${e.type}", ${of})`;
      }
      case "param":
        return `run.params?.${e.name}`;
      case "call":
        return `${this.call(e.fn, e.args)}[0]`;
      case "part":
        return `${this.name("results", e.of)}?.[${e.index}]`;
      case "word":
        return `help.wordOf("${e.of.type}", ${this.eval(e.of)}, ${e.index})`;
      case "join":
        return `help.join("${e.type}", [${e.words.map((part) => this.eval(part)).join(", ")}])`;
    }
  }
}

type Lane = Generator<Wait, void, ScalarValue>;
type LaneMaker = (run: GroupRun, shared: Store, help: typeof HELPERS) => (lane: number) => Lane;

function written(kernel: Kernel, run: GroupRun): string {
  const bodyOf = (stmts: readonly Stmt[], fn?: Fn): string => {
    const body = new Body(run, fn);
    const text = body.block(stmts);
    for (const name of body.called) called.add(name);
    for (const [variable, value] of body.arrays) arrays.set(variable, value);
    return `{\n${body.names.size > 0 ? `let ${[...body.names].join(", ")};\n` : ""}${text}\n}`;
  };
  const called = new Set<string>();
  const arrays = new Map<string, string>();
  const texts = [`return function* (lane) ${bodyOf(kernel.body)};`];
  // A set also gives what is added while it is traversed.
  for (const name of called) {
    const at = run.functions?.findIndex((fn) => fn.name === name) ?? -1;
    const fn = run.functions?.[at];
    if (!fn) throw new Error(`there is no function ${name}`);
    const params = ["lane", ...fn.params.map((param) => `value_${param.name}`)].join(", ");
    const count = "called" in fn ? `run.functions[${at}].called();` : "";
    texts.push(`function ${name}_of(${params}) {${count} ${bodyOf(fn.body, fn)} }`);
  }
  return [...Array.from(arrays, ([variable, value]) => `const ${variable} = ${value};`), ...texts].join("\n");
}

const MADE = new WeakMap<Kernel, { readonly run: GroupRun; readonly make: LaneMaker }>();

/** The lanes of a kernel: a walk over its statements would take many times as long as the JavaScript that is written here once. */
function makerOf(kernel: Kernel, run: GroupRun): LaneMaker {
  const known = MADE.get(kernel);
  const depends = ["functions", "own", "flushes", "lacksVectors"] as const;
  if (known && depends.every((key) => known.run[key] === run[key])) return known.make;
  const make = new Function("run", "shared", "help", written(kernel, run)) as LaneMaker;
  MADE.set(kernel, { run, make });
  return make;
}

/** What work-group memory holds at first, where sums with NaN are wrapped and hide that nobody wrote it. */
const UNKNOWN: Readonly<Partial<Record<Scalar, number>>> = { i32: -559038737, u32: 0xdeadbeef };

/** @throws where lanes do not meet, or an index is outside */
export function runGroup(kernel: Kernel, run: GroupRun): void {
  const shared: Store = new Map(
    kernel.shared.map(({ name, type, length }) => [name, Array(length).fill(UNKNOWN[type] ?? Number.NaN)]),
  );
  const laneOf = makerOf(kernel, run)(run, shared, HELPERS);
  const lanes = Array.from({ length: run.size }, (_, lane) => laneOf(lane));
  const size = run.subgroupSize ?? 1;
  const next = (lane: number, answer: ScalarValue): Wait | "end" => {
    const { done, value } = (lanes[lane] as Lane).next(answer);
    return done ? "end" : (value as Wait);
  };
  const met: (Wait | "end")[] = Array(run.size).fill("barrier");
  for (;;) {
    // From the last lane to the first: who reads before a barrier finds what is not there yet.
    for (let lane = run.size - 1; lane >= 0; lane--) if (met[lane] === "barrier") met[lane] = next(lane, 0);
    // Subgroups exchange values among themselves until all of them wait for the others.
    for (let first = 0; first < run.size; first += size)
      for (;;) {
        const own = met.slice(first, first + size);
        if (own.some((wait) => !meets(wait, own[0] as Wait))) throw new Error("lanes do not meet");
        if (typeof own[0] !== "object") break;
        const answers = answersTo(own as Exchange[]);
        for (let i = own.length - 1; i >= 0; i--) met[first + i] = next(first + i, answers[i] as ScalarValue);
      }
    if (met.some((wait) => wait !== met[0])) throw new Error("lanes do not meet");
    if (met[0] === "end") return;
  }
}

/**
 * The arrays of a module over n items: those given, one for all inputs or by name, and others.
 * @param before what other arrays hold that the host does not clear; undefined: nobody may read it
 */
export function storageOf(
  { buffers }: Module,
  n: number,
  given: readonly ScalarValue[] | Readonly<Record<string, readonly ScalarValue[]>>,
  before?: number,
): Record<string, ScalarValue[]> {
  const listOf = ({ name, role }: Buffer): readonly ScalarValue[] | undefined =>
    Array.isArray(given)
      ? role === "input"
        ? given
        : undefined
      : (given as Record<string, readonly ScalarValue[]>)[name];
  const arrayOf = (buffer: Buffer): ScalarValue[] => {
    const value = buffer.cleared ? 0 : before;
    const held = value === undefined ? value : SCALARS[valueIn(memoryOf(buffer))].wrap(value);
    return Array(Math.ceil(evaluate(buffer.elements, n) * unitsOf(buffer))).fill(held);
  };
  return Object.fromEntries(buffers.map((buffer) => [buffer.name, [...(listOf(buffer) ?? arrayOf(buffer))]]));
}

/** Runs all work-groups of the kernels of a module over n items, with subgroups of 32 where none are given. */
export function runKernels(
  module: Module,
  n: number,
  run: Omit<GroupRun, "size" | "group" | "functions">,
): void {
  const known = module.params.map(({ name, role }) => [name, role === "zero" || role === "offset" ? 0 : n]);
  const params = { ...Object.fromEntries(known), ...run.params };
  const { functions } = module;
  for (const kernel of module.kernels)
    for (let group = 0; group < evaluate(kernel.groups, n); group++)
      runGroup(kernel, { subgroupSize: 32, functions, ...run, params, size: kernel.workGroupSize, group });
}

/** The functions, and how often a run calls one of them. */
export function counting(functions: readonly Fn[], name: string): { functions: Fn[]; calls: () => number } {
  let calls = 0;
  const called = (): void => void calls++;
  return {
    functions: functions.map((fn) => (fn.name === name ? Object.assign({ ...fn }, { called }) : fn)),
    calls: () => calls,
  };
}

/** Whether two lanes of a subgroup wait for the same. */
const meets = (a: Wait | "end", b: Wait | "end"): boolean =>
  typeof a === "object" && typeof b === "object" ? a.kind === b.kind && a.by === b.by : a === b;

/** What each lane of a subgroup gets, from its first one on. */
function answersTo(met: readonly Exchange[]): readonly ScalarValue[] {
  const values = met.map(({ value }) => value);
  const { from, both } = met[0] as Exchange;
  if (both) {
    const combined: ScalarValue[] = [];
    for (let first = 0; first < values.length; first += 32)
      combined.push(values.slice(first, first + 32).reduce(both));
    return values.map((_, lane) => combined[lane >> 5] as ScalarValue);
  }
  if (from === undefined) {
    const bits = values.reduce<number>((all, value, i) => (all | (Number(value) << i)) >>> 0, 0);
    return values.map(() => bits);
  }
  return met.map((wait, lane) => {
    const found = values[wait.from as number];
    if (found === undefined) throw new RangeError(`lane ${lane} has no sibling ${wait.from}`);
    return found;
  });
}
