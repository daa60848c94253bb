/**
 * For authors of targets whose devices do queued commands in order: a runtime over a library with memory, kernels and a queue.
 * @module
 */
export type {
  Driver,
  Handle,
  HostBytes,
  HostWords,
  LaunchArgument,
  Marker,
  QueueDevice,
  Range,
} from "@groupwise/runtime/queue/driver.js";
export { Pool } from "@groupwise/runtime/queue/pool.js";
export { type Backend, limit } from "@groupwise/runtime/queue/program.js";
export { type QueueOptions, type QueueRuntime, queueRuntime } from "@groupwise/runtime/queue/runtime.js";
