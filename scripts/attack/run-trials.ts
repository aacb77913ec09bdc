import type { Trial, TrialRun } from '#tests/attack/trial.ts'
import type { Report } from './report.ts'

/** Runs trials in order; an error in one does not stop the others. */
export async function runTrials(trials: readonly Trial[], run: TrialRun): Promise<readonly Report[]> {
  const reports: Report[] = []
  for (const trial of trials) reports.push(await runTrial(trial, run))
  return reports
}

async function runTrial(trial: Trial, run: TrialRun): Promise<Report> {
  const { name, environment } = trial
  const startedAt = performance.now()
  const unavailableReason = await trial.unavailableReason?.()
  if (unavailableReason !== undefined) return { name, environment, seconds: 0, notRun: unavailableReason }
  run.say(`${name} on ${environment} …`)
  const secondsSoFar = () => (performance.now() - startedAt) / 1000
  return trial.run({ ...run, say: (line) => run.say(`  ${line}`) }).then(
    (found) => ({ name, environment, seconds: secondsSoFar(), found }),
    (error: unknown) => {
      run.say(error instanceof Error ? (error.stack ?? error.message) : String(error))
      return {
        name,
        environment,
        seconds: secondsSoFar(),
        failure: error instanceof Error ? error.message : String(error),
      }
    },
  )
}
