/** A real browser that runs checks and random cases. */
import type { Effort } from "@groupwise/testkit";
import { type Found, found } from "@groupwise/testkit/devices";
import { pageRunner } from "@groupwise/testkit/page";
import type { RemoteRunner } from "@groupwise/testkit/remote";
import { expect } from "vitest";

/** Its end asserts that the page wrote no warning. */
export async function chromium(effort: Effort): Promise<Found<RemoteRunner>> {
  const page = await pageRunner({}, effort, true);
  if (!page.found) return page;
  const runner = page.value;
  const end = async (): Promise<void> => {
    await runner.end();
    expect(runner.messages().filter((text) => /error|warn/i.test(text))).toEqual([]);
  };
  return found({ ...runner, end });
}
