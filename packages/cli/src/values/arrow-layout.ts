/** Where the columns of an Arrow file or stream are: https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc */
import type { FileHandle } from "node:fs/promises";
import { errorOf } from "@groupwise/core/target";
import type { DataType, Field, Schema } from "apache-arrow";
import { badFile } from "../base/problem.ts";
import { fill } from "./fill.ts";

export type Arrow = typeof import("apache-arrow");

/** Bytes of a file. */
export interface Region {
  readonly at: number;
  readonly bytes: number;
}

/** A column within a record batch. */
export interface BatchPlace {
  /** The number of its first item. */
  readonly first: number;
  readonly items: number;
  /** The number of items that are null. */
  readonly nulls: number;
  readonly validity: Region;
  readonly values: Region;
}

/** The header of a record batch, and where its body begins. */
interface Batch {
  readonly items: number;
  readonly nulls: readonly number[];
  readonly buffers: readonly Region[];
  readonly views: readonly number[];
}

/** What an Arrow file says of itself. */
export interface ArrowLayout {
  readonly schema: Schema;
  readonly batches: readonly Batch[];
}

const MAGIC = "ARROW1";
/** Precedes the length of a message. */
const CONTINUES = 0xffffffff;
const PREFIX = 8;

/** Reads the headers of all messages. @throws GroupwiseError `missing-file`, `bad-file` */
export async function layoutOf(arrow: Arrow, file: FileHandle, path: string): Promise<ArrowLayout> {
  const stats = await file.stat();
  if (!stats.isFile()) throw errorOf("missing-file", { path, reason: "it is not a file" }, path);
  const { size } = stats;
  const batches: Batch[] = [];
  let schema: Schema | undefined;
  const head = await bytesAt(file, path, { at: 0, bytes: Math.min(size, PREFIX) });
  const isFile = Buffer.from(head).toString("latin1", 0, MAGIC.length) === MAGIC;
  // A file has a mark of its length, and then what a stream has.
  let at = isFile ? PREFIX : 0;
  while (at + PREFIX <= size) {
    const prefix = new DataView((await bytesAt(file, path, { at, bytes: PREFIX })).buffer);
    const length = prefix.getInt32(4, true);
    if (prefix.getUint32(0, true) !== CONTINUES || length === 0) break;
    at += PREFIX;
    if (length < 0 || at + length > size) throw unreadable(path, "a message ends after it");
    const message = decoded(arrow, path, await bytesAt(file, path, { at, bytes: length }));
    at += length;
    if (message.isSchema()) schema = message.header() as Schema;
    else if (message.isRecordBatch()) {
      const { length: items, nodes, buffers, compression, variadicBufferCounts } = message.header();
      if (compression !== null) throw compressed(path);
      batches.push({
        items,
        nulls: nodes.map(({ nullCount }) => nullCount),
        buffers: buffers.map(({ offset, length }) => ({ at: at + offset, bytes: length })),
        views: variadicBufferCounts ?? [],
      });
    }
    at += message.bodyLength;
    if (at > size) throw unreadable(path, "it ends within a record batch");
  }
  // apache-arrow for JavaScript writes the schema of a file only behind the batches.
  if (isFile) schema ??= await schemaBehind(arrow, file, path);
  if (!schema) throw unreadable(path, "it has no schema");
  return { schema, batches };
}

async function schemaBehind(arrow: Arrow, file: FileHandle, path: string): Promise<Schema> {
  try {
    const reader = await arrow.RecordBatchReader.from(file);
    await reader.open({ autoDestroy: false });
    return reader.schema;
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
}

async function bytesAt(
  file: FileHandle,
  path: string,
  { at, bytes }: Region,
): Promise<Uint8Array<ArrayBuffer>> {
  const read = new Uint8Array(bytes);
  await fill(file, read, at, path);
  return read;
}

function decoded(arrow: Arrow, path: string, bytes: Uint8Array): ReturnType<Arrow["Message"]["decode"]> {
  try {
    return arrow.Message.decode(bytes);
  } catch (error) {
    throw unreadable(path, `a message is damaged (${(error as Error).message})`);
  }
}

const unreadable = (path: string, reason: string): Error =>
  badFile(path, `it is not a readable Arrow file: ${reason}`);
const compressed = (path: string): Error =>
  badFile(
    path,
    "its buffers are compressed",
    undefined,
    "write it without compression, for example with compression='uncompressed' in pandas, pyarrow and Polars",
  );

/** A column in each record batch. @param column its number */
export function placesOf(arrow: Arrow, { schema, batches }: ArrowLayout, column: number): BatchPlace[] {
  let first = 0;
  return batches.map(({ items, nulls, buffers, views }) => {
    const cursor = { node: 0, buffer: 0, view: 0 };
    for (const field of schema.fields.slice(0, column)) pass(arrow, field.type, cursor, views);
    const place = {
      first,
      items,
      nulls: nulls[cursor.node] ?? 0,
      validity: buffers[cursor.buffer] as Region,
      values: buffers[cursor.buffer + 1] as Region,
    };
    first += items;
    return place;
  });
}

/** Nodes, buffers and counts of views that precede a column. */
interface Cursor {
  node: number;
  buffer: number;
  view: number;
}

/** Passes a column of any type. */
function pass(arrow: Arrow, type: DataType, cursor: Cursor, views: readonly number[]): void {
  const { Type, UnionMode } = arrow;
  const { typeId } = type;
  const one: readonly number[] = [Type.Struct, Type.FixedSizeList];
  const three: readonly number[] = [Type.Utf8, Type.Binary, Type.LargeUtf8, Type.LargeBinary];
  const variadic: readonly number[] = [Type.Utf8View, Type.BinaryView];
  const isSparse = typeId === Type.Union && (type as DataType & { mode: number }).mode === UnionMode.Sparse;
  cursor.node++;
  if (typeId === Type.Null) return;
  cursor.buffer += one.includes(typeId) || isSparse ? 1 : three.includes(typeId) ? 3 : 2;
  if (variadic.includes(typeId)) cursor.buffer += views[cursor.view++] ?? 0;
  // The values of a dictionary are in messages of their own.
  if (typeId === Type.Dictionary) return;
  for (const child of (type.children ?? []) as readonly Field[]) pass(arrow, child.type, cursor, views);
}
