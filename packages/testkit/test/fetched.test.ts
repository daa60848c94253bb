/** Programs that full runs fetch. */
import { expect, test } from "vitest";
import { fetched, withNode } from "../src/fetched.ts";

test("nothing is fetched outside of full runs", async () => {
  const before = process.env.GROUPWISE_FULL;
  delete process.env.GROUPWISE_FULL;
  const one = await fetched("groupwise-has-no-such-package@0.0.0");
  if (before !== undefined) process.env.GROUPWISE_FULL = before;
  expect(one).toMatchObject({
    found: false,
    reason: expect.stringContaining("groupwise-has-no-such-package@0.0.0"),
  });
});

test("a program of Node comes first on the path", () => {
  expect(withNode("/somewhere/bin/node").PATH.split(/[;:]/)[0]).toBe("/somewhere/bin");
});
