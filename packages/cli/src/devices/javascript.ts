/** The engine that runs this program. */
import { jsRuntime } from "@groupwise/target-js/runtime";
import type { Survey } from "./device.ts";

export async function findJs(): Promise<Survey> {
  const driver = `Node ${process.versions.node}`;
  const device = {
    target: "js" as const,
    name: "JavaScript",
    driver,
    facts: async () => ({ engine: `V8 ${process.versions.v8}` }),
    open: async () => jsRuntime(),
  };
  return { devices: [device], missing: [] };
}
