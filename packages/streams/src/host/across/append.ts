/** Appends elements to those that a device array holds, in the memory of its device. */
import type { Pipeline, PipelineNode } from "@groupwise/ir/document/node.js";
import { type ArrayType, isNarrow } from "@groupwise/ir/tables/narrow.js";
import type { DeviceArray } from "@groupwise/runtime/api/device-array.js";
import type { Executable, Runtime } from "@groupwise/runtime/api/runtime.js";

/** Keeps the first `skip` items; a later item i becomes element i - skip of `more`. */
function appending(type: ArrayType): Pipeline {
  const nodes: readonly object[] = [
    { kind: "input", name: "kept", type },
    { kind: "table", name: "more", type },
    { kind: "param", name: "skip", type: "u32" },
    { kind: "query", query: "global-linear-id", dimension: 0 },
    { kind: "binary", op: "sub", left: 3, right: 2 },
    { kind: "gather", of: 1, index: 4 },
    { kind: "binary", op: "lt", left: 3, right: 2 },
    { kind: "select", condition: 6, then: 0, otherwise: 5 },
    { kind: "output", name: "all", of: 7, ...(isNarrow(type) && { as: type }) },
  ];
  return {
    format: "groupwise-pipeline",
    version: 1,
    name: `append-${type}`,
    workGroupSize: [256],
    nodes: nodes.map((node, id) => ({ ...node, id }) as PipelineNode),
  };
}

/** Elements at the end of a piece, which begin where the slice of a step cannot. */
export interface Appended {
  /** The array that grows. */
  readonly array: DeviceArray;
  /** The number of its elements. */
  readonly at: number;
  /** The elements to append, from its first one on. */
  readonly more: DeviceArray;
  readonly count: number;
}

/** Appends on one runtime. The runtime frees the compiled pipelines when it is disposed of. */
export class Appender {
  private readonly runtime: Runtime;
  private readonly made = new Map<ArrayType, Executable>();

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** @throws GroupwiseError as `Runtime.compile` and `Recorder.submit` */
  async append({ array, at, more, count }: Appended): Promise<void> {
    const executable = await this.executableFor(array.type);
    const skip = at % this.runtime.sliceAlignment;
    const kept = array.slice(at - skip, at + count);
    await this.runtime
      .record()
      .run(executable, { kept, more, skip } as never)
      .submit();
  }

  private async executableFor(type: ArrayType): Promise<Executable> {
    const made =
      this.made.get(type) ??
      (await this.runtime.compile({ ir: appending(type) }, { inPlace: { all: "kept" } } as never));
    this.made.set(type, made);
    return made;
  }
}
