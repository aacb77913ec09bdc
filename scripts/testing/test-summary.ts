/** How many tests of one suite passed, failed and were left out, and how many of the passed ones only at a second try. */
export type TestSummary = {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly retried?: number
  /** What failed, or passed only at a second try, by its title. */
  readonly failures?: readonly string[]
  readonly unsteady?: readonly string[]
}

/** A suite by name: its counts, or why this machine cannot run it. */
export type SuiteReport = { readonly suite: string } & (TestSummary | { readonly notRun: string })

/** One line about one suite. */
export function describeSuite(report: SuiteReport): string {
  const name = report.suite.padEnd(24)
  return 'notRun' in report ? `${name} not run: ${report.notRun}` : `${name} ${describeSummary(report)}`
}

/** `12 passed, 0 failed`; the skipped, and those that passed only at a second try, are named when there are any. */
export function describeSummary({ passed, failed, skipped, retried = 0 }: TestSummary): string {
  const secondTry = retried > 0 ? ` (${retried} at a second try)` : ''
  return `${passed} passed${secondTry}, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** What failed or needed a second try, one in a line: the end of a long output is all that some machines keep of it. */
export function describeFailures(reports: readonly SuiteReport[]): string {
  const lines = reports.flatMap((report) => {
    if ('notRun' in report) return []
    const { suite, failures = [], unsteady = [] } = report
    return [
      ...failures.map((title) => `failed        ${suite}: ${title}`),
      ...unsteady.map((title) => `second try    ${suite}: ${title}`),
    ]
  })
  return lines.map((line) => `${line}\n`).join('')
}

/** All suites together; one that this machine cannot run adds nothing. */
export function sumOf(reports: readonly SuiteReport[]): TestSummary {
  const counted = reports.filter((report) => 'passed' in report)
  const sum = (key: 'passed' | 'failed' | 'skipped' | 'retried') =>
    counted.reduce((total, report) => total + (report[key] ?? 0), 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), retried: sum('retried') }
}
