// The output of a run: a line for each file with its time, all failures, the slowest files, and the omitted tests with reasons.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { DefaultReporter } from "vitest/node";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SLOWEST = 10;

const pathOf = (file) => relative(ROOT, file).replaceAll("\\", "/");
const seconds = (ms) => `${(ms / 1000).toFixed(1).padStart(7)} s`;
const plural = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

/** Wall time of a file: its imports and its tests. */
function timeOf(testModule) {
  const { duration, collectDuration, setupDuration, environmentSetupDuration } = testModule.diagnostic();
  return duration + collectDuration + setupDuration + environmentSetupDuration;
}

/** The tests of a file by result, and reasons with the number of tests skipped for each. */
export function tally(tests) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const reasons = new Map();
  for (const test of tests) {
    const { state, note } = test.result();
    if (!(state in count)) continue;
    count[state]++;
    const reason = note ?? "no reason given";
    if (state === "skipped") reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return { count, reasons };
}

/** `12.3 s   14.5 s  packages/ir/test/op.test.ts  40 passed, 2 failed`; the second is processor time, where it is known. */
export function lineOf(time, path, count, processor) {
  const counts = Object.entries(count).filter(([, n]) => n > 0);
  const used = processor === undefined ? "" : ` ${seconds(processor * 1000)}`;
  return `${seconds(time)}${used}  ${path}  ${counts.map(([state, n]) => `${n} ${state}`).join(", ") || "no tests"}`;
}

export default class Progress extends DefaultReporter {
  constructor(options) {
    super({ ...options, isTTY: false, summary: false });
  }

  printTestModule(testModule) {
    const { count } = tally(testModule.children.allTests());
    this.log(
      lineOf(timeOf(testModule), pathOf(testModule.moduleId), count, testModule.meta().processorSeconds),
    );
  }

  onTestRunEnd(testModules, errors, reason) {
    super.onTestRunEnd(testModules, errors, reason);
    const times = testModules.map((one) => [pathOf(one.moduleId), timeOf(one)]);
    this.log(`The slowest ${Math.min(SLOWEST, times.length)} of ${plural(times.length, "file")}:`);
    for (const [path, time] of [...times].sort(([, a], [, b]) => b - a).slice(0, SLOWEST))
      this.log(`${seconds(time)}  ${path}`);
    this.printLeftOut(testModules);
  }

  /** Tests that were skipped, by reason. */
  printLeftOut(testModules) {
    const reasons = new Map();
    for (const one of testModules)
      for (const [reason, n] of tally(one.children.allTests()).reasons) {
        const known = reasons.get(reason) ?? { n: 0, files: [] };
        reasons.set(reason, { n: known.n + n, files: [...known.files, pathOf(one.moduleId)] });
      }
    if (reasons.size > 0) this.log("Skipped:");
    for (const [reason, { n, files }] of reasons)
      this.log(
        `  ${plural(n, "test")} of ${files.length === 1 ? files[0] : plural(files.length, "file")}: ${reason}`,
      );
  }
}
