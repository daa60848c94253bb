/** `groupwise export`: a pipeline as an ONNX model. */
import { basename, dirname } from "node:path";
import { writeFiles } from "../../base/files.ts";
import type { Outcome, Surroundings } from "../../base/outcome.ts";
import { badFile, badUsage } from "../../base/problem.ts";
import { keepForeign } from "../../commands/emit.ts";
import { loadPipeline } from "../../commands/pipeline-file.ts";
import type { ExportFlags } from "../../flags/tables.ts";
import { writeModel } from "../model.ts";
import { listOf } from "../uncovered.ts";
import { exportModel, type Unwritable } from "./model.ts";

/** @throws GroupwiseError `bad-usage`, `bad-file` for a pipeline with parts that ONNX does not have */
export async function exportCommand(
  path: string,
  { out, export: name, force }: ExportFlags,
  { cwd }: Surroundings,
): Promise<Outcome> {
  if (!out?.endsWith(".onnx"))
    throw badUsage("the model has no file", "pass --out with a name that ends in .onnx");
  const checked = await loadPipeline(path, cwd, name);
  const exported = exportModel(checked);
  if ("unwritable" in exported) throw notWritable(path, exported.unwritable);
  const data = await writeModel(exported.model);
  const [directory, file] = [dirname(out), basename(out)];
  if (!force) keepForeign(directory, file, cwd);
  const [written] = writeFiles(directory, [{ path: file, data }], cwd);
  const { changes } = exported;
  const notes = changes.map((change) => `onnxruntime 1.30: ${change}`);
  return {
    code: 0,
    data: { pipeline: checked.pipeline.name, out: written, changes },
    text: `${written}\n`,
    notes,
  };
}

function notWritable(path: string, unwritable: readonly Unwritable[]): Error {
  const hint =
    "change these parts of the pipeline: the documentation of `groupwise export` lists what a model can hold";
  return badFile(
    path,
    `an ONNX model cannot hold ${unwritable.length} of its parts: ${listOf(unwritable)}`,
    undefined,
    hint,
  );
}
