/** Runs whose arrays do not fit in the memory: piece after piece, with the state of the one before. */
import type { CompileOptions, HostArray, Manifest, Plan } from "@groupwise/core";
import {
  type ArrayMemory,
  copyOf,
  errorOf,
  type Hosted,
  hostZeros,
  type Launch,
} from "@groupwise/core/target";
import type { Divided, ThreadLoops, ThreadTarget } from "@groupwise/core/threads";
import type { MemoryKind } from "../encode/binary.ts";
import { wasm } from "../index.ts";
import type { ModuleMemory } from "./module-memory.ts";
import { argumentsFor, compiledLoops, DEVICE, instanceOf } from "./program.ts";
import { RunMemory } from "./run-memory.ts";

/** Bytes of the arrays of a piece, at most. */
const MOST_BYTES = 2 ** 26;

/** What pieces need of a pipeline. */
export interface LongParts {
  readonly arena: ModuleMemory;
  readonly kind: MemoryKind;
  readonly whole: Plan;
  readonly wanted: CompileOptions;
}

type Arrays = ReadonlyMap<string, HostArray>;
type Compiled = Pick<Hosted, "plan" | "manifest" | "call" | "memory" | "free">;

/** A pipeline whose long runs are in pieces. These are compiled at the first such run. */
export function withLongRuns<H extends Compiled>(hosted: H, parts: LongParts): H {
  const { arena } = parts;
  const { manifest } = hosted;
  const long = new WeakMap<Launch, number>();
  let made: Promise<Divided | undefined> | undefined;
  const piecewise = async (): Promise<Divided | undefined> => {
    const { dividedOrNot } = await import("@groupwise/core/threads");
    return dividedOrNot(parts.whole, manifest, parts.wanted, piecesIn(parts));
  };
  const inPieces = async (launch: Launch, arrays: Arrays, need: number): Promise<void> => {
    made ??= piecewise();
    const divided = await made;
    if (divided) return divided.call(launch, arrays);
    const remedy =
      "dispose of arrays that are not needed, run fewer items, or take `jsRuntime` of @groupwise/target-js/runtime: the pipeline has no parts that can run one after the other";
    const what = "bytes of memory for the arrays of a run, besides device arrays";
    throw errorOf("device-limit", { what, need, limit: arena.room(need), remedy }, manifest.pipeline);
  };
  return {
    ...hosted,
    call: (launch, arrays) => {
      const bytes = long.get(launch);
      return bytes === undefined ? hosted.call(launch, arrays) : inPieces(launch, arrays, bytes);
    },
    memory: (launch, bytes, isStep) => {
      if (isStep || arena.hasRoom(bytes)) return hosted.memory?.(launch, bytes, isStep);
      long.set(launch, bytes);
      return ON_HOST;
    },
    free: () => {
      hosted.free?.();
      void made?.then((divided) => divided?.drop()).catch(() => {});
    },
  };
}

/** Arrays of this process, in copies, because the caller may change its own as soon as `run` returns. */
const ON_HOST: ArrayMemory = {
  make: ({ type }, length) => hostZeros(type, length, DEVICE),
  has: () => false,
  copy: (array) => {
    try {
      return copyOf(array);
    } catch (cause) {
      const reason = `there is no memory for a copy of ${array.length} elements`;
      throw errorOf("device-error", { device: DEVICE, reason }, "", cause);
    }
  },
  give: (array) => array,
  free: () => {},
};

/** This thread, whose loops run on copies of pieces in the memory. */
function piecesIn({ arena, kind }: LongParts): ThreadTarget {
  const memory = new RunMemory(arena);
  const loopsOf = async (plan: Plan): Promise<ThreadLoops> => {
    const loops = await compiledLoops(plan, kind);
    const { manifest } = loops;
    const frame = arena.take(loops.frame);
    const kernel = await instanceOf(loops, arena, frame);
    return {
      manifest,
      call: async (_by, launch, arrays) => {
        memory.begin(bytesOf(manifest, arrays));
        const copies = new Map(
          manifest.bindings.map((binding) => {
            const array = arrays.get(binding.name) as HostArray;
            return [binding.name, isRead(binding) ? memory.copy(array) : memory.make(binding, array.length)];
          }),
        );
        kernel(...argumentsFor(manifest, launch, copies));
        for (const { name, role } of manifest.bindings)
          if (role === "output") arrays.get(name)?.set(copies.get(name) as never);
        memory.free();
      },
      drop: () => arena.give(frame),
    };
  };
  return {
    target: wasm,
    count: 1,
    mostBytes: () => arena.room(MOST_BYTES),
    loops: loopsOf,
    memory: () => ON_HOST,
  };
}

const isRead = ({ role, inPlace }: Manifest["bindings"][number]): boolean =>
  role === "input" || role === "table" || inPlace !== undefined;

const SPARE = 16;
const bytesOf = ({ bindings }: Manifest, arrays: Arrays): number =>
  bindings.reduce((sum, { name }) => sum + (arrays.get(name)?.byteLength ?? 0) + SPARE, 0);
