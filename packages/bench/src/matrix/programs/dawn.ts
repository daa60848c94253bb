/** Dawn in Node, on the only driver that the environment names. */
import { nodeDevice } from "@groupwise/target-wgsl/node";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { serve } from "./serve.ts";

// While it waits, Dawn looks for answers in a loop without a pause, on a core that the driver's compiler needs: each round takes a millisecond.
const pause = new Int32Array(new SharedArrayBuffer(4));
const rest = (): void => {
  Atomics.wait(pause, 0, 0, 1);
  setImmediate(rest).unref();
};
rest();

await serve(async (options) => webgpuRuntime(await nodeDevice(), { ...options, waitFor: "fastest" }));
