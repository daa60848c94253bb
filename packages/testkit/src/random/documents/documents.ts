/**
 * Hostile documents: valid ones, valid ones with one or a few faults, and texts that are not documents.
 * The same seed gives the same documents.
 */

import type { Pipeline } from "@groupwise/core";
import { type Random, randomOf } from "../../data/random.ts";
import { pipelineCase } from "../make/pipelines.ts";
import { NAMES, spoilt } from "./spoilt.ts";
import { spoiltText, strange } from "./spoilt-text.ts";

/** Documents, as values or as texts; the same for the same seed. */
export function* hostileDocuments(seed: number | string, count: number): Generator<unknown> {
  for (let i = 0; i < count; i++) yield documentOf(randomOf("documents", seed, i));
}

/** The document of a seed with a number, so that a failure of a long run can be reproduced alone. */
export function hostileDocument(seed: number | string, number: number): unknown {
  return documentOf(randomOf("documents", seed, number));
}

function documentOf(random: Random): unknown {
  const kind = random.int(0, 99);
  if (kind < 12) return goodDocument(random);
  if (kind < 80) {
    const document = spoilt(random, goodDocument(random));
    return random.chance(0.3) ? asText(document) : document;
  }
  if (kind < 90) return spoiltText(random, JSON.stringify(goodDocument(random)));
  const document = strange(random);
  return random.chance(0.3) ? asText(document) : document;
}

/** The JSON text if there is one; JSON cannot represent cycles and 64-bit integers. */
function asText(document: unknown): unknown {
  try {
    return JSON.stringify(document) ?? document;
  } catch {
    return document;
  }
}

/** A random pipeline; some of its names have a meaning in a language or in emitted texts. */
function goodDocument(random: Random): Pipeline {
  const { pipeline } = pipelineCase(random.chance(0.1) ? "large" : "small", "documents", random.bits());
  const taken = new Set<string>();
  const renamed = (name: string): string => {
    const wanted = random.chance(0.3) ? random.pick(NAMES) : name;
    const free = taken.has(wanted) ? name : wanted;
    taken.add(free);
    return free;
  };
  const nodes = pipeline.nodes.map((node) =>
    "name" in node ? { ...node, name: renamed(node.name) } : { ...node },
  );
  const name = random.chance(0.2) ? random.pick(NAMES).slice(0, 40) : pipeline.name;
  // Faults change what they are put into.
  return JSON.parse(JSON.stringify({ ...pipeline, name, nodes })) as Pipeline;
}
