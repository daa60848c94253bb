/** The compiler of C that the environment names. */
import { cRuntime } from "@groupwise/target-c/runtime";
import { serve } from "./serve.ts";

await serve(() => cRuntime({ compiler: process.env.CC as string }));
