// What a web page bundles to declare a pipeline and emit WGSL; measured by size-limit.
export * from "@groupwise/dsl";
export * from "@groupwise/target-wgsl";
