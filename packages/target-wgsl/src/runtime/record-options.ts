/** What a caller's recording is told, read once. */
import {
  checkedItems,
  errorOf,
  type Manifest,
  optionsOf,
  type RunOptions,
  recordOf,
  type ScalarValue,
} from "@groupwise/core";
import type { BufferRange, BufferRanges } from "./buffers.ts";
import type { BufferCount } from "./counts.ts";

/** What one recording works on. */
export interface RecordOptions {
  /**
   * Number of items, or where it stands when the commands run; it may be left out where `globalSize` is given.
   * Buffers may be longer. Scatter outputs are cleared for as many items as there may be at most.
   */
  readonly n?: number | BufferCount;
  /** Items per dimension: needed where the pipeline has two or three. */
  readonly globalSize?: readonly number[];
  /** What global ids count from, per dimension; zeros where it is absent. */
  readonly globalOffset?: readonly number[];
  /**
   * By name: every input and output. Each needs the usage STORAGE, and scatter outputs COPY_DST. What is
   * longer than a buffer stands in several, all but the last of a multiple of `partBytes` bytes. The `status` array may be given to read it afterwards: a bit per scatter that wrote outside.
   */
  readonly buffers: Readonly<Record<string, BufferRanges>>;
  /** By name: elements of tables; where it is absent, as many as the table's buffers hold. */
  readonly lengths?: Readonly<Record<string, number>>;
  /** By name: the pipeline's parameters. */
  readonly params?: Readonly<Record<string, ScalarValue>>;
  /**
   * At least `scratchBytes(…)` bytes, with the usages STORAGE and COPY_DST; made where it is not given. More than
   * a buffer can have stand in several, as arrays do.
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
  const told = optionsOf(options, OPTIONS, "the options of record", pipeline);
  const { n, buffers, lengths = {}, params = {}, scratch, ...sides } = told;
  const named = <T>(value: unknown, what: string): Readonly<Record<string, T>> =>
    recordOf(value, what, pipeline) as Readonly<Record<string, T>>;
  const given = named<BufferRanges>(buffers, "the buffers of a recording");
  for (const [name, ranges] of Object.entries(given)) checkRanges(pipeline, name, ranges);
  if (scratch !== undefined) checkRanges(pipeline, "scratch", scratch);
  const isCount = typeof n === "object" && n !== null;
  const count = isCount ? optionsOf(n, COUNT, "the option n", pipeline) : undefined;
  if (count) checkRanges(pipeline, "count", count.buffer);
  return {
    // `prepareLaunch` checks the others.
    range: { ...sides, n: count ? checkedItems(manifest, count.max) : n } as RunOptions,
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
    if (!isBuffer(buffer)) throw bad("it is no GPUBuffer, and no range of one");
    for (const [what, bytes] of Object.entries({ offset, size }))
      if (bytes !== undefined && !(Number.isSafeInteger(bytes) && (bytes as number) >= 0))
        throw bad(`its ${what} is no number of bytes`);
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function partsOf(range: unknown): { buffer?: unknown; offset?: unknown; size?: unknown } {
  if (!isObject(range)) return {};
  return "buffer" in range ? (range as Partial<Exclude<BufferRange, GPUBuffer>>) : { buffer: range };
}

const isBuffer = (value: unknown): value is GPUBuffer =>
  isObject(value) && "usage" in value && typeof value.usage === "number";
