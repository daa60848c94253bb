/** Outputs that are written chunk by chunk, under temporary names until all of them are complete. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ArrayType, HostArray } from "@groupwise/core";
import type { State } from "@groupwise/core/state";
import { arraySpec } from "@groupwise/core/target";
import { badFile, isGroupwiseError } from "../base/problem.ts";
import { reasonOf } from "../base/reasons.ts";
import { unbroken } from "../base/signals.ts";
import { toLittleEndian } from "../values/binary.ts";
import { npyStart } from "../values/npy.ts";
import { Appended, type Counting } from "./appended.ts";
import { Checkpoint } from "./checkpoint.ts";
import { type OriginOf, requireOrigin } from "./origin.ts";

/** The description of a sink. */
export interface SinkPlan {
  /** The folder, as it was given. */
  readonly directory: string;
  readonly cwd: string;
  readonly pipeline: string;
  /** What its states belong to. */
  readonly origin: OriginOf;
  /** The outputs of items. */
  readonly types: Readonly<Record<string, ArrayType>>;
  /** Elements of each; undefined if only the end of the inputs shows it. */
  readonly length: number | undefined;
  /** The outputs that have other numbers of elements. */
  readonly appended?: Counting;
  /** Milliseconds between two writes of the state; default: a second. */
  readonly interval?: number;
}

/** The .npy files of outputs of items, and the state up to which they are written. */
export class Sink {
  private readonly plan: SinkPlan;
  private readonly folder: string;
  private readonly isResumed: boolean;
  private readonly checkpoint: Checkpoint;
  private readonly appended: Appended;
  /** By the name of the output, once something is written. */
  private readonly files = new Map<string, FileHandle>();
  private isOpen = false;
  private beginning: Promise<void> | undefined;
  /** Ends when everything before is written. */
  private written: Promise<unknown> = Promise.resolve();

  /** Changes no file. */
  constructor(plan: SinkPlan, isResumed: boolean) {
    this.plan = plan;
    this.folder = resolve(plan.cwd, plan.directory);
    this.isResumed = isResumed;
    this.appended = new Appended(plan.appended ?? new Map());
    const path = join(this.folder, `.${plan.pipeline}.state`);
    const flush = (): Promise<unknown> =>
      Promise.all([...this.files.values()].map((file) => file.datasync()));
    this.checkpoint = new Checkpoint(path, plan.origin, flush, plan.interval);
  }

  /** The last state whose outputs are written; undefined if there is none. @throws GroupwiseError `bad-file`; as `decodeState` */
  async state(): Promise<State | undefined> {
    const saved = this.checkpoint.load();
    if (saved === undefined) return undefined;
    const { origin, state } = saved;
    const path = join(this.plan.directory, `.${this.plan.pipeline}.state`);
    await requireOrigin(path, origin, this.plan.origin);
    const { types, length } = this.plan;
    // Only the last round writes outputs.
    const isWritten = state.round === undefined || state.round.number === state.round.of;
    const isPresent = Object.entries(types).every(([name, type]) => {
      const part = statSync(this.partOf(name), { throwIfNoEntry: false });
      const size = (part ?? statSync(this.pathOf(name), { throwIfNoEntry: false }))?.size ?? -1;
      const count = isWritten ? this.elementsAt(state, name, type, size) : 0;
      if (count === undefined) return false;
      const end = this.placeOf(type, count);
      // A file may have its final name after a process that ended between two renames.
      return part ? size >= end : size === end;
    });
    const again = "run without --resume";
    if (!isPresent)
      throw badFile(path, "the output files have fewer elements than it states", undefined, again);
    if (length !== undefined && state.to > BigInt(length))
      throw badFile(path, `it is at item ${state.to}, but the inputs have ${length}`, undefined, again);
    return state;
  }

  /**
   * Writes the outputs of a chunk; a round before the last has none. The state up to its end is saved later, when they and those before are on the disk. Several
   * calls may be under way; they return in the order of the chunks.
   * @param from the number of the chunk's first item
   * @throws GroupwiseError `bad-file`
   */
  async write(from: number, outputs: Readonly<Record<string, HostArray>>, state: State): Promise<void> {
    await this.tried(async () => {
      // Without a wait, so that the next step, which may block this thread, comes after the writes have begun.
      this.beginning ??= this.begin();
      if (!this.isOpen) await this.beginning;
      const given = Object.entries(this.plan.types).filter(([name]) => Object.hasOwn(outputs, name));
      const writes = given.map(([name, type]) => {
        const array = outputs[name] as HostArray;
        const at = this.appended.has(name) ? this.appended.add(name, array.length) : from;
        return writeAll(this.fileOf(name), bytesOf(type, array), this.placeOf(type, at));
      });
      const written = Promise.all([this.written, ...writes]);
      this.written = written;
      await written;
      this.checkpoint.offer(state);
    });
  }

  /**
   * Renames the files to their final names, when everything is on the disk.
   * @param length elements of each file whose elements are not counted
   * @returns their paths, below the folder as it was given
   * @throws GroupwiseError `bad-file`
   */
  async finish(length: number): Promise<string[]> {
    return this.tried(async () => {
      for (const [name, type] of Object.entries(this.plan.types))
        await this.complete(name, type, this.appended.has(name) ? this.appended.countOf(name) : length);
      await this.checkpoint.saveLatest();
      await this.close();
      return unbroken(() => {
        const written = Object.keys(this.plan.types).map((name) => {
          renameSync(this.partOf(name), this.pathOf(name));
          return join(this.plan.directory, `${name}.npy`);
        });
        this.checkpoint.remove();
        return written;
      });
    });
  }

  /** After an error: saves the state up to which outputs are written, if that is possible. */
  async stop(): Promise<void> {
    await this.checkpoint.saveLatest().catch(() => {});
    await this.close();
  }

  private async close(): Promise<void> {
    const files = [...this.files.values()];
    this.files.clear();
    await Promise.all(files.map((file) => file.close()));
  }

  private fileOf(name: string): FileHandle {
    return this.files.get(name) as FileHandle;
  }

  private partOf(name: string): string {
    return join(this.folder, `.${name}.npy.part`);
  }

  private pathOf(name: string): string {
    return join(this.folder, `${name}.npy`);
  }

  /** The position of an element in its file. */
  private placeOf(type: ArrayType, at: number): number {
    return npyStart(type, 0).length + at * arraySpec(type).hostBytes;
  }

  /** The elements of an output at a state; undefined if its file has fewer. */
  private elementsAt(state: State, name: string, type: ArrayType, size: number): number | undefined {
    if (!this.appended.has(name)) return Number(state.to);
    const room = Math.floor((size - this.placeOf(type, 0)) / arraySpec(type).hostBytes);
    return this.appended.restore(name, state, room);
  }

  private async complete(name: string, type: ArrayType, length: number): Promise<void> {
    await writeAll(this.fileOf(name), npyStart(type, length), 0);
    await this.fileOf(name).truncate(this.placeOf(type, length));
  }

  private async begin(): Promise<void> {
    const { isResumed } = this;
    mkdirSync(this.folder, { recursive: true });
    if (!isResumed) this.checkpoint.remove();
    for (const [name, type] of Object.entries(this.plan.types)) {
      const path = this.partOf(name);
      if (!isResumed) rmSync(path, { force: true });
      else if (this.checkpoint.exists && !existsSync(path)) renameSync(this.pathOf(name), path);
      // `wx+` does not follow an existing link.
      const file = await open(path, isResumed && existsSync(path) ? "r+" : "wx+");
      this.files.set(name, file);
      // Headers of all lengths have one length.
      await writeAll(file, npyStart(type, this.plan.length ?? 0), 0);
    }
    this.isOpen = true;
  }

  private async tried<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isGroupwiseError(error)) throw error;
      throw badFile(this.plan.directory, `cannot write there: ${reasonOf(error)}`, error);
    }
  }
}

function bytesOf(type: ArrayType, array: HostArray): Uint8Array {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  toLittleEndian(bytes, arraySpec(type).hostBytes);
  return bytes;
}

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, Math.min(bytes.length - done, 2 ** 30), at + done);
    done += bytesWritten;
  }
}
