import { expectSlotsChecked } from "@groupwise/testkit/conformance";
import { test } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

test("the option debug finds two items that write one slot", () =>
  expectSlotsChecked(jsRuntime({ debug: true })));
