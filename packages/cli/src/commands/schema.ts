/** `groupwise schema`: the JSON Schema of pipeline documents. */
import { pipelineJsonSchema } from "@groupwise/core/schema";
import type { Outcome } from "../base/outcome.ts";

export async function schemaCommand(): Promise<Outcome> {
  const schema = pipelineJsonSchema();
  return { code: 0, data: { schema }, text: `${JSON.stringify(schema, null, 2)}\n` };
}
