/**
 * Hostile documents: valid ones, valid ones with one or a few faults, and texts that are not documents.
 * The same seed gives the same documents.
 */

import type { Op, Pipeline, Scalar } from "@groupwise/core";
import { OP_NAMES, SCALAR_NAMES } from "@groupwise/core";
import {
  BINARY,
  COMBINES,
  encodeLiteral,
  isLogical,
  OPS,
  QUERIES,
  SCALARS,
  UNARY,
} from "@groupwise/core/target";
import { type Random, randomOf } from "../../data/random.ts";
import { randomFunction } from "../make/functions.ts";
import { NAMES, spoilt } from "./spoilt.ts";
import { spoiltText, strange } from "./spoilt-text.ts";

/** An unchecked node. */
type Loose = Record<string, unknown>;

/** Documents, as values or as texts; the same for the same seed. */
export function* hostileDocuments(seed: number | string, count: number): Generator<unknown> {
  for (let i = 0; i < count; i++) yield documentOf(randomOf("documents", seed, i));
}

/** The document of a seed with a number, so that a failure of a long run can be reproduced alone. */
export function hostileDocument(seed: number | string, number: number): unknown {
  return documentOf(randomOf("documents", seed, number));
}

function documentOf(random: Random): unknown {
  const kind = random.int(0, 99);
  if (kind < 12) return goodDocument(random);
  if (kind < 80) {
    const document = spoilt(random, goodDocument(random));
    return random.chance(0.3) ? asText(document) : document;
  }
  if (kind < 90) return spoiltText(random, JSON.stringify(goodDocument(random)));
  const document = strange(random);
  return random.chance(0.3) ? asText(document) : document;
}

/** The JSON text if there is one; JSON cannot represent cycles and 64-bit integers. */
function asText(document: unknown): unknown {
  try {
    return JSON.stringify(document) ?? document;
  } catch {
    return document;
  }
}

/** Values of a document so far, to choose operands from. */
interface Pool {
  readonly nodes: Loose[];
  readonly types: (Scalar | undefined)[];
  /** Whether the node is uniform. */
  readonly uniform: boolean[];
}

/** A document that follows every rule, as far as a short generator can ensure it. */
export function goodDocument(random: Random): Pipeline {
  const pool: Pool = { nodes: [], types: [], uniform: [] };
  const operators = random.chance(0.3)
    ? Array.from({ length: random.int(1, 2) }, (_, i) => operatorOf(random, i))
    : [];
  const dimensions = random.pick([1, 1, 1, 2, 3]);
  const names = new Set<string>();
  const name = (): string => {
    const wanted = random.chance(0.3) ? random.pick(NAMES) : `v${random.int(0, 999)}`;
    const free = names.has(wanted) ? `${wanted}${names.size}` : wanted;
    names.add(free);
    return free;
  };
  const favourite = random.pick(["u32", "u32", "f32", "f32", "i32", random.pick(SCALAR_NAMES)] as const);
  add(pool, { kind: "input", name: name(), type: favourite }, favourite, false);
  const count = random.int(1, 24);
  for (let i = 0; i < count; i++) addRandom(random, pool, { operators, dimensions, favourite, name });
  const outputs = random.int(1, 3);
  for (let i = 0; i < outputs; i++) addSink(random, pool, name);
  return {
    format: "groupwise-pipeline",
    version: 1,
    name: random.chance(0.2) ? random.pick(NAMES).slice(0, 40) : "fuzzed",
    workGroupSize: Array.from({ length: dimensions }, () => random.pick([1, 2, 3, 4, 7, 8])),
    nodes: pool.nodes,
    ...(operators.length > 0 && { operators }),
  } as unknown as Pipeline;
}

interface Around {
  readonly operators: readonly { readonly fields: readonly { readonly type: Scalar }[] }[];
  readonly dimensions: number;
  readonly favourite: Scalar;
  name(): string;
}

function add(pool: Pool, node: Loose, type: Scalar | undefined, uniform: boolean): number {
  pool.nodes.push({ id: pool.nodes.length, ...node });
  pool.types.push(type);
  pool.uniform.push(uniform);
  return pool.nodes.length - 1;
}

/** A constant of the type, special values among them. */
function literalOf(random: Random, type: Scalar): unknown {
  const { kind, bits, wrap } = SCALARS[type];
  if (kind === "bool") return random.chance(0.5);
  if (kind === "float") {
    const special = [Number.POSITIVE_INFINITY, Number.NaN, -0, 0, 1, -1, 3, 2 ** -130, 65504];
    return encodeLiteral(
      type,
      wrap(random.chance(0.5) ? random.pick(special) : (random.unit() - 0.5) * 1000),
    );
  }
  const small = random.pick([0, 1, 2, 3, 31, 32, 63, 100, kind === "int" ? -1 : 7, random.bits()]);
  return encodeLiteral(type, wrap(bits === 64 ? BigInt(small) : small));
}

/** An existing value of the type, or a new constant. */
function operandFor(random: Random, pool: Pool, type: Scalar, uniform: boolean = false): number {
  const fitting = pool.types.flatMap((t, id) => (t === type && (!uniform || pool.uniform[id]) ? [id] : []));
  if (fitting.length > 0 && random.chance(0.85)) return random.pick(fitting.slice(-6));
  return add(pool, { kind: "const", type, value: literalOf(random, type) }, type, true);
}

type Make = (random: Random, pool: Pool, around: Around) => void;

const fitting = (
  table: Readonly<Record<string, { readonly on: readonly string[] }>>,
  type: Scalar,
): string[] => Object.keys(table).filter((op) => table[op]?.on.includes(SCALARS[type].kind));
const scopeOf = (random: Random): "device" | "work-group" => random.pick(["device", "work-group"]);
const typeOf = (random: Random, { favourite }: Around): Scalar =>
  random.chance(0.7) ? favourite : random.pick(SCALAR_NAMES);

/** One of each kind of node that has a value. */
const MAKE: readonly Make[] = [
  (random, pool, around) => {
    const type = typeOf(random, around);
    add(pool, { kind: "input", name: around.name(), type }, type, false);
  },
  (random, pool, around) => {
    const type = typeOf(random, around);
    add(pool, { kind: "param", name: around.name(), type }, type, true);
  },
  (random, pool, around) => {
    const type = typeOf(random, around);
    const of = add(pool, { kind: "table", name: around.name(), type }, undefined, true);
    if (random.chance(0.5)) add(pool, { kind: "table-length", of }, "u32", true);
    const index = operandFor(random, pool, "u32");
    add(pool, { kind: "gather", of, index }, type, pool.uniform[index] as boolean);
  },
  (random, pool, around) => {
    const type = typeOf(random, around);
    const [of, index] = [operandFor(random, pool, type), operandFor(random, pool, "u32")];
    add(pool, { kind: "gather", of, index }, type, pool.uniform[index] as boolean);
  },
  (random, pool, { dimensions }) => {
    const query = random.pick(Object.keys(QUERIES)) as keyof typeof QUERIES;
    const dimension = QUERIES[query].beyond === undefined ? 0 : random.int(0, dimensions);
    add(pool, { kind: "query", query, dimension }, "u32", QUERIES[query].uniformity === "uniform");
  },
  (random, pool, around) => {
    const type = typeOf(random, around);
    const of = operandFor(random, pool, type);
    const ops = fitting(UNARY, type);
    if (ops.length > 0)
      add(pool, { kind: "unary", op: random.pick(ops), of }, type, pool.uniform[of] as boolean);
  },
  ...Array.from(
    { length: 4 },
    (): Make => (random, pool, around) => {
      const type = typeOf(random, around);
      const op = random.pick(fitting(BINARY, type)) as keyof typeof BINARY;
      const { rightType = type, compares } = BINARY[op];
      const [left, right] = [operandFor(random, pool, type), operandFor(random, pool, rightType)];
      const uniform = (pool.uniform[left] && pool.uniform[right]) as boolean;
      add(pool, { kind: "binary", op, left, right }, compares ? "bool" : type, uniform);
    },
  ),
  (random, pool, around) => {
    const made = randomFunction(random, typeOf(random, around), SCALAR_NAMES, (type) =>
      operandFor(random, pool, type),
    );
    if (made)
      add(
        pool,
        made.node,
        made.type,
        made.node.of.every((id) => pool.uniform[id]),
      );
  },
  (random, pool, around) => {
    const type = typeOf(random, around);
    const [condition, then] = [operandFor(random, pool, "bool"), operandFor(random, pool, type)];
    const otherwise = operandFor(random, pool, type);
    const uniform = [condition, then, otherwise].every((id) => pool.uniform[id]);
    add(pool, { kind: "select", condition, then, otherwise }, type, uniform);
  },
  (random, pool, around) => {
    const of = operandFor(random, pool, typeOf(random, around));
    const to = random.pick(SCALAR_NAMES);
    add(pool, { kind: "cast", to, of }, to, pool.uniform[of] as boolean);
  },
  (random, pool, around) => {
    const type = typeOf(random, around);
    const of = operandFor(random, pool, type);
    const to = random.pick(SCALAR_NAMES.filter((other) => SCALARS[other].bits === SCALARS[type].bits));
    add(pool, { kind: "bitcast", to, of }, to, pool.uniform[of] as boolean);
  },
  (random, pool, around) => {
    const type = typeOf(random, around);
    add(pool, { kind: "spread", of: operandFor(random, pool, type) }, type, false);
  },
  ...Array.from(
    { length: 3 },
    (): Make => (random, pool, around) => {
      const type = typeOf(random, around);
      const ops = OP_NAMES.filter((op) => OPS[op].on.includes(SCALARS[type].kind) && !isLogical(op));
      if (ops.length === 0) return;
      const op = random.pick(ops) as Op;
      const kind = random.pick(["reduce", "scan-inclusive", "scan-exclusive"]);
      const identity = encodeLiteral(type, OPS[op].identity(type));
      const scope = scopeOf(random);
      const order = random.pick(["fixed", "any"]);
      const of = operandFor(random, pool, type);
      add(
        pool,
        { kind, op, type, identity, scope, order, of },
        type,
        kind === "reduce" && scope === "device",
      );
    },
  ),
  (random, pool, { operators }) => {
    if (operators.length === 0) return;
    const operator = random.int(0, operators.length - 1);
    const fields = operators[operator]?.fields ?? [];
    const of = fields.map(({ type }) => operandFor(random, pool, type));
    const form = random.pick(["reduce", "scan-inclusive", "scan-exclusive"]);
    const [field, scope] = [random.int(0, fields.length - 1), scopeOf(random)];
    const uniform = form === "reduce" && scope === "device";
    add(pool, { kind: "user-collective", form, operator, field, scope, of }, fields[field]?.type, uniform);
  },
  (random, pool) => {
    const [scope, of] = [scopeOf(random), operandFor(random, pool, "bool")];
    add(pool, { kind: random.pick(["all", "any"]), scope, of }, "bool", scope === "device");
  },
  (random, pool, around) => {
    const type = typeOf(random, around);
    const of = operandFor(random, pool, type);
    const scope = scopeOf(random);
    const index = Array.from({ length: around.dimensions }, () =>
      random.chance(0.6)
        ? add(pool, { kind: "const", type: "u32", value: 0 }, "u32", true)
        : operandFor(random, pool, "u32", true),
    );
    add(pool, { kind: "broadcast", scope, of, index }, type, scope === "device");
  },
  (random, pool) => {
    const of = operandFor(random, pool, "u32");
    add(pool, { kind: "rank", scope: "device", of, bins: random.int(1, 256) }, "u32", false);
  },
];

function addRandom(random: Random, pool: Pool, around: Around): void {
  random.pick(MAKE)(random, pool, around);
}

function addSink(random: Random, pool: Pool, name: () => string): void {
  const values = pool.types.flatMap((type, id) => (type ? [id] : []));
  const of = random.pick(values.slice(-8));
  if (random.chance(0.7)) {
    add(pool, { kind: "output", name: name(), of }, undefined, false);
    return;
  }
  const type = random.pick(["u32", "i32", "f32"] as const);
  const combine = type !== "f32" && random.chance(0.4) ? random.pick(COMBINES) : undefined;
  const [value, slot] = [operandFor(random, pool, type), operandFor(random, pool, "u32")];
  const more = {
    ...(random.chance(0.4) && { where: operandFor(random, pool, "bool") }),
    ...(random.chance(0.3) && { length: operandFor(random, pool, "u32", true) }),
    ...(random.chance(0.3) && {
      capacity: add(pool, { kind: "const", type: "u32", value: random.int(0, 99) }, "u32", true),
    }),
    ...(combine && { combine }),
  };
  add(pool, { kind: "scatter", name: name(), value, slot, ...more }, undefined, false);
}

/** A user-defined operator; it need not be associative. */
function operatorOf(random: Random, number: number): Loose & { fields: { name: string; type: Scalar }[] } {
  const fields = Array.from({ length: random.int(1, 4) }, (_, i) => {
    const type = random.pick(["u32", "f32", "i32", random.pick(SCALAR_NAMES)] as const);
    return { name: random.chance(0.2) ? `m.f${i}` : `f${i}`, type, identity: literalOf(random, type) };
  });
  const pool: Pool = { nodes: [], types: [], uniform: [] };
  for (const [field, { type }] of fields.entries()) {
    add(pool, { kind: "left", field }, type, false);
    add(pool, { kind: "right", field }, type, false);
  }
  const around: Around = {
    operators: [],
    dimensions: 1,
    favourite: fields[0]?.type ?? "u32",
    name: () => "",
  };
  const count = random.int(0, 8);
  const elementwise = MAKE.slice(5, 12);
  for (let i = 0; i < count; i++) random.pick(elementwise)(random, pool, around);
  const results = fields.map(({ type }) => operandFor(random, pool, type));
  return { name: `op${number}`, fields, commutative: random.chance(0.5), nodes: pool.nodes, results };
}
