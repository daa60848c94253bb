/** Maps of many items: part after part, through a window of the memory that stays in the processor's cache. */
import type { HostArray, Manifest, PipelineNode, Plan } from "@groupwise/core";
import { arraySpec, ELEMENTWISE, type Hosted, type Launch, withItems } from "@groupwise/core/target";
import { roomFor } from "../print/places.ts";
import type { ArraysByName } from "./copies.ts";
import { argumentsFor, type Loops } from "./program.ts";
import type { RunMemory } from "./run-memory.ts";

/** Bytes of the arrays in a window. */
const WINDOW = 2 ** 18;
/** Bytes of the arrays of a run that goes through windows, at least: copies of fewer bytes stay in the cache. */
const LEAST = 2 ** 20;
/** Items of a window are a multiple of those of an iteration over vectors. */
const MULTIPLE = 256;

/** What a map has besides nodes of each item by itself. */
const ENDS: ReadonlySet<PipelineNode["kind"]> = new Set(["input", "const", "param", "output"]);

/** Whether each element of the outputs depends on those of the inputs at the same place alone. */
const isMap = ({ checked }: Plan, { bindings, checks }: Manifest): boolean =>
  !checks &&
  checked.pipeline.nodes.every(({ kind }) => ELEMENTWISE.has(kind) || ENDS.has(kind)) &&
  bindings.every(
    ({ role, elements, inPlace }) =>
      (role === "input" || role === "output") && elements === "n" && inPlace === undefined,
  );

/** A pipeline that reads its inputs in place and writes its results once, if it is a map and the run is long. */
export function withWindows<H extends Pick<Hosted, "plan" | "manifest" | "call" | "memory">>(
  hosted: H,
  kernel: Loops,
  memory: RunMemory,
): H {
  const { plan, manifest } = hosted;
  if (!isMap(plan, manifest)) return hosted;
  const long = new WeakSet<Launch>();
  return {
    ...hosted,
    memory: (launch, bytes, isStep) => {
      if (isStep || bytes < LEAST) return hosted.memory?.(launch, bytes, isStep);
      long.add(launch);
      return undefined;
    },
    call: (launch, arrays) =>
      long.has(launch)
        ? throughWindows(manifest, kernel, memory, launch, arrays)
        : hosted.call(launch, arrays),
  };
}

function throughWindows(
  manifest: Manifest,
  kernel: Loops,
  memory: RunMemory,
  launch: Launch,
  arrays: ArraysByName,
): void {
  const { bindings } = manifest;
  const each = bindings.reduce((sum, { type }) => sum + arraySpec(type).hostBytes, 0);
  const items = MULTIPLE * Math.max(1, Math.floor(WINDOW / each / MULTIPLE));
  memory.begin(bindings.reduce((sum, { type }) => sum + roomFor(items * arraySpec(type).hostBytes), 0));
  const views = bindings.map((binding) => ({
    binding,
    array: arrays.get(binding.name) as HostArray,
    view: memory.make(binding, items),
  }));
  const places = new Map(views.map(({ binding, view }) => [binding.name, view]));
  for (let from = 0; from < launch.n; from += items) {
    const count = Math.min(items, launch.n - from);
    for (const { binding, array, view } of views)
      if (binding.role === "input") view.set(array.subarray(from, from + count) as never);
    kernel(...argumentsFor(manifest, withItems(manifest, launch, count), places));
    for (const { binding, array, view } of views)
      if (binding.role === "output") array.set(view.subarray(0, count) as never, from);
  }
  memory.free();
}
