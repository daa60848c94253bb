/**
 * Sums up Vitest's JSON reports. A test file that did not load, a report that is missing or has no test that passed or failed, and a run that failed
 * without a failed test count as one failure each.
 * @param options the run's exit code; failures before it; the time before which a report is of an earlier run, whose tests have not run again
 */
export function countTests(reports, { status = 0, failed = 0, begun = 0 } = {}) {
  const total = { passed: 0, failed, skipped: 0, unchanged: 0, brokenFiles: [] };
  for (const report of reports) {
    const broken = (report?.testResults ?? []).filter(
      ({ status, assertionResults }) =>
        status === "failed" && !assertionResults.some((test) => test.status === "failed"),
    );
    const failures = (report?.numFailedTests ?? 0) + broken.length;
    const passed = report?.numPassedTests ?? 0;
    total.brokenFiles.push(...broken.map(({ name }) => name));
    total.failed += failures || (passed === 0 ? 1 : 0);
    total[report && report.startTime < begun ? "unchanged" : "passed"] += passed;
    total.skipped += report ? report.numPendingTests + report.numTodoTests : 0;
  }
  if (status && total.failed === 0) total.failed = 1;
  return total;
}

/** `N passed, N failed`, followed by `, N skipped` and `, N unchanged` when there are any. */
export function formatCount({ passed, failed, skipped, unchanged }) {
  const more = Object.entries({ skipped, unchanged }).filter(([, n]) => n);
  return [`${passed} passed`, `${failed} failed`, ...more.map(([what, n]) => `${n} ${what}`)].join(", ");
}
