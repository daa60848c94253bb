/** Cases that run as one: a device that is wrong in one of them, refuses one, or is wrong only where they are together. */
import type { Runtime } from "@groupwise/core";
import { pipelineOf, type UntypedCompile } from "@groupwise/core/target";
import { expect, it } from "vitest";
import { sinksOf } from "../src/data/parts.ts";
import { FuzzRun } from "../src/random/fuzz.ts";
import {
  type Finding,
  FUZZERS,
  type FuzzOptions,
  type FuzzReport,
  type RandomCase,
} from "../src/random/index.ts";
import { together } from "../src/random/make/together.ts";
import { NotSupportedError, Subject } from "../src/subject/subject.ts";
import { mutant } from "./mutants.ts";

const OPTIONS: FuzzOptions = { count: 16, batch: 16, seed: "together", size: "small" };

/** The reference with a fault that depends on the names of outputs, and the number of pipelines that it compiled. */
function faulty(isWrong: (name: string, all: readonly string[]) => boolean): {
  readonly runtime: Runtime;
  readonly compiled: () => number;
} {
  const runtime = mutant();
  let count = 0;
  const compile: UntypedCompile = async (source, options) => {
    const names = sinksOf(pipelineOf(source));
    count += 1;
    const executable = await runtime.compile(source, options);
    const run = async (...given: Parameters<typeof executable.run>) => {
      const outputs = await executable.run(...given);
      for (const [name, array] of Object.entries(outputs))
        if (isWrong(name, names) && ArrayBuffer.isView(array) && array.byteLength > 0)
          new Uint8Array(array.buffer, array.byteOffset)[0] = 0x55;
      return outputs;
    };
    return { ...executable, run } as never;
  };
  return { runtime: { ...runtime, compile: compile as Runtime["compile"] }, compiled: () => count };
}

const pipelines = (runtime: Runtime, options: Partial<FuzzOptions> = {}): Promise<FuzzReport> =>
  (FUZZERS.pipelines as (typeof FUZZERS)[string]).run(
    new Subject(runtime),
    { ...OPTIONS, ...options },
    undefined,
  );
const smallestOf = ({ findings }: Pick<FuzzReport, "findings">): RandomCase["pipeline"] => {
  const [{ smallest }] = findings as readonly [Finding];
  return (smallest as RandomCase).pipeline;
};
const lettersOf = (report: FuzzReport): string[] => [
  ...new Set(sinksOf(smallestOf(report)).map((name) => name.charAt(0))),
];

it("sixteen pipelines take one compilation", async () => {
  const { runtime, compiled } = faulty(() => false);
  expect(await pipelines(runtime)).toMatchObject({ ran: 16, differing: 0, unsupported: 0 });
  expect(compiled()).toBe(1);
});

it("one that differs is named and made small", async () => {
  const { runtime, compiled } = faulty((name) => name.startsWith("f"));
  expect(await pipelines(runtime, { most: 0 })).toMatchObject({ ran: 16, differing: 1 });
  expect(compiled()).toBeLessThan(16);
  const report = await pipelines(runtime);
  expect(report.findings.map(({ where }) => where)).toEqual([
    "random --kind pipelines --seed together --from 5 --count 1 --batch 16 --small",
  ]);
  expect(lettersOf(report)).toEqual(["f"]);
  expect(smallestOf(report).nodes.length).toBeLessThan(4);
  const whole = await pipelines(runtime, { shrinkSeconds: 0 });
  expect((await pipelines(runtime, { from: 5, count: 1, shrinkSeconds: 0 })).findings).toEqual(
    whole.findings,
  );
});

it("those that differ only together are one finding", async () => {
  const isTogether = (all: readonly string[]): boolean => new Set(all.map((name) => name[0])).size > 1;
  const { runtime } = faulty((_, all) => isTogether(all));
  const report = await pipelines(runtime, { count: 2 });
  expect(report).toMatchObject({ ran: 2, differing: 1 });
  expect(lettersOf(report)).toHaveLength(2);
});

it("one that the device refuses counts as refused, the others run", async () => {
  const { runtime } = faulty(() => false);
  const compile = ((source, options) => {
    if (sinksOf(pipelineOf(source)).some((name) => name.startsWith("c"))) throw new NotSupportedError("no c");
    return runtime.compile(source, options);
  }) as Runtime["compile"];
  const report = await pipelines({ ...runtime, compile });
  expect(report).toMatchObject({ ran: 15, differing: 0, unsupported: 1, reason: "no c" });
});

it("one that ends in an error does not hide that another differs", async () => {
  const run = { seed: "data", globalSize: [4] };
  const document = (...nodes: object[]): RandomCase =>
    ({
      pipeline: { format: "groupwise-pipeline", version: 1, name: "one", workGroupSize: [4], nodes },
      run,
    }) as unknown as RandomCase;
  const cases = [
    document(
      { id: 0, kind: "input", name: "ax", type: "u32" },
      { id: 1, kind: "query", query: "global-linear-id", dimension: 0 },
      { id: 2, kind: "const", type: "u32", value: 1 },
      { id: 3, kind: "scatter", name: "as", value: 0, slot: 1, capacity: 2 },
    ),
    document({ id: 0, kind: "input", name: "bx", type: "u32" }, { id: 1, kind: "output", name: "by", of: 0 }),
  ];
  const { runtime } = faulty((name) => name === "by");
  const report = await new FuzzRun(new Subject(runtime), {
    kind: "two",
    options: { count: 2, seed: "two" },
  }).blocks(() => ({
    count: 2,
    some: (from, to) => together(cases.slice(from, to)),
  }));
  expect(report).toMatchObject({
    ran: 2,
    differing: 1,
    findings: [{ where: "random --kind two --seed two --from 1 --count 1" }],
  });
});
