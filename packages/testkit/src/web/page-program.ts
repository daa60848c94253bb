/** What a page runs for `pageRunner`. */
import { openedTwice } from "../opening.ts";
import { answersOf, type ServedRequest } from "../serving.ts";
import type { Effort } from "../subject/subject.ts";
import { openWeb } from "./device.ts";

let answer: ReturnType<typeof answersOf>;

export async function open({
  effort,
  isThrifty,
}: {
  readonly effort: Effort;
  readonly isThrifty: boolean;
}): Promise<void> {
  const { runtime, ...facts } = await openedTwice(openWeb);
  answer = answersOf(runtime, effort, isThrifty, facts);
}

export const ask = (request: ServedRequest): Promise<unknown> => answer(request);
