/** `groupwise schema`: the JSON Schema of pipeline documents, or of manifests. */
import { manifestJsonSchema, pipelineJsonSchema } from "@groupwise/core/schema";
import type { Outcome } from "../base/outcome.ts";
import { badUsage } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
import { SCHEMAS, type SchemaName } from "../base/target-names.ts";

const MADE: Readonly<Record<SchemaName, () => object>> = {
  pipeline: pipelineJsonSchema,
  manifest: manifestJsonSchema,
};

/** @throws GroupwiseError `bad-usage` */
export async function schemaCommand(of: string): Promise<Outcome> {
  const known = SCHEMAS.find((name) => name === of);
  if (known === undefined) throw badUsage(`there is no schema of ${JSON.stringify(of)}`, oneOf(of, SCHEMAS));
  const schema = MADE[known]();
  return { code: 0, data: { schema }, text: `${JSON.stringify(schema, null, 2)}\n` };
}
