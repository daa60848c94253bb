/** Checks and random cases in a page of a browser: the packages, bundled as an application would. */
import { basename, dirname, extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProbeReport } from "@groupwise/core";
import { bundled } from "../devices/bundled.ts";
import { type BrowserGpu, type BrowserOptions, findBrowserGpu } from "../devices/chromium.ts";
import { type Found, found, orThrow } from "../devices/found.ts";
import { HANGING_MS } from "../devices/process.ts";
import { type RemoteRunner, runnerOf, type ServedRequest } from "../serving.ts";
import type { Effort } from "../subject/subject.ts";
import type { PageAsked } from "./served-page.ts";

const PROGRAM = fileURLToPath(new URL(`./page-program${extname(import.meta.url)}`, import.meta.url));

export interface PageRunnerOptions extends Omit<BrowserOptions, "dir"> {
  /** Milliseconds for an answer, {@link HANGING_MS} when not given; then the browser is closed. */
  readonly timeoutMs?: number;
  /** What the probe of the device in an earlier page showed. */
  readonly probed?: ProbeReport | undefined;
  /** The file of a program that exports the functions of `pageProgram`. Default: one that opens WebGPU. */
  readonly program?: string;
}

export interface PageRunner extends RemoteRunner {
  /** What the page wrote to its console so far. */
  messages(): readonly string[];
  /** The browser's. */
  readonly version: string;
}

/** Rejects after a time. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the page did not answer within ${ms / 1000} s`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** A page with a device, or why there is none. After a request that fails, and after the end, the next one has a new browser. */
export async function pageRunner(
  { timeoutMs = HANGING_MS, program = PROGRAM, probed, ...options }: PageRunnerOptions,
  effort: Effort,
  isThrifty: boolean,
): Promise<Found<PageRunner>> {
  const file = await bundled(program, "browser");
  const messages: string[] = [];
  const call = <T>(gpu: BrowserGpu, name: string, input: unknown): Promise<T> =>
    within(timeoutMs, gpu.run<T>(`return (await import("/${basename(file)}")).${name}(input);`, input));
  const close = async (gpu: BrowserGpu): Promise<void> => {
    messages.push(...gpu.messages);
    await gpu.close();
  };
  const start = async (): Promise<Found<BrowserGpu>> => {
    const browser = await findBrowserGpu({ ...options, dir: dirname(file) });
    if (browser.found) await call(browser.value, "open", { effort, isThrifty, probed } satisfies PageAsked);
    return browser;
  };
  const first = await start();
  if (!first.found) return first;
  let open: BrowserGpu | undefined = first.value;
  const ask = async <T>(request: ServedRequest): Promise<T> => {
    const gpu = open ?? orThrow(await start());
    open = gpu;
    try {
      return await call<T>(gpu, "ask", request);
    } catch (error) {
      open = undefined;
      await close(gpu);
      throw error;
    }
  };
  const runner = runnerOf(ask);
  const end = async (): Promise<void> => {
    const gpu = open;
    if (!gpu) return;
    await runner.end();
    open = undefined;
    await close(gpu);
  };
  return found({ ...runner, end, messages: () => messages, version: first.value.version });
}
