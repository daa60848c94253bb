/** `groupwise import`: the pipeline of an ONNX model, as a document. */
import { basename, dirname } from "node:path";
import { stringifyPipeline } from "@groupwise/core/schema";
import { readBytes, STDOUT, writeFiles } from "../base/files.ts";
import type { Outcome, Surroundings } from "../base/outcome.ts";
import { badFile } from "../base/problem.ts";
import type { ImportFlags } from "../flags/tables.ts";
import { fixedInputs } from "../onnx/fixed.ts";
import { importGraph, type Uncovered } from "../onnx/graph.ts";
import { readModel } from "../onnx/model.ts";
import { listOf } from "../onnx/uncovered.ts";
import { keepForeign } from "./emit.ts";

/** Reads a model and writes the document; the model is data, and nothing of it is run. @throws GroupwiseError `bad-file` */
export async function importCommand(
  path: string,
  flags: ImportFlags,
  { cwd }: Surroundings,
): Promise<Outcome> {
  const { out, force, set = [] } = flags;
  const model = await readModel(readBytes(path, cwd), path);
  const imported = importGraph(model, fixedInputs(model, set));
  if ("uncovered" in imported) throw notCovered(path, imported.uncovered);
  const { pipeline, names, items } = imported;
  const text = `${stringifyPipeline(pipeline)}\n`;
  const notes = names.map((name) => `${JSON.stringify(name.model)} is named ${name.pipeline}`);
  if (items !== undefined) notes.push(`no input has the length of the range: run it with --n ${items}`);
  const more = { names, ...(items !== undefined && { items }) };
  if (out === undefined || out === STDOUT) return { code: 0, data: { pipeline, ...more }, text, notes };
  const [directory, name] = [dirname(out), basename(out)];
  if (!force) keepForeign(directory, name, cwd);
  const [written] = writeFiles(directory, [{ path: name, data: text }], cwd);
  return { code: 0, data: { pipeline: pipeline.name, out: written, ...more }, text: `${written}\n`, notes };
}

function notCovered(path: string, uncovered: readonly Uncovered[]): Error {
  const hint =
    "change these parts of the model: the documentation of `groupwise import` lists the operators that it covers";
  return badFile(
    path,
    `a pipeline cannot hold ${uncovered.length} of its parts: ${listOf(uncovered)}`,
    undefined,
    hint,
  );
}
