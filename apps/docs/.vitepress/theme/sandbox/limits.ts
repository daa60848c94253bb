/** How long the sandbox may take: to start, and then for the visitor's code. A busy or slow machine loads its script for longer than code may run. */
const START_MS = 120_000;
const CODE_MS = 10_000;

export class Limits {
  readonly #end: (what: string, hint?: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStarted = false;

  /** @param end receives what took too long, and what to do unless the code is the cause */
  constructor(end: (what: string, hint?: string) => void) {
    this.#end = end;
    this.#wait(START_MS, "the sandbox did not start", "build again when the machine is less busy");
  }

  /** The code begins now. Later calls change nothing: the code itself may send that it starts. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#wait(CODE_MS, "the code did not end");
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  #wait(milliseconds: number, what: string, hint?: string): void {
    this.clear();
    this.#timer = setTimeout(() => this.#end(`${what} within ${milliseconds / 1000} s`, hint), milliseconds);
  }
}
