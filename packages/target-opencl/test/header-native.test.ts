/** PoCL 6 has add, min and max itself: with GROUPWISE_NATIVE the header uses them, and results stay. */
import { join } from "node:path";
import { deviceTest, inFullRuns } from "@groupwise/testkit/conformance";
import { bundled, findOpenCl, runNodeOn } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { OPTIMISED } from "./support.ts";

deviceTest(
  "the device's own functions give what the reference gives, where the header takes them",
  inFullRuns("CI has it; `native.test.ts` has this driver's own functions", () => findOpenCl("pocl6")),
  async () => {
    const program = await bundled(join(import.meta.dirname, "header-native-program.ts"));
    const { code, stdout, stderr } = await runNodeOn("pocl6", [program], { env: OPTIMISED });
    expect(code, stderr).toBe(0);
    const [, answer = ""] = /^answer (.*)$/m.exec(stdout) ?? [];
    expect(JSON.parse(answer)).toEqual({ have: { COLLECTIVES: true, ARITHMETIC: false }, failures: [] });
  },
);
