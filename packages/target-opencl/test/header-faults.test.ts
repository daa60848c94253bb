/** The header passes the checks that conformance suites of vendors lack, and every way to break it fails one. */
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect } from "vitest";
import { CHECKED_HEADER, checkedKernel, failures } from "./header-checks.ts";
import { probe } from "./header-device.ts";
import { broken, FAULTS, RACE } from "./header-faults.ts";
import type { Raw } from "./raw.ts";

// Not optimised, PoCL runs the work-items of a region one after the other: a barrier that is missing shows every time.
const run = (raw: Raw, header: string, only?: string): string[] =>
  failures(raw.build(header + checkedKernel(only), "-cl-std=CL1.2 -cl-opt-disable"), only);

deviceTest("the header passes every check", probe, (raw) => {
  expect(run(raw, CHECKED_HEADER)).toEqual([]);
});

describe("a header that is broken fails", () => {
  // A build for each: outside of full runs every fourth one, by which the checks are seen to find faults.
  const seen = FAULTS.filter(({ check }) => check !== RACE).filter((_, i) => isFullRun() || i % 4 === 0);
  for (const fault of seen) {
    deviceTest(`where ${fault.title}: ${fault.check}`, probe, (raw) => {
      // Without a barrier the next call writes what this one reads.
      const only = fault.title.includes("barrier") ? undefined : fault.check;
      expect(run(raw, broken(fault), only)).toContain(fault.check);
    });
  }
});
