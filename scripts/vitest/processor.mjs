// Processor time of each test file, with its threads and the programs that it waited for: unlike the time on the clock it does
// not depend on what else the machine does. Only Linux reports the programs.
import { readFileSync } from "node:fs";
import { afterAll } from "vitest";

const TICKS_A_SECOND = 100; // sysconf(_SC_CLK_TCK) of Linux on all processors

/** Seconds that this process and its ended programs have used; undefined where /proc is missing. */
function used() {
  try {
    const [, fields] = readFileSync("/proc/self/stat", "utf8").split(") "); // the name before may have spaces
    const ticks = fields.split(" ").slice(11, 15); // utime, stime, cutime, cstime
    return ticks.reduce((sum, value) => sum + Number(value), 0) / TICKS_A_SECOND;
  } catch {
    return undefined;
  }
}

const before = used();
// biome-ignore lint/correctness/noEmptyPattern: Vitest requires that the first parameter is destructured
afterAll(({}, { file }) => {
  if (before !== undefined) file.meta.processorSeconds = used() - before;
});
