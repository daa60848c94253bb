/** A named pipeline with data, which every device runs. */
import { check, type Pipeline, type RunValues, type ScalarValue } from "@groupwise/core";
import { SCALARS, valueTypeOf } from "@groupwise/core/target";
import { narrowed } from "../../data/arrays.ts";
import { DATA, dataOf, mixedData } from "../../data/data.ts";
import type { Share } from "../../data/share.ts";

export interface Case {
  readonly name: string;
  /** The features of the language that it covers. */
  readonly covers: string;
  readonly ir: Pipeline;
  /** True if it represents other cases when texts are compiled in every variant. */
  readonly typical: boolean;
  /** The smallest share of checks that has it; undefined: only all checks. */
  readonly share: Share | undefined;
  /** Values of a run over `n` items; other data for each seed. */
  values(n: number, seed: number): RunValues;
}

export interface CaseOptions {
  readonly typical?: boolean;
  readonly share?: Share;
  /** Sets of parameters, taken in turn by seed. */
  readonly params?: readonly Readonly<Record<string, ScalarValue>>[];
  /** Inputs that need particular values. */
  readonly inputs?: (n: number, seed: number) => RunValues;
}

/** Elements of tables, taken in turn by seed; undefined: more than there are items. */
const TABLE_LENGTHS = [7, undefined, 0, 1] as const;

/** A case of a pipeline; inputs without particular values have the data that finds most faults. */
export function caseOf(source: { readonly ir: Pipeline }, covers: string, options: CaseOptions = {}): Case {
  const { ir } = source;
  const { inputs, tables } = check(ir);
  const { params = [{}], typical = false } = options;
  const values = (n: number, seed: number): RunValues => {
    const arrays = inputs.map(({ name, type }) => {
      const of = valueTypeOf(type);
      const [first] = DATA[SCALARS[of].kind];
      const own = `${name} ${seed}`;
      const made = seed % 2 === 0 && first ? dataOf(of, first, n, own) : mixedData(of, n, own);
      return [name, narrowed(type, made)];
    });
    const others = tables.map(({ name, type }, i) => {
      const length = TABLE_LENGTHS[(seed + i) % TABLE_LENGTHS.length] ?? n + 3;
      return [name, mixedData(type, length, `${name} ${seed}`)];
    });
    return {
      ...Object.fromEntries([...arrays, ...others]),
      ...options.inputs?.(n, seed),
      ...params[seed % params.length],
    };
  };
  return { name: ir.name, covers, ir, typical, share: options.share, values };
}
