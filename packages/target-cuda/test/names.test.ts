/** Names of documents meet no word of emitted CUDA C++, of its host, and none of the languages and their headers. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { emit, type Pipeline } from "@groupwise/core";
import { allNames, coveringCases, namedCase, namesIn, TURNS, withNames } from "@groupwise/testkit";
import { deviceTest, effortOf } from "@groupwise/testkit/conformance";
import { findClang, runProcess } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { hostInCpp } from "../src/host.ts";
import { cuda } from "../src/index.ts";
import { CUDA, HEADERS, HIP, STRICT, warningsOf, written } from "./clang.ts";

const isFull = effortOf() === "full";

const wordsOf = (ir: Pipeline): readonly string[] => {
  const artifact = emit(ir, cuda);
  return namesIn([...artifact.files, ...hostInCpp(artifact)].map(({ text }) => text));
};
/** A document as a pipeline of its own, so that its files have names of their own. */
const renamed = (ir: Pipeline, i: number): Pipeline => ({ ...ir, name: `names${i}` });

deviceTest("names that are words of the text and of its host", findClang, async (version) => {
  const cases = isFull ? coveringCases(wordsOf, 8) : [namedCase("functions")];
  const irs = cases.flatMap((one) =>
    Array.from({ length: isFull ? TURNS : 1 }, (_, turn) => withNames(one, wordsOf(one.ir), turn).ir),
  );
  expect(await warningsOf("clang", version, [...STRICT, ...CUDA], written(irs.map(renamed)))).toBe("");
});

/** Words of clang's own headers for CUDA and HIP, and macros that it defines. */
async function wordsOfClang(): Promise<readonly string[]> {
  const { stdout: root } = await runProcess("clang", ["-print-resource-dir"]);
  const folder = join(root.trim(), "include");
  const headers = readdirSync(folder).filter((name) => /^__clang_(?:cuda|hip)_\w+\.h$/.test(name));
  const command = ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-host-only", `-I${HEADERS}`];
  const macros = await runProcess("clang", [...command, "-include", "cuda_runtime.h", "-dM", "-E", "-"], {
    input: "",
  });
  return namesIn([...headers.map((name) => readFileSync(join(folder, name), "utf8")), macros.stdout]);
}

const LANGUAGE =
  "alignas and asm auto bool catch char class concept const constexpr decltype default delete do double else enum explicit export extern false float " +
  "for friend goto if inline int long mutable namespace new noexcept not nullptr operator or private protected public register restrict return short " +
  "signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while xor " +
  "threadIdx blockIdx blockDim gridDim warpSize float4 uint2 dim3 size_t cudaSuccess hipSuccess NULL INT_MAX linux unix main printf memcpy min max abs";

deviceTest("names that are words of the languages", findClang, async (version) => {
  const words = [...new Set([...namesIn([LANGUAGE]), ...(await wordsOfClang())])];
  expect(words.length).toBeGreaterThan(1000);
  const irs = allNames(words, 800, isFull ? TURNS : 1).map(({ ir }) => ir);
  const files = written((isFull ? irs : irs.slice(0, 1)).map((ir, i) => renamed(ir, 100 + i)));
  expect(await warningsOf("clang", version, [...STRICT, ...HIP], files)).toBe("");
});
