/** What a page runs for `pageRunner`. */
import { type Openings, openedTwice } from "../opening.ts";
import { answersOf, type Request } from "../serving.ts";
import type { Effort } from "../subject/subject.ts";
import { openWeb } from "./device.ts";

let answer: ReturnType<typeof answersOf>;

export async function open({
  effort,
  isThrifty,
}: {
  readonly effort: Effort;
  readonly isThrifty: boolean;
}): Promise<Openings> {
  const { runtime, openings } = await openedTwice(openWeb);
  answer = answersOf(runtime, effort, isThrifty, openings);
  return openings;
}

export const ask = (request: Request): Promise<unknown> => answer(request);
