/**
 * For authors of targets: runtimes that compute parts of a range on threads of this process. A separate entry, so that runtimes of one thread do not
 * bundle it.
 * @module
 */
export type { Divided, ThreadLoops, ThreadTarget } from "@groupwise/streams/host/threads/divided.js";
export { dividedOrNot, hostedOnThreads, type ThreadedParts } from "@groupwise/streams/host/threads/hosted.js";
export { type LoopCode, WorkerPool } from "@groupwise/streams/host/threads/pool.js";
export {
  coresHere,
  type Listener,
  MOST_WORKERS,
  noThreadsHere,
  type OpenPort,
  type Port,
  portsHere,
} from "@groupwise/streams/host/threads/port.js";
export { workerText } from "@groupwise/streams/host/threads/text.js";
