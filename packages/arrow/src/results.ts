/** Results as vectors. */
import type { ArrayType, Checked, HostArray, PipelineSource, ScalarValue } from "@groupwise/core";
import { arraySpec, errorOf, typeOfSink } from "@groupwise/core/target";
import { type BitmapSlice, bitAt, bitsIn, bitsOf, trimmed } from "./bits.ts";
import type { RecordChunk } from "./chunks.ts";
import type { Masked } from "./masked.ts";
import type { Classes } from "./vectors.ts";

/** The result of a run for a chunk. */
export interface ChunkResults extends RecordChunk {
  readonly outputs: Readonly<Record<string, HostArray>>;
}

type Sink = Checked["sinks"][number];

/** Makes vectors of the outputs of one run. */
export class ResultVectors {
  private readonly scalars: ReadonlySet<string>;
  private readonly checked: Checked;
  private readonly masked: Masked;
  /** By output: the input whose nulls the output also has. */
  private readonly marks: Readonly<Record<string, string>>;
  private readonly classes: Classes;

  /** @throws GroupwiseError `unknown-input`, `bad-argument` for an output that does not have one value for each item */
  constructor(
    source: PipelineSource,
    checked: Checked,
    masked: Masked,
    { marks, classes }: { readonly marks: Readonly<Record<string, string>>; readonly classes: Classes },
  ) {
    this.classes = classes;
    this.scalars = new Set(Object.keys((source as { scalars?: object }).scalars ?? {}));
    this.checked = checked;
    this.masked = masked;
    this.marks = marks;
    for (const [output, input] of Object.entries(marks)) this.requireMark(output, input);
  }

  of(parts: readonly ChunkResults[]): Record<string, unknown> {
    return Object.fromEntries(this.checked.sinks.map((sink) => [sink.name, this.resultOf(sink, parts)]));
  }

  private resultOf(sink: Sink, parts: readonly ChunkResults[]): unknown {
    const last = parts.slice(-1);
    if (this.scalars.has(sink.name)) return this.scalarOf(sink, last[0] as ChunkResults);
    // A reduce has a result up to the end of each chunk, and a scatter the elements of each.
    const own = this.isPerItem(sink) || sink.kind === "scatter" ? parts : last;
    return new this.classes.Vector(own.map((part) => this.dataOf(sink, part)));
  }

  private scalarOf(sink: Sink, part: ChunkResults): ScalarValue | null {
    const array = part.outputs[sink.name] as HostArray;
    const valid = this.validOf(sink, part, 1);
    if (valid && !bitAt(valid, 0)) return null;
    return arraySpec(this.typeOf(sink)).fromHost(array[0] as number | bigint);
  }

  private dataOf(sink: Sink, part: ChunkResults): object {
    const type = this.typeOf(sink);
    const values = part.outputs[sink.name] as HostArray;
    const isPacked = this.isPacked(sink.name);
    const length = isPacked ? part.length : values.length;
    const valid = this.validOf(sink, part, length);
    const isBool = type === "bool";
    const packed = (): Uint8Array =>
      (isPacked ? bitsIn(values, length) : bitsOf(length, (i) => values[i] !== 0)).bytes;
    const data = isBool ? packed() : values;
    // The offset of the bitmap also applies to the values of a bool vector.
    const bits = valid && (isBool && valid.from > 0 ? bitsOf(length, (i) => bitAt(valid, i)) : valid);
    const { Data, typeOf } = this.classes;
    return new Data(typeOf(type), bits?.from ?? 0, length, bits ? -1 : 0, [undefined, data, bits?.bytes]);
  }

  /** The validity of an output's items; undefined if none is null. */
  private validOf(sink: Sink, part: ChunkResults, length: number): BitmapSlice | undefined {
    const own = this.ownOf(sink, part, length);
    const input = this.marks[sink.name];
    const other = input === undefined ? undefined : part.spans.get(input)?.valid;
    if (!own || !other) return own ?? (other && trimmed(other, length));
    return bitsOf(length, (i) => bitAt(own, i) && bitAt(other, i));
  }

  private ownOf({ name }: Sink, part: ChunkResults, length: number): BitmapSlice | undefined {
    const source = this.masked.validity[name];
    if (source === undefined) return undefined;
    if ("input" in source) {
      const shared = part.spans.get(source.input)?.valid;
      return shared && trimmed(shared, length);
    }
    const values = part.outputs[source.output] as HostArray;
    if (this.isPacked(source.output)) return bitsIn(values, length);
    const nulls = source.when ? 1 : 0;
    // A validity that is the same for all items is stored once.
    return bitsOf(length, (i) => values[values.length === 1 ? 0 : i] !== nulls);
  }

  private isPacked(name: string): boolean {
    return this.masked.packedOutputs.includes(name);
  }

  private typeOf(sink: Sink): ArrayType {
    return typeOfSink(this.checked, sink);
  }

  private isPerItem({ kind, id }: Sink): boolean {
    return kind === "output" && this.checked.uniformities[id] === "item";
  }

  private requireMark(output: string, input: string): void {
    const { sinks, inputs, pipeline } = this.checked;
    const known = inputs.map(({ name }) => name);
    if (!known.includes(input)) throw errorOf("unknown-input", { name: input, known }, pipeline.name);
    const sink = sinks.find(({ name }) => name === output);
    if (sink && this.isPerItem(sink)) return;
    const got = sink ? "one with a length of its own" : "no output of the pipeline";
    const what = `the output ${JSON.stringify(output)} of nullWhere`;
    throw errorOf("bad-argument", { what, want: "an output with a value for each item", got }, pipeline.name);
  }
}
