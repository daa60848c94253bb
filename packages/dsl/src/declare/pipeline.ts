import { type ArrayType, type Checked, check, GroupwiseError, type Pipeline } from "@groupwise/core";
import {
  BOOLEAN,
  errorOf,
  type InputNode,
  type ParamNode,
  requireArguments,
  type SinkNode,
  type TableNode,
  valueTypeOf,
  type Wanted,
} from "@groupwise/core/target";
import { optionsOf } from "../base/choice.ts";
import { refuseUnused } from "../base/misuse.ts";
import { callerOf } from "../base/place.ts";
import { applyTo } from "./apply.ts";
import { BIT_TABLE, BitsExpr, BitTableExpr, bitOfItem, bits } from "./bits.ts";
import { type Context, contextOf } from "./context.ts";
import { documentOf, valuesOf } from "./document.ts";
import { DeclaredExpr, type Owner, ScatterExpr, type Template, use } from "./expr.ts";
import { NarrowExpr, ScalarExpr, TableExpr } from "./outputs.ts";
import { arrayTypeOf } from "./scalar-type.ts";
import type {
  Arguments,
  Handles,
  Outputs,
  PipelineDefinition,
  PipelineOptions,
  Signature,
} from "./signature.ts";

/**
 * Declares a pipeline over a range of n items.
 * @param name letters, digits, hyphens and underscores; used for emitted files and functions
 * @param inputs arrays of n elements by type (`{ text: u32 }`), scalars by `param(type)`
 * @param build makes the outputs from the inputs; it runs once, immediately. Loops in it are unrolled
 * @throws GroupwiseError the first violated rule, with the source location
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ running: x.scanInclusive("add"), largest: x.reduce("max") }));
 * const program = await jsRuntime().compile(sums);
 * const { running, largest } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(running); // [1, 3, 7]
 * console.log(largest); // [4]
 * ```
 */
export function pipeline<I extends Signature, O extends Outputs>(
  name: string,
  inputs: I,
  build: (inputs: Handles<I>, context: Context) => O,
  options: PipelineOptions = {},
): PipelineDefinition<I, O> {
  const at = options?.places === false ? undefined : callerOf(pipeline);
  const { workGroupSize = 256, places = true, unusedConditions = false } = optionsOf(options, OPTIONS, at);
  if (typeof build !== "function")
    throw errorOf("bad-argument", { what: "build", want: "a function", got: typeof build }, at);
  const sides = typeof workGroupSize === "number" ? [workGroupSize] : workGroupSize;
  // An invalid work-group size is reported later.
  const dimensions = Math.min(Math.max(sides.length, 1), 3);
  const owner: Owner = { places, dimensions, conditions: new Set() };
  const { handles, exprs } = declaredBy(inputs, owner, at);
  const context = contextOf(owner, dimensions);
  const outputs = outputsOf(build(handles as unknown as Handles<I>, context), owner, at);
  if (!unusedConditions) refuseUnused(owner.conditions, at);
  const ir = documentOf({
    name: String(name),
    workGroupSize: sides,
    inputs: exprs,
    outputs: outputs.map(([key, output]) => [key, output instanceof ScalarExpr ? output.expr : output, at]),
    places,
  });
  const scalars = outputs.flatMap(([key, output]) => (output instanceof ScalarExpr ? [key] : []));
  return definitionOf<I, O>(checkAt(ir, at), scalars);
}

const OPTIONS: Readonly<Record<keyof Required<PipelineOptions>, Wanted>> = {
  workGroupSize: {
    want: "a number of work-items, or a list of numbers",
    is: (value) =>
      typeof value === "number" || (Array.isArray(value) && value.every((side) => typeof side === "number")),
  },
  places: BOOLEAN,
  unusedConditions: BOOLEAN,
};

/** A part of the document that no node makes, such as `name` and `workGroupSize`. */
const OF_DOCUMENT = /^\w+$/;

/** Errors about the whole document, such as its name, have the place of the declaration. */
function checkAt(ir: Pipeline, at: string | undefined): Checked {
  try {
    return check(ir);
  } catch (error) {
    if (!(error instanceof GroupwiseError && at && OF_DOCUMENT.test(error.where))) throw error;
    throw new GroupwiseError(error.code, { message: error.what, hint: error.hint }, at, error);
  }
}

interface Declared {
  readonly handles: Readonly<Record<string, DeclaredExpr | TableExpr | BitTableExpr>>;
  /** The parts of the document. */
  readonly exprs: readonly DeclaredExpr[];
}

function declaredBy(inputs: Signature, owner: Owner, at: string | undefined): Declared {
  const handles = Object.create(null) as Record<string, DeclaredExpr | TableExpr | BitTableExpr>;
  const exprs: DeclaredExpr[] = [];
  const declare = (
    kind: "input" | "param" | "table",
    name: string,
    type: ArrayType,
    more: Pick<ParamNode, "divides"> = {},
  ): DeclaredExpr => {
    const template = { kind, name, type, ...more } as Template;
    const expr = new DeclaredExpr(valueTypeOf(type), template, [], at, { owner });
    exprs.push(expr);
    return expr;
  };
  for (const [name, descriptor] of Object.entries(inputs ?? {})) {
    const isObject = typeof descriptor === "object" && descriptor !== null;
    if (isObject && "param" in descriptor) {
      const { param, divides } = descriptor;
      handles[name] = declare("param", name, param, divides && { divides });
    } else if (isObject && "table" in descriptor)
      handles[name] = new TableExpr(declare("table", name, descriptor.table), descriptor.table);
    else if (descriptor === bits || descriptor === BIT_TABLE) {
      const words = new TableExpr(declare("table", name, "u32"));
      handles[name] = descriptor === bits ? bitOfItem(words) : new BitTableExpr(words);
    } else handles[name] = declare("input", name, arrayTypeOf(descriptor, at));
  }
  return { handles: Object.freeze(handles), exprs };
}

type Output = DeclaredExpr | NarrowExpr | ScalarExpr | ScatterExpr;
const isOutput = (value: unknown): value is Output =>
  value instanceof DeclaredExpr ||
  value instanceof NarrowExpr ||
  value instanceof ScalarExpr ||
  value instanceof ScatterExpr;

/** Checks that the builder function returned outputs. */
function outputsOf(result: unknown, owner: Owner, at: string | undefined): [string, Output][] {
  const refuse = (reason: string, hint: string): never => {
    throw errorOf("bad-usage", { reason, hint }, at);
  };
  const wanted = 'return an object of values by name, for example { total: x.reduce("add") }';
  if (result === undefined || result === null) throw errorOf("no-output", undefined, at);
  if (typeof result !== "object") return refuse(`the builder function returned a ${typeof result}`, wanted);
  if (isOutput(result) || result instanceof BitsExpr) return refuse("the output has no name", wanted);
  if (typeof (result as PromiseLike<unknown>).then === "function") {
    return refuse("the builder function returned a promise", "build the pipeline without async");
  }
  if (Array.isArray(result)) return refuse("the builder function returned a list", wanted);
  return Object.entries(result).map(([name, given]: [string, unknown]) => {
    const output = given instanceof BitsExpr ? given.ofItems(at) : given;
    if (!isOutput(output)) {
      const hint = `${wanted}; for a record, ...outputs({ ${name}: … })`;
      return refuse(`the output ${JSON.stringify(name)} is not a value of a pipeline`, hint);
    }
    const made = output instanceof ScalarExpr || output instanceof NarrowExpr ? output.expr : output;
    if (made.owner && made.owner !== owner) throw errorOf("foreign-value", undefined, made.place ?? at);
    use(valuesOf(made));
    return [name, output];
  });
}

type Named = InputNode | ParamNode | TableNode | SinkNode;
/** The type of the elements of an array that differs from its values. */
const typeIn = (node: Named): ArrayType | undefined => ("type" in node ? node.type : node.as);

function definitionOf<I extends Signature, O extends Outputs>(
  checked: Checked,
  scalars: readonly string[],
): PipelineDefinition<I, O> {
  const { pipeline: ir, inputs, params, tables, sinks, types } = checked;
  function apply(values: Arguments<I>): unknown {
    requireArguments(arguments, ir.name, ["values"]);
    return applyTo(checked, values, callerOf(apply));
  }
  const byName = (list: readonly Named[]): object =>
    Object.freeze(Object.fromEntries(list.map((node) => [node.name, typeIn(node) ?? types[node.id]])));
  const facts = {
    name: ir.name,
    ir,
    inputs: byName(inputs),
    params: byName(params),
    tables: byName(tables),
    outputs: byName(sinks),
    scalars: byName(sinks.filter(({ name }) => scalars.includes(name))),
    toJSON: (): Pipeline => ir,
  };
  // A function has its own property `name`, which only `defineProperty` can replace.
  for (const [key, value] of Object.entries(facts))
    Object.defineProperty(apply, key, { value, enumerable: true });
  return Object.freeze(apply) as unknown as PipelineDefinition<I, O>;
}
