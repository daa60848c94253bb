/** The calls on the page for users of CUB, PyTorch, CuPy and JAX are those of the files that its pipelines are emitted to. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Artifact, emit, type Pipeline } from "@groupwise/core";
import { cuda } from "@groupwise/target-cuda";
import { hostInCpp, hostInPython } from "@groupwise/target-cuda/host";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { beforeAll, describe, expect, test } from "vitest";

const PAGE = readFileSync(new URL("../coming-from-cub.md", import.meta.url), "utf8");
const [, CALLS = ""] = /^```ts\n(\/\/ calls\.ts\n[\s\S]*?)^```$/m.exec(PAGE) ?? [];
const ROWS = [...PAGE.matchAll(/^\| .* \| `(\w+)` \| `(gw_.*)` \| `(.*)` \| (.*) \|$/gm)].map(
  ([, name = "", cpp, python, results]) => [name, { cpp, python, results }] as const,
);

/** Below the checkout's modules. */
const FOLDER = fileURLToPath(new URL("../../../.cache/from-cub/", import.meta.url));
let exported: Readonly<Record<string, { readonly ir: Pipeline }>> = {};

const list = (text: string): readonly string[] => text.split(", ").filter(Boolean);

/** The call of the function that the header declares, without the prefixes of its arguments. */
function callInCpp(artifact: Artifact): string {
  const text = hostInCpp(artifact)[0]?.text ?? "";
  const [, symbol, declared = ""] = /^gw_error (\w+)\(\n([\s\S]*)/m.exec(text) ?? [];
  const names = [...declared.matchAll(/^.* (?:in_|out_|param_)?(\w+)(?: = nullptr\);|,) \/\//gm)];
  const [first, second, ...others] = names.map(([, name]) => name);
  expect([first, second]).toEqual(["workspace", "workspace_bytes"]);
  return `${symbol}(…, ${others.join(", ")})`;
}

/** The call of the module's function, and the fields of its results. */
function callInPython(artifact: Artifact): { readonly python: string; readonly results: string } {
  const { path, text } = hostInPython(artifact)[0] ?? { path: "", text: "" };
  const [, arrays = "", params = ""] =
    /^def run\((.*?), \*, (.*)stream: Any = None\) -> Any:$/m.exec(text) ?? [];
  const given = [
    ...list(arrays.replaceAll(": Any", "")),
    ...list(params).map((param) => param.replace(/: .*/, "")),
  ];
  const words = given.map((name) => (params.includes(`${name}: `) ? `${name}=${name}` : name));
  const fields = /^class Results[\s\S]*?(?=^[@d])/m.exec(text)?.[0] ?? "";
  return {
    python: `${path.replace(".py", "")}.run(${words.join(", ")})`,
    results: [...fields.matchAll(/^ {4}(\w+): /gm)].map(([, field]) => `\`${field}\``).join(", "),
  };
}

describe("the page for users of CUB", () => {
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${FOLDER}calls.ts`, CALLS);
    exported = await import(pathToFileURL(`${FOLDER}calls.ts`).href);
  });

  test("has a row for each pipeline, ten or more", () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(10);
    expect(ROWS.map(([name]) => name).sort()).toEqual(Object.keys(exported).sort());
  });

  test.each(ROWS)("%s is called as emitted", (name, row) => {
    const artifact = emit(exported[name]?.ir as Pipeline, cuda);
    expect(row).toEqual({ cpp: callInCpp(artifact), ...callInPython(artifact) });
  });

  test("logarithms of sums are those of doubles", async () => {
    const x = Float32Array.of(-Infinity, -Infinity, 1, -50, 3, Infinity, 2);
    const program = await jsRuntime().compile(exported.logcumsumexp as never);
    const { y } = (await program.run({ x } as never)) as unknown as { y: Float32Array };
    const exact = x.map((_, i) => Math.log(x.slice(0, i + 1).reduce((sum, one) => sum + Math.exp(one), 0)));
    const digits = (values: Float32Array) => Array.from(values, (one) => one.toPrecision(6));
    expect(digits(y)).toEqual(digits(exact));
  });
});
