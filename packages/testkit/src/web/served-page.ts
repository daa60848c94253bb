/** The functions that `pageRunner` calls in a page. */
import type { ProbeReport } from "@groupwise/core";
import type { Check } from "../checks/index.ts";
import { type Open, openedFor } from "../opening.ts";
import { answersOf, type ServedRequest } from "../serving.ts";
import type { Effort } from "../subject/subject.ts";

export { openWeb } from "./device.ts";

export interface PageAsked {
  readonly effort: Effort;
  readonly isThrifty: boolean;
  /** What an earlier page was told. */
  readonly probed?: ProbeReport | undefined;
}

export interface PageProgram {
  open(asked: PageAsked): Promise<void>;
  ask(request: ServedRequest): Promise<unknown>;
}

/** A device that the page opens, and which then answers requests. @param more checks beside those of the suite */
export function pageProgram(open: Open, more: readonly Check[] = []): PageProgram {
  let answer: ReturnType<typeof answersOf>;
  return {
    open: async ({ effort, isThrifty, probed }) => {
      const { runtime, ...facts } = await openedFor(open, probed);
      answer = answersOf(runtime, effort, isThrifty, facts, more);
    },
    ask: (request) => answer(request),
  };
}
