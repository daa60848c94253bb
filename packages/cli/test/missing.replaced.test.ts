import { expect, test, vi } from "vitest";
import { readModel } from "../src/onnx/model.ts";
import { tableFile } from "../src/values/table-file.ts";

const missing = vi.hoisted(() => (): never => {
  throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
});
vi.mock("protobufjs/light.js", missing);
vi.mock("apache-arrow", missing);

test("without protobufjs the command names the package to install", async () => {
  await expect(readModel(new Uint8Array(0), "model.onnx")).rejects.toMatchObject({
    code: "bad-usage",
    hint: expect.stringContaining("npm install protobufjs"),
  });
});

test("without apache-arrow the command names the package to install, before it runs", async () => {
  await expect(tableFile("o.arrow", [], ".")).rejects.toMatchObject({
    code: "bad-usage",
    hint: expect.stringContaining("npm install apache-arrow"),
  });
});
