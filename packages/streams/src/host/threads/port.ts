/** Threads of this engine: those of Node, or a page's workers. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { WorkerAnswer, WorkerMessage } from "./text.ts";

/** The connection to one thread. */
export interface Port {
  send(order: WorkerMessage): void;
  /** Whether the thread keeps the process alive. */
  hold(isBusy: boolean): void;
  end(): void;
}

/** A message of a thread. */
export interface Listener {
  answer(answer: WorkerAnswer): void;
  /** Called if the thread has ended or cannot be reached. */
  lost(reason: string): void;
}

/** Starts a thread. */
export type OpenPort = (name: string, listener: Listener) => Promise<Port>;

interface PageWorker {
  onmessage: (event: { readonly data: WorkerAnswer }) => void;
  onmessageerror: () => void;
  onerror: (event: { readonly message?: string }) => void;
  postMessage(order: WorkerMessage): void;
  terminate(): void;
}

interface NodeThread {
  on(event: "message", listener: (answer: WorkerAnswer) => void): void;
  on(event: "messageerror", listener: () => void): void;
  on(event: "error", listener: (error: unknown) => void): void;
  on(event: "exit", listener: (code: number) => void): void;
  postMessage(order: WorkerMessage): void;
  ref(): void;
  unref(): void;
  terminate(): unknown;
}

/** What is used of `node:os` and `node:worker_threads`. */
interface NodeModules {
  availableParallelism(): number;
  readonly Worker: new (text: string, options: object) => NodeThread;
}

/** What is used of the engine: this code is for pages and for Node. */
interface Page {
  readonly Worker?: new (url: string, options: { readonly name: string }) => PageWorker;
  readonly Blob: new (parts: readonly string[], options: object) => unknown;
  readonly URL: { createObjectURL(blob: unknown): string; revokeObjectURL(url: string): void };
  readonly SharedArrayBuffer?: unknown;
  readonly navigator?: { readonly hardwareConcurrency?: number };
  // Not `import`: bundlers for pages find no such modules.
  readonly process?: { getBuiltinModule?(name: string): NodeModules };
}

const page = globalThis as unknown as Page;

/** The most threads of a runtime. */
export const MOST_WORKERS = 256;

/** Cores that this process may use, as a number of threads. */
export const coresHere = (): number =>
  Math.min(
    page.navigator?.hardwareConcurrency ??
      page.process?.getBuiltinModule?.("node:os").availableParallelism() ??
      1,
    MOST_WORKERS,
  );

const UNREADABLE = "a message could not be read";

const openInNode =
  (Made: NodeModules["Worker"], text: string): OpenPort =>
  async (name, { answer, lost }) => {
    // The flags of this process may be none of a worker's, or make a module of the text.
    const worker = new Made(text, { eval: true, execArgv: [], name });
    worker.unref();
    worker.on("message", answer);
    worker.on("messageerror", () => lost(UNREADABLE));
    worker.on("error", (error: unknown) => lost(error instanceof Error ? error.message : String(error)));
    worker.on("exit", (code) => lost(`it ended with code ${code}`));
    return {
      send: (order) => worker.postMessage(order),
      hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
      end: () => void worker.terminate(),
    };
  };

const openInPage =
  (Made: NonNullable<Page["Worker"]>, text: string): OpenPort =>
  async (name, { answer, lost }) => {
    const url = page.URL.createObjectURL(new page.Blob([text], { type: "text/ecmascript" }));
    const worker = new Made(url, { name });
    // What a policy forbids is an event.
    await new Promise<void>((started, failed) => {
      worker.onmessage = () => started();
      worker.onerror = ({ message }) => failed(new Error(message || "the page's policy may forbid it"));
    });
    page.URL.revokeObjectURL(url);
    worker.onmessage = ({ data }) => answer(data);
    worker.onmessageerror = () => lost(UNREADABLE);
    worker.onerror = ({ message }) => lost(message || "it ended");
    return {
      send: (order) => worker.postMessage(order),
      hold: () => {},
      end: () => worker.terminate(),
    };
  };

/** Why this engine has no threads that share memory; undefined if it has. */
export function noThreadsHere(): string | undefined {
  if (page.SharedArrayBuffer === undefined)
    return "this page is not isolated; serve it with the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp";
  return nodeThreads() || page.Worker ? undefined : "this engine has no Worker";
}

const nodeThreads = (): NodeModules | undefined => page.process?.getBuiltinModule?.("node:worker_threads");

/**
 * The function that starts threads in this engine.
 * @param text the program of a thread
 * @param instead the runtime without threads, for errors
 * @throws GroupwiseError `device-missing`
 */
export function portsHere(text: string, instead: string): OpenPort {
  const missing = noThreadsHere();
  if (missing !== undefined)
    throw errorOf("device-missing", {
      what: "threads that share memory",
      reason: `${missing}, or take ${instead}`,
    });
  const node = nodeThreads();
  return node ? openInNode(node.Worker, text) : openInPage(page.Worker as NonNullable<Page["Worker"]>, text);
}
