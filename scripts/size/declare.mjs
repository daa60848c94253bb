// Declares a pipeline and names WGSL as its target.
export * from "@groupwise/dsl";
export * from "@groupwise/target-wgsl";
