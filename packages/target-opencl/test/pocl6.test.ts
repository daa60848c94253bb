/**
 * PoCL 6 has native work-group functions of add, min and max, and no uniform arithmetic. It runs in a process of
 * its own, under another dynamic loader, where there is no test runner: the checks are bundled for it.
 */
import { conformanceBy } from "@groupwise/testkit/conformance";
import { findOpenCl, found } from "@groupwise/testkit/devices";
import { remoteRunner } from "@groupwise/testkit/remote";
import { bundled } from "./bundled.ts";

conformanceBy(
  "PoCL 6",
  async (effort, isThrifty) => {
    const platform = findOpenCl("pocl6");
    if (!platform.found) return platform;
    const runner = remoteRunner("pocl6", await bundled("pocl6-program.ts"), effort, isThrifty);
    const { driver } = await runner.device();
    if (Number.parseFloat(driver) < 6) throw new Error(`the device's driver is ${driver}, not PoCL 6`);
    return found(runner);
  },
  { slowCompiler: true, effort: "normal", share: "few" },
);
