import { describe, expect, test } from 'vitest'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import { filterById } from '#domain/query/filter/saved-filter.ts'
import type { ViewMaker } from './check-view.ts'
import { keepHiddenLayout, viewForReader } from './view-for-reader.ts'
import type { ViewContent } from './view.ts'

const about = (id: string, name: string) => ({ id, name, label: name, required: false, unique: false, default: null })
const CHOICES = [
  { id: 'ch1', name: 'open', color: 'blue' },
  { id: 'ch2', name: 'done', color: 'green' },
] as const
const TITLE: Field = { ...about('f1', 'title'), kind: 'text', options: {} }
const STATUS: Field = { ...about('f2', 'status'), kind: 'select', options: { choices: CHOICES } }
const CLIENT: Field = { ...about('f3', 'client'), kind: 'relation', options: { collection: 'c2', many: false } }
const BUDGET: Field = { ...about('f4', 'budget'), kind: 'number', options: {} }

const jobs = (fields: readonly Field[]): Collection => ({
  id: 'c1',
  name: 'jobs',
  label: 'Jobs',
  fields,
  titleField: null,
  version: 1,
})
const JOBS = jobs([TITLE, STATUS, CLIENT])
const CLIENTS: Collection = {
  id: 'c2',
  name: 'clients',
  label: 'Clients',
  fields: [BUDGET],
  titleField: null,
  version: 1,
}

/** A user who can read both collections, except for some fields. */
function reader(collection: Collection, hidden: readonly string[] = []): ViewMaker {
  const hiddenFields = new Set(hidden)
  return {
    collection,
    collectionOf: (id) => (id === CLIENTS.id ? CLIENTS : undefined),
    decisionFor: () => ({ allowed: true, hiddenFields }),
    now: new Date(0),
    timeZone: 'UTC',
    workspaceTimeZone: 'UTC',
    actorId: 'u1',
    hiddenFields,
  }
}

function asking(filter: string, sort: readonly string[] = []): ViewContent {
  const parsed = parseFilter(filter)
  if (!parsed.ok) throw new Error(parsed.fault.message)
  return {
    query: {
      filter: filterById(parsed.value.filter, reader(JOBS)),
      search: '',
      sort: sort.map((path) => ({ path, isDescending: false })),
      group: [],
    },
    display: { kind: 'grid', options: {} },
    layout: { order: ['f2', 'f1'], hidden: [], frozen: [], widthsPx: { f2: 90 }, footers: {} },
    look: { density: 'normal', areFiltersShown: false, isWrapped: false, colors: [] },
    pageSize: 10,
  }
}

describe('a displayed view', () => {
  test('has its saved settings with current field names', () => {
    const shown = viewForReader(asking('status = "open" && client.budget > 2', ['f3.f4', 'f1']), reader(JOBS))
    expect(shown.query).toMatchObject({ filter: 'status = "open" && client.budget > 2', sort: 'client.budget,title' })
    expect(shown).toMatchObject({ isUsable: true, isWhole: true, fellAway: [] })
  })

  test('drops conditions on deleted fields, and groups left empty as a result', () => {
    const view = asking('(status = "open" || status = "done") && (title ~ "a" || status is empty)')
    const shown = viewForReader(view, reader(jobs([TITLE, CLIENT])))
    expect(shown.query.filter).toBe('title ~ "a"')
    expect(shown.fellAway).toEqual(['filter'])
    expect(viewForReader(asking('status = "open"'), reader(jobs([TITLE]))).query.filter).toBe('')
  })

  test('keeps the remaining options of a condition if one was deleted', () => {
    const left: Field = { ...STATUS, kind: 'select', options: { choices: CHOICES.slice(1) } }
    const shown = viewForReader(asking('status in ("open", "done")'), reader(jobs([TITLE, left])))
    expect(shown.query.filter).toBe('status in ("done")')
  })

  test('can’t be used if a condition uses hidden fields, even in another collection', () => {
    const shown = viewForReader(asking('title ~ "a" || client.budget > 2', ['f1']), reader(JOBS, ['f4']))
    expect(shown).toMatchObject({ isUsable: false, isWhole: false, query: { filter: '', sort: '' }, fellAway: [] })
  })

  test('distinguishes deleted fields from hidden ones', () => {
    const shown = viewForReader(asking('title ~ "a"', ['f2', 'f3.f4']), reader(jobs([TITLE, CLIENT]), ['f4']))
    expect(shown).toMatchObject({ query: { sort: '' }, isUsable: true, isWhole: false, fellAway: ['sort'] })
  })
})

test('keeps the layout of hidden fields when a view is saved', () => {
  const before = {
    order: ['f1', 'f9'],
    hidden: ['f9'],
    frozen: [],
    widthsPx: { f1: 50, f9: 70 },
    footers: { f9: 'sum' },
  }
  const saved = { order: ['f2', 'f1'], hidden: [], frozen: ['f1'], widthsPx: {}, footers: {} }
  expect(keepHiddenLayout(saved, before, new Set(['f9']))).toEqual({
    order: ['f2', 'f1', 'f9'],
    hidden: ['f9'],
    frozen: ['f1'],
    widthsPx: { f9: 70 },
    footers: { f9: 'sum' },
  })
})
