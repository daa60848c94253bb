/**
 * Pipelines over the ranks of MPI, each with an OpenCL device: functions that a host calls collectively, and a program on files.
 * @module
 */
export { emitMpi } from "./mpi/files.ts";
