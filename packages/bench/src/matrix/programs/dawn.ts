/** Dawn in Node, on the only driver that the environment names. */
import { nodeDevice } from "@groupwise/target-wgsl/node";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { waitPatiently } from "@groupwise/testkit/devices";
import { serve } from "./serve.ts";

waitPatiently();
await serve(async (options) => webgpuRuntime(await nodeDevice(), { ...options, waitFor: "fastest" }));
