// What a web page bundles to declare a pipeline and name WGSL as its target; measured by size-limit.
export * from "@groupwise/dsl";
export * from "@groupwise/target-wgsl";
