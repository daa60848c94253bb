/** Runs of so few items that another runtime of this process takes less time for them: it copies nothing. */
import type {
  CompileOptions,
  Executable,
  Manifest,
  PipelineSource,
  Runtime,
  RunValues,
} from "@groupwise/core";
import type { Hosted } from "@groupwise/core/target";

/** Runs of fewer items are short. */
const ITEMS = 128;
/** Short runs after which the other runtime compiles the pipeline, which takes as long as thousands of them. */
const RUNS = 4096;

/** What a hosted pipeline has for its short runs. */
export function shortRuns(
  runtime: Runtime,
  source: PipelineSource,
  wanted: CompileOptions,
  { bindings, checks }: Manifest,
): Pick<Hosted, "instead" | "free"> {
  const input = bindings.find(({ role, elements }) => role === "input" && elements === "n")?.name;
  // Kernels that report accesses are those of this runtime.
  if (input === undefined || checks) return {};
  let runs = 0;
  let other: Executable | undefined;
  let isOpen = true;
  const compile = async (): Promise<void> => {
    // This runtime keeps it as long as its own.
    const made = (await runtime.compile(source, { ...wanted, keep: false })) as Executable;
    if (isOpen) other = made;
    else made.dispose();
  };
  return {
    instead: (values, options) => {
      if (options !== undefined || !isShort(values, input)) return undefined;
      if (++runs === RUNS) void compile().catch(() => {});
      return other?.run(values as never);
    },
    free: () => {
      isOpen = false;
      other?.dispose();
    },
  };
}

/** Whether a run has few items. Values that cannot be read are errors of the run itself. */
function isShort(values: RunValues, input: string): boolean {
  try {
    return (values[input] as { readonly length: number }).length < ITEMS;
  } catch {
    return false;
  }
}
