/** The users' references to built programs. */
import type { LoadedProgram, RunOptions, RunOutputs, RunValues } from "@groupwise/core";
import { checkedSides } from "@groupwise/core/target";
import { Owned } from "../driver/owned.ts";
import type { Program, Session } from "./program.ts";
import { runProgram } from "./run.ts";
import { scratchBytes } from "./scratch.ts";

/** A program that one user holds; others of the same content live on when it is disposed. */
export interface Held {
  readonly program: Program;
  /** Of this user's hold. */
  readonly owned: Owned;
}

export type Handle = LoadedProgram;

/** Every hold on a program of a runtime. */
export class Programs {
  private readonly session: Session;
  private readonly known = new WeakMap<object, Held>();
  private readonly live = new Set<Handle>();

  constructor(session: Session) {
    this.session = session;
  }

  /** @param release called once it was disposed and its last run is done */
  hold(program: Program, release: () => void): Handle {
    const { manifest, built } = program;
    const { session, live } = this;
    const owned = new Owned(`the program ${manifest.pipeline}`, release);
    const handle: Handle = {
      manifest,
      run: async (values: RunValues, options?: RunOptions): Promise<RunOutputs> => {
        const done = owned.use();
        try {
          return await runProgram(session, built, manifest, values, options);
        } finally {
          done();
        }
      },
      scratchBytes: (sides) => scratchBytes(session.info, manifest, checkedSides(manifest, sides)),
      dispose: () => {
        live.delete(handle);
        owned.dispose();
      },
    };
    live.add(handle);
    this.known.set(handle, { program, owned });
    return handle;
  }

  /** What an executable of this runtime is; undefined where it is another's. */
  find(executable: object): Held | undefined {
    return this.known.get(executable);
  }

  dispose(): void {
    for (const handle of [...this.live]) handle.dispose();
  }
}
