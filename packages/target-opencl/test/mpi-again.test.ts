import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import {
  AGAIN,
  LIBRARIES,
  layoutOf,
  problemsOf,
  ranksMain,
  rounds,
  writeAgain,
} from "@groupwise/testkit/mpi";
import { expect, test } from "vitest";
import { emitMpi } from "../src/mpi.ts";
import { build, onPocl } from "./mpi.ts";

for (const library of isFullRun() ? LIBRARIES : []) {
  const ranks = library.ranks.filter((count) => count <= 8);
  deviceTest(
    `${library.name}: the functions over arrays, ${ranks.join(", ")} ranks`,
    onPocl(library),
    async ({ mpi, env }) => {
      const layouts = AGAIN.map(({ ir }) => layoutOf(ir));
      const folder = await build(mpi, AGAIN, { main: ranksMain(layouts, true), least: 64 });
      const wholes = [...writeAgain(7001, false, folder), ...writeAgain(1501, true, folder)];
      for (const count of ranks) expect(await problemsOf(wholes, mpi, count, folder, env)).toEqual([]);
    },
  );
}

test("the rounds of a rank share the memory of its device", () => {
  const code = emitMpi(rounds).files.find(({ path }) => path === "gw_rounds_mpi.c")?.text ?? "";
  const opened = [...code.matchAll(/= (\w+)_device_open\(device, rank, ranks\)/g)].map(([, name]) => name);
  expect(opened).toEqual(["gw_rounds_round1", "gw_rounds_round2", "gw_rounds"]);
  expect(code).toContain("  ranks *= 3;\n");
});
