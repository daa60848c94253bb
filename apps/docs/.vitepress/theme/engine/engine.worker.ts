/** Emits and runs beside the page, so that neither holds up typing or scrolling. */
import type { Ask, Calls } from "./messages.ts";
import { problemOf } from "./problem.ts";
import { readSource } from "./source.ts";

type Note = (text: string) => void;
const WORK: {
  readonly [K in keyof Calls]: (ask: Calls[K]["ask"], note: Note) => Promise<Calls[K]["answer"]>;
} = {
  show: async ({ source, n }) => {
    const [{ show }, { checked, document }] = await Promise.all([import("./show.ts"), readSource(source)]);
    return show(checked, document, n);
  },
  emit: async ({ source, language }) => {
    const [{ emitText }, { checked }] = await Promise.all([import("./emit.ts"), readSource(source)]);
    return emitText(checked, language);
  },
  run: async ({ source, request }, note) => {
    const [{ run }, { checked }] = await Promise.all([import("./run.ts"), readSource(source)]);
    return run(checked, request, note);
  },
};

self.addEventListener("message", async ({ data: { id, call, ask } }: MessageEvent<Ask>) => {
  try {
    self.postMessage({
      id,
      answer: await WORK[call](ask as never, (note) => self.postMessage({ id, note })),
    });
  } catch (error) {
    self.postMessage({ id, problem: problemOf(error) });
  }
});
