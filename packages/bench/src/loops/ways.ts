/** The ways to compute one job. Those of this process write to the same arrays. */
import type { DeviceArray, Runtime } from "@groupwise/core";
import { emit } from "@groupwise/core";
import { js } from "@groupwise/target-js";
import {
  isRounded,
  type LoopCase,
  type LoopType,
  limitsOf,
  type Numbers,
  outputsFor,
  sourcesOf,
} from "./jobs.ts";
import { type Loops, THREADS } from "./native.ts";

export type WayName =
  | "C"
  | "hand"
  | "left to right"
  | "C, OpenMP"
  | "OpenMP"
  | "JavaScript"
  | "plain JavaScript"
  | "PoCL";

/** Whether other threads run, or wait actively, beside the loop. */
export const isThreaded = (name: WayName): boolean => name.endsWith("OpenMP") || name === "PoCL";

/** One way: runs, and reads its results. */
export interface Way {
  readonly name: WayName;
  /** Whether its floats add in another order, so that its bits may differ. */
  readonly isOther: boolean;
  /** Overwrites the outputs, so that a way that writes nothing is found. */
  clear(): void;
  run(): undefined | Promise<void>;
  /** A copy. */
  results(): Promise<Readonly<Record<string, Numbers>>>;
  dispose(): void;
}

export interface Given {
  readonly which: LoopCase;
  readonly type: LoopType;
  readonly x: Numbers;
  /** Arrays for the outputs. With arrays of its own, a loop can take 1.7 times as long only because its loads and stores have equal low bits of their addresses. */
  readonly y: Outputs;
}

/** A copy of outputs that begins at another distance from its allocation. */
export function placed(y: Outputs, bytes: number): Outputs {
  const copies = Object.entries(y).map(([name, array]) => {
    const Elements = array.constructor as Uint32ArrayConstructor;
    const copy = new Elements(new ArrayBuffer(array.byteLength + bytes), bytes, array.length);
    copy.set(array as Uint32Array);
    return [name, copy] as const;
  });
  return Object.fromEntries(copies);
}

export type Outputs = Readonly<Record<string, Numbers>>;

/** A way that is a call on arrays of this process. */
const called = ({ y }: Given, name: WayName, call: (y: Outputs) => void, isOther = false): Way => ({
  name,
  isOther,
  clear: () => {
    for (const { buffer } of Object.values(y)) new Uint8Array(buffer).fill(0xff);
  },
  run: () => call(y) as undefined,
  results: async () =>
    Object.fromEntries(Object.entries(y).map(([output, array]) => [output, array.slice()])),
  dispose: () => {},
});

export function nativeWays(given: Given, loops: Loops): readonly Way[] {
  const { which, type, x } = given;
  const emitted = loops.emitted(which, type);
  const limits = limitsOf(which, type);
  const hasOrders = isRounded(which, type);
  const hand = (kind: "plain" | "fixed" | "openmp", name: WayName, isOther: boolean): Way[] => {
    const loop = loops.byHand(kind, which, type);
    if (!loop) return [];
    return [called(given, name, (y) => loop(x.length, x, ...Object.values(y), ...limits), isOther)];
  };
  const parallel = loops.parallel(which, type);
  const check = (status: number | undefined): void => {
    if (status !== 0) throw new Error(`emitted C for ${which} of ${type} returns ${status}`);
  };
  return [
    called(given, "C", (y) => check(emitted(x.length, x, ...Object.values(y)))),
    ...(parallel
      ? [called(given, "C, OpenMP", (y) => check(parallel(x.length, x, ...Object.values(y), THREADS)))]
      : []),
    ...hand(hasOrders ? "fixed" : "plain", "hand", false),
    ...(hasOrders ? hand("plain", "left to right", true) : []),
    ...hand("openmp", "OpenMP", hasOrders),
  ];
}

type Loop = (n: number, ...rest: readonly (number | Numbers)[]) => void;

/** Modules of one address share their loops, so each job has its own: engines then see one type in a loop. */
export async function scriptWays(given: Given): Promise<readonly Way[]> {
  const { which, type, x } = given;
  const { files } = emit(sourcesOf(type)[which], js);
  const text = files.find(({ path }) => path.endsWith(".mjs"))?.text ?? "";
  const { kernel } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    readonly kernel: Loop;
  };
  const address = `${new URL("../../peers/loops.mjs", import.meta.url).href}?${which}-${type}`;
  const { plain } = (await import(address)) as {
    readonly plain: (type: LoopType) => Readonly<Record<LoopCase, Loop>>;
  };
  const status = new Uint32Array(1);
  const loop = plain(type)[which];
  const limits = limitsOf(which, type);
  return [
    called(given, "JavaScript", (y) => {
      if (which === "histogram") y.counts?.fill(0);
      kernel(x.length, x, ...Object.values(y), status);
      if (status[0] !== 0) throw new Error(`emitted JavaScript for ${which} of ${type} sets its status`);
    }),
    called(
      given,
      "plain JavaScript",
      (y) => loop(x.length, x, ...Object.values(y), ...limits),
      isRounded(which, type),
    ),
  ];
}

/** Arrays stay on the device; recording and waiting are included. */
export async function deviceWay({ which, type, x }: Given, runtime: Runtime): Promise<Way> {
  const n = x.length;
  const executable = await runtime.compile(sourcesOf(type)[which]);
  const host = outputsFor(which, type, n);
  const arrays: Record<string, DeviceArray> = { x: runtime.array(type, x as never) };
  for (const [name, array] of Object.entries(host)) {
    const element = array instanceof Uint32Array ? "u32" : type;
    arrays[name] = runtime.array(element, array as never);
  }
  const scratch = runtime.array("u32", Math.ceil(executable.scratchBytes(n) / 4));
  return {
    name: "PoCL",
    isOther: false,
    clear: () => {},
    run: () =>
      runtime
        .record()
        .run(executable, arrays as never, { n, scratch })
        .submit() as Promise<void>,
    results: async () =>
      Object.fromEntries(
        await Promise.all(
          Object.keys(host).map(async (name) => [name, await (arrays[name] as DeviceArray).read()] as const),
        ),
      ) as Outputs,
    dispose: () => {
      for (const array of [...Object.values(arrays), scratch]) array.dispose();
      executable.dispose();
    },
  };
}
