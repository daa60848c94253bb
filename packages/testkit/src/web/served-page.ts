/** The functions that `pageRunner` calls in a page. */
import { type Open, openedTwice } from "../opening.ts";
import { answersOf, type ServedRequest } from "../serving.ts";
import type { Effort } from "../subject/subject.ts";

export interface PageProgram {
  open(asked: { readonly effort: Effort; readonly isThrifty: boolean }): Promise<void>;
  ask(request: ServedRequest): Promise<unknown>;
}

/** A device that the page opens twice, and which then answers requests. */
export function pageProgram(open: Open): PageProgram {
  let answer: ReturnType<typeof answersOf>;
  return {
    open: async ({ effort, isThrifty }) => {
      const { runtime, ...facts } = await openedTwice(open);
      answer = answersOf(runtime, effort, isThrifty, facts);
    },
    ask: (request) => answer(request),
  };
}
