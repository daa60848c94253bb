/** A pipeline as a model of ONNX. */
import type { Checked, PipelineNode, Scalar, ScalarValue } from "@groupwise/core";
import { decodeLiteral, isNarrow, SCALARS, typeOfSink, valueTypeOf } from "@groupwise/core/target";
import type { ModelProto, ValueInfoProto } from "../model.ts";
import { Refusal } from "../refusal.ts";
import { GraphWriter, valueInfo } from "./graph.ts";
import { neededNodes, reverseScan } from "./mirror.ts";
import { FUNCTIONS, OPERATORS, REDUCTIONS, SCANS, select } from "./operators.ts";

// Results that onnxruntime changes, compared with version 1.30.0: the report of an export, and the table of the documentation.
interface Change {
  /** Operators, functions, reductions and casts, as `partOf` names them. */
  readonly parts: readonly string[];
  readonly types: readonly Scalar[];
  readonly how: string;
}

const FLOATS: readonly Scalar[] = ["f16", "f32", "f64"];
const WITHOUT_DOUBLE = ["erf", "tan", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh"];
const ELEMENTARY = ["exp", "log", "sigmoid", "pow", "sin", "cos", ...WITHOUT_DOUBLE, "tanh"];

const CHANGES: readonly Change[] = [
  { parts: WITHOUT_DOUBLE, types: ["f64"], how: "it has no kernel: the model does not load" },
  {
    parts: ["reduce min", "reduce max"],
    types: ["u64"],
    how: "it has no kernel: the model does not load",
  },
  {
    parts: ["reduce min", "reduce max"],
    types: ["i64"],
    how: "another element if two agree in their upper 32 bits, or differ in bit 31 (versions 1.26 to 1.30)",
  },
  {
    parts: ["reduce min", "reduce max"],
    types: FLOATS,
    how: "a NaN is lost unless it is the first item; either zero where -0 and +0 meet",
  },
  { parts: ["min", "max", "clamp"], types: FLOATS, how: "either zero where -0 and +0 meet" },
  {
    parts: ["cast to an integer"],
    types: FLOATS,
    how: "other integers for NaN, and for floats out of range",
  },
  { parts: ["tanh"], types: ["f32"], how: "near 0 an error of 3e-6 of the value" },
  { parts: ELEMENTARY, types: ["f32", "f64"], how: "other last bits" },
  {
    parts: ["reduce add", "reduce mul", "scan add", "scan mul"],
    types: FLOATS,
    how: "another order of sums and products",
  },
];

/** The name of a part, and the type of its operands. */
function partOf({ types }: Checked, node: PipelineNode): readonly [part: string, type: Scalar] | undefined {
  const typeOf = (id: number): Scalar => types[id] as Scalar;
  if (node.kind === "unary") return [node.op, typeOf(node.of)];
  if (node.kind === "binary") return [node.op, typeOf(node.left)];
  if (node.kind === "function") return [node.op, typeOf(node.of[0] as number)];
  if (node.kind === "reduce") return [`reduce ${node.op}`, typeOf(node.of)];
  if (node.kind === "scan-inclusive" || node.kind === "scan-exclusive")
    return [`scan ${node.op}`, typeOf(node.of)];
  if (node.kind !== "cast") return undefined;
  const isInteger = ["int", "uint"].includes(SCALARS[node.to].kind);
  return [isInteger ? "cast to an integer" : "cast", typeOf(node.of)];
}

/** What onnxruntime changes of a part. */
const changesOf = (part: string, type: Scalar): readonly string[] =>
  CHANGES.filter(({ parts, types }) => parts.includes(part) && types.includes(type)).map(({ how }) => how);

/** What ONNX has no counterpart for. */
export interface Unwritable {
  /** `node 4 (bitcast)`, `input "x"`. */
  readonly where: string;
  readonly reason: string;
}
/** A model, or all parts of the pipeline that it cannot hold. */
export type Exported =
  | {
      readonly model: ModelProto;
      /** Results that onnxruntime changes: `min of f32: either zero where -0 and +0 meet`. */
      readonly changes: readonly string[];
    }
  | { readonly unwritable: readonly Unwritable[] };

/** IR version of the format that has operator set 21. */
const IR_VERSION = "10";
const NONE = "ONNX has no counterpart";

export function exportModel(checked: Checked): Exported {
  const exporting = new Exporting(checked);
  const { input, output } = exporting.run();
  if (exporting.unwritable.length > 0) return { unwritable: exporting.unwritable };
  const { nodes, version } = exporting.graph;
  const graph = {
    name: checked.pipeline.name,
    node: nodes,
    initializer: [],
    sparseInitializer: [],
    input,
    output,
  };
  const model = { irVersion: IR_VERSION, producerName: "groupwise", graph };
  const opsetImport = [{ domain: "", version: String(version) }];
  return { model: { ...model, opsetImport }, changes: [...exporting.changes] };
}

type Of<K extends PipelineNode["kind"]> = Extract<PipelineNode, { kind: K }>;
type ScanNode = Of<"scan-inclusive"> | Of<"scan-exclusive">;
type Writers = { readonly [K in PipelineNode["kind"]]?: (node: Of<K>, type: Scalar) => string };

class Exporting {
  readonly graph: GraphWriter;
  readonly unwritable: Unwritable[] = [];
  readonly changes: Set<string> = new Set();
  private readonly checked: Checked;
  /** By node; undefined for what was refused. */
  private readonly names: (string | undefined)[] = [];

  constructor(checked: Checked) {
    this.checked = checked;
    const { inputs, params, sinks } = checked;
    this.graph = new GraphWriter([...inputs, ...params, ...sinks].map(({ name }) => name));
  }

  run(): { readonly input: ValueInfoProto[]; readonly output: ValueInfoProto[] } {
    const { pipeline, inputs, params } = this.checked;
    if (pipeline.workGroupSize.length > 1)
      this.refuse("the range", `it has ${pipeline.workGroupSize.length} dimensions, and an export has one`);
    const input = [...inputs, ...params].flatMap((node) =>
      this.info(`${node.kind} ${JSON.stringify(node.name)}`, () =>
        valueInfo(node.name, node.type, node.kind === "input"),
      ),
    );
    const needed = neededNodes(pipeline.nodes);
    const output = pipeline.nodes.flatMap((node) => (needed.has(node.id) ? this.visit(node) : []));
    return { input, output };
  }

  /** Writes a node. @returns the description of an output */
  private visit(node: PipelineNode): ValueInfoProto[] {
    const isOutput = node.kind === "output" || node.kind === "scatter";
    const shown = "op" in node ? `${node.kind} ${node.op}` : node.kind;
    const where = isOutput ? `${node.kind} ${JSON.stringify(node.name)}` : `node ${node.id} (${shown})`;
    if (node.kind === "output") return this.info(where, () => this.output(node));
    this.info(where, () => {
      this.names[node.id] = this.written(node);
      return [];
    });
    return [];
  }

  private written(node: PipelineNode): string {
    const write = this.writers[node.kind] as ((node: PipelineNode, type: Scalar) => string) | undefined;
    if (write === undefined) throw new Refusal(NONE);
    const part = partOf(this.checked, node);
    if (part) for (const how of changesOf(...part)) this.changes.add(`${part.join(" of ")}: ${how}`);
    return write(node, this.checked.types[node.id] as Scalar);
  }

  private readonly writers: Writers = {
    input: ({ name, type }) => (isNarrow(type) ? this.graph.cast(name, valueTypeOf(type)) : name),
    param: ({ name }) => name,
    const: ({ type, value }) => this.graph.constant(type, decodeLiteral(type, value) as ScalarValue),
    query: ({ query, dimension }) => this.query(query, dimension),
    unary: ({ op, of }) => this.operation(OPERATORS[op], [of]),
    binary: ({ op, left, right }) => this.operation(OPERATORS[op], [left, right]),
    function: ({ op, of }) => this.operation(FUNCTIONS[op], of),
    select: ({ condition, then, otherwise }) =>
      select(
        this.graph,
        this.checked.types[then] as Scalar,
        [condition, then, otherwise].map((id) => this.of(id)),
      ),
    cast: ({ of }, type) => this.graph.cast(this.of(of), type),
    spread: ({ of }) => {
      if (this.checked.uniformities[of] === "item") return this.of(of);
      throw new Refusal("it repeats one value for every item");
    },
    reduce: ({ op, scope, of }) => this.reduction(op, scope, of),
    all: ({ scope, of }) => this.reduction("all", scope, of),
    any: ({ scope, of }) => this.reduction("any", scope, of),
    "scan-inclusive": (node) => this.scan(node, node.of, 0n),
    "scan-exclusive": (node) => this.scan(node, node.of, 0n),
    gather: (node) => {
      const reverse = reverseScan(this.checked.pipeline.nodes, node);
      if (reverse) return this.scan(reverse.scan, reverse.of, 1n);
      throw new Refusal(NONE);
    },
  };

  /** The name of a node's value. @throws Skipped if it was refused */
  private of(id: number): string {
    const name = this.names[id];
    if (name === undefined) throw new Skipped();
    return name;
  }

  private operation(write: (typeof OPERATORS)[string], operands: readonly number[]): string {
    if (write === undefined) throw new Refusal(NONE);
    const type = this.checked.types[operands[0] as number] as Scalar;
    return write(
      this.graph,
      type,
      operands.map((id) => this.of(id)),
    );
  }

  /** The length of the range is that of any input. */
  private query(query: string, dimension: number): string {
    const [first] = this.checked.inputs;
    if (query !== "global-size" || dimension > 0 || first === undefined)
      throw new Refusal(`${NONE} of ${query}`);
    return this.graph.cast(this.graph.add("Size", [first.name]), "u32");
  }

  private reduction(op: string, scope: string, of: number): string {
    const write = REDUCTIONS[op];
    if (write === undefined) throw new Refusal(NONE);
    requireRange(scope);
    this.requireItems(of);
    return write(this.graph, this.checked.types[of] as Scalar, [this.of(of)]);
  }

  private scan({ kind, op, scope }: ScanNode, of: number, reverse: bigint): string {
    const row = SCANS[op];
    if (row === undefined) throw new Refusal(NONE);
    requireRange(scope);
    this.requireItems(of);
    this.graph.require(row.since);
    const exclusive = kind === "scan-exclusive" ? 1n : 0n;
    return row.written({ exclusive, reverse })(this.graph, this.checked.types[of] as Scalar, [this.of(of)]);
  }

  private requireItems(of: number): void {
    if (this.checked.uniformities[of] !== "item")
      throw new Refusal("it combines one value, once for each item");
  }

  private output(node: Of<"output">): ValueInfoProto {
    const value = this.of(node.of);
    const type = typeOfSink(this.checked, node);
    if (this.checked.uniformities[node.of] === "group")
      throw new Refusal("it has an element for each work-group");
    const own = node.as === undefined ? value : this.graph.cast(value, node.as);
    this.graph.add("Identity", [own], {}, node.name);
    return valueInfo(node.name, type, this.checked.uniformities[node.of] === "item");
  }

  /** What `make` returns; its refusal is noted, and a part that depends on a refused one is left out. */
  private info<T>(where: string, make: () => T): T[] {
    try {
      return [make()];
    } catch (error) {
      if (error instanceof Refusal) this.refuse(where, error.message);
      else if (!(error instanceof Skipped)) throw error;
      return [];
    }
  }

  private refuse(where: string, reason: string): void {
    this.unwritable.push({ where, reason });
  }
}

/** Ends the writing of a node that depends on a refused one. */
class Skipped extends Error {}

function requireRange(scope: string): void {
  if (scope !== "device") throw new Refusal(`its scope is the ${scope}, and ONNX has only the whole range`);
}
