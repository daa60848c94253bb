import { scratchDirectory } from "@groupwise/testkit/devices";
import { afterEach, expect, test, vi } from "vitest";

const runtime = (): Promise<typeof import("../src/runtime.ts")> => import("../src/runtime.ts");

afterEach(() => {
  vi.doUnmock("koffi");
  vi.resetModules();
});

/** By its code: a fresh copy of the modules has an error class of its own. */
const failure = (act: () => Promise<unknown>): Promise<{ code?: string; message: string }> =>
  act().then(
    () => ({ message: "nothing was thrown" }),
    (error: Error & { code?: string }) => error,
  );

/** What a program catches that has no OpenCL: the same error from both entries. */
async function expectMissing(remedy: string): Promise<void> {
  const { listOpenClDevices, openclRuntime } = await runtime();
  for (const act of [listOpenClDevices, openclRuntime]) {
    const error = await failure(() => act());
    expect(error.code).toBe("device-missing");
    expect(error.message).toContain(remedy);
  }
}

test("without koffi the error states how to install it", async () => {
  vi.doMock("koffi", () => {
    throw new Error("Cannot find package 'koffi'");
  });
  await expectMissing("npm install koffi");
});

test("without the OpenCL loader the error states how to install it", async () => {
  const load = (): never => {
    throw new Error("cannot open shared object file");
  };
  vi.doMock("koffi", () => ({ default: { load } }));
  await expectMissing("ocl-icd-libopencl1");
});

test("without a driver the list is empty, and the error of opening a device states how to get one", async (context) => {
  const directory = scratchDirectory();
  process.env.OCL_ICD_VENDORS = directory;
  const { listOpenClDevices, openclRuntime } = await runtime();
  const devices = await listOpenClDevices().catch((error: Error) => error);
  if (devices instanceof Error) return context.skip(devices.message);
  expect(devices).toEqual([]);
  const error = await failure(() => openclRuntime());
  expect(error.code).toBe("device-missing");
  expect(error.message).toContain("pocl-opencl-icd");
});
