/** The values of index arithmetic in a kernel, as polynomials in the sizes of a run. */
import { type Formula, type FormulaOp, SIDES } from "@groupwise/ir/base/formula.js";
import type { BinaryExpr, Expr } from "../language/expr.ts";
import { EVERYTHING, intervalIn } from "../language/interval.ts";
import type { Memory } from "../language/memory.ts";
import type { Module } from "../language/module.ts";
import type { LoadRowStmt } from "../language/stmt.ts";
import { constantOf, dividedBy, keyOf, type Linear, minus, numberIn, plus, times } from "./linear.ts";
import { LONG, type Prover, quotientKey } from "./prover.ts";

const LESS_ONE = constantOf(-1);

/** x < y, as what is at least 0. */
export const below = (x: Linear, y: Linear): Linear => plus(minus(y, x), LESS_ONE);

/** A bool: what is at least 0 where it is true, and where it is false. */
export interface Condition {
  readonly ifSo: readonly Linear[];
  readonly ifNot: readonly Linear[];
  /** Its value, if that is known. */
  readonly decided?: boolean | undefined;
  /** Equal for equal conditions. */
  readonly key: string;
}

type Op = FormulaOp | BinaryExpr["op"];

/** a / k + (a % k != 0), which does not wrap where a + k - 1 does. */
function ceilOf({ op, left, right }: BinaryExpr): BinaryExpr | undefined {
  if (op !== "add" || left.kind !== "binary" || left.op !== "div" || right.kind !== "cast") return undefined;
  const { of } = right;
  if (of.kind !== "binary" || of.op !== "ne" || of.left.kind !== "binary" || of.left.op !== "rem")
    return undefined;
  const isSame = JSON.stringify([of.left.left, of.left.right]) === JSON.stringify([left.left, left.right]);
  return isSame ? left : undefined;
}

/** Values of a kernel's variables where statements are read in order. */
export class Indexes {
  private readonly module: Pick<Module, "params">;
  private readonly prover: Prover;
  /** Of variables of u32 and of bool. */
  private numbers = new Map<string, Linear>();
  private readonly rows = new Map<string, Memory | undefined>();
  private readonly conditions = new Map<string, Condition>();
  /** The product of the sides, if there are several. */
  private readonly items: { readonly name: string; readonly value: Linear } | undefined;
  private unknowns = 0;

  constructor(module: Pick<Module, "params">, prover: Prover) {
    this.module = module;
    this.prover = prover;
    const sizes = module.params.filter(({ role }) => role === "size");
    const n = module.params.find(({ role }) => role === "length");
    const product = sizes.reduce((all, { name }) => times(all, this.param(name)), constantOf(1));
    if (n && sizes.length > 0) this.items = { name: n.name, value: product };
  }

  /** Names the value of a variable from here on. */
  set(name: string, value: Expr): void {
    if (value.type === "u32") this.numbers.set(name, this.number(value));
    if (value.type === "bool") this.conditions.set(name, this.condition(value));
  }
  /** What the parts of a row are in memory. */
  setRow({ name, memory }: LoadRowStmt): void {
    this.rows.set(name, memory);
  }
  setNumber(name: string, value: Linear): void {
    this.numbers.set(name, value);
  }
  /** From here on nothing is known of variables. */
  forget(names: Iterable<string>): void {
    for (const name of names) {
      this.conditions.delete(name);
      this.numbers.set(name, this.unknown());
    }
  }
  /** Runs, and then has the values from before. */
  restoring(run: () => void): void {
    const before = new Map(this.numbers);
    run();
    this.numbers = before;
  }

  unknown(isData: boolean = false): Linear {
    return this.prover.define(`unknown ${this.unknowns++}`, { kind: isData ? "data" : "unknown" });
  }
  builtin(name: string): Linear {
    return this.prover.define(`builtin ${name}`);
  }
  param(name: string): Linear {
    if (name === this.items?.name) return this.items.value;
    const isData = this.module.params.find((one) => one.name === name)?.role === "user";
    return this.prover.define(`param ${name}`, { kind: isData ? "data" : "unknown" });
  }

  /** The value of a formula of hosts. */
  formula(f: Formula): Linear {
    if (typeof f === "number") return constantOf(f);
    if (typeof f === "string") {
      const dimension = f === "n" ? undefined : SIDES.indexOf(f);
      return this.launch(f === "n" ? "length" : "size", { dimension });
    }
    if ("param" in f) return this.param(f.param);
    if ("length" in f) return this.launch("table-length", { table: f.length });
    const [a, b] = f.args.map((arg) => this.formula(arg)) as [Linear, Linear];
    return this.combined(f.op, a, b);
  }
  private launch(
    role: string,
    { dimension, table }: { dimension?: number | undefined; table?: string },
  ): Linear {
    const found = this.module.params.find(
      (one) => one.role === role && one.dimension === dimension && one.table === table,
    );
    return found ? this.param(found.name) : constantOf(1);
  }

  /** The value of a u32. */
  number(e: Expr): Linear {
    switch (e.kind) {
      case "const":
        return constantOf(Number(e.value));
      case "param":
        return this.param(e.name);
      case "builtin":
        return this.builtin(e.builtin);
      case "var":
        return this.numbers.get(e.name) ?? this.prover.define(`variable ${e.name}`);
      case "binary": {
        if (e.left.type !== "u32") break;
        const ceil = ceilOf(e);
        const { op, left, right } = ceil ?? e;
        return this.combined(ceil ? "ceil-div" : op, this.number(left), this.number(right));
      }
      case "select":
        return this.selected(this.condition(e.condition), e.then, e.otherwise);
      case "cast":
        if (e.of.type !== "bool") break;
        return this.prover.define(`one if ${this.condition(e.of).key}`, undefined, [constantOf(1)]);
      case "load":
      case "part": {
        const memory = e.kind === "load" ? e.memory : this.rows.get(e.of);
        const [, most] = intervalIn(memory);
        if (most === EVERYTHING[1]) break;
        return this.prover.define(`narrow ${this.unknowns++}`, undefined, [constantOf(most)]);
      }
      default:
        break;
    }
    return this.unknown(e.kind !== "load" || e.space === "storage");
  }

  private selected({ decided, ifSo, ifNot, key }: Condition, then: Expr, otherwise: Expr): Linear {
    if (decided !== undefined) return this.number(decided ? then : otherwise);
    const a = this.prover.knowing(ifSo, () => this.number(then));
    const b = this.prover.knowing(ifNot, () => this.number(otherwise));
    return this.prover.define(`${key} ? ${keyOf(a)} : ${keyOf(b)}`, { kind: "select", a, b, ifSo, ifNot });
  }

  /** An operation, in whole numbers. Numbers of the data may wrap, so that of their sums and products nothing is known. */
  private combined(op: Op, a: Linear, b: Linear): Linear {
    const key = `${op} ${keyOf(a)}, ${keyOf(b)}`;
    const isData = this.prover.hasData(a) || this.prover.hasData(b);
    const y = numberIn(b);
    const isArithmetic = op === "add" || op === "mul" || op === "sub" || op === "shl";
    if (isArithmetic && isData) return this.prover.define(key, { kind: "data" });
    switch (op) {
      case "add":
        return plus(a, b);
      case "mul":
        return times(a, b);
      case "sub": {
        const fits = y === 1 ? this.prover.isPositive(a) : this.prover.atMost(b, a);
        return fits ? minus(a, b) : this.prover.define(key);
      }
      case "shl":
        return y === undefined ? this.prover.define(key) : times(a, constantOf(2 ** y));
      case "shr":
        return y === undefined
          ? this.prover.define(key, undefined, [a])
          : this.quotient(a, constantOf(2 ** y));
      case "div":
      case "floor-div":
        return this.quotient(a, b);
      case "ceil-div":
        return this.quotient(plus(a, plus(b, LESS_ONE)), b);
      case "rem":
        if (y) return this.remainder(a, y);
        return this.prover.define(key, undefined, this.prover.isPositive(b) ? [a, plus(b, LESS_ONE)] : [a]);
      case "and":
        return this.masked(a, y) ?? this.prover.define(key, undefined, [a, b]);
      case "min":
      case "max": {
        const [less, more] = op === "min" ? [a, b] : [b, a];
        if (this.prover.atMost(a, b)) return less;
        return this.prover.atMost(b, a) ? more : this.prover.define(key, { kind: op, a, b });
      }
      default:
        return this.prover.define(key);
    }
  }

  private quotient(of: Linear, by: Linear): Linear {
    const y = numberIn(by);
    if (y && [...of.values()].every((coefficient) => coefficient % y === 0))
      return new Map([...of].map(([monomial, coefficient]) => [monomial, coefficient / y]));
    const [x, inner] = [numberIn(of), this.prover.quotientOf(of)];
    if (y && x !== undefined) return constantOf(Math.floor(x / y));
    const first = inner && numberIn(inner.by);
    if (y && inner && first !== undefined) return this.quotient(inner.of, constantOf(first * y));
    const parts = { of, by };
    if (!this.prover.isPositive(by)) return this.prover.define(quotientKey(parts), undefined, [of]);
    const value = this.prover.define(quotientKey(parts), { kind: "quotient", ...parts });
    // A coordinate of an item.
    const along = this.items && y === undefined ? dividedBy(this.items.value, by) : undefined;
    if (this.items && along && this.prover.atMost(plus(of, constantOf(1)), this.items.value, LONG))
      this.prover.here(below(value, along));
    return value;
  }

  private remainder(a: Linear, y: number): Linear {
    return minus(a, times(this.quotient(a, constantOf(y)), constantOf(y)));
  }

  /** The bits of a mask, if they are consecutive. */
  private masked(a: Linear, y: number | undefined): Linear | undefined {
    if (!y) return y === 0 ? constantOf(0) : undefined;
    if (this.prover.hasData(a)) return undefined;
    const low = y - (y & (y - 1));
    const isWhole = low > 0 && Number.isInteger(Math.log2(y / low + 1));
    return isWhole ? minus(this.remainder(a, low + y), this.remainder(a, low)) : undefined;
  }

  /** The value of a bool. */
  condition(e: Expr): Condition {
    switch (e.kind) {
      case "const":
        return { ifSo: [], ifNot: [], decided: e.value === true, key: String(e.value) };
      case "var":
        return this.conditions.get(e.name) ?? { ifSo: [], ifNot: [], key: `variable ${e.name}` };
      case "unary": {
        if (e.op !== "not") break;
        const { ifSo, ifNot, decided, key } = this.condition(e.of);
        return {
          ifSo: ifNot,
          ifNot: ifSo,
          decided: decided === undefined ? undefined : !decided,
          key: `not ${key}`,
        };
      }
      case "binary":
        if (e.left.type === "u32") return comparison(e.op, this.number(e.left), this.number(e.right));
        if (e.left.type === "bool" && (e.op === "and" || e.op === "or")) return this.both(e);
        break;
      default:
        break;
    }
    return { ifSo: [], ifNot: [], key: `unknown ${this.unknowns++}` };
  }

  private both({ op, left, right }: BinaryExpr): Condition {
    const a = this.condition(left);
    // The right side counts only where the left side does not decide.
    const b = this.prover.knowing(op === "and" ? a.ifSo : a.ifNot, () => this.condition(right));
    const key = `${a.key} ${op} ${b.key}`;
    return op === "and"
      ? { ifSo: [...a.ifSo, ...b.ifSo], ifNot: [], key }
      : { ifSo: [], ifNot: [...a.ifNot, ...b.ifNot], key };
  }
}

function comparison(op: BinaryExpr["op"], a: Linear, b: Linear): Condition {
  const [less, more] = [[below(a, b)], [below(b, a)]];
  const [upTo, from] = [[minus(b, a)], [minus(a, b)]];
  // Of a number that is not 0 it is known that it is at least 1.
  const unequal = numberIn(b) === 0 ? more : [];
  const both = [...upTo, ...from];
  const table: Partial<Record<Op, readonly [readonly Linear[], readonly Linear[]]>> = {
    lt: [less, from],
    ge: [from, less],
    gt: [more, upTo],
    le: [upTo, more],
    eq: [both, unequal],
    ne: [unequal, both],
  };
  const [ifSo, ifNot] = table[op] ?? [[], []];
  const isFalse = (sum: Linear): boolean => (numberIn(sum) ?? 0) < 0;
  const isKnown = numberIn(a) !== undefined && numberIn(b) !== undefined && table[op] !== undefined;
  const decided = isKnown ? (op === "ne" ? both.some(isFalse) : !ifSo.some(isFalse)) : undefined;
  return { ifSo, ifNot, decided, key: `${keyOf(a)} ${op} ${keyOf(b)}` };
}
