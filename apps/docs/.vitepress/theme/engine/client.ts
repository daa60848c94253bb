/** The page's end of the worker that emits and runs. */
import type { Answer, Calls } from "./messages.ts";
import { type Problem, ProblemError } from "./problem.ts";

/** Milliseconds after which a call is given up and its worker ended. */
const LIMIT_MS = 120_000;

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: ProblemError) => void;
  readonly note: (text: string) => void;
}

const ended = (what: string): Problem => ({
  code: "device-lost",
  what,
  where: "",
  hint: "use fewer items, or reload the page",
});

/** One worker, started by the first call; a worker that fails or takes too long is replaced by the next one. */
export class Engine {
  #worker: Worker | undefined;
  #next = 0;
  readonly #waiting = new Map<number, Waiting>();

  /**
   * @param note called with what takes long
   * @throws ProblemError the problem of the call
   */
  async call<K extends keyof Calls>(
    call: K,
    ask: Calls[K]["ask"],
    note: (text: string) => void = () => {},
  ): Promise<Calls[K]["answer"]> {
    this.#worker ??= await this.#start();
    const id = this.#next++;
    const timer = setTimeout(() => this.#end(`the call took more than ${LIMIT_MS / 1000} s`), LIMIT_MS);
    try {
      return await new Promise<Calls[K]["answer"]>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject, note });
        this.#worker?.postMessage({ id, call, ask });
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  /** Ends the worker and all calls. */
  dispose(): void {
    this.#end("the page closed the engine");
  }

  async #start(): Promise<Worker> {
    const { default: EngineWorker } = await import("./engine.worker.ts?worker");
    const worker = new EngineWorker();
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      const waiting = this.#waiting.get(data.id);
      if ("note" in data) waiting?.note(data.note);
      else if ("answer" in data) waiting?.resolve(data.answer as never);
      else waiting?.reject(new ProblemError(data.problem));
    });
    worker.addEventListener("error", ({ message }) => this.#end(message || "the worker did not start"));
    return worker;
  }

  #end(reason: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(new ProblemError(ended(reason)));
  }
}
