/** The pipeline that a page means. */
import { type Checked, check, type Pipeline } from "@groupwise/core";
import type { Source } from "./messages.ts";

/** A document without the places in bundled files that its nodes name. */
const withoutPlaces = (pipeline: Pipeline): Pipeline => ({
  ...pipeline,
  nodes: pipeline.nodes.map(({ at: _, ...node }) => node as Pipeline["nodes"][number]),
});

/** The checked pipeline of a source, and the text of its document. @throws GroupwiseError as `parsePipeline` */
export async function readSource(
  source: Source,
): Promise<{ readonly checked: Checked; readonly document: string }> {
  if ("demo" in source) {
    const { default: demo } = await import("../landing/running-mean.ts");
    return { checked: check(withoutPlaces(demo.ir)), document: "" };
  }
  const { parsePipeline, stringifyPipeline } = await import("@groupwise/core/schema");
  const checked = parsePipeline(source.document);
  return { checked, document: stringifyPipeline(checked.pipeline) };
}
