import { describe, expect, test } from 'vitest'
import type { CollectionBody } from '#api/collections.ts'
import type { ImportPreview } from '#api/imports.ts'
import {
  keyOptions,
  labelFromFile,
  planError,
  planForNew,
  planInto,
  recordCount,
  startBody,
  withColumn,
} from '#web/features/import/import-plan.ts'
import { localFormat } from '#web/shared/formatting/local-format.ts'

const column = (header: string, kind: ImportPreview['columns'][number]['kind'], emptyCount = 0) => ({
  header,
  kind,
  options: kind === 'number' ? { decimals: 2 } : {},
  format: {},
  samples: [],
  emptyCount,
  misfitCount: 0,
})

const PREVIEW: ImportPreview = {
  encoding: 'utf-8',
  confidence: 'certain',
  separator: ',',
  hasHeader: true,
  columns: [column('Year', 'number'), column('Note', 'text', 3), column('Title', 'text'), column('', 'date')],
  rows: [],
  rowsLookedAt: 10,
  isWhole: true,
}

const field = (name: string, label: string) => ({
  id: name,
  name,
  label,
  kind: 'text' as const,
  required: false,
  unique: false,
  default: null,
  options: {},
})

const FILMS: CollectionBody = {
  id: 'c1',
  name: 'films',
  label: 'Films',
  fields: [field('title', 'Title'), field('releaseYear', 'year')],
  titleField: 'title',
  version: 1,
  timeZone: 'UTC',
  can: [],
}

describe('an import into a new collection', () => {
  const plan = planForNew(PREVIEW, 'us-films_2008.csv')

  test('names the collection after the file', () => {
    expect(plan.label).toBe('Us films 2008')
    expect(labelFromFile('.csv')).toBe('Imported records')
  })

  test('creates a field for every column, including unnamed ones', () => {
    expect(plan.columns.map(({ target, label }) => [target, label])).toEqual([
      ['new', 'Year'],
      ['new', 'Note'],
      ['new', 'Title'],
      ['new', 'Column 4'],
    ])
  })

  test('uses the first text column as the title', () => {
    expect(plan.titleColumn).toBe(1)
  })

  test('uses another column as the title if the title column is skipped', () => {
    expect(withColumn(plan, 1, { target: 'skip' }).titleColumn).toBe(0)
  })

  test('gives columns with the same header different labels', () => {
    const twice = { ...PREVIEW, columns: [column('Name', 'text'), column('NAME', 'text'), column('name', 'text')] }
    expect(planForNew(twice, 'x.csv').columns.map(({ label }) => label)).toEqual(['Name', 'NAME 2', 'Name 3'])
  })

  test('keeps detected options only while the detected type is used', () => {
    const changed = withColumn(plan, 0, { kind: 'text' })
    const optionsIn = (body: ReturnType<typeof startBody>) => {
      const [first] = body.columns
      return first && 'newField' in first ? first.newField.options : undefined
    }
    expect(optionsIn(startBody(plan, PREVIEW))).toEqual({ decimals: 2 })
    expect(optionsIn(startBody(changed, PREVIEW))).toEqual({})
  })

  test('treats the first row as a record if the user says it is not a header', () => {
    const without = planForNew(PREVIEW, 'x.csv', false)
    expect(without.columns.map(({ label }) => label)).toEqual(['Column 1', 'Column 2', 'Column 3', 'Column 4'])
    expect([recordCount(PREVIEW, without), recordCount(PREVIEW, plan)]).toEqual([11, 10])
  })

  test('treats the first row as a header if the user says so', () => {
    const unseen = { ...PREVIEW, hasHeader: false, rows: [['when', 'why', 'What', '']] }
    expect(planForNew(unseen, 'x.csv', true).columns.map(({ label }) => label)).toEqual([
      'When',
      'Why',
      'What',
      'Column 4',
    ])
  })

  test('cannot start if all columns are skipped or the name is missing', () => {
    const nothing = plan.columns.reduce((rest, _, at) => withColumn(rest, at, { target: 'skip' }), plan)
    expect(planError(plan)).toBeNull()
    expect(planError(nothing)).toContain('All columns are skipped. Select at least one.')
    expect(planError({ ...plan, label: ' ' })).toContain('name')
    expect(planError(withColumn(plan, 0, { label: '' }))).toContain('name')
  })
})

describe('the import plan for an existing collection', () => {
  const plan = planInto(planForNew(PREVIEW, 'films.csv'), PREVIEW, FILMS)

  test('maps columns by field name or label, ignoring case, and skips other columns if no fields can be added', () => {
    expect(plan.columns.map(({ target, field: to }) => [target, to])).toEqual([
      ['field', 'releaseYear'],
      ['skip', ''],
      ['field', 'title'],
      ['skip', ''],
    ])
  })

  test('creates fields for unmatched columns, except for system columns', () => {
    const exported = { ...PREVIEW, columns: [...PREVIEW.columns, column('Created', 'date-time'), column('id', 'text')] }
    const managed = planInto(planForNew(exported, 'films.csv'), exported, { ...FILMS, can: ['collections:manage'] })
    expect(managed.columns.map(({ target }) => target)).toEqual(['field', 'new', 'field', 'new', 'skip', 'skip'])
  })

  test("discards a column's corrections when its field or type changes", () => {
    const fixed = withColumn(plan, 0, { replace: [{ from: 'a', to: '1' }], emptyUnreadable: true })
    expect(startBody(fixed, PREVIEW).columns[0]).toMatchObject({
      replace: [{ from: 'a', to: '1' }],
      emptyUnreadable: true,
    })
    expect(withColumn(fixed, 0, { format: { decimal: ',' } }).columns[0]?.replace).toHaveLength(1)
    expect(withColumn(fixed, 0, { field: 'title' }).columns[0]).toMatchObject({ replace: [], emptyUnreadable: false })
  })

  test('maps only one column to each field', () => {
    const moved = withColumn(plan, 1, { target: 'field', field: 'title' })
    expect(moved.columns.map(({ target }) => target)).toEqual(['field', 'field', 'skip', 'skip'])
  })

  test('offers mapped fields and an ID column as possible keys', () => {
    expect(keyOptions(plan, PREVIEW, FILMS).map(({ name }) => name)).toEqual(['title', 'releaseYear'])
    expect(startBody({ ...plan, key: 'title' }, PREVIEW)).toMatchObject({ key: 'title' })
    expect(withColumn({ ...plan, key: 'title' }, 2, { target: 'skip', field: '' }).key).toBeNull()
    const withIds = { ...PREVIEW, columns: [column('ID', 'text'), column('Title', 'text')] }
    const byId = { ...planInto(planForNew(withIds, 'films.csv'), withIds, FILMS), key: 'id' }
    expect(startBody(byId, withIds)).toMatchObject({ key: 'id', columns: [{ id: true }, { field: 'title' }] })
  })

  test('sends one target per column and no title column', () => {
    const body = startBody(plan, PREVIEW)
    expect(body.into).toEqual({ collection: 'films' })
    const format = localFormat()
    expect(body.columns).toEqual([
      { field: 'releaseYear', format },
      { skip: true },
      { field: 'title', format },
      { skip: true },
    ])
    expect(body).not.toHaveProperty('titleColumn')
  })
})
