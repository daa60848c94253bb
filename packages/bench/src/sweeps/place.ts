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

/** @throws Error unless both are words: two missing results would be equal */
export function hashOf(sum: number | undefined, xor: number | undefined): Hash {
  const isWord = (value: number | undefined): value is number =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32;
  if (!isWord(sum) || !isWord(xor))
    throw new Error(`${sum} and ${xor} are not a sum and an exclusive or of words`);
  return { sum, xor };
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

/** The outputs of a pipeline for the items. @throws GroupwiseError the errors of the runtime */
export async function valuesOn(
  runtime: Runtime,
  source: SweepPipeline,
  { n, start, stride }: SweepItems,
): Promise<OutputWords> {
  const program = await runtime.compile(source);
  try {
    return (await program.run({ start, stride } as never, { n })) as unknown as OutputWords;
  } finally {
    program.dispose();
  }
}

/** A runtime as a place. */
export const placeOf = (name: string, runtime: Runtime): SweepPlace => ({
  name,
  device: runtime.device,
  hasher: async (source) => {
    const program = await runtime.compile(source);
    const run = async ({ n, start, stride }: SweepItems): Promise<Hash> => {
      const { sum, xor } = (await program.run({ start, stride } as never, { n })) as unknown as OutputWords;
      return hashOf(sum?.[0], xor?.[0]);
    };
    return { hash: inTurn(run), close: () => program.dispose() };
  },
  values: (source, items) => valuesOn(runtime, source, items),
  close: () => runtime.dispose(),
});

/** Emitted C by gcc. @throws GroupwiseError `device-missing` without gcc or koffi */
export const cPlace = async (threads: number): Promise<SweepPlace> =>
  placeOf(`C, ${threads} threads`, await cRuntime({ compiler: "gcc", threads }));
