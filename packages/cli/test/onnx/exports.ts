/** A pipeline for each part that an export can write, and values for it. */
import type { ArrayType, Scalar, ScalarValue } from "@groupwise/core";
import { BINARY, FUNCTION_ROWS, type FunctionName, isOn, OPS, SCALARS, UNARY } from "@groupwise/core/target";
import * as dsl from "@groupwise/dsl";
import { specials } from "@groupwise/testkit";
import { FUNCTIONS, OPERATORS, REDUCTIONS, SCANS } from "../../src/onnx/write/operators.ts";

const TYPES = Object.keys(SCALARS) as Scalar[];
type Methods = Readonly<Record<string, (...rest: unknown[]) => dsl.AnyValue>>;
export const call = (value: unknown, name: string, ...rest: unknown[]): dsl.AnyValue =>
  (value as Methods)[name]?.(...rest) as dsl.AnyValue;
export const described = (type: ArrayType): dsl.ScalarType<"f32"> =>
  (dsl as unknown as Readonly<Record<string, dsl.ScalarType<"f32">>>)[type] as dsl.ScalarType<"f32">;

/** Each value beside each other one. */
export function pairs(type: Scalar): readonly [ScalarValue[], ScalarValue[]] {
  const values = specials(type).slice(0, 24);
  return [values.flatMap((x) => values.map(() => x)), values.flatMap(() => values)];
}

export interface ExportCase {
  readonly name: string;
  readonly op: string;
  readonly type: Scalar;
  readonly made: dsl.PipelineDefinition<never, never>;
  readonly inputs: Readonly<Record<string, readonly ScalarValue[]>>;
}
const isUnary = (op: string): op is keyof typeof UNARY => Object.hasOwn(UNARY, op);
const made = (
  name: string,
  inputs: Record<string, unknown>,
  of: (values: Methods) => unknown,
): ExportCase["made"] =>
  dsl.pipeline(name, inputs as never, ((values: Methods) => ({ z: of(values) })) as never) as never;

function operatorCases(op: string): ExportCase[] {
  const row = isUnary(op) ? UNARY[op] : BINARY[op as keyof typeof BINARY];
  return TYPES.filter((type) => isOn(row, type)).map((type) => {
    const right = ("rightType" in row ? row.rightType : undefined) ?? type;
    const [x, y] = pairs(type);
    const pipeline = made("one", { x: described(type), y: described(right) }, ({ x, y }) =>
      isUnary(op) ? call(x, op) : call(x, op, y),
    );
    const inputs = { x, y: right === type ? y : x.map((_, i) => i % 70) };
    return { name: `${op} of ${type}`, op, type, made: pipeline, inputs };
  });
}

function functionCases(op: FunctionName): ExportCase[] {
  const row = FUNCTION_ROWS[op];
  return TYPES.filter((type) => isOn(row, type)).map((type) => {
    const [x, y] = pairs(type);
    const pipeline = made("one", { x: described(type), y: described(type) }, ({ x, y }) =>
      call(x, op, ...row.rest.map(() => y)),
    );
    return { name: `${op} of ${type}`, op, type, made: pipeline, inputs: { x, y } };
  });
}

/** Collectives, of values whose sums and products are exact, of extreme integers, and for minima and maxima of extreme floats. */
function collectiveCases(): ExportCase[] {
  const small = (type: Scalar): ScalarValue[] =>
    [3, 1, 4, 1, 5, 9, 2, 6].map((x) => SCALARS[type].whole(type === "bool" ? x % 2 : x));
  const extreme = (type: Scalar, op: string): ScalarValue[] =>
    SCALARS[type].kind === "float" && !["min", "max"].includes(op) ? [] : specials(type).slice(0, 24);
  const forms = [
    ...Object.keys(REDUCTIONS).map((op) => ["reduce", op, {}] as const),
    ...Object.keys(SCANS).flatMap((op) =>
      [false, true].flatMap((reverse) => [
        ["scanInclusive", op, { reverse }] as const,
        ["scanExclusive", op, { reverse }] as const,
      ]),
    ),
  ];
  return forms.flatMap(([form, op, options]) =>
    TYPES.filter((type) =>
      Object.hasOwn(OPS, op) ? isOn(OPS[op as keyof typeof OPS], type) : type === "bool",
    ).map((type) => ({
      name: `${form} ${op} of ${type}${"reverse" in options && options.reverse ? ", reversed" : ""}`,
      op: `${form} ${op}`,
      type,
      made: made("one", { x: described(type) }, ({ x }) =>
        form === "reduce" && (op === "all" || op === "any") ? call(x, op) : call(x, form, op, options),
      ),
      inputs: { x: [...small(type), ...extreme(type, op)] },
    })),
  );
}

function otherCases(): ExportCase[] {
  const casts = TYPES.flatMap((from) =>
    TYPES.filter((to) => to !== from).map((to) => ({
      name: `cast of ${from} to ${to}`,
      op: "cast",
      type: from,
      made: made("one", { x: described(from) }, ({ x }) =>
        call(x, `to${to[0]?.toUpperCase()}${to.slice(1)}`),
      ),
      inputs: { x: specials(from) },
    })),
  );
  const selects = TYPES.map((type) => {
    const [x, y] = pairs(type);
    const pipeline = made("one", { c: dsl.bool, x: described(type), y: described(type) }, ({ c, x, y }) =>
      call(c, "select", x, y),
    );
    return {
      name: `select of ${type}`,
      op: "select",
      type,
      made: pipeline,
      inputs: { c: x.map((_, i) => i % 2 === 0), x, y },
    };
  });
  return [...casts, ...selects];
}

export const exportCases = (): ExportCase[] => [
  ...Object.keys(OPERATORS).flatMap(operatorCases),
  ...(Object.keys(FUNCTIONS) as FunctionName[]).flatMap(functionCases),
  ...collectiveCases(),
  ...otherCases(),
];
