import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Findings, Trial } from '#tests/attack/trial.ts'
import { runShortAttack } from './run-short-attack.ts'

/** A trial that returns these results in order. */
function trialOf(name: string, ...findings: readonly Findings[]): Trial {
  const left = [...findings]
  return { name, environment: 'nowhere', run: async () => left.shift() ?? { broken: ['called too often'] } }
}

const KEPT: Findings = { broken: [] }
const BROKEN: Findings = { broken: ['a promise was broken'] }

beforeEach(() => void vi.spyOn(console, 'log').mockReturnValue())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

test('reports each run as a test, and each failure with its name and environment', async () => {
  vi.stubEnv('CI', undefined)
  expect(await runShortAttack([trialOf('a', KEPT), trialOf('b', BROKEN, KEPT)])).toEqual([
    {
      suite: 'attack',
      passed: 1,
      failed: 1,
      skipped: 0,
      retried: 0,
      failures: ['b on nowhere: a promise was broken'],
      unsteady: [],
    },
  ])
})

test('retries a failed run in CI and reports its name', async () => {
  vi.stubEnv('CI', 'true')
  expect(await runShortAttack([trialOf('a', KEPT), trialOf('b', BROKEN, KEPT), trialOf('c', BROKEN, BROKEN)])).toEqual([
    {
      suite: 'attack',
      passed: 2,
      failed: 1,
      skipped: 0,
      retried: 1,
      failures: ['c on nowhere: a promise was broken'],
      unsteady: ['b on nowhere: a promise was broken'],
    },
  ])
})

test('reports a run that can’t start, but doesn’t count it as a failure', async () => {
  const trial: Trial = { ...trialOf('d'), unavailableReason: async () => 'mounting is not allowed here' }
  expect(await runShortAttack([trial])).toEqual([
    { suite: 'attack, d', notRun: 'mounting is not allowed here' },
    { suite: 'attack', passed: 0, failed: 0, skipped: 0, retried: 0, failures: [], unsteady: [] },
  ])
})
