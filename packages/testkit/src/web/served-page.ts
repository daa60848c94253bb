/** The functions that `pageRunner` calls in a page. */
import type { Check } from "../checks/index.ts";
import { type Open, openedTwice } from "../opening.ts";
import { answersOf, type ServedRequest } from "../serving.ts";
import type { Effort } from "../subject/subject.ts";

export { openWeb } from "./device.ts";

export interface PageProgram {
  open(asked: { readonly effort: Effort; readonly isThrifty: boolean }): Promise<void>;
  ask(request: ServedRequest): Promise<unknown>;
}

/** A device that the page opens twice, and which then answers requests. @param more checks beside those of the suite */
export function pageProgram(open: Open, more: readonly Check[] = []): PageProgram {
  let answer: ReturnType<typeof answersOf>;
  return {
    open: async ({ effort, isThrifty }) => {
      const { runtime, ...facts } = await openedTwice(open);
      answer = answersOf(runtime, effort, isThrifty, facts, more);
    },
    ask: (request) => answer(request),
  };
}
