/** How many tests of one suite passed, failed and were left out, and how many of the passed ones only at a second try. */
export type Tally = {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly retried?: number
  /** The titles of those that failed, as one would look for them. */
  readonly failures?: readonly string[]
}

/** A suite by name: its counts, or why this machine cannot run it. */
export type SuiteReport = { readonly suite: string } & (Tally | { readonly notRun: string })

/** One line about one suite. */
export function describeSuite(report: SuiteReport): string {
  const name = report.suite.padEnd(24)
  return 'notRun' in report ? `${name} not run: ${report.notRun}` : `${name} ${describeTally(report)}`
}

/** `12 passed, 0 failed`; the skipped, and those that passed only at a second try, are named when there are any. */
export function describeTally({ passed, failed, skipped, retried = 0 }: Tally): string {
  const secondTry = retried > 0 ? ` (${retried} at a second try)` : ''
  return `${passed} passed${secondTry}, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** The failed tests by name, one in a line: the end of a long output is all that some machines keep of it. */
export function describeFailures(reports: readonly SuiteReport[]): string {
  const lines = reports.flatMap((report) => {
    const failures = 'passed' in report ? (report.failures ?? []) : []
    return failures.map((title) => `FAILED  ${report.suite}: ${title}`)
  })
  return lines.map((line) => `${line}\n`).join('')
}

/** All suites together; one that this machine cannot run adds nothing. */
export function sumOf(reports: readonly SuiteReport[]): Tally {
  const counted = reports.filter((report) => 'passed' in report)
  const sum = (key: 'passed' | 'failed' | 'skipped' | 'retried') =>
    counted.reduce((total, report) => total + (report[key] ?? 0), 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), retried: sum('retried') }
}
