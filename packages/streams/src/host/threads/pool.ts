/** Threads that call loops. */
import { errorOf, type GroupwiseError } from "@groupwise/ir/base/errors.js";
import { firstLine } from "@groupwise/runtime/api/tools.js";
import type { OpenPort, Port } from "./port.ts";
import type { WorkerAnswer } from "./text.ts";

/** Loops that threads can call. */
export interface LoopCode {
  /** Unique in a pool. */
  readonly id: number;
  /** What a thread makes the loops of. */
  readonly of: (thread: number) => unknown;
  /** The pipeline, for errors. */
  readonly pipeline: string;
}

/** A call that a thread has not answered yet. */
interface Call {
  readonly pipeline: string;
  readonly done: () => void;
  readonly fail: (error: GroupwiseError) => void;
}

/** One thread, its code and its pending calls. */
class Thread {
  readonly name: string;
  readonly calls = new Map<number, Call>();
  /** The ids of the code that it has. */
  readonly known = new Set<number>();
  readonly port: Port;

  constructor(name: string, port: Port) {
    this.name = name;
    this.port = port;
  }
}

/** A number of threads, started by the first call. If one is lost, all of them end and all calls fail. */
export class WorkerPool {
  readonly count: number;
  private readonly device: string;
  private readonly open: OpenPort;
  private started: Promise<boolean> | undefined;
  private threads: Thread[] = [];
  private problem: GroupwiseError | undefined;
  private made = 0;

  /** @param device the name of the device, for errors */
  constructor(device: string, count: number, open: OpenPort) {
    this.device = device;
    this.count = count;
    this.open = open;
  }

  /** Code for this pool. */
  code(of: LoopCode["of"], pipeline: string): LoopCode {
    return { id: this.made++, of, pipeline };
  }

  /** Starts the threads. @returns whether all of them did */
  ready(): Promise<boolean> {
    this.started ??= this.start();
    return this.started;
  }

  /**
   * Calls loops on a thread. Calls of one thread run in order.
   * @param by the number of the thread; undefined for the one with the fewest calls
   * @throws GroupwiseError `device-error` for errors that the loops throw, `no-evaluation`, `device-lost`, `disposed`
   */
  async call(by: number | undefined, code: LoopCode, args: readonly unknown[]): Promise<void> {
    await this.ready();
    if (this.problem) throw this.problem;
    const { threads } = this;
    const number =
      by ?? threads.indexOf(threads.toSorted((a, b) => a.calls.size - b.calls.size)[0] as Thread);
    const thread = threads[number] as Thread;
    const call = this.made++;
    const { id, pipeline } = code;
    const own = thread.known.has(id) ? {} : { code: code.of(number) };
    try {
      thread.port.send({ id, ...own, call, args });
    } catch (cause) {
      const details = { device: this.deviceOf(thread.name), reason: firstLine(cause) };
      throw errorOf("device-error", details, pipeline, cause);
    }
    thread.known.add(id);
    thread.port.hold(true);
    await new Promise<void>((done, fail) => thread.calls.set(call, { pipeline, done, fail }));
  }

  /** Frees code that is not called again. */
  drop({ id }: LoopCode): void {
    for (const { known, port } of this.threads) if (known.delete(id)) port.send({ id });
  }

  /** Ends all threads; pending calls fail with the error. */
  end(problem: GroupwiseError): void {
    if (this.problem) return;
    this.problem = problem;
    for (const { calls, port } of this.threads) {
      for (const { fail } of calls.values()) fail(problem);
      calls.clear();
      port.end();
    }
  }

  private deviceOf(name: string): string {
    return `${this.device}, worker ${name},`;
  }

  private async start(): Promise<boolean> {
    const names = Array.from({ length: this.count }, (_, i) => `${i + 1} of ${this.count}`);
    await Promise.all(names.map((name) => this.startOne(name)));
    return this.problem?.code !== "device-lost";
  }

  private async startOne(name: string): Promise<void> {
    let thread: Thread | undefined;
    const lost = (reason: string): void => {
      this.end(errorOf("device-lost", { device: this.deviceOf(name), reason }));
    };
    try {
      const answer = (given: WorkerAnswer): void => void (thread && this.answer(thread, given));
      const port = await this.open(`groupwise ${name}`, { answer, lost });
      thread = new Thread(name, port);
      this.threads.push(thread);
      // It was disposed of meanwhile.
      if (this.problem) port.end();
    } catch (error) {
      lost(`it did not start: ${firstLine(error)}`);
    }
  }

  private answer(
    { name, calls, port, known }: Thread,
    { call, problem, isPolicy = false }: WorkerAnswer,
  ): void {
    const one = calls.get(call);
    calls.delete(call);
    if (calls.size === 0) port.hold(false);
    if (!one) return;
    const { pipeline, done, fail } = one;
    if (problem === undefined) done();
    else if (isPolicy) {
      // The code is missing.
      known.clear();
      fail(errorOf("no-evaluation", { reason: problem }, pipeline));
    } else fail(errorOf("device-error", { device: this.deviceOf(name), reason: problem }, pipeline));
  }
}
