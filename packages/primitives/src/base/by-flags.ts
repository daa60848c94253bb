import type { PipelineSource } from "@groupwise/core";
import { type BoolValue, bool, pipeline } from "@groupwise/dsl";
import type { RecordMonoid, ScanForm } from "./monoid.ts";

/** The scan of each segment, by flags. */
export function scanOf(monoid: RecordMonoid, form: ScanForm): PipelineSource {
  const inputs = { ...monoid.types("x"), starts: bool };
  return pipeline(`segmented-${form}-scan-${monoid.name}`, inputs, ({ starts, ...values }) => {
    const record = monoid.record("x", values);
    const scan = form === "inclusive" ? monoid.scanInclusive : monoid.scanExclusive;
    return monoid.columns("sums", scan(record, { segments: starts as BoolValue }));
  });
}
