/** Outputs that are written chunk by chunk, under temporary names until all of them are complete. */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join, resolve } from "node:path";
import type { ArrayType, HostArray } from "@groupwise/core";
import { decodeState, encodeState, type State } from "@groupwise/core/state";
import { arraySpec } from "@groupwise/core/target";
import { badFile } from "../base/problem.ts";
import { reasonOf } from "../base/reasons.ts";
import { toLittleEndian } from "../values/binary.ts";
import { npyStart } from "../values/npy.ts";

/** One output of items. */
interface Part {
  readonly name: string;
  readonly type: ArrayType;
  readonly file: number;
  /** Bytes of the header. */
  readonly start: number;
}

/** The description of a sink. */
export interface SinkPlan {
  /** The folder, as it was given. */
  readonly directory: string;
  readonly cwd: string;
  readonly pipeline: string;
  /** The outputs of items. */
  readonly types: Readonly<Record<string, ArrayType>>;
  /** Elements of each. */
  readonly length: number;
}

/** The .npy files of outputs of items, and the state up to which they are written. */
export class Sink {
  private readonly plan: SinkPlan;
  private readonly folder: string;
  private readonly statePath: string;
  private readonly parts: readonly Part[];
  private isOpen = true;

  /** @throws GroupwiseError `bad-file` */
  constructor(plan: SinkPlan, isResumed: boolean) {
    this.plan = plan;
    this.folder = resolve(plan.cwd, plan.directory);
    this.statePath = join(this.folder, `.${plan.pipeline}.state`);
    this.parts = this.tried(() => {
      mkdirSync(this.folder, { recursive: true });
      if (!isResumed) rmSync(this.statePath, { force: true });
      return Object.entries(plan.types).map(([name, type]) => this.opened(name, type, isResumed));
    });
  }

  /** The last state whose outputs are written; undefined if there is none. @throws GroupwiseError as `decodeState` */
  state(): State | undefined {
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(this.statePath);
    } catch {
      return undefined;
    }
    const state = decodeState(bytes);
    const isPresent = this.parts.every(({ file, start, type }) => {
      return fstatSync(file).size >= start + Number(state.to) * arraySpec(type).hostBytes;
    });
    if (!isPresent || state.to > BigInt(this.plan.length))
      throw badFile(
        this.statePath,
        "the output files have fewer elements than it states",
        undefined,
        "run without --resume",
      );
    return state;
  }

  /** Writes the outputs of a chunk, and then the state up to its end. @throws GroupwiseError `bad-file` */
  write(from: number, outputs: Readonly<Record<string, HostArray>>, state: State): void {
    this.tried(() => {
      for (const { name, type, file, start } of this.parts)
        writeAll(file, bytesOf(type, outputs[name] as HostArray), start + from * arraySpec(type).hostBytes);
      for (const { file } of this.parts) fsyncSync(file);
      writeFileSync(`${this.statePath}.new`, encodeState(state));
      renameSync(`${this.statePath}.new`, this.statePath);
    });
  }

  /** Renames the files to their final names. @returns their paths, below the folder as it was given */
  finish(): string[] {
    this.close();
    return this.tried(() => {
      const written = this.parts.map(({ name }) => {
        renameSync(this.pathOf(name), join(this.folder, `${name}.npy`));
        return join(this.plan.directory, `${name}.npy`);
      });
      rmSync(this.statePath, { force: true });
      return written;
    });
  }

  /** Closes the files; later calls do nothing. */
  close(): void {
    for (const { file } of this.isOpen ? this.parts : []) closeSync(file);
    this.isOpen = false;
  }

  private pathOf(name: string): string {
    return join(this.folder, `.${name}.npy.part`);
  }

  private opened(name: string, type: ArrayType, isResumed: boolean): Part {
    const head = npyStart(type, this.plan.length);
    const path = this.pathOf(name);
    // `wx+` does not follow an existing link.
    if (!isResumed) rmSync(path, { force: true });
    const file = openSync(path, isResumed && existsSync(path) ? "r+" : "wx+");
    writeAll(file, head, 0);
    return { name, type, file, start: head.length };
  }

  private tried<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw badFile(this.plan.directory, `cannot write there: ${reasonOf(error)}`, error);
    }
  }
}

function bytesOf(type: ArrayType, array: HostArray): Uint8Array {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  toLittleEndian(bytes, arraySpec(type).hostBytes);
  return bytes;
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, Math.min(bytes.length - done, 2 ** 30), at + done);
}
