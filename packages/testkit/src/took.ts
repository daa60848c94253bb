/** How long something took, in processes of several engines and in pages. */

export interface Took {
  /** Milliseconds by the clock. */
  readonly ms: number;
  /** Milliseconds of processors, in this process and in those that it started and that ended; absent where an engine does not tell, as in pages. */
  readonly processorMs?: number;
}

/** What Node, Deno and Bun have. */
interface Host {
  readonly process?: {
    cpuUsage?(): { readonly user: number; readonly system: number };
    getBuiltinModule?(name: "node:fs"): { readFileSync(path: string, encoding: "utf8"): string };
  };
}

const MS_OF_TICK = 10; // sysconf(_SC_CLK_TCK) of Linux is 100 on all processors

/** Compilers of C, which are programs; 0 where the system is not Linux. */
function ofChildren({ process }: Host): number {
  try {
    const text = process?.getBuiltinModule?.("node:fs").readFileSync("/proc/self/stat", "utf8") ?? "";
    const [, fields = ""] = text.split(") "); // the name before may have spaces
    const [user = 0, system = 0] = fields.split(" ").slice(13, 15).map(Number);
    return (user + system) * MS_OF_TICK;
  } catch {
    return 0;
  }
}

function processorMs(): number | undefined {
  const host = globalThis as Host;
  const own = host.process?.cpuUsage?.();
  return own && (own.user + own.system) / 1000 + ofChildren(host);
}

const rounded = (ms: number): number => Math.round(10 * ms) / 10;

/** Starts to measure. @returns what it took from then on */
export function stopwatch(): () => Took {
  const [began, before] = [performance.now(), processorMs()];
  return () => {
    const [ms, after] = [performance.now() - began, processorMs()];
    const isKnown = before !== undefined && after !== undefined;
    return { ms: rounded(ms), ...(isKnown && { processorMs: rounded(after - before) }) };
  };
}
