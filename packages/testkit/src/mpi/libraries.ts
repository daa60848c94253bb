/** The MPI libraries of this machine. */
import { type Found, found, missing, runProcess } from "../devices/index.ts";

/** A library, and an algorithm of its scans. */
export interface Mpi {
  readonly name: string;
  /** The command that compiles and links. */
  readonly compiler: string;
  /** Starts a program as so many ranks. */
  run(
    ranks: number,
    program: string,
    args: readonly string[],
    folder: string,
    env?: Readonly<Record<string, string>>,
  ): ReturnType<typeof runProcess>;
}

interface Row {
  readonly name: string;
  readonly suffix: string;
  readonly options: readonly string[];
  /** Numbers of ranks in full runs of the tests, divided among the libraries: waiting ranks of MPICH keep the processors busy. */
  readonly ranks: readonly number[];
}

const OPEN_MPI = ["--oversubscribe", "--mca", "btl", "self,vader"];
/** An algorithm for user-defined operations: 1 is linear, 2 is recursive doubling. */
const exscan = (algorithm: number): string[] => [
  ...["--mca", "coll_tuned_use_dynamic_rules", "1"],
  ...["--mca", "coll_tuned_exscan_algorithm", String(algorithm)],
];

export const LIBRARIES: readonly [Row, Row, Row] = [
  {
    name: "Open MPI, recursive doubling",
    suffix: "openmpi",
    options: [...OPEN_MPI, ...exscan(2)],
    ranks: [1, 3, 13],
  },
  { name: "MPICH", suffix: "mpich", options: [], ranks: [2, 8] },
  { name: "Open MPI, linear", suffix: "openmpi", options: [...OPEN_MPI, ...exscan(1)], ranks: [5, 16, 64] },
];

/** Containers run as root. */
const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };

/** Debian's names of the commands, which both libraries can have side by side. */
export async function findMpi({ name, suffix, options }: Row): Promise<Found<Mpi>> {
  const [compiler, starter] = [`mpicc.${suffix}`, `mpirun.${suffix}`];
  for (const command of [compiler, starter]) {
    const result = await runProcess(command, ["--version"]).catch(() => undefined);
    if (result?.code !== 0) return missing(`${command} is not installed`);
  }
  return found({
    name,
    compiler,
    run: (ranks, program, args, folder, env = {}) =>
      runProcess(starter, [...options, "-n", String(ranks), program, ...args], {
        cwd: folder,
        env: { ...env, ...AS_ROOT },
      }),
  });
}
