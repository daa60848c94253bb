/** The kernel of a probe: each work-item computes every row on operands of its own. */
import { Names } from "@groupwise/ir/base/names.js";
import { bitcastValue, wordOf as wordOfValue } from "@groupwise/ir/tables/convert-value.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { type ArrayRef, Code, storageRef } from "../language/build.ts";
import type { Expr } from "../language/expr.ts";
import { add, bitcast, builtin, cast, constant, eq, join, load, mul, ne, u32, word } from "../language/make-expr.ts";
import type { Buffer, Module, SharedArray } from "../language/module.ts";
import type { AtomicOp } from "../language/stmt.ts";
import { LANES, operandsOf } from "./operands.ts";
import { GROUP, madeOf, type ProbeRow } from "./rows.ts";

const OPERANDS = 3;
/** Words of an operand or a result. */
const wordsOf = (type: Scalar): number => (SCALARS[type].words === "pair" ? 2 : 1);

/** Where the first word of each is, of all work-items. */
function placed(types: readonly Scalar[], each: number): { readonly firsts: readonly number[]; readonly words: number } {
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
          Array.from({ length: wordsOf(type) }, (_, i) => wordOfValue(type, operands[k] as ScalarValue, i as 0 | 1)),
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
const isAtomic = (row: ProbeRow): boolean => typeof row.of === "string";

const NAMES = ["n", "given", "found", "i32_sums", "u32_sums"];
/** The module that computes rows, before any pass. */
export function probeModule(rows: readonly ProbeRow[]): Module {
  const types = typesOf(rows);
  const given = placed(types, OPERANDS);
  const found = placed(
    rows.map(({ result }) => result),
    1,
  );
  const code = new Code(new Names(NAMES));
  const lane = code.let("lane", builtin("local-id"));
  const item = code.let("item", add(mul(builtin("group-id"), GROUP), lane));
  const values = new Map(
    types.map((type, t) => [
      type,
      ["a", "b", "c"].map((name, k) => {
        const first = (given.firsts[t] as number) + k * wordsOf(type) * LANES;
        const at = (i: number): Expr => load("storage", "given", "u32", add(mul(item, wordsOf(type)), first + i));
        return code.let(`${name}_${type}`, ofWords(type, at));
      }),
    ]),
  );
  const valuesOf = (type: Scalar): readonly Expr[] => values.get(type) as readonly Expr[];
  const atomics = rows.filter(isAtomic);
  const sums = new Map<Scalar, ArrayRef<"work-group">>();
  for (const type of new Set(atomics.map((row) => row.type)))
    sums.set(type, { space: "work-group", name: `${type}_sums`, type });
  const placeOf = (row: ProbeRow): number => atomics.filter(({ type }) => type === row.type).indexOf(row);
  const each = (act: (row: ProbeRow, array: ArrayRef<"work-group">, place: number) => void): void => {
    for (const row of atomics) act(row, sums.get(row.type) as ArrayRef<"work-group">, placeOf(row));
  };
  if (atomics.length > 0) {
    code.if(eq(lane, 0), (then) =>
      each((row, array, place) => then.store(array, place, constant(row.type, LEAST[row.of as AtomicOp](row.type)))),
    );
    code.barrier();
    each((row, array, place) => code.atomic(row.of as AtomicOp, array, place, valuesOf(row.type)[0] as Expr));
    code.barrier();
  }
  const results = storageRef("found", "u32");
  for (const [r, row] of rows.entries()) {
    const array = sums.get(row.type) as ArrayRef<"work-group">;
    const [a, b, c] = valuesOf(row.type) as [Expr, Expr, Expr];
    const value = typeof row.of === "string" ? code.load(array, placeOf(row)) : row.of(a, b, c);
    const first = found.firsts[r] as number;
    const named = wordsOf(row.result) > 1 ? code.let("value", value) : value;
    for (const [i, one] of inWords(named).entries())
      code.store(results, add(mul(item, wordsOf(row.result)), u32(first + i)), one);
  }
  const buffer = (name: string, role: Buffer["role"], elements: number): Buffer => ({
    ...{ name, role, type: "u32", elements, cleared: false },
  });
  const shared = [...sums.values()].map(
    ({ name, type }): SharedArray => ({ name, type, length: atomics.filter((row) => row.type === type).length }),
  );
  const kernel = {
    ...{ name: "probe", doc: ["Every row of the probe, on operands of each work-item"], workGroupSize: GROUP },
    ...{ groups: LANES / GROUP, shared, body: code.stmts },
  };
  const buffers = [buffer("given", "table", given.words), buffer("found", "output", found.words)];
  // A block of parameters may not be empty.
  const params = [{ name: "n", type: "u32", role: "length" }] as const;
  return { name: "probe", params, buffers, functions: [], kernels: [kernel] };
}

/** What a device computes other than it must. */
export interface Difference {
  readonly operands: readonly ScalarValue[];
  readonly found: ScalarValue;
  readonly exact: ScalarValue;
}

/** By row, the first result that differs; undefined where all are exact. */
export function judged(rows: readonly ProbeRow[], found: ArrayLike<number>): readonly (Difference | undefined)[] {
  const { firsts } = placed(
    rows.map(({ result }) => result),
    1,
  );
  return rows.map((row, r) => {
    const exact = row.exact();
    const width = wordsOf(row.result);
    const values = exact.map((_, i) => {
      const at = (firsts[r] as number) + i * width;
      return valueOf(row.result, found[at] as number, found[at + 1] as number);
    });
    const wrong = exact.findIndex((want, i) => want !== undefined && !Object.is(want, values[i]));
    if (wrong < 0) return undefined;
    const operands = operandsOf(row.type)[wrong] as readonly ScalarValue[];
    return { operands, found: values[wrong] as ScalarValue, exact: exact[wrong] as ScalarValue };
  });
}

function valueOf(type: Scalar, low: number, high: number): ScalarValue {
  const form = SCALARS[type].words;
  if (form === "truth") return low !== 0;
  if (form === "pair") return bitcastValue("u64", type, (BigInt(high) << 32n) | BigInt(low));
  return form === "low" ? SCALARS.f16.fromHost(low & 0xffff) : bitcastValue("u32", type, low);
}
