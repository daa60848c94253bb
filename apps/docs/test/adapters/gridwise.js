import { BinOpMax } from "gridwise/binop.mjs";
import { DLDFScan } from "gridwise/scandldf.mjs";

/** Runs a scan of Gridwise, then a compiled pipeline on its result `x`. Both use the same buffers: nothing is copied. */
export async function runAfterScan(device, program, n, input, buffers) {
  const binop = new BinOpMax({ datatype: "u32" });
  const scan = new DLDFScan({ device, binop, type: "inclusive", datatype: "u32" });
  await scan.execute({ inputBuffer: input, outputBuffer: buffers.x });
  const encoder = device.createCommandEncoder();
  const recording = program.record(encoder, { n, buffers });
  device.queue.submit([encoder.finish()]);
  await recording.check();
  recording.dispose();
}
