/** What programs get that take the CPU. */
import type { CpuEngine } from "@groupwise/cpu";

/** The engine that `cpuRuntime` takes on this machine. */
export async function cpuHere(): Promise<CpuEngine> {
  const { cpuEngine } = await import("@groupwise/cpu");
  return cpuEngine();
}

export const cpuText = ({ engine, why }: CpuEngine): string => `cpuRuntime() takes ${engine}: ${why}`;
