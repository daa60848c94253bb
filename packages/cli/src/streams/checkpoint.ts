/** The state file of a stream, from which `--resume` continues. */
import { readFileSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { decodeState, encodeState, type State } from "@groupwise/core/state";

/** Milliseconds between the end of a write of the state and the beginning of the next one. */
const INTERVAL = 1000;

/** Writes states, each when the outputs that it covers are on the disk, while later chunks are computed. */
export class Checkpoint {
  private readonly path: string;
  private readonly flush: () => Promise<unknown>;
  private readonly interval: number;
  /** The state up to which outputs are written. */
  private latest: State | undefined;
  private saved: State | undefined;
  private savedAt = performance.now();
  private saving: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;

  /** @param flush returns when everything that is written to the outputs is on the disk */
  constructor(path: string, flush: () => Promise<unknown>, interval: number = INTERVAL) {
    this.path = path;
    this.flush = flush;
    this.interval = interval;
  }

  /** The last state; undefined if there is none. @throws GroupwiseError as `decodeState` */
  load(): State | undefined {
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(this.path);
    } catch {
      return undefined;
    }
    return decodeState(bytes);
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
  async settle(): Promise<void> {
    await this.saving;
    if (this.failure) throw this.failure.error;
    if (this.latest && this.latest !== this.saved) await this.save(this.latest);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  private async save(state: State): Promise<void> {
    await this.flush();
    const file = await open(`${this.path}.new`, "w");
    try {
      await file.writeFile(encodeState(state));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${this.path}.new`, this.path);
    this.saved = state;
  }
}
