/** The header passes the checks that conformance suites of vendors lack. */
import { deviceTest } from "@groupwise/testkit/conformance";
import { expect } from "vitest";
import { CHECKED_HEADER, CHECKED_KERNEL, failures } from "./header-checks.ts";
import { probe } from "./header-device.ts";

// Not optimised, PoCL runs the work-items of a region one after the other: a barrier that is missing shows every time.
deviceTest("the header passes every check", probe, (raw) => {
  expect(failures(raw.build(CHECKED_HEADER + CHECKED_KERNEL, "-cl-std=CL1.2 -cl-opt-disable"))).toEqual([]);
});
