/** Emitted files: the text and the bytes are one valid module, for any names, and the loader gives what the reference gives. */
import { type Artifact, check, emit, type RunOptions, type RunOutputs } from "@groupwise/core";
import {
  allNames,
  expected,
  isName,
  type Named,
  namedCase,
  namesIn,
  TURNS,
  withNames,
} from "@groupwise/testkit";
import { isFullRun } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import wabt from "wabt";
import { wasm } from "../src/index.ts";
import { load, type WasmModule } from "../src/runtime.ts";

interface Loaded extends WasmModule {
  readonly default: (values: unknown, options: RunOptions) => RunOutputs;
  readonly wasm: Uint8Array<ArrayBuffer>;
}
const tools = await wabt();

const textOf = ({ files }: Artifact, ending: string): string =>
  files.find(({ path }) => path.endsWith(ending))?.text ?? "";
const imported = (artifact: Artifact): Promise<Loaded> =>
  import(`data:text/javascript,${encodeURIComponent(textOf(artifact, ".mjs"))}`);

async function compare({ ir, values }: Named): Promise<void> {
  const sides = ir.workGroupSize.length;
  const options = sides === 1 ? { n: 3 } : { globalSize: ir.workGroupSize.map(() => 3) };
  const given = values(3 ** sides);
  const artifact = emit(ir, wasm);
  const module = await imported(artifact);
  const read = tools.parseWat("module.wat", textOf(artifact, ".wat"), {
    multi_value: true,
    bulk_memory: true,
  });
  read.resolveNames();
  read.validate();
  expect(Buffer.from(module.wasm).equals(read.toBinary({}).buffer), ir.name).toBe(true);
  read.destroy();
  const want = expected(check(ir), given, options);
  expect(module.default(given, options), ir.name).toEqual(want);
  expect(await load(artifact.manifest, module).run(given, options), ir.name).toEqual(want);
}

const wordsOf = (ir: Named["ir"]): readonly string[] =>
  namesIn([textOf(emit(ir, wasm), ".mjs"), textOf(emit(ir, wasm), ".wat")]);

test.each(["functions", "composed", "narrow-scans"])(
  "names of %s that are words of its files",
  async (name) => {
    const one = namedCase(name);
    // Every word has every role in full runs, else one.
    for (let turn = 0; turn < (isFullRun() ? TURNS : 1); turn++)
      await compare(withNames(one, wordsOf(one.ir), turn));
  },
);

test("names that are globals and words of JavaScript", async () => {
  const words =
    "arguments async await function memory kernel wasm frame places local module i32 f32 func loop next";
  const all = [...new Set([...words.split(" "), ...Object.getOwnPropertyNames(globalThis)])];
  for (const one of allNames(all.filter(isName), 150)) await compare(one);
});

test("a manifest of another version is refused", () => {
  const { manifest } = emit(namedCase("functions").ir, wasm);
  const module = { instantiate: () => () => {} };
  expect(() => load({ ...manifest, version: 1 as never }, module)).toThrow(
    expect.objectContaining({ code: "bad-version" }),
  );
  expect(() => load(manifest, {} as never)).toThrow(expect.objectContaining({ code: "bad-argument" }));
});
