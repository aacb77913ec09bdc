/** How many tests of one suite passed, failed and were left out. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number }

/** A suite by name: its counts, or why this machine cannot run it. */
export type SuiteReport = { readonly suite: string } & (Tally | { readonly notRun: string })

/** One line about one suite. */
export function describeSuite(report: SuiteReport): string {
  const name = report.suite.padEnd(24)
  return 'notRun' in report ? `${name} not run: ${report.notRun}` : `${name} ${describeTally(report)}`
}

/** `12 passed, 0 failed`, with the skipped named only when there are any. */
export function describeTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** All suites together; one that this machine cannot run adds nothing. */
export function sumOf(reports: readonly SuiteReport[]): Tally {
  const counted = reports.filter((report) => 'passed' in report)
  const sum = (key: keyof Tally) => counted.reduce((total, report) => total + report[key], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}
