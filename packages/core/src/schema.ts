/**
 * Documents: reading, writing and describing pipelines as JSON, and reading and describing manifests. A separate entry, so that programs that only
 * emit do not bundle the validation.
 * @module
 */
export { manifestJsonSchema, parseManifest } from "./host/plan/manifest-schema.ts";
export { pipelineJsonSchema } from "./ir/schema/json-schema.ts";
export { MAX_TEXT, parsePipeline } from "./ir/schema/parse.ts";
export { stringifyPipeline } from "./ir/schema/stringify.ts";
