/** Runs whose arrays do not fit in the memory: piece after piece, with the state of the one before. */
import type { CompileOptions, Plan } from "@groupwise/core";
import { errorOf, type Hosted, type Launch } from "@groupwise/core/target";
import type { Divided, ThreadLoops, ThreadTarget } from "@groupwise/core/threads";
import type { MemoryKind } from "../encode/binary.ts";
import { wasm } from "../index.ts";
import { type ArraysByName, COPIED, callOnCopies } from "./copies.ts";
import type { ModuleMemory } from "./module-memory.ts";
import { compiledLoops, instanceOf } from "./program.ts";
import { RunMemory } from "./run-memory.ts";

/** Bytes of the arrays of a piece, at most. */
const MOST_BYTES = 2 ** 26;

/** What pieces need of a pipeline. */
interface LongParts {
  readonly arena: ModuleMemory;
  readonly kind: MemoryKind;
  readonly whole: Plan;
  readonly wanted: CompileOptions;
}

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
  const inPieces = async (launch: Launch, arrays: ArraysByName, need: number): Promise<void> => {
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
      return COPIED;
    },
    free: () => {
      hosted.free?.();
      void made?.then((divided) => divided?.drop()).catch(() => {});
    },
  };
}

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
      call: async (_by, launch, arrays) => callOnCopies(manifest, kernel, memory, launch, arrays),
      drop: () => arena.give(frame),
    };
  };
  return {
    target: wasm,
    count: 1,
    mostBytes: () => arena.room(MOST_BYTES),
    loops: loopsOf,
    memory: () => COPIED,
  };
}
