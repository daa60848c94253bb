/** The suite in other engines than that of the checkout's Node: Deno, Bun, whose engine is WebKit's, and other versions of Node. */
import { join } from "node:path";
import { conformanceBy, isFullRun } from "@groupwise/testkit/conformance";
import { bundled, type Found, findDeno, found } from "@groupwise/testkit/devices";
import { findBun, findNode } from "@groupwise/testkit/packed";
import { remoteRunner } from "@groupwise/testkit/remote";
import { test } from "vitest";

type Command = readonly [string, ...string[]];

const mapped = <A, B>(one: Found<A>, map: (value: A) => B): Found<B> =>
  one.found ? found(map(one.value)) : one;

/** Command lines by engine. */
const ENGINES: Readonly<Record<string, () => Promise<Found<Command>>>> = {
  Deno: async () => mapped(findDeno(), ({ program }) => [program, "run", "--allow-all", "--no-config"]),
  Bun: async () => mapped(await findBun(), (program) => [program, "run"]),
  "Node 22": async () => mapped(await findNode(22), (program) => [program]),
  "Node 24": async () => mapped(await findNode(24), (program) => [program]),
};

if (isFullRun())
  for (const [name, find] of Object.entries(ENGINES))
    conformanceBy(
      `JavaScript in ${name}`,
      async (effort, isThrifty) => {
        const command = await find();
        if (!command.found) return command;
        return found(
          remoteRunner(
            {
              name,
              command: command.value,
              file: await bundled(join(import.meta.dirname, "engines-program.ts")),
            },
            effort,
            isThrifty,
          ),
        );
      },
      // Node's other versions and Deno have the same engine.
      { effort: "normal", ...(name.startsWith("Node") && { fullShare: "sample" as const }) },
    );
else
  test("the suite in Deno, Bun, Node 22 and Node 24", (context) =>
    context.skip("in the full run: half a minute for each engine, which npm fetches"));
