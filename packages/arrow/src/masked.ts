/** Documents that read bitmaps: validity, and bool columns of one bit an item. */
import {
  type Checked,
  check,
  type NodeId,
  type Pipeline,
  type PipelineNode,
  type PipelineSource,
} from "@groupwise/core";
import {
  BOOLEAN,
  errorOf,
  isCollective,
  isMonoid,
  mapOperands,
  optionsOf,
  pipelineOf,
  TEXTS,
  type Wanted,
} from "@groupwise/core/target";
import { namer } from "./names.ts";
import { writeSink } from "./sinks.ts";
import { type CombiningNode, type Fold, maskedOperand, type Scene, validityOf } from "./validity.ts";
import { DocumentWriter, type Validity } from "./writer.ts";

/** A bitmap that a document reads: bit k of the table is bit k % 8 of byte k / 8, as in Arrow. */
export interface Bitmap {
  /** The input or table that it belongs to. */
  readonly of: string;
  /** `validity`: 0 for an item that is null. `values`: the items themselves, of a bool input. */
  readonly holds: "validity" | "values";
  /** The table of bytes, u8. */
  readonly table: string;
  /** The parameter, u32: the bit of item 0. For a chunk, the index of the chunk's first item is subtracted, modulo 2^32. */
  readonly from: string;
}

/** The condition for an output to be null: an input is null, or another output (bool) equals `when`. */
export type OutputValidity =
  | { readonly input: string }
  | { readonly output: string; readonly when: boolean }
  | undefined;

/** A document that reads bitmaps, and the conditions for its outputs to be null. */
export interface Masked {
  /** The pipeline, with a table and a parameter for each bitmap, and an output for each validity that it computes. */
  readonly pipeline: Pipeline;
  readonly bitmaps: readonly Bitmap[];
  /** For each output of the original; undefined if it has no nulls. */
  readonly validity: Readonly<Record<string, OutputValidity>>;
  /** Outputs of the document that are bitmaps: u32, bit i % 32 of word i / 32 is that of item i. Bits after the last item are 0. */
  readonly packedOutputs: readonly string[];
}

/** Which inputs have bitmaps. */
export interface BitmapNames {
  /** Inputs and tables with nulls. */
  readonly nullable?: readonly string[];
  /** Inputs of bool whose items are bits. */
  readonly packed?: readonly string[];
  /**
   * True: outputs with a bool for each item, and validities of items, are written as bits, by scatters that combine words. The
   * range has one dimension then. Default `false`: they have an element for each item.
   */
  readonly packOutputs?: boolean;
}

const NAMES: { readonly [K in keyof Required<BitmapNames>]: Wanted } = {
  nullable: TEXTS,
  packed: TEXTS,
  packOutputs: BOOLEAN,
};

/**
 * Rewrites a pipeline so that it reads validity bitmaps and bool columns as Arrow stores them; the result can be emitted, run and
 * streamed like any other. An element-wise result is null if an operand is; of the two choices of `select`, only the one that is
 * chosen counts. A null is the identity of a collective: reduces and scans are never null. A `broadcast` and a `gather` are null if the
 * item that they read is. A scatter whose slot or condition is null writes nothing.
 * @throws GroupwiseError `unknown-input`, `type-mismatch` for a packed input that is not bool, `unsupported` if nulls decide
 * where segments begin; what `check` throws
 * @example
 * ```ts
 * import { withBitmaps } from "@groupwise/arrow";
 * import { f32, pipeline } from "@groupwise/dsl";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const { bitmaps } = withBitmaps(sums, { nullable: ["x"] });
 * console.log(bitmaps.length); // 1
 * ```
 */
export function withBitmaps(source: PipelineSource, names: BitmapNames): Masked {
  const checked = check(pipelineOf(source));
  const given = optionsOf(names, NAMES, "the names of withBitmaps", checked.pipeline.name) as BitmapNames;
  const { nullable = [], packed = [], packOutputs = false } = given;
  requireNames(checked, nullable, packed);
  const { nodes, ...document } = checked.pipeline;
  const name = namer(nodes.flatMap((node) => ("name" in node ? [node.name] : [])));
  const writer = new DocumentWriter();
  const bitmaps: Bitmap[] = [];
  const elements = new Map<NodeId, (index: NodeId) => NodeId>();
  const scene: Scene = { checked, writer, ids: [], valid: [], elements };
  const inputs = new Map<NodeId, string>();
  const validity: Record<string, OutputValidity> = {};
  const packedOutputs = new Set<string>();
  const around = { name, inputs, ...(packOutputs && { packed: packedOutputs }) };

  /** The bit of an item in a bitmap of its own. */
  const reader = (of: string, holds: Bitmap["holds"]): ((index: NodeId) => NodeId) => {
    const bitmap = {
      of,
      holds,
      table: name(of, holds === "values" ? "bits" : "valid_bits"),
      from: name(of, "from"),
    };
    bitmaps.push(bitmap);
    const table = writer.add({ kind: "table", name: bitmap.table, type: "u8" });
    const from = writer.add({ kind: "param", name: bitmap.from, type: "u32" });
    return (index) => writer.bit(table, writer.binary("add", index, from));
  };
  const item = (): NodeId => writer.query("global-linear-id");

  const declared = (node: PipelineNode & { readonly kind: "input" | "table" }): Validity => {
    const isPacked = packed.includes(node.name);
    const id = isPacked ? reader(node.name, "values")(item()) : writer.add(node);
    scene.ids[node.id] = id;
    if (!nullable.includes(node.name)) return undefined;
    const bit = reader(node.name, "validity");
    if (node.kind === "table") {
      elements.set(node.id, (index) => bit(lastOr(writer, id, index)));
      return undefined;
    }
    const valid = bit(item());
    inputs.set(valid, node.name);
    return valid;
  };

  for (const node of nodes) {
    if (node.kind === "input" || node.kind === "table") scene.valid[node.id] = declared(node);
    else if (node.kind === "output" || node.kind === "scatter")
      validity[node.name] = writeSink(scene, node, around);
    else {
      scene.valid[node.id] = validityOf(scene, node);
      const moved = mapOperands(node, (id) => scene.ids[id] as NodeId);
      const isMasked = isCollective(node) && isMonoid(node);
      const own = isMasked ? { ...moved, of: maskedOperand(scene, node as CombiningNode | Fold) } : moved;
      scene.ids[node.id] = writer.add(own as PipelineNode);
    }
  }
  const pipeline = check({ ...document, nodes: writer.nodes }).pipeline;
  return { pipeline, bitmaps, validity, packedOutputs: [...packedOutputs] };
}

/** An index past the end means the last element, as in the gather of a table. */
function lastOr(writer: DocumentWriter, of: NodeId, index: NodeId): NodeId {
  const length = writer.once({ kind: "table-length", of });
  const one = writer.constant("u32", 1);
  return writer.binary("min", index, writer.binary("sub", writer.binary("max", length, one), one));
}

function requireNames(
  { inputs, tables }: Checked,
  nullable: readonly string[],
  packed: readonly string[],
): void {
  const known = [...inputs, ...tables].map(({ name }) => name);
  for (const name of [...nullable, ...packed])
    if (!known.includes(name)) throw errorOf("unknown-input", { name, known });
  for (const name of packed) {
    const type = inputs.find((input) => input.name === name)?.type ?? "a table";
    if (type !== "bool")
      throw errorOf("type-mismatch", { what: `the packed input ${name}`, want: "bool", got: type });
  }
}
