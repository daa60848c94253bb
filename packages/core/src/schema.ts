/**
 * Documents: reading, writing and describing pipelines as JSON. An entry of its own, so that what only
 * emits does not carry the validation.
 * @module
 */
export { pipelineJsonSchema } from "./schema/json-schema.ts";
export { MAX_TEXT, parsePipeline } from "./schema/parse.ts";
export { stringifyPipeline } from "./schema/stringify.ts";
