import type { Runtime } from "@groupwise/core";
import { conformance } from "@groupwise/testkit/conformance";
import { type Found, findOpenCl, found } from "@groupwise/testkit/devices";
import { openclRuntime } from "../src/runtime.ts";

async function pocl(): Promise<Found<Runtime>> {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  // The loader reads it at the first call, which is below.
  Object.assign(process.env, platform.value.env);
  return found(await openclRuntime());
}

conformance("PoCL", pocl);
