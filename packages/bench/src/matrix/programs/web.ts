/** WebGPU of an engine, or of a package that the environment names and that defines it. */
import { openWeb } from "@groupwise/testkit/remote";
import { serve } from "./serve.ts";

const { GROUPWISE_WEBGPU: path } = process.env;
if (path) await ((await import(path)) as { setupGlobals(): Promise<void> }).setupGlobals();
await serve(openWeb);
