/** PoCL for tests of the header: opened once for a file, without the package's runtime. */
import { type Found, findOpenCl, found } from "@groupwise/testkit/devices";
import { Raw } from "./raw.ts";

async function open(): Promise<Found<Raw>> {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  // The loader reads the environment at the process's first call.
  Object.assign(process.env, platform.value.env);
  return found(await Raw.open());
}

let opened: Promise<Found<Raw>> | undefined;
export const probe = (): Promise<Found<Raw>> => (opened ??= open());
