import { TRIALS } from '#tests/attack/all-trials.ts'
import type { Trial } from '#tests/attack/trial.ts'
import type { SuiteReport } from './test-summary.ts'
import { failuresOf, type Report, tableOf } from '../attack/report.ts'
import { runTrials } from '../attack/run-trials.ts'

/** Fixed for reproducible runs; `npm run attack` uses a new seed each time. */
const SEED = 1

const run = (trials: readonly Trial[]): Promise<readonly Report[]> =>
  runTrials(trials, { isLong: false, seed: SEED, say: console.log })

/**
 * Runs the short attack trials, prints their results and reports each trial as one test. In CI, a failed trial is
 * retried.
 */
export async function runShortAttack(trials: readonly Trial[] = TRIALS): Promise<readonly SuiteReport[]> {
  const first = await run(trials)
  const isBroken = (report: Report | undefined): boolean => report !== undefined && failuresOf(report).length > 0
  const again = process.env['CI'] === undefined ? [] : trials.filter((_, at) => isBroken(first[at]))
  if (again.length > 0) console.log(['Repeating', ...first.flatMap(failuresOf)].join('\n  '))
  const second = await run(again)
  const last = first.map((report, at) => second[again.indexOf(trials[at] as Trial)] ?? report)
  console.log(tableOf(last))

  const ran = last.filter((report) => !('notRun' in report))
  const failed = ran.filter(isBroken)
  const unsteady = first.filter((report, at) => isBroken(report) && !isBroken(last[at])).flatMap(failuresOf)
  return [
    ...last.flatMap(notRunOf),
    {
      suite: 'attack',
      passed: ran.length - failed.length,
      failed: failed.length,
      skipped: 0,
      retried: second.filter((report) => !isBroken(report)).length,
      failures: failed.flatMap(failuresOf),
      unsteady,
    },
  ]
}

const notRunOf = (report: Report): readonly SuiteReport[] =>
  'notRun' in report ? [{ suite: `attack, ${report.name}`, notRun: report.notRun }] : []
