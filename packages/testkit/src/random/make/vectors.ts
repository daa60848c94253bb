/** Random maps, reduces and scans of operators that vectors have, mostly of narrow elements, with constants that decide results. */
import { type ArrayType, type Literal, OP_NAMES, type Scalar } from "@groupwise/core";
import {
  BINARY,
  type BinaryOp,
  encodeLiteral,
  isNarrow,
  NARROW,
  NARROW_NAMES,
  OPS,
  opExists,
  SCALARS,
  UNARY,
  type UnaryOp,
} from "@groupwise/core/target";
import { type Random, randomOf } from "../../data/random.ts";
import { NodeBuilder } from "./builder.ts";
import type { RandomCase } from "./case.ts";

/** The types of a document. Most have elements of 8 and 16 bits. */
const TYPES: readonly (readonly Scalar[])[] = [
  ...[["u32", "bool"] as const, ["u32", "bool"] as const, ["i32", "bool"] as const, ["i32", "bool"] as const],
  ...[["u32", "i32", "bool"] as const, ["f32", "bool"] as const, ["f32", "u32"] as const],
  ...[["f64"] as const, ["i64", "u64"] as const, ["u32", "i64"] as const, ["f16", "u32"] as const],
];
/** Around the numbers of bits that elements have. */
const NUMBERS = [0, 1, 2, 3, 7, 8, 15, 16, 127, 128, 255, 256, 32767, 32768, 65535, 65536];
const SHIFTS = [0, 1, 3, 7, 8, 9, 15, 16, 31, 32];
/** Around the numbers of items of a vector, and of an iteration. */
const ITEMS = [0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 511];
const ELEMENTWISE: readonly BinaryOp[] = [
  "add",
  "sub",
  "mul",
  "min",
  "max",
  "and",
  "or",
  "xor",
  "absdiff",
  "div",
];
const COMPARED: readonly BinaryOp[] = ["eq", "ne", "lt", "le", "gt", "ge"];

/** The case of seeds. */
export function vectorCase(...seeds: readonly (string | number)[]): RandomCase {
  return new Maker(randomOf("vectors", ...seeds)).make(["data of vectors", ...seeds].join(" "));
}

class Maker {
  private readonly random: Random;
  private readonly builder = new NodeBuilder();
  private readonly types: readonly Scalar[];
  private readonly params: Record<string, Literal> = {};
  /** Values, the last ones last. */
  private readonly values: number[] = [];
  /** The part of arrays with narrow elements. */
  private readonly narrow: number;

  constructor(random: Random) {
    this.random = random;
    this.types = random.pick(TYPES);
    this.narrow = random.pick([0.3, 0.8]);
  }

  make(seed: string): RandomCase {
    const { random, builder } = this;
    this.input(this.types[0] as Scalar);
    for (let steps = random.int(1, 7); steps > 0; steps--) this.step();
    const last = this.values.at(-1) as number;
    const collective = random.chance(0.6) ? this.collective(last) : undefined;
    if (collective === undefined || random.chance(0.4)) this.output(last);
    if (collective !== undefined) this.output(collective);
    if (random.chance(0.3)) this.output(random.pick(this.values));
    const pipeline = builder.list.pipeline("vectors", [random.pick([1, 4, 16, 64])]);
    const ordinary = random.chance(0.3) ? { ordinary: true as const } : {};
    return {
      pipeline,
      run: { seed, globalSize: [random.pick(ITEMS)], params: this.params, tables: {}, ...ordinary },
    };
  }

  private step(): void {
    const { random } = this;
    const type = random.pick(this.types);
    const { kind } = SCALARS[type];
    const on = <Op extends BinaryOp>(ops: readonly Op[]): Op[] =>
      ops.filter((op) => BINARY[op].on.includes(kind));
    random.pick<() => void>([
      () => this.binary(random.pick(on(ELEMENTWISE)), type),
      () => this.binary(random.pick(on(ELEMENTWISE)), type),
      () => this.binary(random.pick(on(COMPARED)), type),
      () => this.choice(type),
      () => this.shift(type),
      () => this.cast(type),
      () => this.unary(type),
    ])();
  }

  private binary(op: BinaryOp, type: Scalar): void {
    const to = BINARY[op].compares ? "bool" : type;
    this.add(to, { kind: "binary", op, left: this.value(type), right: this.value(type) });
  }

  private choice(type: Scalar): void {
    const [condition, then, otherwise] = [this.value("bool"), this.value(type), this.value(type)];
    this.add(type, { kind: "select", condition, then, otherwise });
  }

  private shift(type: Scalar): void {
    if (!BINARY.shl.on.includes(SCALARS[type].kind)) return;
    const right = this.builder.add("u32", { kind: "const", type: "u32", value: this.random.pick(SHIFTS) });
    this.add(type, { kind: "binary", op: this.random.pick(["shl", "shr"]), left: this.value(type), right });
  }

  private cast(to: Scalar): void {
    const of = this.value(this.random.pick(this.types));
    if (this.typeOf(of) !== to) this.add(to, { kind: "cast", to, of });
  }

  private unary(type: Scalar): void {
    const ops = (["neg", "not", "abs"] as UnaryOp[]).filter((op) =>
      UNARY[op].on.includes(SCALARS[type].kind),
    );
    if (ops.length > 0) this.add(type, { kind: "unary", op: this.random.pick(ops), of: this.value(type) });
  }

  private collective(of: number): number {
    const { random } = this;
    const type = this.typeOf(of);
    const op = random.pick(OP_NAMES.filter((name) => opExists(name, type)));
    const identity = encodeLiteral(type, OPS[op].identity(type));
    const kind = random.pick(["reduce", "reduce", "scan-inclusive", "scan-exclusive"] as const);
    const scope = random.chance(0.9) ? "device" : "work-group";
    return this.builder.add(type, { kind, op, type, identity, scope, order: "fixed", of } as never);
  }

  private add(type: Scalar, node: Parameters<NodeBuilder["add"]>[1]): void {
    this.values.push(this.builder.add(type, node));
  }

  private typeOf(id: number): Scalar {
    return this.builder.types[id] as Scalar;
  }

  /** A value of a type: more often the last one, or a new one. */
  private value(type: Scalar): number {
    const { random } = this;
    const there = this.values.filter((id) => this.typeOf(id) === type);
    if (there.length > 0 && random.chance(0.75))
      return random.chance(0.5) ? (there.at(-1) as number) : random.pick(there);
    if (random.chance(0.25)) return this.input(type);
    if (random.chance(0.15)) {
      const name = this.name("p");
      this.params[name] = this.literal(type);
      return this.builder.add(type, { kind: "param", name, type });
    }
    return this.builder.add(type, { kind: "const", type, value: this.literal(type) });
  }

  private literal(type: Scalar): Literal {
    const { kind, whole, wrap, lowest, highest } = SCALARS[type];
    const { random } = this;
    if (kind === "bool") return random.chance(0.5);
    if (random.chance(0.15)) return encodeLiteral(type, random.pick([lowest, highest]));
    const sign = kind !== "uint" && random.chance(0.3) ? -1 : 1;
    return encodeLiteral(type, wrap(whole(sign * random.pick(NUMBERS)) as never));
  }

  private input(type: Scalar): number {
    this.add(type, { kind: "input", name: this.name("x"), type: this.element(type) });
    return this.values.at(-1) as number;
  }

  private element(type: Scalar): ArrayType {
    const narrow = NARROW_NAMES.filter((name) => NARROW[name].value === type);
    return narrow.length > 0 && this.random.chance(this.narrow) ? this.random.pick(narrow) : type;
  }

  private output(of: number): void {
    const type = this.typeOf(of);
    const as = this.element(type);
    this.builder.add(type, { kind: "output", name: this.name("y"), of, ...(isNarrow(as) && { as }) });
  }

  private name(stem: string): string {
    return `${stem}${this.builder.types.length}`;
  }
}
