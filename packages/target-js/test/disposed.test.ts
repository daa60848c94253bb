/** Programs that are disposed of while their work waits for other work. */
import { plan } from "@groupwise/core";
import { HostDevice, hostedRuntime } from "@groupwise/core/target";
import { f32, pipeline } from "@groupwise/dsl";
import { expect, test, vi } from "vitest";
import { js } from "../src/index.ts";

const next = pipeline("next", { x: f32 }, ({ x }) => ({ y: x.add(1) }));

test.for(["runs", "steps"])("%s keep what a program has until they are done", async (what) => {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const free = vi.fn();
  const runtime = hostedRuntime({
    device: { target: js.name, name: "slow", driver: "" },
    capabilities: js.capabilities,
    host: new HostDevice("slow"),
    debug: false,
    make: async (source) => {
      const whole = plan(source, js);
      return { plan: whole, manifest: js.print(whole, {}).manifest, call: () => ended, free };
    },
  });
  const program = await runtime.compile(next);
  const [x, y] = [runtime.array("f32", 4), runtime.array("f32", 4)];
  const done: Promise<unknown> =
    what === "runs"
      ? program.run({ x: new Float32Array(4) })
      : runtime.record().run(program, { x, y }).run(program, { x: y, y: x }).submit();
  program.dispose();
  // What nobody uses is freed now.
  runtime.dispose();
  await new Promise(setImmediate);
  expect(free).not.toHaveBeenCalled();
  end();
  await done;
  await vi.waitFor(() => expect(free).toHaveBeenCalledOnce());
});
