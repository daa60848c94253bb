/** The end of each program: it opens its device twice, and answers requests. `<engine> <this, bundled> EFFORT [thrifty]`. */
import type { Effort } from "@groupwise/testkit";
import { type Open, openedTwice, serveChecks } from "@groupwise/testkit/remote";
import { PRIMITIVES } from "../primitives.ts";

export async function serve(open: Open): Promise<void> {
  const [, , effort = "normal", thrifty] = process.argv;
  const { runtime, ...facts } = await openedTwice(open);
  await serveChecks(runtime, effort as Effort, thrifty === "thrifty", facts, PRIMITIVES);
  // Drivers keep threads of their own: the end is said, not waited for.
  process.exit(0);
}
