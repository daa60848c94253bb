/** Columns of Arrow files and streams, read at any position: only the buffers of the columns that are asked for. */
import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec, errorOf, loadFailure } from "@groupwise/core/target";
import type { DataType, Field, Schema } from "apache-arrow";
import { badFile, badUsage } from "../base/problem.ts";
import { reasonOf } from "../base/reasons.ts";
import { oneOf } from "../base/suggest.ts";
import { absentElement } from "./absent.ts";
import { readBinary } from "./binary.ts";
import { fill } from "./fill.ts";
import type { Reading } from "./reading.ts";

// Where the columns of an Arrow file or stream are: https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc
type Arrow = typeof import("apache-arrow");

/** Bytes of a file. */
interface Region {
  readonly at: number;
  readonly bytes: number;
}

/** A column within a record batch. */
interface BatchPlace {
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
interface ArrowLayout {
  readonly schema: Schema;
  readonly batches: readonly Batch[];
}

const MAGIC = "ARROW1";
/** Precedes the length of a message. */
const CONTINUES = 0xffffffff;
const PREFIX = 8;

/** Reads the headers of all messages. @throws GroupwiseError `missing-file`, `bad-file` */
async function layoutOf(arrow: Arrow, file: FileHandle, path: string): Promise<ArrowLayout> {
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
function placesOf(arrow: Arrow, { schema, batches }: ArrowLayout, column: number): BatchPlace[] {
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

/** The column that an input takes. */
export interface ArrowColumn {
  /** The name of the input. */
  readonly name: string;
  readonly type: ArrayType;
  /** The name of the column; where it is absent, that of the input, or the only one. */
  readonly column: string | undefined;
}

/** Arrow's name of each type of elements. It has no bf16: a column has its 16 bits. */
const NAMES: Readonly<Record<ArrayType, string>> = {
  i8: "Int8",
  u8: "Uint8",
  i16: "Int16",
  u16: "Uint16",
  bf16: "Uint16",
  i32: "Int32",
  u32: "Uint32",
  i64: "Int64",
  u64: "Uint64",
  f16: "Float16",
  f32: "Float32",
  f64: "Float64",
  bool: "Bool",
};

/** @throws GroupwiseError `bad-usage` without apache-arrow */
async function library(): Promise<Arrow> {
  try {
    return await import("apache-arrow");
  } catch (error) {
    throw badUsage(
      `Arrow files cannot be read: ${loadFailure("apache-arrow", error)}`,
      "npm install apache-arrow, or save the columns as .csv or .npy",
    );
  }
}

/** An Arrow file that is open. */
export class ArrowFile {
  readonly length: number;
  private readonly arrow: Arrow;
  private readonly file: FileHandle;
  private readonly path: string;
  private readonly layout: ArrowLayout;
  private readonly absent: string | undefined;

  private constructor(
    arrow: Arrow,
    file: FileHandle,
    { path, layout, absent }: { path: string; layout: ArrowLayout; absent: string | undefined },
  ) {
    this.arrow = arrow;
    this.file = file;
    this.path = path;
    this.layout = layout;
    this.absent = absent;
    this.length = layout.batches.reduce((sum, { items }) => sum + items, 0);
  }

  /** @throws GroupwiseError `missing-file`, `bad-file`, `bad-usage` without apache-arrow */
  static async open(path: string, { cwd, null: absent }: Reading): Promise<ArrowFile> {
    const arrow = await library();
    let file: FileHandle | undefined;
    try {
      file = await open(resolve(cwd, path));
      return new ArrowFile(arrow, file, { path, layout: await layoutOf(arrow, file, path), absent });
    } catch (error) {
      await file?.close();
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      throw errorOf("missing-file", { path, reason: reasonOf(error) }, path, error);
    }
  }

  /** A column of the type. @throws GroupwiseError `bad-file`, `bad-usage` */
  column(wanted: ArrowColumn): ArrowReader {
    const { path } = this;
    const { name, type, column } = wanted;
    const { fields } = this.layout.schema;
    const names = fields.map((field) => field.name);
    const heading = column ?? (names.length === 1 ? (names[0] as string) : name);
    const at = names.indexOf(heading);
    if (at < 0)
      throw badUsage(
        `${path} has no column ${JSON.stringify(heading)}`,
        `${oneOf(heading, names)}; for another one write ${name}=${path}:NAME`,
      );
    if (names.lastIndexOf(heading) !== at)
      throw badUsage(`${path} has several columns ${JSON.stringify(heading)}`, "rename all but one of them");
    const given = String(fields[at]?.type);
    if (given !== NAMES[type])
      throw badFile(
        path,
        `its column ${heading} is ${given}, but the input ${name} needs ${NAMES[type]} (${type}): cast it where it is written`,
      );
    const places = placesOf(this.arrow, this.layout, at);
    return new ArrowReader(this.file, places, { path, type, heading, absent: this.absent });
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

/** What a reader reads, for errors, and what it reads in place of nulls. */
interface Of {
  readonly path: string;
  readonly type: ArrayType;
  readonly heading: string;
  readonly absent: string | undefined;
}

/** The elements of a column. */
export class ArrowReader {
  private readonly file: FileHandle;
  private readonly places: readonly BatchPlace[];
  private readonly of: Of;

  constructor(file: FileHandle, places: readonly BatchPlace[], of: Of) {
    this.file = file;
    this.places = places;
    this.of = of;
  }

  /** The elements from one to another. @throws GroupwiseError `bad-file`; `bad-usage` as `absentElement` */
  async read(from: number, to: number): Promise<HostArray> {
    const { type, path } = this.of;
    const { hostBytes } = arraySpec(type);
    const bytes = new Uint8Array((to - from) * hostBytes);
    for (const place of this.places) {
      const first = Math.max(from, place.first);
      const last = Math.min(to, place.first + place.items);
      if (first >= last) continue;
      const part = bytes.subarray((first - from) * hostBytes, (last - from) * hostBytes);
      await this.fillPart(part, place, first - place.first);
    }
    const elements = readBinary(bytes, type, path);
    for (const place of this.places) {
      const first = Math.max(from, place.first);
      const last = Math.min(to, place.first + place.items);
      if (place.nulls > 0 && first < last)
        await this.replaceNulls(elements.subarray(first - from, last - from) as HostArray, place, first);
    }
    return elements;
  }

  /** @param skip items of the place before the part */
  private async fillPart(part: Uint8Array, { values }: BatchPlace, skip: number): Promise<void> {
    const { type, path } = this.of;
    if (type === "bool") return unpacked(await this.bits(values, skip, part.length), skip, part);
    const { hostBytes } = arraySpec(type);
    if (skip * hostBytes + part.length > values.bytes) throw tooShort(path);
    await fill(this.file, part, values.at + skip * hostBytes, path);
  }

  /** @param first the number of the first element */
  private async replaceNulls(elements: HostArray, place: BatchPlace, first: number): Promise<void> {
    const { type, path, heading, absent } = this.of;
    const skip = first - place.first;
    const valid = new Uint8Array(elements.length);
    unpacked(await this.bits(place.validity, skip, valid.length), skip, valid);
    for (let i = valid.indexOf(0); i >= 0; i = valid.indexOf(0, i + 1))
      elements[i] = absentElement(
        type,
        absent,
        path,
        `row ${first + i}, column ${JSON.stringify(heading)}`,
      ) as never;
  }

  /** The bytes of some bits, from that of the first. */
  private async bits({ at, bytes }: Region, first: number, count: number): Promise<Uint8Array> {
    const start = Math.floor(first / 8);
    const found = new Uint8Array(Math.ceil((first + count) / 8) - start);
    if (start + found.length > bytes) throw tooShort(this.of.path);
    await fill(this.file, found, at + start, this.of.path);
    return found;
  }
}

const tooShort = (path: string): Error => badFile(path, "a buffer is shorter than its record batch");

/** Writes bits as bytes. @param first the number of the first bit, whose byte is the first one */
function unpacked(bits: Uint8Array, first: number, to: Uint8Array): void {
  for (let i = 0, at = first % 8; i < to.length; i++, at++)
    to[i] = ((bits[at >> 3] as number) >> (at & 7)) & 1;
}

/** Some columns of a file. @throws GroupwiseError as `ArrowFile` */
export async function readArrowColumns(
  path: string,
  reading: Reading,
  wanted: readonly ArrowColumn[],
): Promise<HostArray[]> {
  const file = await ArrowFile.open(path, reading);
  try {
    return await Promise.all(wanted.map((one) => file.column(one).read(0, file.length)));
  } finally {
    await file.close();
  }
}
