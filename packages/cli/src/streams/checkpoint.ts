/** The state file of a stream, from which `--resume` continues. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { decodeState, encodeState, type State } from "@groupwise/core/state";
import { badFile } from "../base/problem.ts";
import type { Origin, OriginOf } from "./origin.ts";

/** Milliseconds between the end of a write of the state and the beginning of the next one. */
const INTERVAL = 1000;

/** What a state file has: a line of JSON, and the state in its binary form. */
export interface Saved {
  readonly origin: Origin;
  readonly state: State;
}

export function encodeSaved({ origin, state }: Saved): Uint8Array {
  const line = new TextEncoder().encode(`${JSON.stringify({ version: VERSION, ...origin })}\n`);
  const bytes = encodeState(state);
  const both = new Uint8Array(line.length + bytes.length);
  both.set(line);
  both.set(bytes, line.length);
  return both;
}

/** @throws GroupwiseError `bad-file`; as `decodeState` */
export function decodeSaved(bytes: Uint8Array, path: string): Saved {
  const end = bytes.indexOf(0x0a);
  try {
    const { version, ...origin } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, Math.max(end, 0))));
    if (version === VERSION) return { origin, state: decodeState(bytes.subarray(end + 1)) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw badFile(path, `it is not a state of version ${VERSION}`, undefined, "run without --resume");
}

const VERSION = 1;

/** Writes states, each when the outputs that it covers are on the disk, while later chunks are computed. */
export class Checkpoint {
  private readonly path: string;
  private readonly run: OriginOf;
  private readonly flush: () => Promise<unknown>;
  private readonly interval: number;
  private origin: Origin | undefined;
  /** The state up to which outputs are written. */
  private latest: State | undefined;
  private saved: State | undefined;
  private savedAt = performance.now();
  private saving: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;

  /** @param flush returns when everything that is written to the outputs is on the disk */
  constructor(path: string, run: OriginOf, flush: () => Promise<unknown>, interval: number = INTERVAL) {
    this.path = path;
    this.run = run;
    this.flush = flush;
    this.interval = interval;
  }

  /** True if there is a state. */
  get exists(): boolean {
    return existsSync(this.path);
  }

  /** The last state, and what it belongs to; undefined if there is none. @throws GroupwiseError `bad-file`; as `decodeState` */
  load(): Saved | undefined {
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(this.path);
    } catch {
      return undefined;
    }
    const saved = decodeSaved(bytes, this.path);
    this.origin = saved.origin;
    return saved;
  }

  /** Takes the state up to which outputs are written. It is saved if the last save was long ago; no one waits for that. @throws the error of an earlier save */
  offer(state: State): void {
    if (this.failure) throw this.failure.error;
    this.latest = state;
    if (this.saving || performance.now() - this.savedAt < this.interval) return;
    this.saving = this.save(state)
      .catch((error) => {
        this.failure = { error };
      })
      .finally(() => {
        this.savedAt = performance.now();
        this.saving = undefined;
      });
  }

  /** Saves the state up to which outputs are written, if it is not saved. */
  async saveLatest(): Promise<void> {
    await this.saving;
    if (this.failure) throw this.failure.error;
    if (this.latest && this.latest !== this.saved) await this.save(this.latest);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  private async save(state: State): Promise<void> {
    await this.flush();
    this.origin ??= await this.run.of(Number(state.to));
    const file = await open(`${this.path}.new`, "w");
    try {
      await file.writeFile(encodeSaved({ origin: this.origin, state }));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${this.path}.new`, this.path);
    this.saved = state;
  }
}
