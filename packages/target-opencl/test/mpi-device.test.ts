/** The emitted functions that open a device, against an OpenCL library whose devices lack what a test says. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { f32, pipeline, table } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { findCc, runProcess, scratchDirectory } from "@groupwise/testkit/devices";
import { findMpi, LIBRARIES } from "@groupwise/testkit/mpi";
import { expect, test } from "vitest";
import { requirementsOf } from "../src/files/mpi/requirements.ts";
import { openclCapabilities } from "../src/index.ts";
import { emitMpi } from "../src/mpi.ts";
import { STUB } from "./device-stub.ts";
import { errorFrom } from "./support.ts";

/** Divides, has a double, and looks up a table of the caller. */
const looked = pipeline("looked", { x: f32, t: table(f32) }, ({ x, t }) => ({
  sums: x.div(t.at(0)).scanInclusive("add"),
  wide: x.toF64().scanInclusive("add"),
}));

/** Kernels that divide and compute doubles as the language does need a device that can. */
const NATIVE = { capabilities: openclCapabilities({ divide: "native", fp64: true }) };

/** Each argument is a call: `open N`, `room LENGTH` and `close`; prints the status, the message and what is alive. */
const CALLS = `#include "gw_looked_device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int stub_alive, stub_builds;
int main(int count, char **words) {
  for (int i = 1; i < count; i++) {
    int status = 0;
    uint64_t room = 0;
    if (strncmp(words[i], "open", 4) == 0) status = gw_looked_device_open(atoi(words[i] + 4), 1, 2);
    else if (strncmp(words[i], "room", 4) == 0) status = gw_looked_device_room(strtoull(words[i] + 4, NULL, 10), &room);
    else gw_looked_device_close();
    printf("%d|%llu|%d|%d|%s%c", status, (unsigned long long)room, stub_builds, stub_alive, gw_looked_device_problem(), 0);
  }
  return 0;
}
`;

const STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off"];
const SANITIZED = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/** Writes the emitted files, the library and a program into a folder. */
function written(main: string): { readonly folder: string; readonly own: readonly string[] } {
  const folder = scratchDirectory();
  const { files } = emitMpi(looked, NATIVE);
  for (const { path, text } of [...files, { path: "stub.c", text: STUB }, { path: "calls.c", text: main }])
    writeFileSync(join(folder, path), text);
  return { folder, own: files.map(({ path }) => path).filter((path) => path.endsWith(".c")) };
}

let program: Promise<string> | undefined;
async function compile(): Promise<string> {
  const { folder } = written(CALLS);
  const args = [...STRICT, ...SANITIZED, "gw_looked_device.c", "stub.c", "calls.c", "-o", "calls"];
  const { code, stderr } = await runProcess("cc", args, { cwd: folder });
  expect([code, stderr]).toEqual([0, ""]);
  return folder;
}

interface Answer {
  readonly status: string | undefined;
  readonly room: number;
  readonly builds: number;
  readonly alive: number;
  readonly message: string;
}

const STATUSES: Readonly<Record<string, string>> = {
  0: "GW_OK",
  2: "GW_TABLE_TOO_LONG",
  6: "GW_NO_MEMORY",
  9: "GW_NO_DEVICE",
  10: "GW_DEVICE_FAILED",
};

/** The answers to calls, with the environment of the library. */
async function answers(
  calls: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Answer[]> {
  program ??= compile();
  const { code, stdout, stderr } = await runProcess("./calls", calls, { cwd: await program, env });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout
    .split("\0")
    .slice(0, -1)
    .map((line) => {
      const [status, room, builds, alive, ...message] = line.split("|");
      return {
        status: STATUSES[status as string],
        room: Number(room),
        builds: Number(builds),
        alive: Number(alive),
        message: message.join("|"),
      };
    });
}

const deviceCalls = (name: string, run: () => Promise<void>): void => deviceTest(name, findCc, run);

deviceCalls("tables count in the room of a device", async () => {
  const memory = 2 ** 24;
  const lengths = [0, memory / 64, memory / 16, memory / 4, 2 ** 40];
  const got = await answers(["open 0", ...lengths.map((length) => `room ${length}`), "room 0", "close"], {
    STUB_MEMORY: String(memory),
  });
  // Two processes share the device, half of whose memory is for others: a quarter of it for this one.
  const [, none, some, more, most, tooMany, again, closed] = got as [Answer, ...Answer[]] as Answer[];
  expect(none).toMatchObject({ status: "GW_OK", room: 2 ** 17, message: "" });
  expect(some).toMatchObject({ status: "GW_OK", room: 2 ** 17 });
  expect(more).toMatchObject({ status: "GW_NO_MEMORY", room: 0 });
  expect(most).toMatchObject({ status: "GW_NO_MEMORY", room: 0 });
  expect(most?.message).toMatch(/no memory for 16384 items and the tables/);
  expect(tooMany).toMatchObject({ status: "GW_TABLE_TOO_LONG", room: 0 });
  expect(again).toMatchObject({ status: "GW_OK", room: 2 ** 17, message: "" });
  expect(closed).toMatchObject({ alive: 0 });
});

deviceCalls(
  "a device that cannot be opened leaves the open one; the same one is not built again",
  async () => {
    const got = await answers(
      ["open -1", "open 2", "open 0", "room 0", "open -1", "open 1", "open 9", "close"],
      { STUB_NO_BUILD: "0", STUB_NO_DIVIDE: "2" },
    );
    const [first, lacking, failed, room, any, same, none, closed] = got;
    // Rank 1 of 2 takes device 1.
    expect(first).toMatchObject({ status: "GW_OK", builds: 1, message: "" });
    expect(lacking).toMatchObject({ status: "GW_NO_DEVICE", builds: 1, alive: first?.alive });
    expect(lacking?.message).toBe("the OpenCL device lacks correctly rounded division");
    expect(failed).toMatchObject({ status: "GW_DEVICE_FAILED", builds: 2, alive: first?.alive });
    expect(room).toMatchObject({ status: "GW_OK", room: 2 ** 24, message: "" });
    expect(any).toMatchObject({ status: "GW_OK", builds: 2, message: "" });
    expect(same).toMatchObject({ status: "GW_OK", builds: 2, message: "" });
    expect(none).toMatchObject({ status: "GW_NO_DEVICE", alive: first?.alive });
    expect(none?.message).toBe("there is no OpenCL device 9: the last one is 2");
    expect(closed?.alive).toBe(0);
  },
);

deviceCalls("no message stays after a call that succeeds; another device replaces the open one", async () => {
  const got = await answers(["open 0", "open 7", "open -1", "open 2", "open 2", "close", "room 0"]);
  expect(got.map(({ status }) => status)).toEqual([
    ...["GW_OK", "GW_NO_DEVICE", "GW_OK", "GW_OK", "GW_OK", "GW_OK", "GW_NO_DEVICE"],
  ]);
  expect(got.map(({ builds }) => builds)).toEqual([1, 1, 1, 2, 2, 2, 2]);
  expect(got[3]?.alive).toBe(got[0]?.alive);
  expect(got.map(({ message }) => message === "")).toEqual([true, false, true, true, true, true, true]);
});

deviceCalls("the whole log of a compiler is reported, up to a megabyte", async () => {
  const [failed] = await answers(["open 0"], { STUB_NO_BUILD: "0" });
  const lines = Array.from({ length: 100 }, (_, i) => `error: line ${i + 1} of the log`);
  expect(failed?.message).toBe(`the kernels are not built: ${lines.join("\n")}`);
  expect(failed).toMatchObject({ status: "GW_DEVICE_FAILED", alive: 0 });
  const [none] = await answers(["open 0"], { STUB_NO_BUILD: "0", STUB_LOG: "0" });
  expect(none?.message).toBe("the kernels are not built: the driver returns no log");
  const [long] = await answers(["open 0"], { STUB_NO_BUILD: "0", STUB_LOG: "100000" });
  expect(long?.message.length).toBeLessThan(2 ** 20 + 100);
  expect(long?.message).toMatch(/\n\(and \d+ more bytes\)$/);
});

deviceCalls("extensions are found by their whole names in lists of any length", async () => {
  const [found] = await answers(["open 0"], { STUB_EXTENSIONS: "3000" });
  expect(found).toMatchObject({ status: "GW_OK", message: "" });
  const [lacking] = await answers(["open 0"], { STUB_LAST: "cl_khr_fp64_more" });
  expect(lacking).toMatchObject({ status: "GW_NO_DEVICE", message: "the OpenCL device lacks cl_khr_fp64" });
});

deviceCalls("the environment names the kind of devices and their platform", async () => {
  const last = async (env: Readonly<Record<string, string>>): Promise<string | undefined> =>
    (await answers(["open 9"], env))[0]?.message;
  const ends = (number: number): string => `there is no OpenCL device 9: the last one is ${number}`;
  const STUB_CPUS = "12";
  expect(await last({ STUB_CPUS })).toBe(ends(0));
  expect(await last({ STUB_CPUS, GW_DEVICE_KIND: "cpu" })).toBe(ends(1));
  expect(await last({ STUB_CPUS, GW_DEVICE_KIND: "any" })).toBe(ends(2));
  expect(await last({ STUB_CPUS, GW_DEVICE_KIND: "accelerator" })).toBe("no OpenCL device is found");
  expect(await last({ STUB_CPUS, GW_DEVICE_KIND: "GPUs" })).toBe(
    "GW_DEVICE_KIND is gpu, cpu, accelerator or any, not GPUs",
  );
  expect(await last({ STUB_CPUS: "012" })).toBe(ends(2));
  expect(await last({ GW_DEVICE_PLATFORM: "first" })).toBe(ends(1));
  expect(await last({ GW_DEVICE_PLATFORM: "second" })).toBe(ends(0));
  expect(await last({ GW_DEVICE_PLATFORM: "third" })).toBe("no OpenCL device is found");
});

deviceCalls("pieces of less than one item are refused by the compiler", async () => {
  const { folder } = written(CALLS);
  for (const [least, isFine] of [
    ["0", false],
    ["3", false],
    ["-1", false],
    ["33554432", false],
    ["1", true],
  ] as const) {
    const args = ["-std=c11", `-DGW_DEVICE_LEAST=${least}`, "-fsyntax-only", "gw_looked_device.c"];
    const { code, stderr } = await runProcess("cc", args, { cwd: folder });
    expect([least, code === 0, /power of two from 1/.test(stderr)]).toEqual([least, isFine, !isFine]);
  }
});

deviceTest(
  "the program prints the whole message of the rank that has a problem",
  () => findMpi(LIBRARIES[1]),
  async (mpi) => {
    const { folder, own } = written("");
    const args = [...STRICT, ...own, "stub.c", "-o", "program"];
    const { code, stderr } = await runProcess(mpi.compiler, args, { cwd: folder });
    expect([code, stderr]).toEqual([0, ""]);
    writeFileSync(join(folder, "x.raw"), new Uint8Array(400));
    // Device 1 is that of rank 1.
    const ran = await mpi.run(2, "./program", ["x=x.raw", "t=x.raw"], folder, { STUB_NO_BUILD: "1" });
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain(
      "gw_looked_mpi: rank 1: the kernels are not built: error: line 1 of the log\n",
    );
    expect(ran.stderr).toContain("\nerror: line 100 of the log\n");
    expect(ran.stderr.match(/rank \d/g)).toHaveLength(1);
  },
);

test("a requirement that emitted functions do not test is refused", async () => {
  const subgroups = { capabilities: openclCapabilities({ subgroups: { minSize: 32, maxSize: 32 } }) };
  expect(await errorFrom(() => emitMpi(looked, subgroups))).toMatchObject({ code: "unsupported" });
  for (const name of ["subgroups", "constructor"])
    expect(await errorFrom(() => requirementsOf({ pipeline: "p", requires: [name] }))).toMatchObject({
      code: "unsupported",
    });
});
