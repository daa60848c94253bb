/**
 * Every block of TypeScript of the READMEs, guides and doc comments is type-checked, and run if it is self-contained. Tutorials have
 * separate tests.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stream } from "@groupwise/core/state";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { runProcess } from "@groupwise/testkit/devices";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { GIVEN, type Given } from "./blocks/given.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Typed arrays as lists, for examples that say what they print. */
const PLAIN = `import assert from "node:assert/strict";
const plain = (value: unknown): unknown => (ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value);`;
/** Below the checkout's modules. */
const FOLDER = join(ROOT, ".cache/blocks");

const markdownIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));

const PAGES: readonly string[] = [
  "README.md",
  ...markdownIn("apps/docs"),
  ...markdownIn("apps/docs/targets"),
  ...readdirSync(join(ROOT, "packages")).flatMap((name) => markdownIn(`packages/${name}`)),
];

interface Block extends Partial<Given> {
  /** Page and number. */
  readonly name: string;
  readonly text: string;
}

const SOURCES = readdirSync(join(ROOT, "packages"), { recursive: true, encoding: "utf8" })
  .map((file) => `packages/${file.replaceAll("\\", "/")}`)
  .filter((file) => /^packages\/[\w-]+\/src\/.*\.ts$/.test(file));

/** The doc comments of a source without their margin; the text of a page. */
const proseOf = (page: string, text: string): string =>
  page.endsWith(".ts") ? text.replace(/^ *(?! ?\*).*$/gm, "").replace(/^ *\* ?/gm, "") : text;

const OPENS = /"@groupwise\/target-(wgsl|opencl|cuda|c|js\/gpu-js)\/(runtime|node)"/;

/** What an example prints is compared: `console.log(x); // [1, 2]`. */
const checked = (text: string): string =>
  text.replace(/^console\.log\((.*)\); \/\/ (.*)$/gm, "assert.deepEqual(plain($1), $2);");

const blocksOf = (page: string): readonly Block[] =>
  [...proseOf(page, readFileSync(join(ROOT, page), "utf8")).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    ([, text = ""], i) => ({
      ...(page.endsWith(".ts") && { before: PLAIN }),
      ...(page.endsWith(".ts") && OPENS.test(text) && { typesOnly: "it opens a device" }),
      ...GIVEN.find((one) => one.page === page && text.includes(one.has)),
      name: `${page.replaceAll(/[/.]/g, "-")}-${i + 1}`,
      text: page.endsWith(".ts") ? checked(text) : text,
    }),
  );

const BLOCKS = [...PAGES, ...SOURCES].flatMap(blocksOf);

/** Files that blocks import, and the blocks that show them. */
const FILES: Readonly<Record<string, readonly [page: string, has: string]>> = {
  "line-index.ts": ["README-md", "line-index"],
  "sums.ts": ["apps-docs-start-md", "// sums.ts"],
  "max-by-key.ts": ["apps-docs-coming-from-md", "max-by-key"],
  "chunks.ts": ["apps-docs-states-md", "export const meter"],
};

/** The module of the only block of a page that has a text. */
function moduleWith(page: string, has: string) {
  const [{ name }] = BLOCKS.filter((one) => one.name.startsWith(page) && one.text.includes(has)) as [Block];
  return import(pathToFileURL(join(FOLDER, `${name}.ts`)).href);
}

function moduleOf({ before = "", text, inside, after = "" }: Block): string {
  const [line, code] = inside ?? ["", ""];
  return `${before}\n${line ? text.replace(line, `${code}\n${line}`) : text}${after}\nexport {};\n`;
}

const TYPES = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023", "DOM"],
    module: "ESNext",
    moduleResolution: "bundler",
    moduleDetection: "force",
    types: ["node", "@webgpu/types", "@groupwise/unplugin/client"],
    strict: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["*.ts"],
};

describe("blocks of TypeScript", () => {
  beforeAll(() => {
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    for (const block of BLOCKS) writeFileSync(join(FOLDER, `${block.name}.ts`), moduleOf(block));
    for (const [file, [page, has]] of Object.entries(FILES)) {
      const block = BLOCKS.find(({ name, text }) => name.startsWith(page) && text.includes(has));
      writeFileSync(join(FOLDER, file), block?.text ?? "");
    }
    writeFileSync(join(FOLDER, "tsconfig.json"), JSON.stringify(TYPES));
  });

  test("have the right types", async () => {
    const { code, stdout } = await runProcess(process.execPath, [
      join(ROOT, "node_modules/@typescript/native/bin/tsc"),
      ...["-p", FOLDER],
    ]);
    expect([code, stdout]).toEqual([0, ""]);
  });

  test("each row of given text belongs to one block", () => {
    for (const { page, has, inside } of GIVEN) {
      const blocks = BLOCKS.filter((one) => one.page === page && one.has === has);
      expect([page, has, blocks.length]).toEqual([page, has, 1]);
      expect(blocks[0]?.text).toContain(inside?.[0] ?? "");
    }
  });

  test.each(BLOCKS.filter(({ typesOnly }) => !typesOnly))("$name runs", async ({ name }) => {
    await import(pathToFileURL(join(FOLDER, `${name}.ts`)).href);
  });

  test("the scan by key for users of CUB has the results that its page says", async () => {
    const [, x, key, values, places] =
      /For `x` = ([\d ]+) and `key` = ([\d ]+) the results are `so_far_value` = ([\d ]+) and `so_far_at` = ([\d ]+)\./.exec(
        readFileSync(join(ROOT, "apps/docs/coming-from.md"), "utf8"),
      ) ?? [];
    const numbers = (text = ""): readonly number[] => text.split(" ").map(Number);
    const { default: pipeline } = await moduleWith("apps-docs-coming-from-md", "max-by-key");
    const program = await jsRuntime().compile(pipeline);
    const results = await program.run({
      x: Float32Array.from(numbers(x)),
      key: Uint32Array.from(numbers(key)),
    });
    expect(results).toEqual({
      so_far_value: Float32Array.from(numbers(values)),
      so_far_at: Uint32Array.from(numbers(places)),
    });
  });

  test("the functions of the page for authors of libraries leave their values", async () => {
    const { sumsBelow } = await moduleWith("apps-docs-libraries-md", "sumsBelow");
    const values = Float32Array.of(1, 9, 2, 8, 3);
    expect(await sumsBelow(values, 5)).toEqual(Float32Array.of(1, 3, 6));
    expect(await sumsBelow(values, 0)).toEqual(new Float32Array(0));
    expect(values).toEqual(Float32Array.of(1, 9, 2, 8, 3));
  });

  test("the functions of the page about states return what one run does", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const block = (has: string) => moduleWith("apps-docs-states-md", has);
    const { meter, totalOf } = await block("const meter");
    const load = Float32Array.from({ length: 1000 }, (_, i) => Math.sin(i) + 1.1);
    const midnight = Uint8Array.from(load, (_, i) => Number(i % 96 === 0));
    const runtime = jsRuntime();
    const whole = await (await runtime.compile(meter)).run({ load, midnight } as never);
    const { total, peakOfDay } = whole as unknown as { total: number; peakOfDay: Float32Array };
    const chunks = [0, 7, 700].map((from, i, all) => ({
      load: load.subarray(from, all[i + 1]),
      midnight: midnight.subarray(from, all[i + 1]),
    }));
    expect(await totalOf(chunks)).toBe(total);
    expect(log.mock.calls.at(-1)).toEqual(["1000 items, 300 in this chunk"]);
    log.mockRestore();
    const { largest, softmax } = await block("const softmax");
    const { y } = (await (await runtime.compile(softmax)).run({ x: load } as never)) as { y: Float32Array };
    expect(await largest(() => [{ x: load.subarray(0, 7) }, { x: load.subarray(7) }])).toBe(Math.max(...y));
    const { remaining } = await block("const remaining");
    const rest: number[][] = [];
    for await (const { outputs } of remaining([
      { paid: Float32Array.of(1, 2) },
      { paid: Float32Array.of(4) },
    ]))
      rest.push([...outputs.rest]);
    expect(rest).toEqual([[4], [7, 6]]);
    const found: number[][] = [];
    const texts = ["a\n", "b", "\n\n"].map((text) => ({ text: new TextEncoder().encode(text) }));
    const { ends } = await block("line-ends");
    for await (const { outputs } of stream(runtime, ends, texts))
      found.push([...(outputs.ends as Uint32Array)]);
    expect(found).toEqual([[1], [], [3, 4]]);
    const parts = await (await block("inTwoParts")).inTwoParts(load, midnight, 333);
    expect([parts.outputs.peakOfDay, parts.outputs.total]).toEqual([peakOfDay.slice(333), total]);
    expect(parts.whole.to).toBe(1000n);
    expect(await (await block("onAllCores")).onAllCores(load, midnight)).toEqual(whole);
    expect(await (await block("onBoth")).onBoth(runtime, jsRuntime(), load, midnight)).toEqual(whole);
    const sums = (from: Float32Array): Float32Array => {
      let sum = 0;
      return from.map((x) => (sum += x));
    };
    const small = Float32Array.from({ length: 300 }, (_, i) => i % 5);
    const three = [runtime, jsRuntime(), jsRuntime()];
    expect(await (await block("function twice")).twice(three, small)).toEqual(sums(sums(small)));
    const signs = small.map((value) => value - 2);
    const { kept, counts } = await (await block("function positives")).positives(three, signs);
    expect(kept).toEqual(signs.filter((value) => value > 0));
    expect(counts.reduce((a: number, b: number) => a + b)).toBe(120);
  });
});
