/** Random trees of float operators, many in one pipeline: each is a function of an item's inputs. */
import type { Literal, Op, Pipeline, PipelineNode, Scalar } from "@groupwise/core";
import { type BinaryOp, encodeLiteral, isElementary, type NewNode, OPS } from "@groupwise/core/target";
import { type Random, randomOf } from "../../data/random.ts";
import { NodeBuilder, weighted } from "./builder.ts";
import type { CaseRun } from "./case.ts";
import { type Float, temptingConstant } from "./constants.ts";
import { randomFunction } from "./functions.ts";

/** Trees that share inputs; `roots` are the nodes of their results. The nodes hold no output. */
export interface Trees {
  readonly type: Float;
  readonly nodes: readonly PipelineNode[];
  readonly roots: readonly number[];
  readonly workGroupSize: readonly number[];
  readonly run: CaseRun;
}

const DEPTH = 8;
const ITEMS = 96;
const GROUP = 32;
/** Types that trees of a float type pass through; 64-bit integers are slow to compile where they are emulated. */
const THROUGH: Readonly<
  Record<Float, { readonly ints: readonly Scalar[]; readonly floats: readonly Float[] }>
> = {
  f16: { ints: ["i32", "u32"], floats: ["f32"] },
  f32: { ints: ["i32", "u32"], floats: ["f16"] },
  f64: { ints: ["i64", "u64", "i32", "u32"], floats: ["f32"] },
};
const SAME_BITS: Readonly<Record<Float, readonly Scalar[]>> = {
  f16: [],
  f32: ["u32", "i32"],
  f64: ["u64", "i64"],
};
const COMPARE: readonly BinaryOp[] = ["eq", "ne", "lt", "le", "gt", "ge"];

/**
 * The first `count` trees of the seeds, which determine them.
 * @param collectives the number of collectives that may be between them
 */
export function treesOf(
  type: Float,
  count: number,
  collectives: number,
  ...seeds: (string | number)[]
): Trees {
  const grower = new Grower(type, randomOf("expressions", type, ...seeds), collectives);
  const roots = Array.from({ length: count }, () => grower.tree());
  return {
    type,
    nodes: grower.builder.list.nodes,
    roots,
    workGroupSize: [GROUP],
    run: { seed: ["data", ...seeds].join(" "), globalSize: [ITEMS], params: grower.params },
  };
}

class Grower {
  readonly builder = new NodeBuilder();
  readonly params: Readonly<Record<string, Literal>>;
  private readonly leaves: number[];
  private readonly pool = new Map<Scalar, number[]>();
  private readonly whole: number;
  /** Nodes that the tree may still have. */
  private budget = 0;
  private readonly type: Float;
  private readonly random: Random;
  private collectives: number;
  /** Only some pipelines have functions, because some targets have few. */
  private readonly functions: boolean;

  constructor(type: Float, random: Random, collectives: number) {
    this.type = type;
    this.random = random;
    this.collectives = collectives;
    this.functions = random.chance(0.5);
    const { builder } = this;
    this.leaves = ["x", "y", "z"].map((name) => builder.add(type, { kind: "input", name, type }));
    this.leaves.push(builder.add(type, { kind: "param", name: "p", type }));
    this.whole = builder.add("u32", { kind: "input", name: "k", type: "u32" });
    this.params = { p: temptingConstant(type, random) };
  }

  tree(): number {
    this.budget = this.random.int(3, 24);
    this.pool.clear();
    // A tree of one leaf tests nothing.
    const root = this.float(this.type, this.random.int(2, DEPTH), true);
    return root;
  }

  private keep(type: Scalar, id: number): number {
    const list = this.pool.get(type) ?? [];
    list.push(id);
    this.pool.set(type, list);
    return id;
  }

  private binary(op: BinaryOp, left: number, right: number): number {
    const type = COMPARE.includes(op) ? "bool" : (this.builder.types[left] as Scalar);
    return this.keep(type, this.builder.add(type, { kind: "binary", op, left, right }));
  }

  private constant(type: Float, value: Literal = temptingConstant(type, this.random)): number {
    return this.builder.add(type, { kind: "const", type, value });
  }

  private leaf(type: Float): number {
    const { random, builder } = this;
    if (random.chance(0.3)) return this.constant(type);
    if (type === this.type) return random.pick(this.leaves);
    return builder.add(type, { kind: "cast", to: type, of: random.pick(this.leaves) });
  }

  private float(type: Float, depth: number, isRoot: boolean = false): number {
    const { random, builder } = this;
    this.budget -= 1;
    if (!isRoot && (depth <= 0 || this.budget <= 0 || random.chance(0.12))) return this.leaf(type);
    const below = (): number => this.float(type, depth - 1);
    const make = weighted<() => number>(random, [
      [5, () => this.binary(random.pick(["add", "sub", "mul"]), below(), below())],
      [0.5, () => this.binary("absdiff", below(), below())],
      [4, () => this.tempting(type, depth - 1)],
      [0.6, () => this.binary("div", below(), below())],
      [0.8, () => this.binary(random.pick(["min", "max"]), below(), below())],
      [1, () => builder.add(type, { kind: "unary", op: random.pick(["neg", "abs"]), of: below() })],
      [1, () => this.select(type, depth - 1)],
      [this.functions ? 1.2 : 0, () => this.function(type, depth - 1)],
      [0.5, () => this.fromInteger(type, depth - 1)],
      [0.25, () => this.fromFloat(type, depth - 1)],
      [1, () => this.again(type) ?? this.leaf(type)],
      [this.collectives > 0 && type === this.type ? 0.5 : 0, () => this.collective(type, depth - 1)],
    ]);
    return this.keep(type, make());
  }

  private function(type: Float, depth: number): number {
    const operand = (wanted: Scalar): number =>
      wanted === type ? this.float(type, depth) : this.integer(wanted, type, depth, false);
    // The bodies of elementary functions have no operation that rounds, and hide the roundings of their operands.
    const made = randomFunction(this.random, type, [type], operand, (op) => !isElementary(op));
    return made ? this.builder.add(type, made.node) : this.leaf(type);
  }

  private again(type: Scalar): number | undefined {
    const list = this.pool.get(type);
    return list && list.length > 0 ? this.random.pick(list) : undefined;
  }

  /** Forms for which an optimiser has a shorter form that rounds differently or loses a sign. */
  private tempting(type: Float, depth: number): number {
    const { random } = this;
    const a = this.float(type, depth);
    const b = random.chance(0.5) ? a : this.float(type, depth - 1);
    const c = this.constant(type);
    const d = random.chance(0.7) ? c : this.constant(type);
    const zero = this.constant(type, random.chance(0.5) ? 0 : "-0");
    const op = (name: BinaryOp, left: number, right: number): number => this.binary(name, left, right);
    const forms: (() => number)[] = [
      () => op("sub", op("add", a, c), d),
      () => op("add", op("sub", a, c), d),
      () => op("sub", op("add", c, a), d),
      () => op("sub", op("sub", c, a), d),
      () => op("sub", c, op("sub", d, a)),
      () => op("add", op("add", a, c), op("sub", b, d)),
      () => op("sub", op("add", a, b), a),
      () => op("sub", a, b),
      () => op("absdiff", op("add", a, c), d),
      () => op("sub", op("mul", a, a), op("mul", b, b)),
      () => op("add", op("mul", a, b), this.leaf(type)),
      () => op("sub", this.leaf(type), op("mul", a, c)),
      () => op("add", op("mul", a, c), op("mul", a, d)),
      () => op("mul", op("mul", a, c), d),
      () => op("div", op("mul", a, c), d),
      () => op("mul", op("add", a, c), d),
      () => op("sub", zero, a),
      () => op("sub", a, zero),
      () => op("add", a, zero),
      () => op("mul", a, zero),
      () => op("sub", op("sub", zero, a), zero),
      () => this.builder.add(type, { kind: "unary", op: "neg", of: op("sub", a, b) }),
      () => this.builder.add(type, { kind: "unary", op: "abs", of: op("sub", a, b) }),
      () => this.choose(op("lt", a, b), a, b),
      () => this.choose(op("eq", a, a), a, c),
      () => this.choose(op("ne", a, zero), a, zero),
      () => op("min", op("max", a, c), d),
      () => op("add", this.asFloat(type, 0), a),
      () => op("sub", this.asFloat(type, 0), this.asFloat(type, 0)),
      () => op("div", a, c),
      () => op("mul", a, op("div", this.constant(type, 1), b)),
    ];
    return random.pick(forms)();
  }

  /** A cast of a constant: constant folding must keep signs of zero. */
  private asFloat(type: Float, value: number): number {
    const of = this.builder.add("u32", { kind: "const", type: "u32", value });
    return this.builder.add(type, { kind: "cast", to: type, of });
  }

  private choose(condition: number, then: number, otherwise: number): number {
    const type = this.builder.types[then] as Scalar;
    return this.builder.add(type, { kind: "select", condition, then, otherwise });
  }

  private select(type: Float, depth: number): number {
    return this.choose(this.condition(type, depth - 1), this.float(type, depth), this.float(type, depth));
  }

  private condition(type: Float, depth: number): number {
    const { random, builder } = this;
    if (depth > 0 && random.chance(0.25)) {
      const [left, right] = [this.condition(type, depth - 1), this.condition(type, depth - 1)];
      const op = random.pick(["and", "or", "xor", "eq", "ne"] as const);
      return builder.add("bool", { kind: "binary", op, left, right });
    }
    if (random.chance(0.1))
      return builder.add("bool", { kind: "cast", to: "bool", of: this.float(type, depth) });
    if (random.chance(0.1))
      return builder.add("bool", { kind: "unary", op: "not", of: this.condition(type, depth - 1) });
    return this.binary(random.pick(COMPARE), this.float(type, depth), this.float(type, depth));
  }

  private fromFloat(type: Float, depth: number): number {
    const through = type === this.type ? this.random.pick(THROUGH[type].floats) : this.type;
    return this.builder.add(type, { kind: "cast", to: type, of: this.float(through, depth) });
  }

  private fromInteger(type: Float, depth: number): number {
    const { random, builder } = this;
    const [same] = [SAME_BITS[type]];
    if (same.length > 0 && random.chance(0.5)) {
      const whole = random.pick(same);
      return builder.add(type, { kind: "bitcast", to: type, of: this.integer(whole, type, depth, true) });
    }
    const whole = random.pick(THROUGH[this.type].ints);
    return builder.add(type, { kind: "cast", to: type, of: this.integer(whole, type, depth, false) });
  }

  private integer(whole: Scalar, type: Float, depth: number, asBits: boolean): number {
    const { random, builder } = this;
    const result = this.float(type, depth - 1);
    // The payload of a NaN is not defined, so only the bits of numbers are used.
    const of = asBits
      ? this.choose(this.binary("eq", result, result), result, this.constant(type, 1))
      : result;
    const first = random.chance(0.15)
      ? builder.add(whole, { kind: "cast", to: whole, of: this.whole })
      : builder.add(whole, { kind: asBits ? "bitcast" : "cast", to: whole, of });
    if (random.chance(0.5)) return first;
    const value = encodeLiteral(whole, whole.endsWith("64") ? BigInt(random.int(0, 3)) : random.int(0, 3));
    const right = builder.add(whole, { kind: "const", type: whole, value });
    const op = random.pick(["add", "sub", "xor", "and", "or", "mul", "min", "absdiff", "gcd"] as const);
    return builder.add(whole, { kind: "binary", op, left: first, right });
  }

  private collective(type: Float, depth: number): number {
    const { random, builder } = this;
    const of = this.float(type, depth);
    if (this.collectives <= 0) return of;
    this.collectives -= 1;
    const op: Op = random.pick(["add", "mul", "min", "max"] as const);
    const identity = encodeLiteral(type, OPS[op].identity(type));
    const kind = random.pick(["reduce", "scan-inclusive", "scan-exclusive"] as const);
    const rest = { op, type, identity, scope: "work-group", order: "fixed", of } as const;
    const id = builder.add(type, { kind, ...rest } as NewNode);
    // Later trees have it as a leaf.
    this.leaves.push(id);
    return id;
  }
}

/** The bits of a result as a u32, any NaN as one. */
function bitsOf(builder: NodeBuilder, type: Float, of: number): number {
  const u32 = (value: number): number => builder.add("u32", { kind: "const", type: "u32", value });
  const op = (name: BinaryOp, left: number, right: number, to: Scalar = "u32"): number =>
    builder.add(to, { kind: "binary", op: name, left, right });
  const canonical = (high: number, low: number | undefined, infinity: number): number => {
    const magnitude = op("and", high, u32(0x7fffffff));
    const isGreater = op("gt", magnitude, u32(infinity), "bool");
    const isNone =
      low === undefined
        ? isGreater
        : op(
            "or",
            isGreater,
            op("and", op("eq", magnitude, u32(infinity), "bool"), op("ne", low, u32(0), "bool"), "bool"),
            "bool",
          );
    const all = low === undefined ? high : op("xor", op("mul", high, u32(0x9e3779b1)), low);
    return builder.add("u32", { kind: "select", condition: isNone, then: u32(0x7fc00000), otherwise: all });
  };
  if (type === "f64") {
    const all = builder.add("u64", { kind: "bitcast", to: "u64", of });
    const upper = builder.add("u64", { kind: "binary", op: "shr", left: all, right: u32(32) });
    return canonical(
      builder.add("u32", { kind: "cast", to: "u32", of: upper }),
      builder.add("u32", { kind: "cast", to: "u32", of: all }),
      0x7ff00000,
    );
  }
  const wide = type === "f16" ? builder.add("f32", { kind: "cast", to: "f32", of }) : of;
  return canonical(builder.add("u32", { kind: "bitcast", to: "u32", of: wide }), undefined, 0x7f800000);
}

/**
 * The pipeline of trees: `hash` mixes the bits of all results in integers, so that no compiler can combine them; `first` is
 * the first result itself.
 */
export function hashedPipeline({ type, nodes, roots, workGroupSize }: Trees): Pipeline {
  const builder = new NodeBuilder();
  builder.list.nodes.push(...nodes);
  builder.types.length = nodes.length;
  const u32 = (value: number): number => builder.add("u32", { kind: "const", type: "u32", value });
  const op = (name: BinaryOp, left: number, right: number): number =>
    builder.add("u32", { kind: "binary", op: name, left, right });
  let hash = u32(1);
  for (const root of roots) hash = op("mul", op("xor", hash, bitsOf(builder, type, root)), u32(0x01000193));
  builder.add("u32", { kind: "output", name: "hash", of: hash });
  return builder.list.pipeline("expressions", workGroupSize);
}

/** The pipeline of trees whose results are outputs, as they are or as the bits of them. */
export function plainPipeline(
  { type, nodes, roots, workGroupSize }: Trees,
  asBits: boolean = false,
): Pipeline {
  const builder = new NodeBuilder();
  builder.list.nodes.push(...nodes);
  builder.types.length = nodes.length;
  const results = roots.map((root) => (asBits ? bitsOf(builder, type, root) : root));
  results.forEach((of, i) => {
    builder.add(type, { kind: "output", name: `out${i}`, of });
  });
  return builder.list.pipeline("expressions", workGroupSize);
}
