/** The kernel of a probe: each work-item computes every row on operands of its own. */
import { Names } from "@groupwise/ir/base/names.js";
import { bitcastValue, wordOf as wordOfValue } from "@groupwise/ir/tables/convert-value.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { type ArrayRef, Code, storageRef } from "../language/build.ts";
import type { Expr } from "../language/expr.ts";
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
import type { AtomicOp } from "../language/stmt.ts";
import { LANES, operandsOf } from "./operands.ts";
import { GROUP, madeOf, type ProbeRow } from "./rows.ts";

const OPERANDS = 3;
/** Words of an operand or a result. */
const wordsOf = (type: Scalar): number => (SCALARS[type].words === "pair" ? 2 : 1);

/** Where the first word of each is, of all work-items. */
function placed(
  types: readonly Scalar[],
  each: number,
): { readonly firsts: readonly number[]; readonly words: number } {
  let words = 0;
  const firsts = types.map((type) => {
    const first = words;
    words += each * wordsOf(type) * LANES;
    return first;
  });
  return { firsts, words };
}
const typesOf = (rows: readonly ProbeRow[]): readonly Scalar[] => [...new Set(rows.map(({ type }) => type))];

/** The operands of the rows as words, which the kernel reads. */
export function givenTo(rows: readonly ProbeRow[]): Uint32Array<ArrayBuffer> {
  const types = typesOf(rows);
  return Uint32Array.from(
    types.flatMap((type) =>
      Array.from({ length: OPERANDS }, (_, k) =>
        operandsOf(type).flatMap((operands) =>
          Array.from({ length: wordsOf(type) }, (_, i) =>
            wordOfValue(type, operands[k] as ScalarValue, i as 0 | 1),
          ),
        ),
      ).flat(),
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

const LEAST: Readonly<Record<AtomicOp, (type: Scalar) => ScalarValue>> = {
  add: () => 0,
  or: () => 0,
  xor: () => 0,
  and: (type) => SCALARS[type].whole(-1),
  min: (type) => SCALARS[type].highest,
  max: (type) => SCALARS[type].lowest,
};
/** In a kernel of its own. */
export const isAtomic = (row: ProbeRow): boolean => typeof row.of === "string";

const NAMES = ["n", "given", "found", "i32_sums", "u32_sums"];
const FOUND = storageRef("found", "u32");

/** Where a kernel finds the operands of a type, and where it writes the results of a row. */
interface Places {
  readonly given: ReadonlyMap<Scalar, number>;
  readonly found: ReadonlyMap<ProbeRow, number>;
}
/** The statements of a kernel, and what they name. */
interface Body {
  readonly code: Code;
  readonly lane: Expr;
  operands(type: Scalar): readonly [Expr, Expr, Expr];
  give(row: ProbeRow, value: Expr): void;
}
function bodyOf({ given, found }: Places, rows: readonly ProbeRow[]): Body {
  const code = new Code(new Names(NAMES));
  const lane = code.let("lane", builtin("local-id"));
  const item = code.let("item", add(mul(builtin("group-id"), GROUP), lane));
  const read = (type: Scalar): readonly Expr[] =>
    ["a", "b", "c"].map((name, k) => {
      const first = (given.get(type) as number) + k * wordsOf(type) * LANES;
      const at = (i: number): Expr =>
        load("storage", "given", "u32", add(mul(item, wordsOf(type)), first + i));
      return code.let(`${name}_${type}`, ofWords(type, at));
    });
  const operands = new Map(typesOf(rows).map((type) => [type, read(type)]));
  return {
    code,
    lane,
    operands: (type) => operands.get(type) as readonly Expr[] as readonly [Expr, Expr, Expr],
    give: (row, value) => {
      const width = wordsOf(row.result);
      const named = width > 1 ? code.let("value", value) : value;
      for (const [i, one] of inWords(named).entries())
        code.store(FOUND, add(mul(item, width), u32((found.get(row) as number) + i)), one);
    },
  };
}

const kernelOf = (name: string, doc: string, code: Code, shared: readonly SharedArray[] = []): Kernel => ({
  ...{ name, doc: [doc], workGroupSize: GROUP, groups: LANES / GROUP, shared, body: code.stmts },
});

const expressions =
  (name: string, doc: string) =>
  (places: Places, rows: readonly ProbeRow[]): Kernel => {
    const { code, operands, give } = bodyOf(places, rows);
    for (const row of rows) if (typeof row.of === "function") give(row, row.of(...operands(row.type)));
    return kernelOf(name, doc, code);
  };
const together = expressions("probe", "Every row of the probe, on operands of each work-item");
const apart = expressions("probe_apart", "Rows that a compiler may treat otherwise beside others");

/** Apart, because barriers between many values take compilers long. */
function atomics(places: Places, rows: readonly ProbeRow[]): Kernel {
  const { code, lane, operands, give } = bodyOf(places, rows);
  const of = (type: Scalar): readonly ProbeRow[] => rows.filter((row) => row.type === type);
  const arrayOf = ({ type }: ProbeRow): ArrayRef<"work-group"> => ({
    ...{ space: "work-group", name: `${type}_sums`, type },
  });
  const placeOf = (row: ProbeRow): number => of(row.type).indexOf(row);
  code.if(eq(lane, 0), (then) => {
    for (const row of rows)
      then.store(arrayOf(row), placeOf(row), constant(row.type, LEAST[row.of as AtomicOp](row.type)));
  });
  code.barrier();
  for (const row of rows) code.atomic(row.of as AtomicOp, arrayOf(row), placeOf(row), operands(row.type)[0]);
  code.barrier();
  for (const row of rows) give(row, code.load(arrayOf(row), placeOf(row)));
  const shared = typesOf(rows).map((type) => ({ name: `${type}_sums`, type, length: of(type).length }));
  return kernelOf("probe_atomics", "Operators that a work-group applies to one element", code, shared);
}

/** The module that computes rows, before any pass. */
export function probeModule(rows: readonly ProbeRow[]): Module {
  const types = typesOf(rows);
  const given = placed(types, OPERANDS);
  const found = placed(
    rows.map(({ result }) => result),
    1,
  );
  const places: Places = {
    given: new Map(types.map((type, i) => [type, given.firsts[i] as number])),
    found: new Map(rows.map((row, i) => [row, found.firsts[i] as number])),
  };
  const kernelOfEach = [
    [together, (row: ProbeRow) => !isAtomic(row) && !row.apart],
    [apart, (row: ProbeRow) => row.apart],
    [atomics, isAtomic],
  ] as const;
  const kernels = kernelOfEach.flatMap(([make, isIn]) => {
    const part = rows.filter(isIn);
    return part.length > 0 ? [make(places, part)] : [];
  });
  const buffer = (name: string, role: Buffer["role"], elements: number): Buffer => ({
    ...{ name, role, type: "u32", elements, cleared: false },
  });
  const buffers = [buffer("given", "table", given.words), buffer("found", "output", found.words)];
  // A block of parameters may not be empty.
  const params = [{ name: "n", type: "u32", role: "length" }] as const;
  return { name: "probe", params, buffers, functions: [], kernels };
}

/** What a device computes other than it must. */
export interface ProbeDifference {
  readonly operands: readonly ScalarValue[];
  readonly found: ScalarValue;
  readonly exact: ScalarValue;
}

/** By row, the first result that differs; undefined where all are exact. */
export function judged(
  rows: readonly ProbeRow[],
  found: ArrayLike<number>,
): readonly (ProbeDifference | undefined)[] {
  const { firsts } = placed(
    rows.map(({ result }) => result),
    1,
  );
  return rows.map((row, r) => {
    const exact = row.exact();
    const width = wordsOf(row.result);
    const values = exact.map((_, i) => {
      const at = (firsts[r] as number) + i * width;
      return resultOf(row.result, found[at] as number, found[at + 1] as number);
    });
    const wrong = exact.findIndex((want, i) => want !== undefined && !Object.is(want, values[i]));
    if (wrong < 0) return undefined;
    const operands = (operandsOf(row.type)[wrong] as readonly ScalarValue[]).slice(0, operandsIn(row));
    return { operands, found: values[wrong] as ScalarValue, exact: exact[wrong] as ScalarValue };
  });
}

/** The number of operands that a row reads. */
function operandsIn({ of, type }: ProbeRow): number {
  if (typeof of === "string") return OPERANDS;
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
