/** The fuzzers find the inserted faults within the number of cases that `npm test` runs on each device. */
import {
  type Executable,
  OP_NAMES,
  type Pipeline,
  problemsOf,
  type Runtime,
  SCALAR_NAMES,
} from "@groupwise/core";
import {
  BINARY,
  COMBINES,
  errorOf,
  FUNCTION_ROWS,
  NARROW_NAMES,
  QUERIES,
  UNARY,
} from "@groupwise/core/target";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../src/conformance.ts";
import {
  CaseArbitrary,
  corpus,
  differenceOf,
  FLOAT_TYPES,
  fuzzExpressions,
  pairsCase,
  pipelineCase,
  type RandomCase,
  SEED,
  smallest,
} from "../src/random/index.ts";
import { Subject } from "../src/subject/subject.ts";
import { mutant } from "./mutants.ts";
import { changing, exchanged, FLOAT_FAULTS, PIPELINE_FAULTS, rewritten } from "./rewrites.ts";

/** What JavaScript runs in `npm test`: pipelines, and documents of pairs. */
const JAVASCRIPT = [
  ...Array.from({ length: 64 }, (_, i) => pipelineCase("large", `${SEED} ${Math.floor(i / 48)}`, i % 48)),
  ...Array.from({ length: 135 }, (_, i) => pairsCase("large", SEED, i)),
];

/** The first trees of a type on which a runtime differs; undefined where it does not. */
async function treesThatDiffer(runtime: Runtime): Promise<string | undefined> {
  const subject = new Subject(runtime);
  // Less than lavapipe runs in `npm test`, of f32 and of halves.
  for (const [type, chunks, count] of [["f32", 3, 96] as const, ["f16", 1, 48] as const])
    for (let chunk = 0; chunk < chunks; chunk++) {
      const options = { count, seed: `${SEED} ${chunk}`, most: 0 };
      if ((await fuzzExpressions(subject, type, options)).differing > 0) return `${type} ${chunk}`;
    }
  return undefined;
}

/** How a runtime differs first. */
async function pipelineThatDiffers(runtime: Runtime): Promise<string | undefined> {
  const subject = new Subject(runtime);
  for (const one of JAVASCRIPT) {
    const found = await differenceOf(subject, one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Outside of full runs every other fault. */
const isTried = (_: unknown, i: number): boolean => isFullRun() || i % 2 === 0;

/** Tests that a fault is found, and that the reported document can be run. */
const finds = (
  name: string,
  change: (pipeline: Pipeline) => Pipeline,
  differs: (runtime: Runtime) => Promise<string | undefined>,
): void =>
  it(name, async () => {
    const broken: string[] = [];
    const runtime = changing((pipeline) => {
      const changed = change(pipeline);
      broken.push(...problemsOf(changed).map(({ message }) => message));
      return changed;
    });
    expect(await differs(runtime)).toBeDefined();
    expect(broken).toEqual([]);
  });

describe("random expressions find", () => {
  for (const [name, rewrite] of Object.entries(FLOAT_FAULTS).filter(isTried))
    finds(name, (pipeline) => rewritten(pipeline, rewrite), treesThatDiffer);
  it("nothing in the reference itself", async () => {
    const subject = new Subject(mutant());
    for (const type of FLOAT_TYPES) {
      const report = await fuzzExpressions(subject, type, { count: 96, seed: SEED });
      expect(report).toMatchObject({ ran: 96, differing: 0, unsupported: 0 });
    }
  });
});

describe("random pipelines find", () => {
  for (const [name, rewrite] of Object.entries(PIPELINE_FAULTS).filter(isTried))
    finds(name, (pipeline) => rewritten(pipeline, rewrite), pipelineThatDiffers);
  finds("records of the author's operators that are exchanged", exchanged, pipelineThatDiffers);
});

describe("random pipelines", () => {
  const words = new Set<string>();
  const cases = Array.from({ length: 1200 }, (_, i) => pipelineCase("large", "valid", i));
  for (const { pipeline, run } of cases) {
    words.add(`${run.globalSize.length}D`);
    for (const node of pipeline.nodes) {
      words.add(node.kind);
      for (const [key, value] of Object.entries(node)) words.add(`${key} ${value}`);
    }
  }
  it("are valid", () => {
    for (const { pipeline } of cases.slice(0, 200))
      expect(problemsOf(pipeline).map(({ message }) => message)).toEqual([]);
  });
  it("have every kind of node, operator, type, scope, shape and query", () => {
    const collectives = "reduce scan-inclusive scan-exclusive user-collective all any broadcast";
    const others = "input param const query unary binary function select cast bitcast spread";
    const wanted = [
      ...`${collectives} ${others} table table-length gather output scatter 1D 2D 3D`.split(" "),
      ...[...OP_NAMES, ...Object.keys(BINARY), ...Object.keys(UNARY), ...Object.keys(FUNCTION_ROWS)].map(
        (op) => `op ${op}`,
      ),
      ...Object.keys(QUERIES).map((query) => `query ${query}`),
      ...COMBINES.map((combine) => `combine ${combine}`),
      ...SCALAR_NAMES.flatMap((type) => [`type ${type}`, `to ${type}`]),
      ...NARROW_NAMES.flatMap((type) => [`type ${type}`, `as ${type}`]),
      ...["scope work-group", "scope device", "order fixed", "order any"],
      ...["form reduce", "form scan-inclusive", "form scan-exclusive"],
    ];
    expect(wanted.filter((word) => !words.has(word))).toEqual([]);
  });
  it("are the same for the same seed", () => {
    expect(pipelineCase("small", "same", 3)).toEqual(pipelineCase("small", "same", 3));
    expect(pipelineCase("small", "same", 4)).not.toEqual(pipelineCase("small", "same", 3));
  });
});

it("a finding names arguments that run the same document again", async () => {
  const subject = new Subject(
    changing((pipeline) => rewritten(pipeline, FLOAT_FAULTS["x + c - c is x"] as never)),
  );
  const options = { count: 60, from: 12, seed: `${SEED} 0`, shrinkSeconds: 0 };
  const { findings } = await fuzzExpressions(subject, "f32", options);
  const numbers: number[] = [];
  for (const finding of findings) {
    const [, seed, from, count] =
      /^random --kind expressions --type f32 --seed '(.*)' --from (\d+) --count (\d+)$/.exec(finding.where) ??
      [];
    numbers.push(Number(from));
    const named = { seed: seed as string, from: Number(from), count: Number(count), shrinkSeconds: 0 };
    expect((await fuzzExpressions(subject, "f32", named)).findings).toEqual([finding]);
  }
  expect(numbers.some((number) => number % 24 > 0)).toBe(true);
});

it("a device's error is told with its reason", async () => {
  const runtime = mutant();
  const compile = async (source: Pipeline): Promise<Executable> => ({
    ...(await runtime.compile(source)),
    run: () => Promise.reject(errorOf("device-error", { device: "d", reason: "no memory is left" })),
  });
  const subject = new Subject({ ...runtime, compile: compile as Runtime["compile"] });
  expect(await differenceOf(subject, pipelineCase("small", "same", 3))).toMatch(
    /^run: it gives the error device-error \(.*no memory is left\), not outputs$/,
  );
});

describe("shrinking", () => {
  it("keeps the failing part and removes the rest", async () => {
    const subject = new Subject(
      changing((pipeline) => rewritten(pipeline, FLOAT_FAULTS["x + c - c is x"] as never)),
    );
    const { findings } = await fuzzExpressions(subject, "f32", { count: 96, seed: `${SEED} 0`, most: 1 });
    const [finding] = findings;
    const small = finding?.smallest as RandomCase;
    expect(small.pipeline.nodes.map(({ kind }) => kind)).toEqual([
      "input",
      "const",
      "binary",
      "binary",
      "output",
    ]);
    expect(small.run.globalSize).toEqual([1]);
    expect(await differenceOf(subject, small)).toBe(finding?.what);
  });
  it("returns only valid cases, each smaller", () => {
    const cases = new CaseArbitrary(() => pipelineCase("large", "shrink", 1));
    const one = pipelineCase("large", "shrink", 1);
    let seen = 0;
    for (const { value } of cases.shrink(one)) {
      seen += 1;
      expect(problemsOf(value.pipeline)).toEqual([]);
      expect(JSON.stringify(value)).not.toBe(JSON.stringify(one));
    }
    expect(seen).toBeGreaterThan(20);
  });
  it("ends if everything fails", async () => {
    const small = await smallest(pipelineCase("large", "shrink", 2), async () => true, 5_000);
    // A scatter keeps its condition and its length.
    expect(small.pipeline.nodes.length).toBeLessThan(6);
  });
});

describe("the corpus", () => {
  it("contains valid documents with a reason", () => {
    const cases = corpus();
    expect(cases.length).toBeGreaterThan(5);
    for (const { about } of cases) expect(about).toMatch(/\w{3}/);
  });
});
