/** What is emitted for accepted documents of strangers compiles: by Tint, by naga where it can, and by clang. */
import { type EmitOptions, emit, type Pipeline, type Target } from "@groupwise/core";
import { parsePipeline } from "@groupwise/core/schema";
import { opencl } from "@groupwise/target-opencl";
import { wgsl } from "@groupwise/target-wgsl";
import { hostileDocuments } from "@groupwise/testkit";
import { deviceTest } from "@groupwise/testkit/conformance";
import {
  checkWithClang,
  checkWithNaga,
  checkWithTint,
  findClang,
  findDawn,
  findDeno,
  type ReportedFile,
} from "@groupwise/testkit/devices";
import { describe, expect } from "vitest";

const SEED = "compiled";
const COUNT = process.env.GROUPWISE_FULL ? 600 : 8;

/** The first documents of the seed that are accepted. */
function accepted(): Pipeline[] {
  const found: Pipeline[] = [];
  for (const document of hostileDocuments(SEED, 40 * COUNT)) {
    if (found.length === COUNT) break;
    try {
      found.push(parsePipeline(document).pipeline);
    } catch {
      // It is refused, which other tests look at.
    }
  }
  return found;
}

/** What a target emits; a target may lack something that a document asks for. */
function textsOf(target: Target, options: EmitOptions = {}): ReportedFile[] {
  return accepted().flatMap((document, i) => {
    try {
      const [file] = emit(document, target, options).files;
      return [{ name: `${SEED} ${i}`, code: file?.text ?? "" }];
    } catch {
      return [];
    }
  });
}

describe(`${COUNT} accepted documents of the seed ${SEED}`, () => {
  deviceTest(
    "are taken by Tint",
    () => findDawn({ adapter: "lavapipe" }),
    async ({ device }) => {
      const texts = textsOf(wgsl);
      expect(texts.length).toBeGreaterThan(COUNT / 2);
      expect((await checkWithTint(device, texts)).filter(({ ok }) => !ok)).toEqual([]);
    },
  );

  deviceTest(
    "are taken by naga",
    () => findDeno("lavapipe"),
    async () => {
      const reports = await checkWithNaga(textsOf(wgsl), { adapter: "lavapipe" });
      expect(reports.filter(({ ok }) => !ok)).toEqual([]);
    },
  );

  deviceTest("are taken by clang", findClang, async () => {
    const texts = textsOf(opencl);
    expect(texts.length).toBeGreaterThan(COUNT / 2);
    expect((await checkWithClang(texts)).filter(({ ok }) => !ok)).toEqual([]);
  });
});
