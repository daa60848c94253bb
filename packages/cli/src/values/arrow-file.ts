/** Columns of Arrow files and streams, read at any position: only the buffers of the columns that are asked for. */
import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec, errorOf, loadFailure } from "@groupwise/core/target";
import { badFile, badUsage } from "../base/problem.ts";
import { reasonOf } from "../base/reasons.ts";
import { oneOf } from "../base/suggest.ts";
import { absentElement } from "./absent.ts";
import {
  type Arrow,
  type ArrowLayout,
  type BatchPlace,
  layoutOf,
  placesOf,
  type Region,
} from "./arrow-layout.ts";
import { readBinary } from "./binary.ts";
import { fill } from "./fill.ts";
import type { Reading } from "./reading.ts";

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
