/** Nodes of a random pipeline, and the values that further nodes can take. */
import {
  type ArrayType,
  type Literal,
  type Narrow,
  type Operator,
  type PipelineNode,
  SCALAR_NAMES,
  type Scalar,
} from "@groupwise/core";
import {
  atMost,
  BINARY,
  type BinaryOp,
  encodeLiteral,
  isFloat,
  isNarrow,
  isSink,
  NARROW,
  NARROW_NAMES,
  type NewNode,
  type Query,
  type Uniformity,
  uniformityOf,
} from "@groupwise/core/target";
import { type Random, randomOf } from "../../data/random.ts";
import { NodeBuilder, weighted } from "./builder.ts";
import { anyValue } from "./case.ts";
import { type Float, temptingConstant } from "./constants.ts";

const SHAPES: readonly (readonly number[])[] = [
  ...[[1], [2], [3], [7], [8], [16], [32], [64], [64], [100], [128], [256]],
  ...[
    [4, 4],
    [8, 3],
    [5, 7],
    [16, 16],
    [1, 32],
  ],
  ...[
    [2, 3, 4],
    [4, 4, 4],
    [1, 1, 64],
    [3, 5, 2],
  ],
];

/** What cases that run together share. */
export interface DocumentSettings {
  /** The numbers that the range follows from. */
  readonly range: Random;
  /** Of names; it differs between these cases. */
  readonly prefix: string;
  /** Of the data. */
  readonly seed: string;
}

/** A pipeline that grows node by node. */
export class Nodes {
  protected readonly builder: NodeBuilder = new NodeBuilder();
  protected readonly uniformities: Uniformity[] = [];
  protected readonly operators: Operator[] = [];
  protected readonly params: Record<string, Literal> = {};
  protected readonly tables: Record<string, number> = {};
  /** Ids of tables; all other nodes have values. */
  protected readonly tableIds: number[] = [];
  protected readonly types: readonly Scalar[];
  protected readonly workGroupSize: readonly number[];
  protected readonly globalSize: readonly number[];
  protected names = 0;
  protected readonly random: Random;
  protected readonly range: Random;
  protected readonly prefix: string;
  protected readonly seed: string;
  protected readonly mostSteps: number;

  constructor(random: Random, { range, prefix, seed }: DocumentSettings, mostSteps: number) {
    this.mostSteps = mostSteps;
    this.random = random;
    this.range = range;
    this.prefix = prefix;
    this.seed = seed;
    this.workGroupSize = range.pick(SHAPES);
    const most = this.workGroupSize.length === 1 ? 700 : this.workGroupSize.length === 2 ? 30 : 9;
    this.globalSize = this.workGroupSize.map((side) =>
      weighted(range, [
        [1, range.int(0, 3)],
        [2, Math.max(0, side + range.int(-1, 1))],
        [4, range.int(1, most)],
      ]),
    );
    const some = Array.from({ length: random.int(1, 2) }, () =>
      weighted<Scalar>(random, [
        ...(["u32", "i32", "f32"] as const).map((type) => [3, type] as const),
        ...SCALAR_NAMES.map((type) => [1, type] as const),
      ]),
    );
    this.types = [...new Set([...some, "u32" as const, "bool" as const])];
  }

  protected name(stem: string): string {
    this.names += 1;
    return `${this.prefix}${stem}${this.names}`;
  }

  protected add(type: Scalar, node: NewNode): number {
    const id = this.builder.add(type, node);
    this.uniformities.push(uniformityOf(this.builder.list.nodes[id] as PipelineNode, this.uniformities));
    return id;
  }

  protected sink(node: NewNode, of: number): void {
    this.add(this.typeOf(of), node);
  }

  protected typeOf(id: number): Scalar {
    return this.builder.types[id] as Scalar;
  }

  protected values(accepts: (id: number) => boolean): number[] {
    return this.builder.list.nodes
      .filter((node) => node.kind !== "table" && !isSink(node) && accepts(node.id))
      .map(({ id }) => id);
  }

  /** A value of a type: an existing one, more often a late one, or a new one. */
  protected value(type: Scalar, widest: Uniformity = "item"): number {
    const { random } = this;
    const there = this.values(
      (id) => this.typeOf(id) === type && atMost(this.uniformities[id] as Uniformity, widest),
    );
    if (there.length > 0 && random.chance(0.85))
      return random.chance(0.5) ? random.pick(there) : random.pick(there.slice(-3));
    if (widest === "item" && random.chance(0.5)) return this.input(type);
    if (random.chance(0.3)) return this.param(type);
    return this.constant(type);
  }

  protected input(type: Scalar): number {
    return this.add(type, { kind: "input", name: this.name("in"), type: this.arrayType(type) });
  }

  /** An element type for values of a type, sometimes a narrow one. */
  protected arrayType(type: Scalar): ArrayType {
    const narrow = NARROW_NAMES.filter((name) => NARROW[name].value === type);
    // A separate stream of random numbers, so that other random choices do not depend on it.
    const random = randomOf(`${this.prefix}${this.seed}`, "narrow", this.builder.list.nodes.length);
    return narrow.length > 0 && random.chance(0.3) ? random.pick(narrow) : type;
  }

  /** Sometimes makes an output of a value an output of narrow elements. */
  protected as(of: number): { readonly as?: Narrow } {
    const type = this.arrayType(this.typeOf(of));
    return isNarrow(type) ? { as: type } : {};
  }

  protected param(type: Scalar, value?: Literal): number {
    const name = this.name("p");
    this.params[name] = value ?? encodeLiteral(type, anyValue(type, this.random));
    return this.add(type, { kind: "param", name, type });
  }

  protected constant(type: Scalar, value?: Literal): number {
    const { random } = this;
    const own =
      isFloat(type) && random.chance(0.5)
        ? temptingConstant(type as Float, random)
        : encodeLiteral(type, anyValue(type, random));
    return this.add(type, { kind: "const", type, value: value ?? own });
  }

  protected u32(value: number): number {
    return this.constant("u32", value);
  }

  protected binary(op: BinaryOp, left: number, right: number): number {
    return this.add(BINARY[op].compares ? "bool" : this.typeOf(left), { kind: "binary", op, left, right });
  }

  protected query(query: Query, dimension: number = 0): number {
    return this.add("u32", { kind: "query", query, dimension });
  }
}
