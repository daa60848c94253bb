/**
 * Pipelines over the ranks of MPI, each with an OpenCL device: functions that a host calls collectively, and a program on files. The only code
 * of a target that imports another: it writes the device's files for the C of `target-c/mpi`.
 * @module
 */
export { emitMpi } from "./files/mpi/files.ts";
