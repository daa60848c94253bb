// Processor time: unlike the time on the clock it does not depend on what else the machine does.
import { readFileSync } from "node:fs";

const TICKS_A_SECOND = 100; // sysconf(_SC_CLK_TCK) of Linux on all processors

/** Seconds, user and system, that this process and the ended programs that it waited for have used; undefined where /proc is missing. */
export function processorSeconds() {
  try {
    const [, fields] = readFileSync("/proc/self/stat", "utf8").split(") "); // the name before may have spaces
    const ticks = fields.split(" ").slice(11, 15); // utime, stime, cutime, cstime
    return ticks.reduce((sum, value) => sum + Number(value), 0) / TICKS_A_SECOND;
  } catch {
    return undefined;
  }
}
