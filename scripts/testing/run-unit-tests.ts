import { relative } from 'node:path'
import { startVitest, type TestModule } from 'vitest/node'
import type { SuiteReport } from './test-summary.ts'

type FileTally = { passed: number; failed: number; skipped: number; failures: string[]; unsteady: string[] }

/** Counts a file's tests; a file that can't be loaded counts as one failure. */
function tallyOf(module: TestModule): FileTally {
  const tally: FileTally = { passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [] }
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    const counted = state === 'passed' || state === 'skipped' ? state : 'failed'
    tally[counted] += 1
    const title = `${module.relativeModuleId} > ${test.fullName}`
    if (counted === 'failed') tally.failures.push(title)
    else if (test.diagnostic()?.flaky) tally.unsteady.push(title)
  }
  if (!module.ok() && tally.failed === 0) {
    tally.failed = 1
    tally.failures.push(`${module.relativeModuleId} (outside of its tests)`)
  }
  return tally
}

/** Runs the Vitest projects that match the patterns; returns one report per project. */
export async function runUnitTests(projects: readonly string[]): Promise<readonly SuiteReport[]> {
  const vitest = await startVitest([], { run: true, watch: false, reporters: ['default'], project: [...projects] })
  const names = vitest.projects.map(({ name }) => name)
  const modules = vitest.state.getTestModules()
  const errors = vitest.state.getUnhandledErrors().map(describeError)
  await vitest.close()

  const reports = names.map((suite) => {
    const tallies = modules.filter(({ project }) => project.name === suite).map(tallyOf)
    const sum = (key: 'passed' | 'failed' | 'skipped') => tallies.reduce((total, tally) => total + tally[key], 0)
    const failures = tallies.flatMap((tally) => tally.failures)
    const unsteady = tallies.flatMap((tally) => tally.unsteady)
    const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
    return { suite, ...counts, retried: unsteady.length, failures, unsteady }
  })
  if (errors.length === 0) return reports
  return [
    ...reports,
    { suite: 'errors outside of tests', passed: 0, failed: errors.length, skipped: 0, failures: errors },
  ]
}

/** First line of an unhandled error and the test file that was running. */
function describeError(error: unknown): string {
  const { message = String(error), VITEST_TEST_PATH: during = 'an unknown file' } = error as {
    readonly message?: string
    readonly VITEST_TEST_PATH?: string
  }
  return `${relative('.', during)}: ${message.split('\n', 1)[0]}`
}
