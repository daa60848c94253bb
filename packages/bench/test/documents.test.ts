/** Hostile documents: only GroupwiseErrors, no raw control characters, and what is accepted is emitted for every target. */
import { readdirSync, readFileSync } from "node:fs";
import { GroupwiseError, type Target } from "@groupwise/core";
import { parsePipeline } from "@groupwise/core/schema";
import { js } from "@groupwise/target-js";
import { checkDocument, hostileDocument, hostileDocuments, judgeDocument } from "@groupwise/testkit";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../src/golden-files.ts";

const SEED = 20_260_701;
const COUNT = process.env.GROUPWISE_FULL ? 30_000 : 250;
/** Documents of one test: a few seconds. */
const CHUNK = 250;
const STARTS = Array.from({ length: COUNT / CHUNK }, (_, i) => i * CHUNK);

describe(`${COUNT} hostile documents of the seed ${SEED}`, () => {
  const codes = new Set<string>();
  let accepted = 0;

  it.each(STARTS)("from number %i on are refused by a GroupwiseError, or emitted", (start) => {
    for (let number = start; number < start + CHUNK; number++) {
      // Every target gets its share: emitting is most of the work.
      const language = LANGUAGES[number % LANGUAGES.length] as Target;
      const { fault, refused } = judgeDocument(hostileDocument(SEED, number), [language]);
      if (fault !== undefined) expect.fail(`document ${number} of the seed ${SEED}: ${fault}`);
      if (refused === undefined) accepted++;
      else codes.add(refused);
    }
  });

  it("reach every corner, and are not all refused", () => {
    expect(accepted).toBeGreaterThan(COUNT / 10);
    expect(codes.size).toBeGreaterThan(10);
  });

  it("are the same each time", () => {
    const texts = (): string[] => [...hostileDocuments(3, 40)].filter((d) => typeof d === "string");
    expect(texts()).toEqual(texts());
    expect(texts().length).toBeGreaterThan(5);
    const [, second] = hostileDocuments(9, 2);
    expect(JSON.stringify(hostileDocument(9, 1))).toBe(JSON.stringify(second));
  });
});

describe("the check itself finds", () => {
  const good = { format: "groupwise-pipeline", version: 1, name: "p", workGroupSize: [4] };
  const document = {
    ...good,
    nodes: [
      { id: 0, kind: "input", name: "x", type: "u32" },
      { id: 1, kind: "output", name: "y", of: 0 },
    ],
  };

  it("finds nothing in a valid document", () => {
    expect(checkDocument(document, LANGUAGES)).toBe(undefined);
  });

  it.each<[string, () => never, RegExp]>([
    ["a bare error", () => fail(new TypeError("x is undefined")), /bare error/],
    ["an error of the kernels", () => fail(errorWith("bad-kernel", "wrong")), /wrong/],
    ["a code that is none", () => fail(errorWith("nonsense", "wrong")), /unknown code/],
    ["a message without end", () => fail(errorWith("unsupported", "x".repeat(5000))), /characters/],
  ])("%s", (_, print, fault) => {
    expect(checkDocument(document, [{ ...js, print }])).toMatch(fault);
  });

  it("a module that does not parse", () => {
    const print: typeof js.print = (plan, options) => ({
      ...js.print(plan, options),
      files: [{ path: "p.mjs", text: "export function f( {" }],
    });
    expect(checkDocument(document, [{ ...js, print }])).toMatch(/does not parse/);
  });
});

function fail(error: Error): never {
  throw error;
}
const errorWith = (code: string, message: string): GroupwiseError =>
  new GroupwiseError(code as "unsupported", { message, hint: "none" }, "");

describe("documents that failed once", () => {
  const folder = new URL("../../testkit/corpus/documents/", import.meta.url);
  // Emitting 4,096 nodes takes ten seconds.
  const isLong = (name: string): boolean => name.startsWith("hidden-lengths-beyond-the-limit-of-nodes");
  const files = readdirSync(folder).filter(
    (name) => name.endsWith(".json") && (process.env.GROUPWISE_FULL || !isLong(name)),
  );

  it.each(files)("%s", (name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    expect(checkDocument(text, LANGUAGES)).toBe(undefined);
    if (name.startsWith("refused-")) expect(() => parsePipeline(text)).toThrow(GroupwiseError);
  });
});
