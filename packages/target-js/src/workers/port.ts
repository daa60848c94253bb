/** Threads of this engine: those of Node, or a page's workers. */
import { errorOf } from "@groupwise/core/target";
import { type Answer, WORKER_TEXT, type WorkerMessage } from "./text.ts";

/** The connection to one thread. */
export interface Port {
  send(order: WorkerMessage): void;
  /** Whether the thread keeps the process alive. */
  hold(isBusy: boolean): void;
  end(): void;
}

/** A message of a thread. */
export interface Listener {
  answer(answer: Answer): void;
  /** Called if the thread has ended or cannot be reached. */
  lost(reason: string): void;
}

/** Starts a thread. */
export type OpenPort = (name: string, listener: Listener) => Promise<Port>;

interface PageWorker {
  onmessage: (event: { readonly data: Answer }) => void;
  onmessageerror: () => void;
  onerror: (event: { readonly message?: string }) => void;
  postMessage(order: WorkerMessage): void;
  terminate(): void;
}

interface Page {
  readonly Worker?: new (url: string, options: { readonly name: string }) => PageWorker;
  readonly SharedArrayBuffer?: unknown;
  readonly navigator?: { readonly hardwareConcurrency?: number };
  readonly process?: {
    // Not `import`: bundlers for pages find no such modules.
    readonly getBuiltinModule?: typeof process.getBuiltinModule;
  };
}

const page = globalThis as Page;

/** Cores that this process may use. */
export const coresHere = (): number =>
  page.navigator?.hardwareConcurrency ??
  page.process?.getBuiltinModule?.("node:os").availableParallelism() ??
  1;

const UNREADABLE = "a message could not be read";

type NodeWorker = typeof import("node:worker_threads").Worker;

const openInNode =
  (Made: NodeWorker): OpenPort =>
  async (name, { answer, lost }) => {
    // The flags of this process may be none of a worker's, or make a module of the text.
    const worker = new Made(WORKER_TEXT, { eval: true, execArgv: [], name });
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
  (Made: NonNullable<Page["Worker"]>): OpenPort =>
  async (name, { answer, lost }) => {
    const url = URL.createObjectURL(new Blob([WORKER_TEXT], { type: "text/javascript" }));
    const worker = new Made(url, { name });
    worker.onmessage = ({ data }) => {
      URL.revokeObjectURL(url);
      answer(data);
    };
    worker.onmessageerror = () => lost(UNREADABLE);
    worker.onerror = ({ message }) => lost(message || "it did not start");
    return {
      send: (order) => worker.postMessage(order),
      hold: () => {},
      end: () => worker.terminate(),
    };
  };

/**
 * The function that starts threads in this engine.
 * @throws GroupwiseError `device-missing`
 */
export function portsHere(): OpenPort {
  const fail = (what: string, reason: string): never => {
    throw errorOf("device-missing", { what, reason });
  };
  if (page.SharedArrayBuffer === undefined)
    fail(
      "memory that threads share",
      "this page is not isolated; serve it with the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp, or take jsRuntime",
    );
  const node = page.process?.getBuiltinModule?.("node:worker_threads");
  if (node) return openInNode(node.Worker);
  return page.Worker
    ? openInPage(page.Worker)
    : fail("a thread", "this engine has no Worker; take jsRuntime");
}
