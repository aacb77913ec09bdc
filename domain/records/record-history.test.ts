import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedFields, doubtfulFields, entryStates, type HistoryEntry } from './record-history.ts'
import type { RecordValues } from './record.ts'

const values = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<string | null>('x', 'y', null))

type Step = { readonly kind: 'change' | 'delete-and-restore'; readonly values: RecordValues }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ kind: fc.constantFrom('change', 'delete-and-restore'), values }),
)

const filled = (given: RecordValues): RecordValues =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))

test('the states of a record are reconstructed from its current values and its log', () => {
  fc.assert(
    fc.property(values, steps, (created, written) => {
      const entries: HistoryEntry[] = [{ kind: 'created', before: null, after: created }]
      const states: (RecordValues | null)[] = [null, created]
      let now: RecordValues = created
      for (const step of written) {
        if (step.kind === 'change') {
          const before = Object.fromEntries(Object.keys(step.values).map((field) => [field, now[field] ?? null]))
          now = { ...now, ...step.values }
          entries.push({ kind: 'changed', before, after: step.values })
          states.push(now)
          continue
        }
        entries.push({ kind: 'deleted', before: now, after: null }, { kind: 'restored', before: null, after: now })
        states.push(null, now)
      }
      const found = entryStates(now, entries.toReversed())
      const clean = (state: RecordValues | null | undefined) => (state ? filled(state) : null)
      expect(found.map(({ after }) => clean(after))).toEqual(states.slice(1).map(clean).toReversed())
      expect(found.map(({ before }) => clean(before))).toEqual(states.slice(0, -1).map(clean).toReversed())
    }),
  )
})

test('a created record changes only the fields that have a value', () => {
  expect(changedFields({ before: null, after: { a: 'x', b: null } })).toEqual(['a'])
  expect(changedFields({ before: { a: 'x', b: 'y' }, after: { a: 'x', b: null } })).toEqual(['b'])
})

test('a value is doubtful between an entry and a later change that wasn’t logged', () => {
  const changed = (before: RecordValues, after: RecordValues): HistoryEntry => ({ kind: 'changed', before, after })
  const entries = [changed({ b: 'x' }, { b: 'y' }), changed({ a: 'x' }, { a: 'y' }), changed({ b: null }, { b: 'x' })]
  expect(doubtfulFields({ a: 'y', b: 'y' }, entries)).toEqual(
    entries.map(() => ({ before: new Set(), after: new Set() })),
  )
  const doubts = doubtfulFields({ a: 'cleared', b: 'y' }, entries)
  expect(doubts.map(({ before, after }) => [[...before], [...after]])).toEqual([
    [['a'], ['a']],
    [[], []],
    [[], []],
  ])
})
