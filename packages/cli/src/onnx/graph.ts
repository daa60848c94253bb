/** The graph of a model as a pipeline. */
import { GroupwiseError, type Pipeline } from "@groupwise/core";
import { Names } from "@groupwise/core/kernel";
import { isNarrow } from "@groupwise/core/target";
import type { AnyValue, Context, Outputs, Signature, U32Value } from "@groupwise/dsl";
import * as dsl from "@groupwise/dsl";
import { ACTIVATIONS } from "./activations.ts";
import { ELEMENT_WISE } from "./element-wise.ts";
import type { ModelProto, NodeProto, ValueInfoProto } from "./model.ts";
import { nameOf, pipelineName } from "./names.ts";
import { OTHERS } from "./others.ts";
import { REDUCES } from "./reduce.ts";
import { Refusal } from "./refusal.ts";
import { writing } from "./rows.ts";
import { SCANS } from "./scan.ts";
import { type Constant, constantOf } from "./tensor.ts";
import { arrayTypeOf, scalarOf, typeName } from "./types.ts";
import {
  coreOf,
  type Dims,
  descriptorOf,
  isOne,
  perItem,
  printDims,
  singleOf,
  type Tensor,
} from "./value.ts";
import { type Known, NodeView, type Rule } from "./view.ts";

const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries({ ...OTHERS, ...ELEMENT_WISE, ...ACTIVATIONS, ...REDUCES, ...SCANS }),
);

/** The operators that the import knows, in the order of the alphabet. */
export const ONNX_OPERATORS: readonly string[] = [...RULES.keys()].sort();

/** What cannot be imported, and why. */
export interface Uncovered {
  /** `node "sum_3" (ReduceSum)`, `input "x"`. */
  readonly where: string;
  readonly reason: string;
}

/** A name of the model and that of the document. */
export interface Renamed {
  readonly model: string;
  readonly pipeline: string;
}

/** A pipeline, or all parts of the model that are not supported. */
export type Imported =
  | { readonly pipeline: Pipeline; readonly names: readonly Renamed[] }
  | { readonly uncovered: readonly Uncovered[] };

interface Input {
  readonly name: string;
  readonly own: string;
  readonly type: Tensor["type"];
  readonly dims: Dims;
}

/** @throws GroupwiseError what the builder throws for the whole pipeline */
export function importGraph(model: ModelProto): Imported {
  const importing = new Importing(model);
  const inputs = importing.inputs();
  const signature: Record<string, unknown> = {};
  for (const { own, type, dims } of inputs)
    signature[own] = isOne(dims) ? dsl.param(descriptorOf(scalarOf(type))) : elementsOf(type);
  const build = (handles: unknown, context: Context): Outputs => {
    for (const input of inputs)
      importing.bind(input, (handles as Readonly<Record<string, AnyValue>>)[input.own]);
    const outputs = importing.run(context);
    if (importing.uncovered.length > 0) throw new Stopped();
    return outputs;
  };
  try {
    const options = { places: false, unusedConditions: true };
    const made = dsl.pipeline(
      pipelineName(model.graph.name ?? ""),
      signature as Signature,
      build as never,
      options,
    );
    return { pipeline: made.ir, names: importing.names };
  } catch (error) {
    if (error instanceof Stopped) return { uncovered: importing.uncovered };
    throw error;
  }
}

/** Ends the building of a pipeline with unsupported parts. */
class Stopped extends Error {}

const elementsOf = (type: Tensor["type"]): unknown =>
  isNarrow(type) ? (dsl as unknown as Readonly<Record<string, unknown>>)[type] : descriptorOf(type);

/** A value for each item, one, or one for each row, which is written by an item of it. */
function outputOf(tensor: Tensor, context: Context): unknown {
  const { type, rows } = tensor;
  const value = rows ? perItem(tensor.value) : tensor.value;
  const stored = isNarrow(type)
    ? (elementsOf(type) as (value: AnyValue) => U32Value)(value)
    : (value as U32Value);
  return rows ? stored.scatter(writing(tensor, context)) : stored;
}

class Importing {
  readonly uncovered: Uncovered[] = [];
  readonly names: Renamed[] = [];
  private readonly model: ModelProto;
  private readonly given = new Names();
  /** By the name in the graph; undefined for a refused part. */
  private readonly known = new Map<string, Known | undefined>();

  constructor(model: ModelProto) {
    this.model = model;
  }

  /** The inputs of the graph that have no initializer. */
  inputs(): Input[] {
    const { graph } = this.model;
    for (const { values } of graph.sparseInitializer)
      this.refuse(`initializer ${JSON.stringify(values?.name ?? "")}`, "it is sparse");
    for (const tensor of graph.initializer) {
      const name = tensor.name ?? "";
      this.attempt(`initializer ${JSON.stringify(name)}`, [name], () => ({ constant: constantOf(tensor) }));
    }
    const given = graph.input.filter(({ name = "" }) => !this.known.has(name));
    const inputs = given.flatMap((input) => this.input(input) ?? []);
    const [first, ...rest] = inputs.filter(({ dims }) => !isOne(dims));
    for (const { name, dims } of rest)
      if (coreOf(dims) !== coreOf((first as Input).dims))
        this.refuse(
          `input ${JSON.stringify(name)}`,
          `its shape ${printDims(dims)} differs from ${printDims((first as Input).dims)}, and a pipeline has one range`,
        );
    return inputs;
  }

  bind({ name, type, dims }: Input, value: AnyValue | undefined): void {
    this.known.set(name, { tensor: { type, dims, value: value as AnyValue } });
  }

  /** The outputs; problems are in `uncovered`. */
  run(context: Context): Outputs {
    for (const node of this.model.graph.node) this.node(node, context);
    const outputs: Record<string, unknown> = {};
    for (const { name = "" } of this.model.graph.output) {
      const known = this.known.get(name);
      if (known === undefined) {
        if (!this.known.has(name)) this.refuse(`output ${JSON.stringify(name)}`, "no node gives it");
        continue;
      }
      this.attempt(`output ${JSON.stringify(name)}`, [], () => {
        const { constant } = known as { constant?: Constant };
        const tensor = constant
          ? { ...constant, value: singleOf(constant) }
          : (known as { tensor: Tensor }).tensor;
        outputs[this.rename(name, "output")] = outputOf(tensor, context);
        return undefined;
      });
    }
    return outputs as Outputs;
  }

  private input({ name = "", type }: ValueInfoProto): Input | undefined {
    const where = `input ${JSON.stringify(name)}`;
    const tensor = type?.tensorType;
    this.known.set(name, undefined);
    if (!tensor) return this.refuse(where, "it is not a tensor");
    const own = arrayTypeOf(tensor.elemType);
    if (own === undefined) return this.refuse(where, `its type is ${typeName(tensor.elemType)}`);
    if (!tensor.shape) return this.refuse(where, "its shape is unknown");
    const dims = tensor.shape.dim.map(({ dimValue, dimParam }) =>
      dimValue === undefined ? (dimParam ?? "?") : Number(dimValue),
    );
    return { name, own: this.rename(name, "input"), type: own, dims };
  }

  private rename(name: string, otherwise: string): string {
    const own = this.given.fresh(nameOf(name, otherwise));
    if (own !== name) this.names.push({ model: name, pipeline: own });
    return own;
  }

  private node(node: NodeProto, context: Context): void {
    const { domain = "", opType = "", name = "", output } = node;
    const shown = JSON.stringify(name || (output[0] ?? ""));
    const where = `node ${shown} (${domain === "" ? "" : `${domain}.`}${opType})`;
    this.attempt(where, output, () => this.result(node, context));
  }

  /** The result of a node; undefined if it depends on a refused part. @throws Refusal */
  private result(node: NodeProto, context: Context): Known | undefined {
    const { domain = "", opType = "", input, output } = node;
    if (domain !== "" && domain !== "ai.onnx") throw new Refusal("its domain is not that of ONNX");
    const rule = RULES.get(opType);
    if (!rule) throw new Refusal("the operator is not covered");
    const missing = input.find((from) => from !== "" && !this.known.has(from));
    if (missing !== undefined) throw new Refusal(`nothing gives its input ${JSON.stringify(missing)}`);
    const inputs = input.map((from) => this.known.get(from));
    if (input.some((from, i) => from !== "" && inputs[i] === undefined)) return undefined;
    if (output.slice(1).some((to) => to !== "")) throw new Refusal(`it has ${output.length} outputs`);
    const made = rule(new NodeView(node, inputs, this.version(domain), context));
    return "value" in made ? { tensor: made } : { constant: made };
  }

  private version(domain: string): number {
    const isOf = (own: string | undefined): boolean => [domain, ""].includes(own ?? "");
    return Number(this.model.opsetImport.find((set) => isOf(set.domain))?.version ?? 1);
  }

  private attempt(where: string, gives: readonly string[], make: () => Known | undefined): void {
    try {
      const known = make();
      for (const name of gives) this.known.set(name, known);
    } catch (error) {
      const isKnown = error instanceof Refusal || error instanceof GroupwiseError;
      if (!isKnown) throw error;
      this.refuse(where, error instanceof GroupwiseError ? error.what : error.message, gives);
    }
  }

  private refuse(where: string, reason: string, gives: readonly string[] = []): undefined {
    this.uncovered.push({ where, reason });
    this.lose(gives);
  }

  private lose(names: readonly string[]): void {
    for (const name of names) this.known.set(name, undefined);
  }
}
