/** Test counts for a suite; `retried` tests passed on the second attempt. */
export type TestSummary = {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly retried?: number
  /** Titles of failed tests, and of tests that passed on a second attempt. */
  readonly failures?: readonly string[]
  readonly unsteady?: readonly string[]
}

/** Test counts for a suite, or why it can't run on this machine. */
export type SuiteReport = { readonly suite: string } & (TestSummary | { readonly notRun: string })

export function describeSuite(report: SuiteReport): string {
  const name = report.suite.padEnd(24)
  return 'notRun' in report ? `${name} not run: ${report.notRun}` : `${name} ${describeSummary(report)}`
}

/** `12 passed, 0 failed`, plus any retried and skipped tests. */
export function describeSummary({ passed, failed, skipped, retried = 0 }: TestSummary): string {
  const onRetry = retried > 0 ? ` (${retried} on a retry)` : ''
  return `${passed} passed${onRetry}, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Failed and retried tests, one per line; printed last because some CI systems truncate earlier output. */
export function describeFailures(reports: readonly SuiteReport[]): string {
  const lines = reports.flatMap((report) => {
    if ('notRun' in report) return []
    const { suite, failures = [], unsteady = [] } = report
    return [
      ...failures.map((title) => `failed        ${suite}: ${title}`),
      ...unsteady.map((title) => `retried       ${suite}: ${title}`),
    ]
  })
  return lines.map((line) => `${line}\n`).join('')
}

/** Suites that can't run are excluded. */
export function sumOf(reports: readonly SuiteReport[]): TestSummary {
  const counted = reports.filter((report) => 'passed' in report)
  const sum = (key: 'passed' | 'failed' | 'skipped' | 'retried') =>
    counted.reduce((total, report) => total + (report[key] ?? 0), 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), retried: sum('retried') }
}
