/** A place where sweeps compute: a runtime. */
import type { DeviceInfo, Runtime } from "@groupwise/core";
import { cRuntime } from "@groupwise/target-c/runtime";
import type { SweepPipeline } from "./pipelines.ts";

/** Items of a sweep: numbers of operands from `start` with a stride, modulo 2^32. */
export interface SweepItems {
  readonly n: number;
  readonly start: number;
  readonly stride: number;
}
/** The words to which the results of many items are reduced. */
export interface Hash {
  readonly sum: number;
  readonly xor: number;
}
/** Words by the names of outputs. */
export type OutputWords = Readonly<Record<string, Uint32Array>>;

/** A pipeline on a place. */
export interface Hasher {
  hash(items: SweepItems): Promise<Hash>;
  close(): void;
}
/** A place. */
export interface SweepPlace {
  readonly name: string;
  readonly device: DeviceInfo;
  hasher(source: SweepPipeline): Promise<Hasher>;
  /** Every output of a few items. */
  values(source: SweepPipeline, items: SweepItems): Promise<OutputWords>;
  close(): void;
}

/** Runs one call after the other, because the arrays of one chunk may fill the memory of a device. */
function inTurn<A, T>(call: (given: A) => Promise<T>): (given: A) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (given) => {
    const next = last.then(() => call(given));
    last = next.catch(() => {});
    return next;
  };
}

/** A runtime as a place. */
export const placeOf = (name: string, runtime: Runtime): SweepPlace => ({
  name,
  device: runtime.device,
  hasher: async (source) => {
    const program = await runtime.compile(source);
    const run = async ({ n, start, stride }: SweepItems): Promise<Hash> => {
      const words = (await program.run({ start, stride } as never, { n })) as unknown as OutputWords;
      const [sum, xor] = ["sum", "xor"].map((name) => (words[name] as Uint32Array)[0] as number);
      return { sum, xor } as Hash;
    };
    return { hash: inTurn(run), close: () => program.dispose() };
  },
  values: async (source, { n, start, stride }) => {
    const program = await runtime.compile(source);
    try {
      return (await program.run({ start, stride } as never, { n })) as unknown as OutputWords;
    } finally {
      program.dispose();
    }
  },
  close: () => runtime.dispose(),
});

/** Emitted C by gcc. @throws GroupwiseError `device-missing` without gcc or koffi */
export const cPlace = async (threads: number): Promise<SweepPlace> =>
  placeOf(`C, ${threads} threads`, await cRuntime({ compiler: "gcc", threads }));
