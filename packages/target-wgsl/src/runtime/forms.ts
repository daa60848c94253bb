/** A program in two forms: runs use one that is compiled sooner until the other is compiled. */
import type { Artifact, Manifest } from "@groupwise/core";
import type { Split } from "@groupwise/core/target";
import type { Gpu } from "../device/device.ts";
import type { ReadyPass } from "../device/pipelines.ts";
import type { Ready } from "./encode.ts";

/** A form of a pipeline that is being compiled. */
export interface Compiling {
  readonly manifest: Manifest;
  readonly passes: Promise<readonly ReadyPass[]>;
}

/** Emits a pipeline once more, with arrays in parts. */
export type Splitter = (split: Split) => Artifact;

/** Options of loading a program. */
export interface LoadOptions {
  readonly splitter?: Splitter;
  /** The artifact's passes, if they are being compiled. */
  readonly passes?: Promise<readonly ReadyPass[]> | undefined;
  /** A form that is compiled sooner. */
  readonly early?: Compiling | undefined;
}

/** Whether two forms take the same arrays and launch scalars, so that either runs the same recording. */
export function areAlike(a: Manifest, b: Manifest): boolean {
  const interfaceOf = ({ bindings, params }: Manifest): string =>
    JSON.stringify([
      params,
      bindings.filter(({ role }) => role !== "scratch").map((binding) => ({ ...binding, slot: 0 })),
    ]);
  return interfaceOf(a) === interfaceOf(b);
}

/** The form that runs use. */
export class Forms {
  /** The manifests of the forms, one of which may be in use. */
  readonly manifests: readonly Manifest[];
  /** Settles when the last form is compiled. */
  readonly last: Promise<void>;
  private ready: Ready;
  private failure: unknown;

  private constructor(ready: Ready, manifests: readonly Manifest[], last: Promise<Ready>) {
    this.ready = ready;
    this.manifests = manifests;
    this.last = last.then(
      (found) => {
        this.ready = found;
      },
      (error: unknown) => {
        this.failure = error;
        throw error;
      },
    );
    this.last.catch(() => {}); // runs throw it
  }

  /** Waits for the form that is compiled first. */
  static async first(gpu: Gpu, last: Compiling, early?: Compiling): Promise<Forms> {
    const readyOf = async ({ manifest, passes }: Compiling): Promise<Ready> => ({
      gpu,
      manifest,
      passes: await passes,
    });
    const final = readyOf(last);
    // If only the early form fails, the last one says whether the pipeline can run.
    const first = early ? Promise.race([final, readyOf(early).catch(() => final)]) : final;
    const manifests = [last, ...(early ? [early] : [])].map(({ manifest }) => manifest);
    return new Forms(await first, manifests, final);
  }

  /** @throws the error of the compiler, if the last form failed after the early one was used */
  get current(): Ready {
    if (this.failure !== undefined) throw this.failure;
    return this.ready;
  }
}
