/** The line of progress on a terminal, with a clock beside steps that take long. */
import { printable } from "@groupwise/core/target";
import type { Io, Progress } from "./base/io.ts";

const NEVER: Progress = { show: () => {}, step: () => {}, clear: () => {} };
const TICK_MS = 1000;
/** Characters of a text that are shown. */
const WIDTH = 100;

/** Shows no more than steps where nobody watches. */
export function progressOn(io: Pick<Io, "err" | "isTerminal">, quiet: boolean): Progress {
  if (quiet) return NEVER;
  if (!io.isTerminal) return { ...NEVER, step: (text) => io.err(`${printable(text)}\n`) };
  let clock: ReturnType<typeof setInterval> | undefined;
  const print = (text: string): void => io.err(`\r\u001b[K${printable(text)}`);
  const show = (text: string, isTimed = true): void => {
    clearInterval(clock);
    const line = text.slice(0, WIDTH);
    print(line);
    if (!isTimed) return;
    const start = performance.now();
    const tick = (): void => print(`${line}, ${Math.round((performance.now() - start) / 1000)} s`);
    // It must not keep the process running.
    clock = setInterval(tick, TICK_MS).unref();
  };
  return {
    show,
    step: show,
    clear() {
      clearInterval(clock);
      print("");
    },
  };
}
