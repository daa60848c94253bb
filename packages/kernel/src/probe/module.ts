/** The kernel of a probe: each work-item computes every row on operands of its own. */
import { Names } from "@groupwise/ir/base/names.js";
import { bitcastValue, wordOf as wordOfValue } from "@groupwise/ir/tables/convert-value.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "../capabilities/capabilities.ts";
import { Code, storageRef } from "../language/build.ts";
import type { Expr, SharedSpace } from "../language/expr.ts";
import {
  add,
  bitcast,
  builtin,
  cast,
  constant,
  eq,
  join,
  load,
  mul,
  ne,
  u32,
  word,
} from "../language/make-expr.ts";
import { partsOf } from "../language/map-expr.ts";
import type { Buffer, Kernel, Module, SharedArray } from "../language/module.ts";
import { ROW } from "../language/stmt.ts";
import { doingOf, exactlyShared, SHARERS, type Sharing } from "./atomics.ts";
import { LANES, operandsOf } from "./operands.ts";
import { type AtomicRow, GROUP, madeOf, type ProbeRow } from "./rows.ts";

const OPERANDS = 3;
/** Words of an operand or a result. */
const wordsOf = (type: Scalar): number => (SCALARS[type].words === "pair" ? 2 : 1);

const typesOf = (rows: readonly ProbeRow[]): readonly Scalar[] => [...new Set(rows.map(({ type }) => type))];

/** Where each value begins in rows of one word of every work-item, and the number of these rows. */
function placed<T>(
  values: readonly T[],
  wordsIn: (value: T) => number,
): { readonly firsts: ReadonlyMap<T, number>; readonly count: number } {
  let count = 0;
  const firsts = new Map<T, number>();
  for (const value of values) {
    firsts.set(value, count);
    count += wordsIn(value);
  }
  return { firsts, count };
}
const givenPlaces = (rows: readonly ProbeRow[]) => placed(typesOf(rows), (type) => OPERANDS * wordsOf(type));
const foundPlaces = (rows: readonly ProbeRow[]) =>
  placed(
    kernelsOf(rows).flatMap(({ part }) => part),
    ({ result }) => wordsOf(result),
  );

/** The operands of the rows as words, which the kernel reads. */
export function givenTo(rows: readonly ProbeRow[]): Uint32Array<ArrayBuffer> {
  return Uint32Array.from(
    typesOf(rows).flatMap((type) =>
      Array.from({ length: OPERANDS * wordsOf(type) }, (_, i) => {
        const [k, half] = [Math.floor(i / wordsOf(type)), i % wordsOf(type)];
        return operandsOf(type).map((operands) =>
          wordOfValue(type, operands[k] as ScalarValue, half as 0 | 1),
        );
      }).flat(),
    ),
  );
}

/** A value from its words, which a function gives by number. */
function ofWords(type: Scalar, at: (i: number) => Expr): Expr {
  const form = SCALARS[type].words;
  if (form === "truth") return ne(at(0), 0);
  if (form === "bits") return bitcast(type, at(0));
  return join(type, form === "pair" ? [at(0), at(1)] : [at(0)]);
}
function inWords(e: Expr): readonly Expr[] {
  const form = SCALARS[e.type].words;
  if (form === "truth") return [cast("u32", e)];
  if (form === "bits") return [bitcast("u32", e)];
  return form === "pair" ? [word(0, e), word(1, e)] : [word(0, e)];
}

/** In kernels of their own. */
export const isAtomic = (row: ProbeRow): row is AtomicRow => typeof row.of !== "function";
const isIn =
  (space: SharedSpace) =>
  (row: ProbeRow): row is AtomicRow =>
    isAtomic(row) && row.of.space === space;

/** Of the arrays whose elements work-items share. */
const ARRAYS = { "work-group": "in_group", storage: "in_device" } as const;
const NAMES = [
  "n",
  "given",
  "found",
  ...Object.values(ARRAYS).flatMap((name) => [`i32_${name}`, `u32_${name}`]),
];
const FOUND = storageRef("found", "u32");

/** The statements of a kernel, and what they name. */
interface Body {
  readonly code: Code;
  readonly lane: Expr;
  readonly item: Expr;
  operands(type: Scalar): readonly [Expr, Expr, Expr];
  /** Writes the values of all rows, in their order. */
  give(values: readonly Expr[]): void;
}
/** The kernels of a part of the rows. */
type MakeKernels = (
  rows: readonly ProbeRow[],
  part: readonly ProbeRow[],
  capabilities: Pick<Capabilities, "guardsAccesses">,
) => readonly Kernel[];

function bodyOf(...[rows, part, { guardsAccesses }]: Parameters<MakeKernels>): Body {
  const code = new Code(new Names(NAMES));
  const lane = code.let("lane", builtin("local-id"));
  const item = code.let("item", add(mul(builtin("group-id"), GROUP), lane));
  const places = givenPlaces(rows).firsts;
  const read = (type: Scalar): readonly Expr[] =>
    ["a", "b", "c"].map((name, k) => {
      const first = (places.get(type) as number) + k * wordsOf(type);
      const at = (i: number): Expr => load("storage", "given", "u32", add(item, u32((first + i) * LANES)));
      return code.let(`${name}_${type}`, ofWords(type, at));
    });
  const operands = new Map(typesOf(part).map((type) => [type, read(type)]));
  const first = foundPlaces(rows).firsts.get(part[0] as ProbeRow) as number;
  const words = part.reduce((sum, { result }) => sum + wordsOf(result), 0);
  const give = (values: readonly Expr[]): void => {
    const results = guardsAccesses && code.array("results", "u32", words);
    let k = 0;
    // Each is stored at once: a compiler for CPUs takes a quarter longer for many values that live to the end.
    for (const value of values) {
      const named = wordsOf(value.type) > 1 ? code.let("value", value) : value;
      for (const one of inWords(named)) {
        if (results) code.store(results, k, one);
        else code.store(FOUND, add(item, u32((first + k) * LANES)), one);
        k += 1;
      }
    }
    if (results)
      code.for("k", 0, words, (each, at) => {
        each.store(FOUND, add(mul(add(at, u32(first)), LANES), item), each.load(results, at));
      });
  };
  return {
    ...{ code, lane, item, give },
    operands: (type) => operands.get(type) as readonly Expr[] as readonly [Expr, Expr, Expr],
  };
}

const kernelOf = (name: string, doc: string, code: Code, shared: readonly SharedArray[] = []): Kernel => ({
  ...{ name, doc: [doc], workGroupSize: GROUP, groups: LANES / GROUP, shared, body: code.stmts },
});

const expressions =
  (name: string, doc: string): MakeKernels =>
  (rows, part, capabilities) => {
    const { code, operands, give } = bodyOf(rows, part, capabilities);
    give(part.flatMap(({ of, type }) => (typeof of === "function" ? [of(...operands(type))] : [])));
    return [kernelOf(name, doc, code)];
  };
const together = expressions("probe", "Every row of the probe, on operands of each work-item");
const apart = expressions("probe_apart", "Rows that a compiler may treat otherwise beside others");

/** Vectors of words begin at multiples of their number. */
const elementsOf = (row: AtomicRow): number =>
  ROW * Math.ceil(doingOf(row).elements(SHARERS[row.of.space]) / ROW);
/** An array of each type. */
const arraysOf = (rows: readonly ProbeRow[], space: SharedSpace) => {
  const own = rows.filter(isIn(space));
  return typesOf(own).map((type) => ({
    ...{ space, name: `${type}_${ARRAYS[space]}`, type },
    ...placed(
      own.filter((row) => row.type === type),
      elementsOf,
    ),
  }));
};
/** Each row, with what a work-item shares for it. */
const sharedBy = (rows: readonly ProbeRow[], space: SharedSpace, code: Code, item: Expr) =>
  arraysOf(rows, space).flatMap(({ firsts, ...array }) =>
    [...firsts].map(([row, at]): readonly [AtomicRow, Sharing] => [
      row,
      { code, array, at, item, items: SHARERS[space] },
    ]),
  );
type SharedRows = ReturnType<typeof sharedBy>;
const begin = (code: Code, shared: SharedRows): void => {
  for (const [row, { array, at }] of shared)
    code.store(array, at, constant(row.type, doingOf(row).first(row.type)));
};
const act = (shared: SharedRows, operands: Body["operands"]): void => {
  for (const [row, sharing] of shared) doingOf(row).act(sharing, operands(row.type)[0]);
};
const giveFound = (rows: readonly ProbeRow[], shared: SharedRows, { give }: Body): void => {
  const found = new Map<ProbeRow, Expr>(shared.map(([row, sharing]) => [row, doingOf(row).found(sharing)]));
  give(rows.map((row) => found.get(row) as Expr));
};

/** Apart, because barriers between many values take compilers long. */
const inGroups: MakeKernels = (...given) => {
  const [, rows] = given;
  const body = bodyOf(...given);
  const { code, lane } = body;
  const shared = sharedBy(rows, "work-group", code, lane);
  for (const [row, { array, at, items }] of shared)
    if (doingOf(row).elements(items) > 1) code.store(array, add(lane, u32(at + 1)), constant(row.type, 0));
  code.if(eq(lane, 0), (then) => begin(then, shared));
  code.barrier();
  act(shared, body.operands);
  code.barrier();
  giveFound(rows, shared, body);
  const arrays = arraysOf(rows, "work-group").map(({ name, type, count }) => ({ name, type, length: count }));
  return [kernelOf("probe_atomics", "Atomics in the memory of work-groups", code, arrays)];
};

/** All work-groups share elements, which hold zeros at first; only kernels that follow see what all have done. */
const inDevice: MakeKernels = (...given) => {
  const [, rows] = given;
  const step = (name: string, doc: string, write: (body: Body, shared: SharedRows) => void): Kernel => {
    const body = bodyOf(...given);
    write(body, sharedBy(rows, "storage", body.code, body.item));
    return kernelOf(name, doc, body.code);
  };
  const fill = step("probe_begin", "First values in device memory", ({ code, item }, shared) =>
    code.if(eq(item, 0), (then) => begin(then, shared)),
  );
  return [
    ...(rows.some((row) => isAtomic(row) && doingOf(row).first(row.type) !== 0) ? [fill] : []),
    step("probe_device", "Atomics in device memory", ({ operands }, shared) => act(shared, operands)),
    step("probe_found", "What they leave there", (body, shared) => giveFound(rows, shared, body)),
  ];
};

const PARTS: readonly (readonly [make: MakeKernels, isIn: (row: ProbeRow) => boolean])[] = [
  [together, (row) => !isAtomic(row) && !row.apart],
  [apart, (row) => row.apart === true],
  [inGroups, isIn("work-group")],
  [inDevice, isIn("storage")],
];
/** Those that rows need, each with its own. */
const kernelsOf = (rows: readonly ProbeRow[]) =>
  PARTS.map(([make, isIn]) => ({ make, part: rows.filter(isIn) })).filter(({ part }) => part.length > 0);

/** The module that computes rows, before any pass. */
export function probeModule(
  rows: readonly ProbeRow[],
  capabilities: Pick<Capabilities, "guardsAccesses">,
): Module {
  const kernels = kernelsOf(rows).flatMap(({ make, part }) => make(rows, part, capabilities));
  const buffer = (name: string, role: Buffer["role"], { count }: { readonly count: number }): Buffer => ({
    ...{ name, role, type: "u32", elements: count * LANES, cleared: false },
  });
  const shared = arraysOf(rows, "storage").map(
    ({ name, type, count }): Buffer => ({ name, type, role: "scratch", elements: count, cleared: true }),
  );
  const buffers = [buffer("given", "table", givenPlaces(rows)), buffer("found", "output", foundPlaces(rows))];
  // A block of parameters may not be empty.
  const params = [{ name: "n", type: "u32", role: "length" }] as const;
  return { name: "probe", params, buffers: [...buffers, ...shared], functions: [], kernels };
}

/** What a device computes other than it must. */
export interface ProbeDifference {
  readonly operands: readonly ScalarValue[];
  readonly found: ScalarValue;
  readonly exact: ScalarValue;
}

/** By work-item; undefined where the row says nothing. */
export const exactOf = (row: ProbeRow): readonly (ScalarValue | undefined)[] =>
  isAtomic(row) ? exactlyShared(row) : (row.exact?.() ?? []);

/** By row, the first result that differs; undefined where all are exact. */
export function judged(
  rows: readonly ProbeRow[],
  found: ArrayLike<number>,
): readonly (ProbeDifference | undefined)[] {
  const { firsts } = foundPlaces(rows);
  return rows.map((row) => {
    const exact = exactOf(row);
    const first = firsts.get(row) as number;
    const values = exact.map((_, i) => {
      const at = (half: 0 | 1): number => found[(first + half) * LANES + i] as number;
      return resultOf(row.result, at(0), at(1));
    });
    const wrong = exact.findIndex((want, i) => want !== undefined && !Object.is(want, values[i]));
    if (wrong < 0) return undefined;
    const operands = (operandsOf(row.type)[wrong] as readonly ScalarValue[]).slice(0, operandsIn(row));
    return { operands, found: values[wrong] as ScalarValue, exact: exact[wrong] as ScalarValue };
  });
}

/** The number of operands that a row reads. */
function operandsIn({ of, type }: ProbeRow): number {
  if (typeof of !== "function") return 1;
  const names = (e: Expr): readonly string[] =>
    e.kind === "var" ? [e.name] : partsOf(e).flatMap((part) => names(part));
  return new Set(names(madeOf(of, type))).size;
}

function resultOf(type: Scalar, low: number, high: number): ScalarValue {
  const form = SCALARS[type].words;
  if (form === "truth") return low !== 0;
  if (form === "pair") return bitcastValue("u64", type, (BigInt(high) << 32n) | BigInt(low));
  return form === "low" ? SCALARS.f16.fromHost(low & 0xffff) : bitcastValue("u32", type, low);
}
