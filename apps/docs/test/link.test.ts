import { parsePipeline, stringifyPipeline } from "@groupwise/core/schema";
import { f32, pipeline } from "@groupwise/dsl";
import { describe, expect, test } from "vitest";
import { hashOf, textOfHash } from "../.vitepress/theme/playground/link.ts";

const { ir } = pipeline("sums", { x: f32 }, ({ x }) => ({ sums: x.scanInclusive("add") }));
const plain = (text: string) => `#document=j.${Buffer.from(text).toString("base64url")}`;

describe("links", () => {
  test("encode a document and decode it again", async () => {
    const hash = await hashOf(stringifyPipeline(ir));
    expect(hash).toMatch(/^#document=z\.[\w-]+$/);
    expect(parsePipeline(await textOfHash(hash)).pipeline).toEqual(ir);
  });

  test("are read without compression too", async () => {
    expect(await textOfHash(plain('{"a":"ä"}'))).toBe('{"a":"ä"}');
  });

  test("of other kinds are ignored", async () => {
    for (const hash of ["", "#", "#heading", "#a=1"]) expect(await textOfHash(hash)).toBeUndefined();
  });

  test.each([
    "#document",
    "#document=",
    "#document=z.",
    "#document=z.AAAA",
    "#document=x.AAAA",
    "#document=j.%22",
    "#document=j.A",
    `#document=j.${Buffer.from([0xff, 0xfe]).toString("base64url")}`,
  ])("refuses %s", async (hash) => {
    await expect(textOfHash(hash)).rejects.toMatchObject({ problem: { code: "bad-usage" } });
  });

  test("refuses a document that grows beyond the limit when it is unpacked", async () => {
    const bomb = await hashOf(JSON.stringify("0".repeat(5 * 1024 * 1024)));
    expect(bomb.length).toBeLessThan(10_000);
    await expect(textOfHash(bomb)).rejects.toMatchObject({
      problem: { what: expect.stringContaining("longer") },
    });
  });
});
