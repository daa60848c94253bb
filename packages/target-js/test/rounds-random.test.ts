import { check, type HostArray, type Pipeline, type PipelineNode, type RunValues } from "@groupwise/core";
import { mapOperands } from "@groupwise/core/target";
import { type ChunkRequest, roundsOf, stream } from "@groupwise/core/state";
import { pipelineCase, valuesOf } from "@groupwise/testkit/random";
import { describe, expect, it } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

const isRefused = (error: unknown): boolean => (error as { code?: string }).code === "not-carried";

const bytesOf = (array: HostArray): Buffer => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

/** Cuts that a seed determines, with empty chunks and chunks of one item. */
function cutsOf(n: number, seed: number): number[] {
  const at = (i: number): number => Math.floor((Math.abs(Math.sin(seed * 7 + i) * 1e4) % 1) * (n + 1));
  const some = Array.from({ length: seed % 5 }, (_, i) => at(i));
  return [0, 0, Math.min(1, n), ...some, n].sort((a, b) => a - b);
}

function* chunksOf(values: RunValues, inputs: readonly string[], cuts: readonly number[]) {
  for (const [i, from] of cuts.slice(0, -1).entries())
    yield Object.fromEntries(
      inputs.map((name) => [name, (values[name] as HostArray).subarray(from, cuts[i + 1])]),
    );
}

/** The outputs of a stream joined, or the reason why there is none. */
async function streamed(ir: Pipeline, values: RunValues, cuts: readonly number[], n?: number) {
  const { inputs, sinks, uniformities } = check(ir);
  const names = inputs.map(({ name }) => name);
  const shared = Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
  const parts: Record<string, HostArray>[] = [];
  const requests: ChunkRequest[] = [];
  const again = (request: ChunkRequest) => {
    requests.push(request);
    return chunksOf(values, request.inputs, cuts);
  };
  const given = { values: shared, ...(n !== undefined && { n }) };
  for await (const { outputs } of stream(jsRuntime(), ir, again, given))
    parts.push(outputs as Record<string, HostArray>);
  const joined = sinks.map(({ id, name }): [string, string] => {
    const arrays = parts.map((part) => part[name] as HostArray);
    const wanted = uniformities[id] === "item" ? arrays : arrays.slice(-1);
    return [name, Buffer.concat(wanted.map(bytesOf)).toString("hex")];
  });
  return { outputs: Object.fromEntries(joined), rounds: requests.length };
}

/** A pipeline that can be carried: reads of any items become reads of the previous one, work-groups the whole range, scatters outputs. */
function carriable({ nodes, ...rest }: Pipeline): Pipeline {
  const made: PipelineNode[] = [];
  const moved: number[] = [];
  const add = (node: object): number => made.push({ ...node, id: made.length } as PipelineNode) - 1;
  const query = (name: string): object => ({ kind: "query", query: name, dimension: 0 });
  for (const given of nodes) {
    const node = mapOperands(given, (id) => moved[id] as number);
    const isOfItem = node.kind === "gather" && made[node.of]?.kind !== "table";
    if (node.kind === "rank") moved.push(node.of);
    else if (node.kind === "scatter") moved.push(add({ kind: "output", name: node.name, of: node.value }));
    else if (node.kind === "query" && GROUPS.includes(node.query))
      moved.push(add(query(node.query.endsWith("id") ? "global-linear-id" : "global-size")));
    else if (isOfItem && node.kind === "gather" && check({ ...rest, nodes: [...made, output(made, node.index)] }).uniformities[node.index] === "item") {
      const one = add({ kind: "const", type: "u32", value: 1 });
      const index = add({ kind: "binary", op: "sub", left: add(query("global-linear-id")), right: one });
      moved.push(add({ ...node, index }));
    } else moved.push(add("scope" in node ? { ...node, scope: "device" } : node));
  }
  return { ...rest, nodes: made };
}
const GROUPS = ["local-size", "local-id", "num-groups", "group-id", "local-linear-id"];
const output = ({ length }: readonly unknown[], of: number) =>
  ({ id: length, kind: "output", name: "none", of }) as const;

describe("random pipelines in rounds", () => {
  it("have the bits of the whole range, over any chunks", async () => {
    const tally = new Map<number, number>();
    let [ran, refused] = [0, 0];
    const why = new Map<string, number>();
    for (let seed = 0; seed < 60; seed++) {
      const made = pipelineCase(seed % 2 ? "small" : "large", "rounds", seed);
      if (made.pipeline.workGroupSize.length > 1) continue;
      let one = made;
      try {
        one = { ...made, pipeline: carriable(made.pipeline) };
        check(one.pipeline);
      } catch (error) {
        why.set((error as Error).message.replace(/\d+/g, "N"), seed);
        continue;
      }
      const { globalOffset: _, ...run } = one.run;
      const { values } = valuesOf({ ...one, run }, true);
      const [n = 0] = run.globalSize;
      try {
        roundsOf(one.pipeline);
      } catch (error) {
        if (!isRefused(error)) throw error;
        refused++;
        why.set((error as Error).message.replace(/\d+/g, 'N'), seed);
        continue;
      }
      const { inputs } = check(one.pipeline);
      if (inputs.length === 0) continue;
      const executable = await jsRuntime().compile(one.pipeline);
      const whole = await executable.run(values, { n }).catch((error: { code: string }) => error.code);
      if (typeof whole === "string") continue;
      const want = Object.fromEntries(
        Object.entries(whole).map(([name, array]) => [name, bytesOf(array).toString("hex")]),
      );
      const known = seed % 3 === 0 ? n : undefined;
      const got = await streamed(one.pipeline, values, cutsOf(n, seed), known);
      expect(got.outputs, `seed ${seed}`).toEqual(want);
      tally.set(got.rounds, (tally.get(got.rounds) ?? 0) + 1);
      ran++;
    }
    console.log(ran, refused, [...tally], why);
  }, 300000);
});
