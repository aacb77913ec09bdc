import { describe, expect, test } from 'vitest'
import type { Field, FieldKind, OptionsOf } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { clearing, describeCellError, filling, pasting } from './cell-operations.ts'
import { copyOf } from './duplicate-records.ts'
import { localFormat } from '#web/shared/formatting/local-format.ts'

function fieldOf<Kind extends FieldKind>(
  name: string,
  kind: Kind,
  options: OptionsOf[Kind],
  more: Partial<Field> = {},
): Field {
  // The cast is safe because callers pass options that match the kind.
  return {
    id: `f-${name}`,
    name,
    label: name,
    kind,
    required: false,
    unique: false,
    default: null,
    options,
    ...more,
  } as Field
}
const choices = ['Open', 'Done'].map((name, at) => ({ id: `c${at}`, name, color: 'gray' as const }))
const FIELDS = [
  fieldOf('title', 'text', {}, { required: true }),
  fieldOf('amount', 'number', { min: 0 }),
  fieldOf('state', 'state', { choices }),
  fieldOf('number', 'auto-number', {}),
  fieldOf('code', 'text', {}, { unique: true }),
  fieldOf('secret', 'text', {}),
]
const collection: TypedCollection = {
  id: 'c',
  name: 'c',
  label: 'C',
  fields: FIELDS,
  titleField: 'title',
  version: 1,
  timeZone: 'UTC',
  can: ['records:read', 'records:update', 'records:create', 'records:transition'],
  closed: { secret: { update: 'wholly', create: 'wholly' } },
  workflow: {
    field: 'f-state',
    start: 'c0',
    states: { c1: { frozen: 'all' } },
    transitions: [],
  },
  // Contains only the properties that cells use.
} as unknown as TypedCollection

const line = (id: string, values: { readonly [field: string]: unknown }, ordinal = 0): RecordRow => ({
  record: {
    id,
    version: 1,
    createdAt: '',
    createdBy: null,
    updatedAt: '',
    updatedBy: null,
    values: { title: id, amount: null, state: 'Open', number: 1, code: null, secret: 's', ...values },
  },
  ordinal,
})
const ids = (...names: readonly string[]) => names.map((name) => `f-${name}`)
const reading = { find: () => Promise.resolve(new Map()), format: localFormat('en-US') }

describe('clearing cells', () => {
  test('skips required, read-only and locked cells', () => {
    const lines = [line('r1', { amount: 5 }), line('r2', { amount: 6, state: 'Done' }), line('r3', {})]
    const plan = clearing(collection, lines, ids('title', 'amount', 'state', 'number', 'secret'))
    expect(plan.changes).toEqual([{ record: 'r1', field: 'amount', was: 5, is: null }])
    // Skipped: three titles, statuses, auto numbers and secrets each, and one locked amount.
    expect(plan.leftOut).toBe(13)
  })
})

describe('a paste', () => {
  const paste = (texts: readonly (readonly string[])[], columns: readonly string[], newRows = texts.slice(0, 0)) =>
    pasting(
      collection,
      { texts, lines: [line('r1', {}), line('r2', {})], columnIds: ids(...columns), newRows },
      reading,
    )

  test('pasting repeats text to fill the selection, and skips read-only cells', async () => {
    const plan = await paste([['7', 'x']], ['amount', 'number'])
    expect(plan.changes).toEqual([
      { record: 'r1', field: 'amount', was: null, is: 7 },
      { record: 'r2', field: 'amount', was: null, is: 7 },
    ])
    expect(plan.leftOut).toBe(2)
  })

  test('pasting invalid text reports the cell and the text', async () => {
    const plan = await paste([['7'], ['seven']], ['amount'])
    expect(plan.faults).toEqual([{ record: 'r2', field: 'amount', message: '“seven” isn’t a number.' }])
    expect(plan.firstFault).toBe('amount in “r2”: “seven” isn’t a number.')
    expect(describeCellError('A', '3', 'Must be at least 5.')).toBe('A, “3”: Must be at least 5.')
    expect((await paste([['-1'], ['-1']], ['amount'])).firstFault).toBe('amount in “r1”, “-1”: Must be at least 0.')
  })

  test('an empty text gives a new record the default value of the field', async () => {
    const request = { texts: [['', '2']], lines: [], columnIds: ids('title', 'amount'), newRows: [['', '2']] }
    const withTitle = (more: Partial<Field>) =>
      pasting({ ...collection, fields: FIELDS.with(0, { ...FIELDS[0], ...more } as Field) }, request, reading)
    expect((await withTitle({})).faults).toHaveLength(1)
    expect((await withTitle({ default: 'New' })).faults).toEqual([])
    const calculated = await withTitle({ defaultFormula: '"New"' })
    expect(calculated).toMatchObject({ faults: [], make: [{ values: { amount: 2 } }] })
  })

  test('pasting creates records for extra rows', async () => {
    const texts = [
      ['a', '1'],
      ['b', '2'],
      ['c', ''],
      ['d', 'x'],
    ]
    const plan = await paste(texts, ['title', 'amount'], texts.slice(2))
    expect(plan.make).toEqual([{ values: { title: 'c' } }, { values: { title: 'd' } }])
    expect(plan.firstFault).toBe('amount in new record 2: “x” isn’t a number.')
  })
})

describe('filling', () => {
  const given = (...amounts: readonly number[]) => amounts.map((amount, at) => line(`g${at}`, { amount }))
  const lines = [line('r1', {}), line('r2', { state: 'Done' }), line('r3', { amount: 9 })]

  test('filling down continues a series and skips read-only cells', async () => {
    const cells = { from: { lines: given(3, 6), columnIds: ids('amount') }, to: { lines, columnIds: ids('amount') } }
    const plan = await filling(collection, { direction: 'down', how: 'series' }, cells, reading)
    expect(plan.changes).toEqual([
      { record: 'r1', field: 'amount', was: null, is: 9 },
      { record: 'r3', field: 'amount', was: 9, is: 15 },
    ])
    expect(plan.leftOut).toBe(1)
  })

  test('filling sideways converts between field types, as pasting does', async () => {
    const [first] = given(3)
    const from = { lines: first ? [first] : [], columnIds: ids('amount') }
    const cells = { from, to: { lines: lines.slice(0, 1), columnIds: ids('code', 'secret') } }
    const plan = await filling(collection, { direction: 'end', how: 'copy' }, cells, reading)
    expect(plan.changes).toEqual([{ record: 'r1', field: 'code', was: null, is: '3' }])
    expect(plan.leftOut).toBe(1)
  })
})

test('duplicating a record marks unique text as a copy and resets the status', () => {
  const values = { title: 'A', amount: 5, state: 'Done', number: 7, code: 'X-1', secret: 's' }
  expect(copyOf(collection, values)).toEqual({ title: 'A', amount: 5, code: 'X-1 (copy)' })
})
