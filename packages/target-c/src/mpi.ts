/**
 * Pipelines over the ranks of MPI: functions that a host calls collectively, and a program on files.
 * @module
 */
export { emitMpi } from "./mpi/files.ts";
export type { DeviceArgument, DeviceCall, DeviceParts, DeviceWriter } from "./state/device.ts";
