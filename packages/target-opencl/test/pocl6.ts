/**
 * PoCL 6 has native work-group functions of add, min and max, and no uniform arithmetic. It runs in a process of
 * its own, under another dynamic loader, where there is no test runner: the checks are bundled for it.
 */
import { join } from "node:path";
import type { Effort } from "@groupwise/testkit";
import { bundled, type Found, findOpenCl, found } from "@groupwise/testkit/devices";
import { type RemoteRunner, remoteRunner } from "@groupwise/testkit/remote";

/** @param inChunks short ones, without the capabilities of a GPU @throws Error where the device is another one than PoCL 6 */
export async function pocl6(
  effort: Effort,
  isThrifty: boolean,
  inChunks = false,
): Promise<Found<RemoteRunner>> {
  const platform = findOpenCl("pocl6");
  if (!platform.found) return platform;
  const file = await bundled(join(import.meta.dirname, "pocl6-program.ts"));
  const env = { ...platform.value.env, GROUPWISE_IN_CHUNKS: inChunks ? "1" : undefined };
  const runner = remoteRunner({ name: "PoCL 6", ...platform.value, env, file }, effort, isThrifty);
  const { driver } = (await runner.state()).device;
  if (Number.parseFloat(driver) < 6) throw new Error(`the device's driver is ${driver}, not PoCL 6`);
  return found(runner);
}
