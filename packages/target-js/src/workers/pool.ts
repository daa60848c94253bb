/** Threads that call loops. */
import type { GroupwiseError } from "@groupwise/core";
import { errorOf, firstLine } from "@groupwise/core/target";
import { DEVICE } from "../runtime/program.ts";
import type { OpenPort, Port } from "./port.ts";
import type { Answer } from "./text.ts";

/** Loops that threads can call. */
export interface LoopCode {
  /** Unique in a pool. */
  readonly id: number;
  /** The body of a function that returns the module's `kernel`. */
  readonly text: string;
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

const deviceOf = (name: string): string => `${DEVICE}, worker ${name},`;

/** A number of threads, started by the first call. If one is lost, all of them end and all calls fail. */
export class WorkerPool {
  readonly count: number;
  private readonly open: OpenPort;
  private started: Promise<readonly Thread[]> | undefined;
  private threads: Thread[] = [];
  private problem: GroupwiseError | undefined;
  private made = 0;

  constructor(count: number, open: OpenPort) {
    this.count = count;
    this.open = open;
  }

  /** Code for this pool. */
  code(text: string, pipeline: string): LoopCode {
    return { id: this.made++, text, pipeline };
  }

  /**
   * Calls loops on a thread. Calls of one thread run in order.
   * @param by the number of the thread; undefined for the one with the fewest calls
   * @throws GroupwiseError `device-error` for errors that the loops throw, `no-evaluation`, `device-lost`, `disposed`
   */
  async call(by: number | undefined, code: LoopCode, args: readonly unknown[]): Promise<void> {
    this.started ??= this.start();
    const threads = await this.started;
    if (this.problem) throw this.problem;
    const least = [...threads].sort((a, b) => a.calls.size - b.calls.size)[0];
    const thread = (by === undefined ? least : threads[by]) as Thread;
    const call = this.made++;
    const { id, pipeline } = code;
    const text = thread.known.has(id) ? {} : { text: code.text };
    try {
      thread.port.send({ id, ...text, call, args });
    } catch (cause) {
      const details = { device: deviceOf(thread.name), reason: firstLine(cause) };
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

  private async start(): Promise<readonly Thread[]> {
    const names = Array.from({ length: this.count }, (_, i) => `${i + 1} of ${this.count}`);
    await Promise.all(names.map((name) => this.startOne(name)));
    return this.threads;
  }

  private async startOne(name: string): Promise<void> {
    let thread: Thread | undefined;
    const lost = (reason: string): void => {
      this.end(errorOf("device-lost", { device: deviceOf(name), reason }));
    };
    try {
      const answer = (given: Answer): void => void (thread && answerCall(thread, given));
      const port = await this.open(`groupwise ${name}`, { answer, lost });
      thread = new Thread(name, port);
      this.threads.push(thread);
      // It was disposed of meanwhile.
      if (this.problem) port.end();
    } catch (error) {
      lost(`it did not start: ${firstLine(error)}`);
    }
  }
}

function answerCall({ name, calls, port, known }: Thread, { call, problem, isPolicy = false }: Answer): void {
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
  } else fail(errorOf("device-error", { device: deviceOf(name), reason: problem }, pipeline));
}
