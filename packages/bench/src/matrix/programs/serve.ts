/** The end of each program: it opens its device, and answers requests. `<engine> <this, bundled> EFFORT [thrifty]`. */
import type { Effort } from "@groupwise/testkit";
import { type Open, openedFor, serveChecks } from "@groupwise/testkit/remote";
import { PRIMITIVES } from "../primitives.ts";

export async function serve(open: Open): Promise<void> {
  const [, , effort = "normal", thrifty] = process.argv;
  const { GROUPWISE_PROBED: kept } = process.env;
  const { runtime, ...facts } = await openedFor(open, kept && JSON.parse(kept));
  await serveChecks(runtime, effort as Effort, thrifty === "thrifty", facts, PRIMITIVES);
  // Drivers keep threads of their own: the end is said, not waited for.
  process.exit(0);
}
