import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RecordBody } from '#api/records.ts'
import type { RuleBody } from '#api/rules.ts'
import type { Field } from '#domain/fields/field.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { AUTOSAVE_MS, createDraftSaver } from './draft-saver.ts'
import { draftOf, type StoredEdits, type ShownValues, statusOf } from './record-draft.ts'

const base = { required: false, unique: false, default: null }
const fields: readonly Field[] = [
  { ...base, id: '1', name: 'title', label: 'Title', kind: 'text', options: {} },
  { ...base, id: '2', name: 'amount', label: 'Amount', kind: 'number', options: {} },
]

/** An in-memory server with record versions that rejects negative amounts and can be unreachable. */
function desk(rules: readonly RuleBody[] = []) {
  let current: RecordBody = {
    id: 'r',
    version: 1,
    createdAt: '',
    createdBy: null,
    updatedAt: '',
    updatedBy: null,
    values: { title: 'a', amount: 1 },
  }
  let isAway = false
  const saves: ShownValues[] = []
  const kept: StoredEdits[] = []
  const waiting: number[] = []
  const store = (values: ShownValues) => {
    current = { ...current, version: current.version + 1, values: { ...current.values, ...values } }
  }
  const saver = createDraftSaver(draftOf(current), {
    rules,
    checker: () => undefined,
    fields,
    save: async ({ version }, values) => {
      saves.push(values)
      if (isAway) throw new CallError('unreachable', 'Can’t reach the server.')
      if (version !== current.version) throw new CallError('version-conflict', 'Changed.', { status: 409 })
      // Prevents an endless loop.
      if (saves.length > 20) throw new CallError('forbidden', 'Enough.', { status: 403 })
      if (values['title'] === 'broken') {
        const errors = rules.map(({ message }) => ({ path: '', code: 'rule-broken', message }))
        throw new CallError('rule-broken', 'No.', { status: 422, errors })
      }
      if (Number(values['amount']) < 0) {
        throw new CallError('values-invalid', 'No.', {
          status: 422,
          errors: [{ path: 'amount', code: 'too-small', message: 'Must be at least 0.' }],
        })
      }
      store(values)
      return current
    },
    reload: async () => current,
    keep: (edits, count) => {
      kept.push(edits)
      waiting.push(count)
    },
    onStored: () => {},
  })
  const status = () => statusOf(saver.get())
  return {
    saver,
    saves,
    kept,
    waiting,
    store,
    status,
    stored: () => current.values,
    goAway: (away: boolean) => (isAway = away),
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a draft is saved after a pause in typing', async () => {
  const { saver, saves, status, kept } = desk()
  saver.edit('title', 'b')
  await vi.advanceTimersByTimeAsync(AUTOSAVE_MS - 1)
  saver.edit('title', 'bc')
  await vi.advanceTimersByTimeAsync(AUTOSAVE_MS)
  expect(saves).toEqual([{ title: 'bc' }])
  expect(status()).toBe('saved')
  expect(kept.at(-1)).toEqual({ version: 2, edits: {}, disputed: [] })
})

test('edits made during a save are saved next with the new version', async () => {
  const { saver, stored, status } = desk()
  saver.edit('title', 'b')
  const first = saver.flush()
  saver.edit('amount', 5)
  await first
  expect(stored()).toEqual({ title: 'b', amount: 5 })
  expect(status()).toBe('saved')
})

test('rejected edits are kept, but do not count as pending', async () => {
  const { saver, kept, waiting, goAway } = desk()
  saver.edit('amount', -1)
  expect(waiting.at(-1)).toBe(1)
  await vi.advanceTimersByTimeAsync(AUTOSAVE_MS)
  expect(kept.at(-1)?.edits).toEqual({ amount: -1 })
  expect(waiting.at(-1)).toBe(0)
  goAway(true)
  saver.edit('title', 'b')
  await vi.advanceTimersByTimeAsync(AUTOSAVE_MS)
  expect(waiting.at(-1)).toBe(1)
})

test('a rejected value is held back while other fields are saved', async () => {
  const { saver, stored, status } = desk()
  saver.edit('amount', -1)
  saver.edit('title', 'b')
  await saver.flush()
  expect(stored()).toEqual({ title: 'b', amount: 1 })
  expect(status()).toBe('invalid')
  expect(saver.get().errors).toEqual({ amount: 'Must be at least 0.' })
})

test('a change by someone else to another field is merged', async () => {
  const { saver, store, stored, status } = desk()
  store({ amount: 9 })
  saver.edit('title', 'mine')
  await saver.flush()
  expect(stored()).toEqual({ title: 'mine', amount: 9 })
  expect(status()).toBe('saved')
})

test("overwriting someone else's change to the same field requires confirmation", async () => {
  const { saver, store, stored, status } = desk()
  store({ title: 'theirs' })
  saver.edit('title', 'mine')
  await saver.flush()
  expect(status()).toBe('conflict')
  expect(stored()).toMatchObject({ title: 'theirs' })
  saver.settle('title', 'mine')
  await saver.flush()
  expect(stored()).toMatchObject({ title: 'mine' })
  expect(status()).toBe('saved')
})

test('unsent edits are kept until the server is reachable', async () => {
  const { saver, stored, status, kept, goAway } = desk()
  goAway(true)
  saver.edit('title', 'b')
  await saver.flush()
  expect(status()).toBe('failed')
  expect(kept.at(-1)).toEqual({ version: 1, edits: { title: 'b' }, disputed: [] })
  goAway(false)
  await vi.advanceTimersByTimeAsync(1000)
  expect(status()).toBe('saved')
  expect(stored()).toMatchObject({ title: 'b' })
})

test('stored edits are restored unless there are newer ones', async () => {
  const { saver, stored } = desk()
  saver.edit('title', 'mine')
  expect(saver.adopt({ version: 1, edits: { title: 'left' } })).toBe(false)
  await saver.flush()
  expect(stored()).toMatchObject({ title: 'mine' })
  expect(saver.adopt({ version: 2, edits: { amount: 7 } })).toBe(true)
  await saver.flush()
  expect(stored()).toMatchObject({ amount: 7 })
})

const AMOUNT_IS_THERE: RuleBody = {
  id: 'x',
  message: 'No.',
  field: null,
  when: null,
  then: { field: 'amount', op: 'is not empty' },
}

test.each([
  ['names nothing that was sent', [AMOUNT_IS_THERE]],
  ['is not told', []],
])('edits that violate a rule that %s are not sent until they change', async (_, rules) => {
  const { saver, saves, stored } = desk(rules)
  saver.edit('title', 'broken')
  await saver.flush()
  expect(saves).toEqual([{ title: 'broken' }])
  saver.edit('title', 'whole')
  await saver.flush()
  expect(stored()).toMatchObject({ title: 'whole' })
})

test('a validation error for an outdated value is ignored', async () => {
  const { saver, saves, stored, status } = desk()
  saver.edit('amount', -1)
  const saving = saver.flush()
  saver.edit('amount', 4)
  await saving
  expect(saves).toEqual([{ amount: -1 }, { amount: 4 }])
  expect(stored()).toMatchObject({ amount: 4 })
  expect(status()).toBe('saved')
})

test('a rule violated by an outdated value is checked again', async () => {
  const { saver, saves, stored, status } = desk([AMOUNT_IS_THERE])
  saver.edit('title', 'broken')
  const saving = saver.flush()
  saver.edit('title', 'whole')
  await saving
  expect(saves).toEqual([{ title: 'broken' }, { title: 'whole' }])
  expect(stored()).toMatchObject({ title: 'whole' })
  expect(status()).toBe('saved')
})

test('a violated rule is checked again when another of its fields changes', async () => {
  const both = { all: [AMOUNT_IS_THERE.then, { field: 'title', op: 'is not empty' as const }] }
  const { saver, saves } = desk([{ ...AMOUNT_IS_THERE, then: both }])
  saver.edit('title', 'broken')
  const saving = saver.flush()
  saver.edit('amount', 4)
  await saving
  expect(saves).toEqual([{ title: 'broken' }, { title: 'broken', amount: 4 }])
})
