/** Faults and limits of OpenCL drivers, and the workaround of the target for each. */
import type { Expansion, Quirk } from "@groupwise/core/target";

interface OpenClQuirks {
  /** Bytes of the longest fill. */
  readonly longFill: Quirk<number>;
  readonly waitingRead: Quirk;
  readonly waitingCopy: Quirk;
  /** The name of the platform. */
  readonly oneThread: Quirk<string>;
  /** The least size of work-groups that use the language's own functions. */
  readonly smallGroup: Quirk<number>;
  readonly falseAll: Quirk;
  readonly reportedSize: Quirk;
  readonly floatCompare: Quirk<readonly Expansion[]>;
  readonly nanToWide: Quirk<readonly Expansion[]>;
  readonly fusedQuotient: Quirk<readonly Expansion[]>;
  readonly leastMagnitude: Quirk<readonly Expansion[]>;
  /** The condition of the preprocessor under which the compiler has no variadic macros. */
  readonly variadicMacro: Quirk<string>;
  /** The name that is a macro. */
  readonly renamedBarrier: Quirk<string>;
  readonly swappedAnd: Quirk;
  /** Elements of the longest array that is declared with its zeros. */
  readonly longArray: Quirk<number>;
  readonly opaqueMinimum: Quirk;
  readonly fixpoint: Quirk;
}

/** By topic. The row of a corrected driver remains, because users have old drivers. */
export const QUIRKS: OpenClQuirks = {
  longFill: {
    who: "NVIDIA 580",
    what: "hangs or fails in a fill that goes past 2^32 bytes of its buffer",
    remedy: "long fills are divided into sub-buffers",
    value: 2 ** 30,
  },
  waitingRead: {
    who: "NVIDIA 580",
    what: "may wait in clEnqueueReadBuffer for all earlier commands, with CL_FALSE too, as CUDA does if the memory of the host is not pinned",
    remedy:
      "on GPUs results of runs, and short ones of steps, are read through a second queue after the first one is done",
    value: undefined,
  },
  waitingCopy: {
    who: "NVIDIA 580",
    what: "copies the memory of CL_MEM_COPY_HOST_PTR when a command first uses the buffer, and waits for all earlier commands in the call that queues it",
    remedy: "on GPUs such buffers are written through a second queue before they are used",
    value: undefined,
  },
  oneThread: {
    who: "Oclgrind 21",
    what: "runs commands in the thread that flushes or waits, and ends the process if two threads build programs or run kernels at once",
    remedy: "its programs are built one after the other, and the host waits in its own thread",
    value: "Oclgrind",
  },
  smallGroup: {
    who: "PoCL 6.0",
    what: "ends the process in a work-group function or a shuffle of a work-group of one or two work-items",
    remedy: "such work-groups use work-group memory, which takes one round",
    value: 3,
  },
  falseAll: {
    who: "PoCL 6.0",
    what: "gives 0 for work_group_all if the predicate is true in every work-item",
    remedy: "`all` is printed as the negation of work_group_any",
    value: undefined,
  },
  reportedSize: {
    who: "NVIDIA 580",
    what: "reports 256 as the maximum size of a kernel that it accepted with a larger required size",
    remedy: "the size that the compiler accepted is queried first",
    value: undefined,
  },
  floatCompare: {
    who: "NVIDIA 580",
    what: "decides `0 <= fabs(x)` and `x < 0 ? x : 0` as if there were no NaN and no -0, and converts a subnormal float to 1",
    remedy: "comparisons of floats, and their conversions to 32-bit integers, go through integers",
    value: ["float-compare", "float-to-int"],
  },
  nanToWide: {
    who: "NVIDIA 580",
    what: "saturates in convert_long_sat, but does not turn NaN into 0",
    remedy: "NaN is tested before the conversion",
    value: ["nan-to-wide-int"],
  },
  fusedQuotient: {
    who: "NVIDIA 580",
    what: "makes a product of a quotient by a power of two and then fuses it, whatever FP_CONTRACT says",
    remedy: "the quotient is emitted as a product, which FP_CONTRACT governs",
    value: ["divide-by-power"],
  },
  leastMagnitude: {
    who: "PoCL 3.1 (LLVM 15), NVIDIA 580",
    what: "takes the magnitude of the least integer for positive (findings/pocl-abs-of-least-int.sh, findings/ptxas-magnitudes.sh)",
    remedy: "a magnitude is x - (2x & sign), of which no compiler makes its own",
    value: ["int-abs"],
  },
  variadicMacro: {
    who: "NVIDIA 580",
    what: "refuses variadic macros before OpenCL C 3.0",
    remedy: "GROUPWISE_BROADCAST_COORDINATES gives the number of coordinates of broadcasts",
    value: "defined(__NV_CL_C_VERSION) && __OPENCL_C_VERSION__ < 300",
  },
  renamedBarrier: {
    who: "PoCL",
    what: "renames work_group_barrier by a macro",
    remedy: "headers undefine it before they define their own",
    value: "work_group_barrier",
  },
  swappedAnd: {
    who: "PoCL 6.0 (LLVM 18)",
    what: "crashes on some minima of floats if the comparison is the second operand of an `and`",
    remedy: "the comparison is the first operand",
    value: undefined,
  },
  longArray: {
    who: "rusticl of Mesa 26 (LLVM 22)",
    what: "makes a store for each element of an array with an initialiser, and takes time quadratic in their number: 5 s for 200, more than 7 minutes for 2,000",
    remedy: "in chunks, longer arrays are cleared in a loop",
    value: 16,
  },
  opaqueMinimum: {
    who: "PoCL 7.1",
    what: "copies what follows a loop with a barrier that may run no round, and calls min and max as functions, so that it does not see a bound of at least 1: eight collectives of a header took 60 s",
    remedy: "loops of headers test for their end after the body",
    value: undefined,
  },
  fixpoint: {
    who: "PoCL 6.0 (LLVM 18)",
    what: 'ends the process with "Instruction Combining did not reach a fixpoint", which it asks of LLVM, for some kernels, such as the greater of two f32 that is stored as bf16',
    remedy:
      "minima and maxima test the left operand for NaN last; other kernels may still do it, and PoCL 3.1 and 7.1 compile the same ones",
    value: undefined,
  },
};
