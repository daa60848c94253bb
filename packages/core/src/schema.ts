/**
 * Documents: reading, writing and describing pipelines as JSON, and reading and describing manifests. A separate entry, so that programs that only
 * emit do not bundle the validation.
 * @module
 */

export { pipelineJsonSchema } from "@groupwise/ir/schema/json-schema.js";
export { MAX_TEXT, parsePipeline } from "@groupwise/ir/schema/parse.js";
export { stringifyPipeline } from "@groupwise/ir/schema/stringify.js";
export { manifestJsonSchema, parseManifest } from "@groupwise/runtime/plan/manifest-schema.js";
