import { expect, test, vi } from "vitest";
import { readModel } from "../../src/onnx/model.ts";

vi.mock("protobufjs/light.js", () => {
  throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
});

test("without protobufjs the command names the package to install", async () => {
  await expect(readModel(new Uint8Array(0), "model.onnx")).rejects.toMatchObject({
    code: "bad-usage",
    hint: expect.stringContaining("npm install protobufjs"),
  });
});
