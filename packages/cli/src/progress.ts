/** The line of progress on a terminal, with a clock beside steps that take long. */
import { printable } from "@groupwise/core/target";
import type { Io, Progress } from "./base/io.ts";

const NEVER: Progress = { show: () => {}, step: () => {}, clear: () => {} };
const TICK_MS = 1000;
/** A log has a line for what takes longer. */
const LONG_MS = 10_000;
/** Characters of a text that are shown. */
const WIDTH = 100;

/** Shows no more than steps, and what takes long, where nobody watches. */
export function progressOn(io: Pick<Io, "err" | "isTerminal">, quiet: boolean): Progress {
  if (quiet) return NEVER;
  return io.isTerminal ? lineOn(io) : logOn(io);
}

function logOn(io: Pick<Io, "err">): Progress {
  let late: ReturnType<typeof setTimeout> | undefined;
  const step = (text: string): void => {
    clearTimeout(late);
    io.err(`${printable(text)}\n`);
  };
  return {
    show(text, isTimed = true) {
      clearTimeout(late);
      // It must not keep the process running.
      if (isTimed) late = setTimeout(step, LONG_MS, `${text}: this takes a while`).unref();
    },
    step,
    clear: () => clearTimeout(late),
  };
}

function lineOn(io: Pick<Io, "err">): Progress {
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
