/**
 * Pipelines over the ranks of MPI: functions that a host calls collectively, and a program on files.
 * @module
 */
export { emitMpi } from "./files/mpi/files.ts";
export type { DeviceArgument, DeviceCall, DeviceParts, DeviceWriter } from "./files/state/device.ts";
