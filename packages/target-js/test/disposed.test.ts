/** Programs that are disposed of while their work waits for other work. */
import { type PipelineSource, plan } from "@groupwise/core";
import { type Call, HostDevice, hostedRuntime } from "@groupwise/core/target";
import { f32, pipeline } from "@groupwise/dsl";
import { expect, test, vi } from "vitest";
import { js } from "../src/index.ts";

const device = { target: js.name, name: "slow", driver: "" };
const { capabilities } = js;
const next = pipeline("next", { x: f32 }, ({ x }) => ({ y: x.add(1) }));

function madeOf(source: PipelineSource, call: Call, free: () => void) {
  const whole = plan(source, js);
  return { plan: whole, manifest: js.print(whole, {}).manifest, call, free };
}

test.for(["runs", "steps"])("%s keep what a program has until they are done", async (what) => {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const free = vi.fn();
  const runtime = hostedRuntime({
    ...{ device, capabilities, host: new HostDevice("slow"), debug: false },
    make: async (source) => madeOf(source, () => ended, free),
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

test("what compiles while its runtime is disposed of is freed, and the call is refused", async () => {
  const free = vi.fn();
  const runtime = hostedRuntime({
    ...{ device, capabilities, host: new HostDevice("slow"), debug: false },
    make: async (source) => madeOf(source, () => {}, free),
  });
  const compiling = [runtime.compile(next), runtime.compile(next, { keep: false })];
  runtime.dispose();
  for (const one of compiling) await expect(one).rejects.toMatchObject({ code: "disposed" });
  expect(free).toHaveBeenCalledOnce();
  expect(runtime.stats()).toMatchObject({ inUse: 0, kept: 0 });
});
