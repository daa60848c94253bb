/** Appends elements to those that a device array holds, in the memory of its device. */
import type { Pipeline } from "@groupwise/ir/document/node.js";
import { PipelineNodes } from "@groupwise/ir/document/nodes.js";
import { type ArrayType, isNarrow } from "@groupwise/ir/tables/narrow.js";
import type { DeviceArray } from "@groupwise/runtime/api/device-array.js";
import type { Executable, Runtime } from "@groupwise/runtime/api/runtime.js";

/** Keeps the first `skip` items; a later item i becomes element i - skip of `more`. */
function appending(type: ArrayType): Pipeline {
  const list = new PipelineNodes();
  const first = list.input("first", type);
  const more = list.add({ kind: "table", name: "more", type });
  const skip = list.add({ kind: "param", name: "skip", type: "u32" });
  const item = list.query("global-linear-id");
  const later = list.add({ kind: "gather", of: more, index: list.binary("sub", item, skip) });
  const of = list.select(list.binary("lt", item, skip), first, later);
  list.add({ kind: "output", name: "all", of, ...(isNarrow(type) && { as: type }) });
  return list.pipeline(`append-${type}`, [256]);
}

/** Elements at the end of a piece, which begin where the slice of a step cannot. */
interface Appended {
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
    const first = array.slice(at - skip, at + count);
    await this.runtime
      .record()
      .run(executable, { first, more, skip } as never)
      .submit();
  }

  private async executableFor(type: ArrayType): Promise<Executable> {
    const made =
      this.made.get(type) ??
      (await this.runtime.compile({ ir: appending(type) }, { inPlace: { all: "first" } } as never));
    this.made.set(type, made);
    return made;
  }
}
