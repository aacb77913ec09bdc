import { expect, test } from 'vitest'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, FIELD_KINDS, type FieldKind } from '#domain/fields/field.ts'
import { checkFilter } from '#domain/query/check/check-filter.ts'
import { OPERATORS } from '#domain/query/filter/filter.ts'
import { takesKind } from '#domain/query/filter/operators.ts'
import { EXAMPLE_KINDS, filterChapters } from './filter-help.ts'

const choices = ['Open', 'Done', 'Red', 'Blue'].map((name, at) => ({ id: `c${at}`, name, color: 'red' }))

function fieldOf(name: string, kind: FieldKind): Field {
  const options = {
    choices,
    collection: kind === 'relation' && name === 'task' ? 'tasks' : 'customers',
    many: false,
    relation: 'f-task',
  }
  const field = { id: `f-${name}`, name, label: name, kind, required: false, unique: false, default: null, options }
  // Contains the options of all field types; each type uses only its own.
  return field as unknown as Field
}

const withFields = (name: string, fields: readonly Field[]): Collection => ({
  id: name,
  name,
  label: name,
  version: 1,
  titleField: null,
  fields,
})

const customers = withFields('customers', [fieldOf('title', 'text'), fieldOf('task', 'relation')])

/** A collection with the example fields, using `kind` for the field whose group contains it. */
function collectionWith(kind: FieldKind): Collection {
  const fields = EXAMPLE_KINDS.filter(({ field }) => field !== 'id').map(({ field, kinds }) => {
    const [first] = kinds
    return fieldOf(field, kinds.includes(kind) || first === undefined || first === 'id' ? kind : first)
  })
  return withFields('tasks', [...fields, fieldOf('start', 'date'), fieldOf('end', 'date')])
}

function faultOf(filter: string, collection: Collection): string | undefined {
  const checked = checkFilter(filter, {
    collection,
    collectionOf: (id) => (id === 'customers' ? customers : undefined),
    decisionFor: () => ({ allowed: true, hiddenFields: new Set() }),
    now: new Date('2026-11-05T09:30:00Z'),
    timeZone: 'Europe/Vienna',
    workspaceTimeZone: 'Europe/Vienna',
    actorId: '01jd9q4z7m3k8w2x5v6c0b1n4r',
  })
  return checked.ok ? undefined : `${filter}: ${checked.fault.message}`
}

test.each(FIELD_KINDS)('every example with a %s field is a valid filter', (kind) => {
  const collection = collectionWith(kind)
  const faults = filterChapters().flatMap(({ examples }) => examples.map(({ filter }) => faultOf(filter, collection)))
  expect(faults.filter(Boolean)).toEqual([])
})

test('the filter help describes every operator of each field type', () => {
  const chapters = new Map(filterChapters().map(({ title, examples }) => [title, examples]))
  for (const kind of [...FIELD_KINDS, 'id'] as const) {
    const { title, field } = EXAMPLE_KINDS.find(({ kinds }) => kinds.includes(kind)) ?? {}
    const shown = chapters.get(title ?? '')?.map(({ filter }) => filter.slice(`${field} `.length))
    const missing = OPERATORS.filter((op) => takesKind(op, kind) && !shown?.some((rest) => rest.startsWith(op)))
    expect({ kind, missing }).toEqual({ kind, missing: [] })
  }
})
