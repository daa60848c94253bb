import type { Runtime } from "@groupwise/core";
import { anyOrder, hostile, recording } from "@groupwise/testkit/conformance";
import { type Found, found } from "@groupwise/testkit/devices";
import { expect, test } from "vitest";
import { cRuntime } from "../src/runtime.ts";
import { keepingRuntime } from "./support.ts";

const here = async (): Promise<Found<Runtime>> => found(await keepingRuntime());

anyOrder("C", here);
hostile("C", here);
recording("C", here);

test("a missing compiler is reported as a missing device", async () => {
  const error = await cRuntime({ compiler: "no-such-compiler" }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "device-missing" });
});
