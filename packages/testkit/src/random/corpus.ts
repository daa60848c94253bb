/** Cases that failed in the past: `packages/testkit/corpus/cases/*.json`, each in the form that the command `random` prints. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parsePipeline } from "@groupwise/core/schema";
import type { RandomCase } from "./make/case.ts";

const FOLDER = fileURLToPath(new URL("../../corpus/cases/", import.meta.url));

/** A case and the name of its file. */
export interface CorpusCase {
  readonly name: string;
  /** The failure. */
  readonly about: string;
  readonly one: RandomCase;
}

/** Every case, by name. @throws GroupwiseError for a document that is not valid */
export function corpus(): readonly CorpusCase[] {
  if (!existsSync(FOLDER)) return [];
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  return names.sort().map((file) => {
    const { about, pipeline, run } = JSON.parse(readFileSync(`${FOLDER}${file}`, "utf8"));
    return {
      name: file.slice(0, -".json".length),
      about,
      one: { pipeline: parsePipeline(pipeline).pipeline, run },
    };
  });
}
