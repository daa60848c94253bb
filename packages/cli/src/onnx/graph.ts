/** The graph of a model as a pipeline. */
import { GroupwiseError, type Pipeline } from "@groupwise/core";
import { Names } from "@groupwise/core/kernel";
import type { AnyValue, Context, Outputs, Signature, Table, U32Value } from "@groupwise/dsl";
import * as dsl from "@groupwise/dsl";
import { foldable, folded } from "./fold.ts";
import type { ModelProto, NodeProto, ValueInfoProto } from "./model.ts";
import { nameOf, pipelineName } from "./names.ts";
import { Refusal } from "./refusal.ts";
import { RULES } from "./rules.ts";
import {
  type Dims,
  extentOf,
  ItemSpace,
  isOne,
  printDims,
  sameExtent,
  type Tensor,
  tensor,
  uniform,
  Wider,
} from "./space.ts";
import { type Constant, constantOf, embedded } from "./tensor.ts";
import { arrayTypeOf, scalarOf, typeName } from "./types.ts";
import { descriptorOf, elementsFrom, elementsOf, perItem } from "./value.ts";
import { type KnownName, knownOf, type NodeResult, NodeView } from "./view.ts";

/** The operators that the import knows, in the order of the alphabet. */
export const ONNX_OPERATORS: readonly string[] = [...RULES.keys()].sort();

/** The newest operator set whose definitions the rules follow; later ones may change what an operator means. */
const NEWEST_SET = 28;

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
  | {
      readonly pipeline: Pipeline;
      readonly names: readonly Renamed[];
      /** The number of items that a run needs, if no input has it. */
      readonly items?: number;
    }
  | { readonly uncovered: readonly Uncovered[] };

type Extent = ItemSpace["extent"];

interface Input {
  readonly name: string;
  readonly own: string;
  readonly type: Tensor["type"];
  readonly dims: Dims;
}
/** How the pipeline takes an input: as a single value, as an array of the range, or as an array of its own length. */
const formOf = ({ dims }: Pick<Input, "dims">, range: Extent): "param" | "items" | "table" =>
  isOne(dims) ? "param" : sameExtent(extentOf(dims), range) ? "items" : "table";

/**
 * @param values inputs of the model that have one value, by name
 * @throws GroupwiseError what the builder throws for the whole pipeline
 */
export function importGraph(model: ModelProto, values: ReadonlyMap<string, Constant> = new Map()): Imported {
  let least = 0;
  for (;;)
    try {
      return imported(model, values, least);
    } catch (error) {
      if (!(error instanceof Wider)) throw error;
      least = error.items;
    }
}

/** @throws Wider if the range needs more items than `least` */
function imported(model: ModelProto, values: ReadonlyMap<string, Constant>, least: number): Imported {
  const importing = new Importing(model, values);
  const inputs = importing.inputs();
  const range = importing.range(inputs, least);
  const signature: Record<string, unknown> = {};
  for (const input of inputs) {
    const elements = elementsOf(input.type);
    const form = formOf(input, range);
    signature[input.own] =
      form === "param"
        ? dsl.param(descriptorOf(scalarOf(input.type)))
        : form === "items"
          ? elements
          : dsl.table(elements);
  }
  const build = (handles: unknown, context: Context): Outputs => {
    const space = new ItemSpace(context, range);
    for (const input of inputs)
      importing.bind(space, input, (handles as Readonly<Record<string, AnyValue>>)[input.own]);
    const outputs = importing.run(space);
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
    const isGiven = range.factor === 1 || inputs.some((input) => formOf(input, range) === "items");
    return { pipeline: made.ir, names: importing.names, ...(!isGiven && { items: range.factor }) };
  } catch (error) {
    if (error instanceof Stopped) return { uncovered: importing.uncovered };
    throw error;
  }
}

const isSide = (side: number | string): boolean =>
  typeof side === "string" || (Number.isInteger(side) && side >= 0);

/** Ends the building of a pipeline with unsupported parts. */
class Stopped extends Error {}

/** A value for each item, one, or as many as the tensor has, which the first items write. */
function outputOf(x: Tensor, space: ItemSpace): unknown {
  const value = space.own(x);
  const { here, context } = space;
  const of = (own: AnyValue): U32Value => elementsFrom(x.type, own);
  if (isOne(x.dims)) return of(value);
  const count = space.elements(x.dims);
  if (space.isWhole(x.dims)) return of(perItem(value));
  const { factor, names } = extentOf(x.dims);
  const size = context.size();
  const range = space.extent;
  // Items of another shape than that of the model are reported: their last one writes past the end.
  const isOther =
    range.names === ""
      ? size.ne(range.factor)
      : names === ""
        ? size.lt(count).or(size.rem(range.factor).ne(0))
        : size.rem(range.factor / factor).ne(0);
  const isLast = here.eq(size.sub(1)).and(isOther);
  return of(perItem(value)).scatter({
    to: isLast.select(dsl.u32(0xffffffff), here),
    where: here.lt(count).or(isLast),
    capacity: count,
  });
}

class Importing {
  readonly uncovered: Uncovered[] = [];
  readonly names: Renamed[] = [];
  private readonly model: ModelProto;
  private readonly values: ReadonlyMap<string, Constant>;
  private readonly given = new Names();
  /** By the name in the graph; undefined for a refused part. */
  private readonly known = new Map<string, KnownName | undefined>();

  constructor(model: ModelProto, values: ReadonlyMap<string, Constant>) {
    this.model = model;
    this.values = values;
    const version = this.version();
    if (version > NEWEST_SET)
      this.refuse(
        "the model",
        `its operator set is ${version}, and the import knows those up to ${NEWEST_SET}`,
      );
  }

  /** The inputs of the graph that have no initializer. */
  inputs(): Input[] {
    const { graph } = this.model;
    for (const { values } of graph.sparseInitializer)
      this.refuse(`initializer ${JSON.stringify(values?.name ?? "")}`, "it is sparse");
    for (const tensor of graph.initializer) {
      const name = tensor.name ?? "";
      this.attempt(`initializer ${JSON.stringify(name)}`, [name], () => [constantOf(tensor)]);
    }
    const given = graph.input.filter(({ name = "" }) => !this.known.has(name));
    const inputs = given.flatMap((input) => this.input(input) ?? []);
    const named = inputs.filter(({ dims }) => extentOf(dims).names !== "");
    const [first, ...rest] = named;
    for (const { name, dims } of rest)
      if (!sameExtent(extentOf(dims), extentOf((first as Input).dims)))
        this.refuse(
          `input ${JSON.stringify(name)}`,
          `its shape ${printDims(dims)} differs from ${printDims((first as Input).dims)}, and a pipeline has one range`,
        );
    return inputs;
  }

  /** The range is that of the inputs whose sides have names, or of the largest one. */
  range(inputs: readonly Input[], least: number): Extent {
    const extents = inputs.map(({ dims }) => extentOf(dims));
    const named = extents.find(({ names }) => names !== "");
    return named ?? { factor: Math.max(1, least, ...extents.map(({ factor }) => factor)), names: "" };
  }

  bind(space: ItemSpace, input: Input, handle: AnyValue | undefined): void {
    const { name, type, dims } = input;
    const value = handle as AnyValue;
    const form = formOf(input, space.extent);
    const bound =
      form === "param"
        ? uniform(type, dims, value)
        : form === "items"
          ? space.items(type, dims, value)
          : tensor(type, dims, (index) => (value as unknown as Table<"f32">).at(index));
    this.known.set(name, { type, dims, tensor: bound, given: name });
  }

  /** The outputs; problems are in `uncovered`. */
  run(space: ItemSpace): Outputs {
    for (const node of this.model.graph.node) this.node(node, space);
    const outputs: Record<string, unknown> = {};
    for (const { name = "" } of this.model.graph.output) {
      const known = this.known.get(name);
      if (known === undefined) {
        if (!this.known.has(name)) this.refuse(`output ${JSON.stringify(name)}`, "no node gives it");
        continue;
      }
      this.attempt(`output ${JSON.stringify(name)}`, [], () => {
        const made = known.sink ?? outputOf(known.tensor ?? embedded(known.constant as Constant), space);
        outputs[this.rename(name, "output")] = made;
        return [];
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
    const value = this.values.get(name);
    if (value) {
      this.known.set(name, knownOf(value));
      return undefined;
    }
    return { name, own: this.rename(name, "input"), type: own, dims };
  }

  private rename(name: string, otherwise: string): string {
    const own = this.given.fresh(nameOf(name, otherwise));
    if (own !== name) this.names.push({ model: name, pipeline: own });
    return own;
  }

  private node(node: NodeProto, space: ItemSpace): void {
    const { domain = "", opType = "", name = "", output } = node;
    const shown = JSON.stringify(name || (output[0] ?? ""));
    const where = `node ${shown} (${domain === "" ? "" : `${domain}.`}${opType})`;
    this.attempt(where, output, () => this.results(node, space));
  }

  /** The results of a node; undefined if it depends on a refused part. @throws Refusal */
  private results(node: NodeProto, space: ItemSpace): readonly (NodeResult | undefined)[] | undefined {
    const { domain = "", opType = "", input, output } = node;
    if (domain !== "" && domain !== "ai.onnx") throw new Refusal("its domain is not that of ONNX");
    const rule = RULES.get(opType);
    if (!rule) throw new Refusal("the operator is not covered");
    const missing = input.find((from) => from !== "" && !this.known.has(from));
    if (missing !== undefined) throw new Refusal(`nothing gives its input ${JSON.stringify(missing)}`);
    const inputs = input.map((from) => this.known.get(from));
    if (input.some((from, i) => from !== "" && inputs[i] === undefined)) return undefined;
    if (foldable(node, inputs)) return folded(node, inputs, this.version());
    const view = new NodeView(node, inputs, this.version(), space);
    const made = [rule(view)].flat();
    // What cannot be computed is refused here, not where an output needs it.
    for (const one of made) {
      if (one && !one.dims.every(isSide))
        throw new Refusal(`its result has the shape ${printDims(one.dims)}`);
      if (one && "read" in one) space.own(one);
    }
    view.requireRead();
    const lost = output.findIndex((to, i) => to !== "" && made[i] === undefined);
    if (lost >= 0) throw new Refusal(`its output ${lost} is not covered`);
    return made;
  }

  /** That of the operators of ONNX. */
  private version(): number {
    const isOwn = (domain = ""): boolean => domain === "" || domain === "ai.onnx";
    return Number(this.model.opsetImport.find((set) => isOwn(set.domain))?.version ?? 1);
  }

  private attempt(
    where: string,
    gives: readonly string[],
    make: () => readonly (NodeResult | undefined)[] | undefined,
  ): void {
    try {
      const made = make();
      for (const [i, name] of gives.entries()) this.known.set(name, made?.[i] && knownOf(made[i]));
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
