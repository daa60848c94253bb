/** Random valid pipelines over the whole Pipeline IR, with the data of a run. */
import { OP_NAMES, type Operator, type PipelineNode, SCALAR_NAMES, type Scope } from "@groupwise/core";
import {
  atMost,
  BINARY,
  type BinaryOp,
  COMBINES,
  encodeLiteral,
  isFloat,
  isLogical,
  itemsIn,
  LAST_DIMENSION,
  OPS,
  opExists,
  QUERIES,
  type Query,
  SCALARS,
  SCOPE_UNIFORMITY,
  UNARY,
  type UnaryOp,
  type Uniformity,
} from "@groupwise/core/target";
import { randomOf } from "../../data/random.ts";
import { weighted } from "./builder.ts";
import type { RandomCase } from "./case.ts";
import { randomFunction } from "./functions.ts";
import { Nodes } from "./nodes.ts";
import { randomOperator } from "./operators.ts";
import { addRanked } from "./ranked.ts";
import { companyOf } from "./together.ts";

const SCOPES: readonly Scope[] = ["work-group", "device"];
const SLOT_OPS = COMBINES;

/** The number of nodes of a pipeline: small ones compile in one second, large ones in ten. */
export type PipelineSize = "small" | "large";
const STEPS: Readonly<Record<PipelineSize, number>> = { small: 4, large: 22 };

/** The case that a size and seeds name. */
export function pipelineCase(size: PipelineSize, ...seeds: readonly (string | number)[]): RandomCase {
  const random = randomOf("pipelines", size, ...seeds);
  return new Maker(
    random,
    { range: random, prefix: "", seed: ["data", ...seeds].join(" ") },
    STEPS[size],
  ).make();
}

/** The case of a number, with the range and the data of its company. */
export function pipelineInCompany(size: PipelineSize, seed: string, number: number): RandomCase {
  const { block, prefix } = companyOf(number);
  const range = randomOf("range of pipelines", size, seed, block);
  const random = randomOf("pipelines in company", size, seed, number);
  return new Maker(random, { range, prefix, seed: ["data", seed, block].join(" ") }, STEPS[size]).make();
}

class Maker extends Nodes {
  make(): RandomCase {
    const { random, range, builder } = this;
    this.input(random.pick(this.types));
    for (let steps = random.int(2, this.mostSteps); steps > 0; steps--) this.step();
    const values = this.values(() => true);
    // The last values depend on most of the others.
    const outputs = random.int(1, this.mostSteps > 10 ? 5 : 2);
    for (let i = 0; i < outputs; i++) {
      const of = i === 0 ? (values[values.length - 1] as number) : random.pick(values.slice(-12));
      this.sink({ kind: "output", name: this.name("out"), of, ...this.as(of) }, of);
    }
    for (let i = random.chance(0.3) ? random.int(1, 2) : 0; i > 0; i--) this.scatter();
    const globalOffset = range.chance(0.2) && this.globalSize.map(() => range.int(0, 1000));
    if (random.chance(0.25)) this.chain();
    if (random.chance(0.2)) this.ranked();
    const pipeline = builder.list.pipeline("random", this.workGroupSize);
    return {
      pipeline: { ...pipeline, ...(this.operators.length > 0 && { operators: this.operators }) },
      run: {
        seed: this.seed,
        globalSize: this.globalSize,
        ...(globalOffset && { globalOffset }),
        params: this.params,
        tables: this.tables,
      },
    };
  }

  private step(): void {
    weighted<() => void>(this.random, [
      [6, () => this.arithmetic()],
      [1, () => this.unary()],
      [2.5, () => this.function()],
      [1.5, () => this.choice()],
      [1.5, () => this.conversion()],
      [1, () => this.question()],
      [4, () => this.combination()],
      [1.5, () => this.fold()],
      [1, () => this.vote()],
      [1.5, () => this.broadcast()],
      [0.5, () => this.rank()],
      [1.5, () => this.gather()],
      [0.7, () => this.table()],
      [0.5, () => this.reversed()],
      [0.3, () => this.add(this.typeOf(0), { kind: "spread", of: 0 })],
    ])();
  }

  private arithmetic(): void {
    const type = this.random.pick(this.types);
    const ops = (Object.keys(BINARY) as BinaryOp[]).filter((op) =>
      BINARY[op].on.includes(SCALARS[type].kind),
    );
    const op = this.random.pick(ops);
    this.binary(op, this.value(type), this.value(BINARY[op].rightType ?? type));
  }

  private unary(): void {
    const type = this.random.pick(this.types);
    const ops = (Object.keys(UNARY) as UnaryOp[]).filter((op) => UNARY[op].on.includes(SCALARS[type].kind));
    if (ops.length === 0) return;
    this.add(type, { kind: "unary", op: this.random.pick(ops), of: this.value(type) });
  }

  private function(): void {
    const made = randomFunction(this.random, this.random.pick(this.types), SCALAR_NAMES, (type) =>
      this.value(type),
    );
    if (made) this.add(made.type, made.node);
  }

  private choice(): void {
    const type = this.random.pick(this.types);
    const [condition, then, otherwise] = [this.value("bool"), this.value(type), this.value(type)];
    this.add(type, { kind: "select", condition, then, otherwise });
  }

  private conversion(): void {
    const { random } = this;
    const of = this.value(random.pick(this.types));
    const from = this.typeOf(of);
    const to = random.chance(0.3) ? random.pick(SCALAR_NAMES) : random.pick(this.types);
    if (SCALARS[to].bits !== SCALARS[from].bits || random.chance(0.5)) {
      this.add(to, { kind: "cast", to, of });
      return;
    }
    this.add(to, { kind: "bitcast", to, of: isFloat(from) ? this.withoutNaN(of) : of });
  }

  /** The payload of a NaN is not defined, so only the bits of numbers are used. */
  private withoutNaN(of: number): number {
    const type = this.typeOf(of);
    const condition = this.binary("eq", of, of);
    return this.add(type, { kind: "select", condition, then: of, otherwise: this.constant(type, 1) });
  }

  private question(): void {
    const { random } = this;
    const query = random.pick(Object.keys(QUERIES) as Query[]);
    const isAbout = QUERIES[query].beyond !== undefined;
    this.query(query, isAbout ? (random.chance(0.05) ? LAST_DIMENSION : random.int(0, 3)) : 0);
  }

  private combination(): void {
    const { random } = this;
    const of = this.value(random.pick(this.types));
    const type = this.typeOf(of);
    const op = random.pick(OP_NAMES.filter((name) => opExists(name, type)));
    const identity = encodeLiteral(type, OPS[op].identity(type));
    const kind = random.pick(["reduce", "scan-inclusive", "scan-exclusive"] as const);
    const order = OPS[op].exactlyAssociative(type) && random.chance(0.2) ? "any" : "fixed";
    const scope = random.pick(SCOPES);
    const id = this.add(type, { kind, op, type, identity, scope, order, of } as never);
    // A seed precedes all items.
    if (random.chance(0.2) && !isLogical(op))
      this.binary(OPS[op].elementwise, this.value(type, "uniform"), id);
  }

  /** It comes last, as chains do. */
  private ranked(): void {
    addRanked({
      random: this.random,
      types: this.types,
      add: (type, node) => this.add(type, node),
      name: () => this.name("r"),
      value: (type) => (this.random.chance(0.5) ? this.input(type) : this.value(type)),
    });
  }

  /** Scans of scans of other types. It comes last, so that nothing else of a pipeline depends on it. */
  private chain(): void {
    const { random } = this;
    const scope = random.pick(SCOPES);
    let of = this.value(random.pick(this.types));
    for (let depth = random.int(2, 3); depth > 0; depth--) {
      const type = this.typeOf(of);
      const op = random.pick(OP_NAMES.filter((name) => opExists(name, type)));
      const identity = encodeLiteral(type, OPS[op].identity(type));
      const kind = random.chance(0.8) ? "scan-exclusive" : "scan-inclusive";
      const scan = this.add(type, { kind, op, type, identity, scope, order: "fixed", of } as never);
      const to = random.pick(["u32", "i64", "u64", random.pick(SCALAR_NAMES)] as const);
      of = to === type ? scan : this.add(to, { kind: "cast", to, of: scan });
    }
    this.sink({ kind: "output", name: this.name("out"), of, ...this.as(of) }, of);
  }

  private fold(): void {
    const { random, operators } = this;
    if (operators.length === 0 || random.chance(0.4))
      operators.push(randomOperator(`${this.prefix}op${operators.length}`, random, this.types));
    const operator = random.int(0, operators.length - 1);
    const { fields } = operators[operator] as Operator;
    const of = fields.map(({ type }) => this.value(type));
    const form = random.pick(["reduce", "scan-inclusive", "scan-exclusive"] as const);
    const scope = random.pick(SCOPES);
    fields.forEach(({ type }, field) => {
      if (field === 0 || random.chance(0.6))
        this.add(type, { kind: "user-collective", form, operator, field, scope, of });
    });
  }

  private vote(): void {
    const { random } = this;
    const types = this.types.filter((type) => opExists("logical-and", type));
    const of = this.value(random.pick(types));
    this.add("bool", { kind: random.pick(["all", "any"] as const), scope: random.pick(SCOPES), of });
  }

  private broadcast(): void {
    const { random } = this;
    const scope = random.pick(SCOPES);
    const of = this.value(random.pick(this.types));
    const sides = scope === "device" ? this.globalSize : this.workGroupSize;
    const index = sides.map((side) =>
      random.chance(0.6)
        ? this.u32(random.int(0, Math.max(0, side - 1)))
        : this.place(SCOPE_UNIFORMITY[scope]),
    );
    this.add(this.typeOf(of), { kind: "broadcast", scope, of, index });
  }

  private rank(): number {
    const bins = this.random.pick([1, 2, 3, 16, 256, this.random.int(1, 256)]);
    const any = this.value("u32");
    // Most values are past any number of bins.
    const key = this.random.chance(0.3) ? any : this.binary("rem", any, this.u32(bins));
    return this.add("u32", { kind: "rank", scope: "device", of: key, bins });
  }

  /** A u32 that no document fixes, so that it may have any value. */
  private place(widest: Uniformity): number {
    const there = this.values(
      (id) => this.typeOf(id) === "u32" && atMost(this.uniformities[id] as Uniformity, widest),
    );
    const known = new Set(this.values((id) => this.dependsOnRuns(id)));
    const good = there.filter((id) => known.has(id));
    return good.length > 0 ? this.random.pick(good) : this.param("u32", this.random.int(0, 40));
  }

  private dependsOnRuns(id: number): boolean {
    const { kind } = this.builder.list.nodes[id] as PipelineNode;
    return ["input", "param", "reduce", "gather", "table-length"].includes(kind);
  }

  private gather(): void {
    const { random } = this;
    const isTable = this.tableIds.length > 0 && random.chance(0.4);
    const of = isTable ? random.pick(this.tableIds) : this.value(random.pick(this.types));
    const index = random.chance(0.5) ? this.near() : this.value("u32");
    this.add(this.typeOf(of), { kind: "gather", of, index });
  }

  /** An index that is mostly in the range. */
  private near(): number {
    const { random } = this;
    const id = this.query("global-linear-id");
    const right = random.chance(0.5) ? this.u32(random.int(0, 9)) : this.value("u32", "uniform");
    const moved = this.binary(random.pick(["add", "sub", "xor", "mul"]), id, right);
    return random.chance(0.5)
      ? this.binary("rem", moved, this.u32(Math.max(1, itemsIn(this.globalSize))))
      : moved;
  }

  private table(): void {
    const { random } = this;
    const type = random.pick(this.types);
    const name = this.name("t");
    this.tables[name] = random.chance(0.1) ? 0 : random.int(1, 60);
    const id = this.add(type, { kind: "table", name, type: this.arrayType(type) });
    this.tableIds.push(id);
    if (random.chance(0.5)) this.add("u32", { kind: "table-length", of: id });
    this.add(type, { kind: "gather", of: id, index: this.value("u32") });
  }

  private items(): number {
    const sides = this.workGroupSize.map((_, d) => this.query("global-size", d));
    return sides.reduce((all, side) => this.binary("mul", all, side));
  }

  private backwards(): number {
    const last = this.binary("sub", this.items(), this.u32(1));
    return this.binary("sub", last, this.query("global-linear-id"));
  }

  /** A scan from the end. */
  private reversed(): void {
    const of = this.value(this.random.pick(this.types));
    const type = this.typeOf(of);
    const index = this.backwards();
    const turned = this.add(type, { kind: "gather", of, index });
    const op = this.random.pick(OP_NAMES.filter((name) => opExists(name, type)));
    const identity = encodeLiteral(type, OPS[op].identity(type));
    const scan = { kind: "scan-inclusive", op, type, identity, scope: "device", order: "fixed" } as const;
    this.add(type, { kind: "gather", of: this.add(type, { ...scan, of: turned }), index });
  }

  private scatter(): void {
    const { random } = this;
    const isCombined = random.chance(0.5);
    const value = this.value(isCombined ? "u32" : random.pick(this.types));
    const n = itemsIn(this.globalSize);
    const name = this.name("s");
    if (isCombined) {
      const slots = random.int(1, 40);
      const slot = this.binary("rem", this.value("u32"), this.u32(slots));
      // Rarely too few, which is an error on every device.
      const capacity = this.capacity(Math.max(0, slots - (random.chance(0.04) ? 1 : 0)));
      const combine = random.pick(SLOT_OPS);
      const where = random.chance(0.4) ? { where: this.value("bool") } : {};
      this.sink({ kind: "scatter", name, value, slot, capacity, combine, ...where }, value);
      return;
    }
    const slots: (() => object)[] = [
      () => ({ slot: this.query("global-linear-id") }),
      () => ({ slot: this.backwards() }),
      () => ({ slot: this.rotated(n) }),
      () => this.compacted(),
      () => ({ slot: this.rank() }),
      () => ({
        slot: this.binary("mul", this.query("global-linear-id"), this.u32(3)),
        capacity: this.capacity(3 * n),
      }),
    ];
    this.sink({ kind: "scatter", name, value, ...random.pick(slots)(), ...this.as(value) } as never, value);
  }

  private rotated(n: number): number {
    const by = this.u32(this.random.int(0, n));
    return this.binary("rem", this.binary("add", this.query("global-linear-id"), by), this.items());
  }

  /** The items for which a condition holds, one after the other. */
  private compacted(): object {
    const where = this.value("bool");
    const of = this.add("u32", { kind: "cast", to: "u32", of: where });
    const sum = { op: "add", type: "u32", identity: 0, scope: "device", order: "fixed", of } as const;
    const slot = this.add("u32", { kind: "scan-exclusive", ...sum });
    if (this.random.chance(0.5)) return { slot, where };
    return { slot, where, length: this.add("u32", { kind: "reduce", ...sum }) };
  }

  /** A capacity that a host can compute, and its value. */
  private capacity(size: number): number {
    const { random } = this;
    if (random.chance(0.4)) return this.u32(size);
    if (random.chance(0.5)) return this.param("u32", size);
    const part = random.int(0, size);
    return this.binary("add", this.param("u32", part), this.u32(size - part));
  }
}
