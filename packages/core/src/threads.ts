/**
 * For authors of targets: pipelines in parts, on threads of this process or piece after piece. A separate entry, which runtimes import when they need it,
 * because it contains the states.
 * @module
 */
export type { Divided, ThreadLoops, ThreadTarget } from "@groupwise/streams/host/threads/divided.js";
export { dividedOrNot, hostedOnThreads, type ThreadedParts } from "@groupwise/streams/host/threads/hosted.js";
