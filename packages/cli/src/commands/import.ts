/** `groupwise import`: the pipeline of an ONNX model, as a document. */
import { basename, dirname } from "node:path";
import { stringifyPipeline } from "@groupwise/core/schema";
import { readBytes, STDOUT, writeFiles } from "../base/files.ts";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { badFile } from "../base/problem.ts";
import { importGraph, type Uncovered } from "../onnx/graph.ts";
import { readModel } from "../onnx/model.ts";
import { keepForeign } from "./emit.ts";

export interface ImportFlags {
  readonly out?: string;
  readonly force?: boolean;
}

/** Reads a model and writes the document; the model is data, and nothing of it is run. @throws GroupwiseError `bad-file` */
export async function importCommand(
  path: string,
  flags: ImportFlags,
  { cwd }: Surroundings,
): Promise<Outcome> {
  const { out, force } = flags;
  const imported = importGraph(await readModel(readBytes(path, cwd), path));
  if ("uncovered" in imported) throw notCovered(path, imported.uncovered);
  const { pipeline, names } = imported;
  const text = `${stringifyPipeline(pipeline)}\n`;
  const notes = names.map(({ model, pipeline: own }) => `${JSON.stringify(model)} is named ${own}`);
  if (out === undefined || out === STDOUT) return { code: 0, data: { pipeline, names }, text, notes };
  const [directory, name] = [dirname(out), basename(out)];
  if (!force) keepForeign(directory, name, cwd);
  const [written] = writeFiles(directory, [{ path: name, data: text }], cwd);
  return { code: 0, data: { pipeline: pipeline.name, out: written, names }, text: `${written}\n`, notes };
}

function notCovered(path: string, uncovered: readonly Uncovered[]): Error {
  const list = uncovered.map(({ where, reason }) => `${where}: ${reason}`).join("; ");
  const hint =
    "change these parts of the model: the documentation of `groupwise import` lists the operators that it covers";
  return badFile(path, `a pipeline cannot hold ${uncovered.length} of its parts: ${list}`, undefined, hint);
}
