import { TRIALS } from '#tests/trust/all-trials.ts'
import type { SuiteReport } from './tally.ts'
import { faultsOf, type Report, tableOf } from './trust/report.ts'
import { runTrials } from './trust/run-trials.ts'

/** The same attack every time: whoever looks for new ones asks `npm run trust`. */
const SEED = 1

/** Runs the short form of every trial, prints their table, and reports each trial as one test. */
export async function runShortTrust(): Promise<readonly SuiteReport[]> {
  const reports = await runTrials(TRIALS, { isLong: false, seed: SEED, say: console.log })
  console.log(tableOf(reports))
  const ran = reports.filter((report) => !('notRun' in report))
  const failures = ran.flatMap(faultsOf)
  const failed = ran.filter((report) => faultsOf(report).length > 0).length
  return [...reports.flatMap(notRunOf), { suite: 'trust', passed: ran.length - failed, failed, skipped: 0, failures }]
}

const notRunOf = (report: Report): readonly SuiteReport[] =>
  'notRun' in report ? [{ suite: `trust, ${report.name}`, notRun: report.notRun }] : []
