/** Runs one work-group of a kernel in JavaScript: the lanes take turns, and meet at barriers. */

import type { Capabilities } from "../src/compiler/capabilities/capabilities.ts";
import type { BinaryExpr, Builtin, Expr } from "../src/compiler/kernel/expr.ts";
import { zeroOf } from "../src/compiler/kernel/make-expr.ts";
import type { Fn, Kernel, Module } from "../src/compiler/kernel/module.ts";
import type { Stmt } from "../src/compiler/kernel/stmt.ts";
import { lower } from "../src/compiler/lower.ts";
import { evaluate } from "../src/ir/base/formula.ts";
import type { Checked } from "../src/ir/document/check.ts";
import { bitcastValue, castValue, wordOf } from "../src/ir/tables/convert-value.ts";
import { BINARY, UNARY } from "../src/ir/tables/expr-op.ts";
import { decodeLiteral } from "../src/ir/tables/literal.ts";
import type { Scalar, ScalarValue } from "../src/ir/tables/scalar.ts";

type Store = Map<string, ScalarValue[]>;
/** What a lane waits for: all to come, a value of another lane of its subgroup, or a condition of all of these. */
type Wait = "barrier" | Exchange;
interface Exchange {
  readonly kind: string;
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
}

const LEAST_NORMAL = 2 ** -126;
const flushed = (x: ScalarValue): ScalarValue =>
  Math.abs(x as number) < LEAST_NORMAL ? 0 * (x as number) : x;

class Lane {
  private readonly values = new Map<string, ScalarValue>();
  private readonly arrays: Store = new Map();
  /** Of calls that gave several. */
  private readonly results = new Map<string, readonly ScalarValue[]>();
  /** What a function gives, once it has returned. */
  private returned: readonly ScalarValue[] | undefined;
  private readonly lane: number;
  private readonly run: GroupRun;
  private readonly shared: Store;

  constructor(lane: number, run: GroupRun, shared: Store) {
    this.lane = lane;
    this.run = run;
    this.shared = shared;
  }

  private get inSubgroup(): number {
    return this.lane % (this.run.subgroupSize ?? 1);
  }

  *block(stmts: readonly Stmt[]): Generator<Wait, void, ScalarValue> {
    for (const stmt of stmts) {
      if (this.returned) return;
      yield* this.stmt(stmt);
    }
  }

  private *stmt(stmt: Stmt): Generator<Wait, void, ScalarValue> {
    switch (stmt.kind) {
      case "comment":
      case "routine":
      case "results":
        return;
      case "let":
      case "var":
      case "assign":
        this.values.set(stmt.name, this.eval(stmt.value));
        return;
      case "array":
        this.arrays.set(
          stmt.name,
          Array(stmt.length).fill(decodeLiteral(stmt.type, zeroOf(stmt.type).value)),
        );
        return;
      case "store": {
        const array = this.array(stmt.space, stmt.array);
        array[this.index(array, stmt.index)] = this.eval(stmt.value);
        return;
      }
      case "atomic": {
        const array = this.array(stmt.space, stmt.array);
        const at = this.index(array, stmt.index);
        array[at] = BINARY[stmt.op].apply(stmt.value.type, this.element(array, at), this.eval(stmt.value));
        return;
      }
      case "barrier":
        yield "barrier";
        return;
      case "uniform-load": {
        yield "barrier";
        const array = this.array("work-group", stmt.array);
        this.values.set(stmt.name, array[this.index(array, stmt.index)] as ScalarValue);
        yield "barrier";
        return;
      }
      case "load-row": {
        const array = this.array("storage", stmt.array);
        const first = this.index(array, stmt.index);
        this.results.set(
          stmt.name,
          [0, 1, 2, 3].slice(0, stmt.width).map((i) => this.element(array, first + i)),
        );
        return;
      }
      case "store-row": {
        const array = this.array("storage", stmt.array);
        const first = this.index(array, stmt.index);
        stmt.values.forEach((value, i) => {
          array[first + i] = this.eval(value);
        });
        return;
      }
      case "atomic-load-row": {
        const array = this.array("storage", stmt.array);
        const isRead = this.eval(stmt.condition) === true;
        const first = isRead ? this.index(array, stmt.index) : 0;
        if (first % stmt.width !== 0) throw new Error(`a row of ${stmt.width} words begins at ${first}`);
        this.results.set(
          stmt.name,
          [0, 1, 2, 3].slice(0, stmt.width).map((i) => (isRead ? this.element(array, first + i) : 0)),
        );
        return;
      }
      case "atomic-load":
      case "atomic-add": {
        const array = this.array(stmt.kind === "atomic-add" ? stmt.space : "storage", stmt.array);
        const at = this.index(array, stmt.index);
        const before = this.element(array, at);
        this.values.set(stmt.name, before);
        if (stmt.kind === "atomic-add") array[at] = BINARY.add.apply("u32", before, this.eval(stmt.value));
        return;
      }
      case "atomic-store": {
        const array = this.array("storage", stmt.array);
        array[this.index(array, stmt.index)] = this.eval(stmt.value);
        return;
      }
      case "shuffle-xor": {
        const bit = Number(this.eval(stmt.bit));
        const kind = `shuffle-xor by ${bit}`;
        this.values.set(stmt.name, yield { kind, value: this.eval(stmt.value), from: this.inSubgroup ^ bit });
        return;
      }
      case "shuffle": {
        const from = Number(this.eval(stmt.from));
        this.values.set(stmt.name, yield { kind: "shuffle", value: this.eval(stmt.value), from });
        return;
      }
      case "ballot":
        this.values.set(stmt.name, yield { kind: "ballot", value: this.eval(stmt.value) });
        return;
      case "some-lane": {
        const both = (a: ScalarValue, b: ScalarValue): ScalarValue => a || b;
        this.values.set(stmt.name, yield { kind: "some-lane", value: this.eval(stmt.value), both });
        return;
      }
      case "reduce-lanes": {
        const both = (a: ScalarValue, b: ScalarValue) => BINARY[stmt.op].apply(stmt.value.type, a, b);
        const kind = `reduce-lanes by ${stmt.op}`;
        this.values.set(stmt.name, yield { kind, value: this.eval(stmt.value), both });
        return;
      }
      case "if":
        yield* this.block(this.eval(stmt.condition) ? stmt.then : stmt.otherwise);
        return;
      case "for":
        for (let i = Number(this.eval(stmt.from)); i < Number(this.eval(stmt.below)); i += stmt.step) {
          this.values.set(stmt.name, i);
          yield* this.block(stmt.body);
        }
        return;
      case "while":
        while (this.eval(stmt.condition)) yield* this.block(stmt.body);
        return;
      case "call":
        this.results.set(stmt.name, this.call(stmt.fn, stmt.args));
        return;
      case "return":
        this.returned = stmt.values.map((value) => this.eval(value));
        return;
      default:
        throw new Error(`no ${stmt.kind} here`);
    }
  }

  private call(name: string, args: readonly Expr[]): readonly ScalarValue[] {
    const own = this.run.own?.[name];
    if (own) return [own(...args.map((arg) => this.eval(arg) as number))];
    const fn = this.run.functions?.find((other) => other.name === name);
    if (!fn) throw new Error(`there is no function ${name}`);
    const inside = new Lane(this.lane, this.run, this.shared);
    fn.params.forEach((param, i) => {
      inside.values.set(param.name, this.eval(args[i] as Expr));
    });
    if (!inside.block(fn.body).next(0).done) throw new Error(`${name} waits for others`);
    return inside.returned as readonly ScalarValue[];
  }

  private array(space: string, name: string): ScalarValue[] {
    const found = {
      storage: this.run.storage[name],
      private: this.arrays.get(name),
      "work-group": this.shared.get(name),
    };
    return found[space as keyof typeof found] as ScalarValue[];
  }

  private index(array: readonly ScalarValue[], index: Expr): number {
    const at = Number(this.eval(index));
    if (at >= array.length) throw new RangeError(`index ${at} of ${array.length}`);
    return at;
  }

  /** An element that something wrote. */
  private element(array: readonly ScalarValue[], at: number): ScalarValue {
    const value = array[at];
    if (value === undefined)
      throw new RangeError(`element ${at} of ${array.length} is read, and nobody wrote it`);
    return value;
  }

  /** A sum that is said to be in range must not wrap. */
  private binary({ op, left, right, inRange }: BinaryExpr): ScalarValue {
    const [a, b] = [this.eval(left), this.eval(right)];
    if (this.run.flushes && left.type === "f32" && BINARY[op].rounds)
      return flushed(BINARY[op].apply("f32", flushed(a), flushed(b)));
    if (inRange && Number(a) + Number(b) >= 2 ** 32) throw new RangeError(`${a} + ${b} wraps`);
    return BINARY[op].apply(left.type, a, b);
  }

  private eval(e: Expr): ScalarValue {
    switch (e.kind) {
      case "const":
        return decodeLiteral(e.type, e.value) as ScalarValue;
      case "var":
        return this.values.get(e.name) as ScalarValue;
      case "builtin":
        return BUILTINS[e.builtin](this.lane, this.run);
      case "load": {
        const array = this.array(e.space, e.array);
        return this.element(array, this.index(array, e.index));
      }
      case "unary":
        return UNARY[e.op].apply(e.type, this.eval(e.of));
      case "binary":
        return this.binary(e);
      case "select":
        return this.eval(this.eval(e.condition) ? e.then : e.otherwise);
      case "cast":
        return castValue(e.of.type, e.type, this.eval(e.of));
      case "bitcast":
        return bitcastValue(e.of.type, e.type, this.eval(e.of));
      case "param":
        return this.run.params?.[e.name] as ScalarValue;
      case "call":
        return this.call(e.fn, e.args)[0] as ScalarValue;
      case "part":
        return this.results.get(e.of)?.[e.index] as ScalarValue;
      case "word":
        return wordOf(e.of.type, this.eval(e.of), e.index);
      case "join": {
        const words = e.words.map((part) => BigInt(this.eval(part) as number));
        const bits = words.reduceRight((all, part) => (all << 32n) | part, 0n);
        return words.length === 1
          ? bitcastValue("u32", e.type, Number(bits))
          : bitcastValue("u64", e.type, bits);
      }
    }
  }
}

const BUILTINS: Readonly<Record<Builtin, (lane: number, run: GroupRun) => number>> = {
  "local-id": (lane) => lane,
  "group-id": (_, { group = 0 }) => group,
  "group-size": (_, { size }) => size,
  "subgroup-size": (_, { subgroupSize = 1 }) => subgroupSize,
  cell: () => 0,
};

/** What work-group memory holds at first, where sums with NaN are wrapped and hide that nobody wrote it. */
const UNKNOWN: Readonly<Partial<Record<Scalar, number>>> = { i32: -559038737, u32: 0xdeadbeef };

/** @throws where lanes do not meet, or an index is outside */
export function runGroup(kernel: Kernel, run: GroupRun): void {
  const shared: Store = new Map(
    kernel.shared.map(({ name, type, length }) => [name, Array(length).fill(UNKNOWN[type] ?? Number.NaN)]),
  );
  const lanes = Array.from({ length: run.size }, (_, lane) => new Lane(lane, run, shared).block(kernel.body));
  const size = run.subgroupSize ?? 1;
  const next = (lane: number, answer: ScalarValue): Wait | "end" => {
    const { done, value } = (lanes[lane] as Generator<Wait, void, ScalarValue>).next(answer);
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
        if (own.some((wait) => kindOf(wait) !== kindOf(own[0] as Wait))) throw new Error("lanes do not meet");
        if (typeof own[0] !== "object") break;
        const answers = own.map((wait, i) => answerTo(own, i, wait as Exchange));
        for (let i = own.length - 1; i >= 0; i--) met[first + i] = next(first + i, answers[i] as ScalarValue);
      }
    if (met.some((wait) => wait !== met[0])) throw new Error("lanes do not meet");
    if (met[0] === "end") return;
  }
}

/** Runs all work-groups of the kernels of a module over n items, with subgroups of 32. */
export function runKernels(
  module: Module,
  n: number,
  run: Pick<GroupRun, "storage" | "own" | "flushes">,
): void {
  const params = Object.fromEntries(module.params.map(({ name, role }) => [name, role === "zero" ? 0 : n]));
  const { functions } = module;
  for (const kernel of module.kernels)
    for (let group = 0; group < evaluate(kernel.groups, n); group++)
      runGroup(kernel, { functions, ...run, params, size: kernel.workGroupSize, group, subgroupSize: 32 });
}

/** The outputs of a pipeline with one input, x, by name. */
export function resultsOf(
  checked: Checked,
  capabilities: Capabilities,
  x: readonly number[],
  flushes: boolean = false,
): Record<string, ScalarValue[] | undefined> {
  const { module } = lower(checked, capabilities);
  const n = x.length;
  const storage = Object.fromEntries(
    module.buffers.map(({ name, role, elements, cleared }): [string, ScalarValue[]] => [
      name,
      // Other arrays hold nothing until a kernel writes it.
      role === "input" ? [...x] : Array(evaluate(elements, n)).fill(cleared ? 0 : undefined),
    ]),
  );
  runKernels(module, n, { storage, flushes });
  return Object.fromEntries(checked.sinks.map(({ name }) => [name, storage[name]]));
}

/** The functions, and how often a run calls one of them. */
export function counting(functions: readonly Fn[], name: string): { functions: Fn[]; calls: () => number } {
  let calls = 0;
  const find = (is: (fn: Fn) => boolean): Fn | undefined => {
    const found = functions.find(is);
    if (found?.name === name) calls++;
    return found;
  };
  return { functions: Object.assign([...functions], { find }) as Fn[], calls: () => calls };
}

const kindOf = (wait: Wait | "end"): string => (typeof wait === "string" ? wait : wait.kind);

/** @param met the lanes of the subgroup, from its first one on */
function answerTo(met: readonly (Wait | "end")[], lane: number, { from, both }: Exchange): ScalarValue {
  const values = met.map((wait) => (wait as Exchange).value);
  if (both) {
    const first = 32 * Math.floor((lane % met.length) / 32);
    return values.slice(first, first + 32).reduce(both);
  }
  if (from === undefined)
    return values.reduce<number>((bits, value, i) => (bits | (Number(value) << i)) >>> 0, 0);
  const found = values[from];
  if (found === undefined) throw new RangeError(`lane ${lane} has no sibling ${from}`);
  return found;
}
