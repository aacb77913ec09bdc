import { describe, expect, test } from 'vitest'
import { growthSvg } from './growth-svg.ts'
import { generateRecords, expectedResultsCollector } from '../setup/generated-records.ts'
import { joinRows, tableOf } from './print-table.ts'
import { type BenchResult, type Budget, type Metrics, rowOf } from './result.ts'

const budget: Budget = {
  what: 'Page of 50, without count',
  clients: 1,
  budget: 'p95 ≤ 3 ms',
  bounds: { sqlite: { of: 'p95', atMost: 3 }, postgres: { of: 'p95', atMost: 20 } },
  peers: '87 / 178 ms',
}

const figures = (ms: number): Metrics => ({
  count: 10,
  p50: ms,
  p95: ms * 2,
  p99: ms * 3,
  max: ms * 4,
  perSecond: 1000 / ms,
})

const resultOf = (size: number, columns: Parameters<typeof rowOf>[1]): BenchResult => ({
  at: '2026-11-20T10:00:00.000Z',
  size,
  machine: 'a machine',
  loadBefore: 0,
  loadAfter: 0,
  isQuick: false,
  rows: [rowOf(budget, columns)],
})

describe('a benchmark result row', () => {
  test('shows whether each database except the baseline meets its budget', () => {
    const { cells } = rowOf(
      budget,
      new Map([
        ['sqlite', figures(2)],
        ['postgres', figures(2)],
        ['floor', figures(2)],
      ]),
    )
    expect(cells).toMatchObject({ sqlite: { status: 'OVER' }, postgres: { status: 'in' }, floor: { status: '–' } })
  })

  test('counts a failed run as a missed budget', () => {
    expect(rowOf(budget, new Map([['sqlite', { failure: 'wrong' }]])).cells.sqlite?.status).toBe('OVER')
  })

  test('shows each database’s ratio to the baseline', () => {
    const apart = [
      resultOf(
        10_000,
        new Map([
          ['sqlite', figures(1)],
          ['floor', figures(0.5)],
        ]),
      ),
      resultOf(10_000, new Map([['postgres', figures(3)]])),
    ]
    expect(tableOf(joinRows(apart))).toContain('| 2.00 / 6.00 |')
  })
})

test('shows the cost of permissions as the ratio of restricted-user time to owner time', () => {
  const row = rowOf(
    budget,
    new Map([
      ['sqlite', figures(3)],
      ['sqlite-owner', figures(2)],
    ]),
  )
  const table = tableOf([row])
  expect(table).toContain('| 2.00 / 4.00 · 500/s ')
  expect(table).toMatch(/\| 1\.50 +\|/)
})

test('the chart has a text label for each value', () => {
  const svg = growthSvg([
    resultOf(10_000, new Map([['sqlite', figures(1)]])),
    resultOf(1e6, new Map([['sqlite', figures(2)]])),
  ])
  expect(svg).toContain('Page of 50: Dossier on SQLite 2.00 ms at 10 k, 4.00 ms at 1 M.')
})

describe('generated records', () => {
  test('are identical in every run', () => {
    expect([...generateRecords(50)]).toEqual([...generateRecords(50)])
  })

  test('are counted separately for users with different read access', () => {
    const expected = expectedResultsCollector()
    for (const made of generateRecords(20_000)) expected.note(made)
    const { bound, owner, floor } = expected.truths()
    expect(bound.groups.map(([status]) => status)).not.toContain('spam')
    expect(bound.records).toBeLessThan(owner.records)
    expect(bound.found).toBeLessThan(floor.found)
    expect(floor.found).toBeLessThan(owner.found)
    expect(owner.filtered / owner.records).toBeCloseTo(0.025, 2)
  })
})
