import { expect, test, vi } from "vitest";
import { nodeDevice } from "../src/node.ts";

vi.mock("webgpu", () => {
  throw new Error("Cannot find package 'webgpu'");
});

test("without the package the error says how to install it", async () => {
  await expect(nodeDevice()).rejects.toMatchObject({
    code: "device-missing",
    hint: expect.stringMatching(/^npm install webgpu\b/),
  });
});
