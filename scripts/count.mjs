/**
 * Sums up vitest's JSON report. A test file that did not load, and a run that failed without a failed
 * test (an unhandled error, no report, no test at all), count as one failure each.
 */
export function countTests(report, status) {
  const count = { passed: 0, failed: 0, skipped: 0, brokenFiles: [] };
  if (!report) return { ...count, failed: 1 };
  count.passed = report.numPassedTests;
  count.failed = report.numFailedTests;
  count.skipped = report.numPendingTests + report.numTodoTests;
  for (const file of report.testResults) {
    if (file.status !== "failed" || file.assertionResults.some((test) => test.status === "failed")) continue;
    count.brokenFiles.push(file.name);
    count.failed += 1;
  }
  if (count.failed === 0 && (status !== 0 || count.passed === 0)) count.failed = 1;
  return count;
}

/** `N passed, N failed`, followed by `, N skipped` and `, N unchanged` when there are any. */
export function formatCount({ passed, failed, skipped, unchanged }) {
  const more = Object.entries({ skipped, unchanged }).filter(([, n]) => n);
  return [`${passed} passed`, `${failed} failed`, ...more.map(([what, n]) => `${n} ${what}`)].join(", ");
}
