import { deviceTest } from "@groupwise/testkit/conformance";
import { expect } from "vitest";
import { Gpu } from "../src/device/device.ts";
import { earnedOn, untested } from "../src/runtime/earned.ts";
import { probeRows } from "@groupwise/kernel/probe/rows.js";
import { probePlan } from "@groupwise/runtime/probe/plan.js";
import { Program } from "../src/runtime/program.ts";
import { givenTo } from "@groupwise/kernel/probe/module.js";
import { isAsked, assumptionOf } from "@groupwise/kernel/probe/uses.js";
import { wgsl } from "../src/index.ts";
import { dawn } from "./devices.ts";

deviceTest("try", dawn, async (device) => {
  const caps = untested(device);
  const gpu = new Gpu(device, {});
  const t = (n: string, b: number) => console.log(n, (performance.now() - b).toFixed(0));
  let b = performance.now();
  const rows = probeRows(); t("rows", b);
  for (const type of ["i32","u32","bool","f32"]) {
    const mine = rows.filter((r) => r.type === type && isAsked(r, caps) && assumptionOf(r, caps).by.length === 0);
    b = performance.now(); for (const r of mine) r.exact(); t(`${type} exact ${mine.length}`, b);
    b = performance.now(); for (const r of mine) { const q = performance.now(); r.exact(); if (performance.now()-q > 30) console.log(r.id); }
    b = performance.now(); const plan = probePlan(mine, caps); t("plan", b);
    b = performance.now(); const art = wgsl.print(plan, {}); t("print", b);
    if (type === "f32") console.log(art.files[0]!.text.slice(0, 6000));
    b = performance.now(); const p = await new Program(gpu, {files: art.files, manifest: {...art.manifest, assumes: []}}).compile(); t("compile", b);
    b = performance.now(); await p.run({given: givenTo(mine)}, {n: 1}); t("run", b);
  }
  expect(1).toBe(1);
});
