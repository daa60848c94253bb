import { stringifyPipeline } from "@groupwise/core/schema";
import { f32, pipeline } from "@groupwise/dsl";
import { describe, expect, test } from "vitest";
import { hashOf, sharedIn } from "../.vitepress/theme/playground/link.ts";

const { ir } = pipeline("sums", { x: f32 }, ({ x }) => ({ sums: x.scanInclusive("add") }));
const plain = (text: string) => `#document=j.${Buffer.from(text).toString("base64url")}`;

describe("links", () => {
  test.each([
    ["document", { mode: "json", text: stringifyPipeline(ir) }],
    ["code", { mode: "ts", text: 'export default pipeline("ä", {});\n'.repeat(40) }],
  ] as const)("encode %s and decode it again", async (name, shared) => {
    const hash = await hashOf(shared);
    expect(hash).toMatch(new RegExp(`^#${name}=z\\.[\\w-]+$`));
    expect(hash.length).toBeLessThan(shared.text.length);
    expect(await sharedIn(hash)).toEqual(shared);
  });

  test("are read without compression too", async () => {
    expect(await sharedIn(plain('{"a":"ä"}'))).toEqual({ mode: "json", text: '{"a":"ä"}' });
  });

  test("of other kinds are ignored", async () => {
    for (const hash of ["", "#", "#heading", "#a=1", "#codes=1"])
      expect(await sharedIn(hash)).toBeUndefined();
  });

  test.each([
    "#document",
    "#document=",
    "#document=z.",
    "#document=z.AAAA",
    "#document=x.AAAA",
    "#document=j.%22",
    "#document=j.A",
    "#code",
    "#code=z.AAAA",
    `#document=j.${Buffer.from([0xff, 0xfe]).toString("base64url")}`,
  ])("refuses %s", async (hash) => {
    await expect(sharedIn(hash)).rejects.toMatchObject({ problem: { code: "bad-usage" } });
  });

  test("refuses each part of a link", async () => {
    const hash = await hashOf({ mode: "ts", text: "export default 1;\n" });
    for (let end = "#code".length; end < hash.length; end++)
      await expect(sharedIn(hash.slice(0, end)), hash.slice(0, end)).rejects.toMatchObject({
        problem: { where: "the link" },
      });
  });

  test("refuses a text that grows beyond the limit when it is unpacked", async () => {
    const bomb = await hashOf({ mode: "json", text: "0".repeat(5 * 1024 * 1024) });
    expect(bomb.length).toBeLessThan(10_000);
    await expect(sharedIn(bomb)).rejects.toMatchObject({
      problem: { what: expect.stringContaining("longer") },
    });
  });
});
