import { describe, expect, test } from 'vitest'
import { failuresOf, type Report, tableOf } from './report.ts'

const kills: Report = {
  name: 'kills',
  environment: 'SQLite + disk',
  seconds: 61,
  found: { faults: 20, compared: 1234, lost: 0, longestStallMs: 12.4, broken: [] },
}
const hostile: Report = {
  name: 'hostile input',
  environment: 'SQLite + disk',
  seconds: 90,
  found: { inputs: 5000, serverErrors: 2, longestStallMs: 30, broken: ['A name was executed as a script.'] },
}

describe('the results table', () => {
  test('has one row per run and a total', () => {
    const lines = tableOf([kills, hostile]).split('\n')
    expect(lines).toHaveLength(5)
    expect(lines[2]).toMatch(/^\| kills +\| SQLite \+ disk \| 20 +\| 1,234 +\| 0 +\| +\| +\| 12 ms +\| +\| 61 s +\|$/)
    expect(lines[4]).toMatch(/^\| all +\| +\| 20 +\| 1,234 +\| 0 +\| 5,000 +\| 2 +\| 30 ms +\| +\| 2\.5 min +\|$/)
  })

  test('shows why a run could not start', () => {
    const notRun: Report = { name: 'full disk', environment: 'S3', seconds: 0, notRun: 'mounting is not allowed here' }
    expect(tableOf([notRun])).toContain('not run: mounting is not allowed here')
    expect(failuresOf(notRun)).toEqual([])
  })
})

describe('failures', () => {
  test('are empty if no data is lost and no response has status 500', () => {
    expect(failuresOf(kills)).toEqual([])
  })

  test('include the name of their run', () => {
    expect(failuresOf(hostile)).toEqual([
      'hostile input on SQLite + disk: 2 times a 500',
      'hostile input on SQLite + disk: A name was executed as a script.',
    ])
  })

  test('include the error that aborted a run', () => {
    const brokeOff: Report = { name: 'load', environment: 'PostgreSQL + S3', seconds: 3, failure: 'the port was taken' }
    expect(failuresOf(brokeOff)).toEqual(['load on PostgreSQL + S3 failed: the port was taken'])
  })
})
