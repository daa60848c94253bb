/** The memory that a process has had. */
import { readFileSync } from "node:fs";

/** Bytes in memory at their most, of the whole process: Node, the pipeline, its chunks and all threads. */
export function peakMemory(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {} // not Linux
  // Linux counts here what the process had that began this one.
  return process.resourceUsage().maxRSS * 1024;
}
