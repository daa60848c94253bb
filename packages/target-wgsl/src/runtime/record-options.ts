/** The options of a caller's recording, read once. */
import type { Manifest, RunOptions, ScalarValue } from "@groupwise/core";
import { checkedItems, checkedRange, errorOf, optionsOf, recordOf } from "@groupwise/core/target";
import type { BufferRange, BufferRanges } from "./buffers.ts";
import type { BufferCount } from "./counts.ts";

/** The options of one recording. */
export interface RecordOptions {
  /**
   * Number of items, or its buffer, which is read when the commands run; optional with `globalSize`. Buffers
   * may be longer. Scatter outputs are cleared for the maximum number of items. A number in a buffer that a
   * parameter with `divides` does not divide is taken as 0.
   */
  readonly n?: number | BufferCount;
  /** Items per dimension: required for pipelines of two or three dimensions. */
  readonly globalSize?: readonly number[];
  /** The first global id, per dimension; default: zeros. */
  readonly globalOffset?: readonly number[];
  /**
   * By name: every input and output. Each needs the usage STORAGE, and scatter outputs COPY_DST. An array
   * that is longer than a buffer uses several, all but the last of a multiple of `partBytes` bytes. The
   * `status` array may be passed to read it afterwards: it has a bit for each scatter that wrote outside its
   * output.
   */
  readonly buffers: Readonly<Record<string, BufferRanges>>;
  /** By name: elements of tables; default: as many as the table's buffers have. */
  readonly lengths?: Readonly<Record<string, number>>;
  /** By name: the pipeline's parameters. */
  readonly params?: Readonly<Record<string, ScalarValue>>;
  /**
   * At least `scratchBytes(…)` bytes, with the usages STORAGE and COPY_DST; made by default. May consist of
   * several buffers, as arrays may.
   */
  readonly scratch?: BufferRanges;
}

/** The same, with the shapes of all parts checked. */
export interface Recorded {
  readonly range: RunOptions;
  readonly count: BufferCount | undefined;
  readonly buffers: Readonly<Record<string, BufferRanges>>;
  readonly lengths: Readonly<Record<string, number>>;
  readonly params: Readonly<Record<string, ScalarValue>>;
  readonly scratch: BufferRanges | undefined;
}

const OPTIONS = ["n", "globalSize", "globalOffset", "buffers", "lengths", "params", "scratch"] as const;
const COUNT = ["buffer", "offset", "max"] as const;

/**
 * Reads the options of a recording.
 * @throws GroupwiseError `bad-argument`, `bad-buffer`
 */
export function recordOptions(options: unknown, manifest: Manifest): Recorded {
  const { pipeline } = manifest;
  const known = optionsOf(options, OPTIONS, "the options of record", pipeline);
  const { n, buffers, lengths = {}, params = {}, scratch, ...sides } = known;
  const named = <T>(value: unknown, what: string): Readonly<Record<string, T>> =>
    recordOf(value, what, pipeline) as Readonly<Record<string, T>>;
  const given = named<BufferRanges>(buffers, "the buffers of a recording");
  for (const [name, ranges] of Object.entries(given)) checkRanges(pipeline, name, ranges);
  if (scratch !== undefined) checkRanges(pipeline, "scratch", scratch);
  const isCount = typeof n === "object" && n !== null;
  const count = isCount ? optionsOf(n, COUNT, "the option n", pipeline) : undefined;
  if (count) checkRanges(pipeline, "count", count.buffer);
  return {
    range: checkedRange(manifest, { ...sides, n: count ? checkedItems(manifest, count.max) : n }),
    count: count as BufferCount | undefined,
    buffers: given,
    lengths: named(lengths, "the lengths of tables"),
    params: named(params, "the parameters of a recording"),
    scratch: scratch as BufferRanges | undefined,
  };
}

function checkRanges(pipeline: string, name: string, given: unknown): void {
  const bad = (reason: string): Error => errorOf("bad-buffer", { name, reason }, pipeline);
  for (const range of Array.isArray(given) ? (given as unknown[]) : [given]) {
    const { buffer, offset, size } = partsOf(range);
    if (!isBuffer(buffer)) throw bad("it is neither a GPUBuffer nor a range of one");
    for (const [what, bytes] of Object.entries({ offset, size }))
      if (bytes !== undefined && !(Number.isSafeInteger(bytes) && (bytes as number) >= 0))
        throw bad(`its ${what} is not a number of bytes`);
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function partsOf(range: unknown): { buffer?: unknown; offset?: unknown; size?: unknown } {
  if (!isObject(range)) return {};
  return "buffer" in range ? (range as Partial<Exclude<BufferRange, GPUBuffer>>) : { buffer: range };
}

const isBuffer = (value: unknown): value is GPUBuffer =>
  isObject(value) && "usage" in value && typeof value.usage === "number";
