/** What a saved state belongs to: a pipeline, its parameters and tables, and the beginnings of its inputs. */
import { createHash } from "node:crypto";
import type { Checked, HostArray, Pipeline, ScalarValue } from "@groupwise/core";
import { stringifyPipeline } from "@groupwise/core/schema";
import { badFile } from "../base/problem.ts";
import { closeAll, type Source } from "./sources/source.ts";

/** The most items of an input that are compared. */
const MOST = 4096;

/** Hashes of what determines the results of a stream. */
export interface Origin {
  readonly pipeline: string;
  /** By the name of each parameter and table. */
  readonly values: Readonly<Record<string, string>>;
  /** Items of each input that are compared: those that are read first. */
  readonly items: number;
  /** By the name of each input of a file; pipes are absent, because they are read once. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** The run that a sink writes. */
export interface OriginOf {
  /** @param items the number of items that are read without an error */
  of(items: number): Promise<Origin>;
}

/** The origin of the states of a run. */
export class RunOrigin implements OriginOf {
  private readonly pipeline: string;
  private readonly values: Readonly<Record<string, string>>;
  private readonly sources: readonly Source[];
  private readonly end: number | undefined;

  /** @param end the number of items, if they are read from the last to the first */
  constructor(
    { pipeline }: Checked,
    values: Readonly<Record<string, HostArray | ScalarValue>>,
    sources: readonly Source[],
    end?: number,
  ) {
    this.end = end;
    this.pipeline = hashOfText(textOf(pipeline));
    this.values = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hashOf(value)]));
    this.sources = sources;
  }

  async of(items: number): Promise<Origin> {
    const { pipeline, values, sources, end } = this;
    const files = sources.filter(({ isReadOnce }) => !isReadOnce);
    const most = Math.min(items, MOST, ...files.flatMap(({ length }) => length ?? []));
    const from = end === undefined ? 0 : end - most;
    const begun = await Promise.all(files.map((source) => beginningOf(source, from, most)));
    const least = Math.min(most, ...begun.map((one) => one.items));
    return {
      pipeline,
      values,
      items: least,
      inputs: Object.assign({}, ...begun.map(({ hashes }) => hashes)),
    };
  }
}

/**
 * Requires that a state is continued by the run that it is of.
 * @param path of the state, as an error names it
 * @throws GroupwiseError `bad-file` with what differs; as `Reading.next`
 */
export async function requireOrigin(path: string, saved: Origin, run: OriginOf): Promise<void> {
  const now = await run.of(saved.items);
  // An input that ends before is refused with its length, where it is read.
  const isShorter = now.items < saved.items;
  const [before, after] = isShorter ? [{}, {}] : [saved.inputs, now.inputs];
  const differing = [
    ...(saved.pipeline === now.pipeline ? [] : ["the pipeline"]),
    ...namesThatDiffer(saved.values, now.values).map((name) => `the value of ${JSON.stringify(name)}`),
    ...namesThatDiffer(common(before, after), common(after, before)).map(
      (name) => `the input ${JSON.stringify(name)}`,
    ),
  ];
  if (differing.length === 0) return;
  const hint = "pass what the stream began with, or run without --resume";
  throw badFile(path, `it is the state of another run: ${differing.join(", ")} changed`, undefined, hint);
}

type Hashes = Readonly<Record<string, string>>;

const namesThatDiffer = (a: Hashes, b: Hashes): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);

const common = (of: Hashes, other: Hashes): Hashes =>
  Object.fromEntries(Object.entries(of).filter(([name]) => Object.hasOwn(other, name)));

/** The items that a stream reads first: how many a source has of those that are asked for, and a hash for each input. */
async function beginningOf(
  source: Source,
  from: number,
  items: number,
): Promise<{ readonly items: number; readonly hashes: Hashes }> {
  const reading = source.read(from, from + items);
  try {
    const arrays = await reading.next(items);
    const length = source.length === undefined ? "" : ` of ${source.length}`;
    const hashes = Object.entries(arrays).map(([name, array]) => [name, `${hashOf(array)}${length}`]);
    const counts = Object.values(arrays).map((array) => array.length);
    return { items: Math.min(items, ...counts), hashes: Object.fromEntries(hashes) };
  } finally {
    await closeAll([reading]);
  }
}

function hashOf(value: HostArray | ScalarValue): string {
  if (!ArrayBuffer.isView(value)) return hashOfText(`${typeof value} ${Object.is(value, -0) ? "-0" : value}`);
  const { buffer, byteOffset, byteLength } = value;
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return createHash("sha256").update(value.constructor.name).update(bytes).digest("hex");
}

const hashOfText = (text: string): string => createHash("sha256").update(text).digest("hex");

/** One text for every order of fields. Locations in source files do not change results. */
function textOf(pipeline: Pipeline): string {
  const isPlace = (key: string, value: unknown): boolean => key === "at" && typeof value === "string";
  const text = JSON.stringify(pipeline, (key, value) => (isPlace(key, value) ? undefined : value));
  return stringifyPipeline(JSON.parse(text));
}
