/** The users' references to built programs. */
import type { LoadedProgram, RunOptions } from "../api/runtime.ts";
import type { RunOutputs, RunValues } from "../api/typed.ts";
import { checkedSides } from "../checks/range.ts";
import { marks } from "../run/marks.ts";
import { Owned } from "../run/owned.ts";
import type { Program, Session } from "./program.ts";
import { runProgram } from "./run.ts";
import { scratchBytes } from "./scratch.ts";

/** One user's reference to a program. Disposing it does not affect other references to the same content. */
export interface ProgramReference {
  readonly program: Program;
  /** The release of this reference. */
  readonly owned: Owned;
}

/** All references to the programs of a runtime. */
export class Programs {
  private readonly session: Session;
  private readonly known = marks<ProgramReference>();
  private readonly live = new Set<LoadedProgram>();

  constructor(session: Session) {
    this.session = session;
  }

  /** @param release called once it was disposed and its last run is done */
  hold(program: Program, release: () => void): LoadedProgram {
    const { manifest, built } = program;
    const { session, live } = this;
    const owned = new Owned(`the program ${manifest.pipeline}`, release);
    const handle: LoadedProgram = {
      manifest,
      run: async (values: RunValues, options?: RunOptions): Promise<RunOutputs> => {
        const done = owned.use();
        try {
          return await runProgram(session, built, manifest, values, options);
        } finally {
          done();
        }
      },
      scratchBytes: (sides) => scratchBytes(session.driver.device, manifest, checkedSides(manifest, sides)),
      dispose: () => {
        live.delete(handle);
        owned.dispose();
      },
    };
    live.add(handle);
    this.known.set(handle, { program, owned });
    return handle;
  }

  /** The program of an executable; undefined if the executable belongs to another runtime. */
  find(executable: object): ProgramReference | undefined {
    return this.known.get(executable);
  }

  dispose(): void {
    for (const handle of [...this.live]) handle.dispose();
  }
}
