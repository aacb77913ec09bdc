import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkField } from '#domain/collections/check-field.ts'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import { fail } from '#domain/shared/result.ts'
import { parseValue } from '#domain/fields/kinds.ts'
import { checkDocument } from '#domain/rich-text/check-document.ts'
import { type CsvLine, readCsv } from './make/csv-files.ts'

type Described = {
  readonly name: string
  readonly file: string
  readonly titleField: string
  readonly fields: ReadonlyArray<{
    readonly name: string
    readonly label: string
    readonly kind: FieldKind
    readonly column?: string
    readonly required?: boolean
    readonly unique?: boolean
    readonly options: { readonly collection?: string; readonly many?: boolean }
  }>
  readonly attachments: ReadonlyArray<{ readonly record: string; readonly field: string; readonly file: string }>
  readonly documents: ReadonlyArray<{
    readonly record: string
    readonly field: string
    readonly document: { readonly [language: string]: unknown }
  }>
}

const SAMPLES = new URL('./', import.meta.url)

// The tests below verify that the file has this format.
const workspace = JSON.parse(readFileSync(new URL('workspace.json', SAMPLES), 'utf8')) as {
  readonly collections: readonly Described[]
}
const collections = workspace.collections.map((described) => ({
  ...described,
  lines: readCsv(new URL(described.file, SAMPLES)),
}))
type Collection = (typeof collections)[number]

const named = (name: string): Collection | undefined => collections.find((collection) => collection.name === name)

function titlesOf(collection: Collection | undefined): string[] {
  const column = collection?.fields.find((field) => field.name === collection.titleField)?.column ?? ''
  return collection?.lines.map((line) => line[column] ?? '') ?? []
}

const relatedTitles = (line: CsvLine, column: string): string[] =>
  (line[column] ?? '').split('; ').filter((title) => title !== '')

describe.each(collections)('the collection “$name” of the sample', (collection) => {
  const fields = collection.fields.map((described) => ({ described, checked: check(described) }))

  test('has only valid fields', () => {
    expect(fields.flatMap(({ checked }) => (checked.ok ? [] : checked.fault))).toEqual([])
    expect(new Set(fields.map(({ described }) => described.name)).size).toBe(fields.length)
  })

  test('names exactly the columns of its data', () => {
    const columns = collection.fields.flatMap((field) => field.column ?? [])
    expect(Object.keys(collection.lines[0] ?? {}).toSorted()).toEqual(columns.toSorted())
  })

  test('has a unique title for every record', () => {
    const titles = titlesOf(collection)
    expect(titles).not.toContain('')
    expect(new Set(titles).size).toBe(titles.length)
  })

  test('contains only values that its fields accept', () => {
    const refused = fields.flatMap(({ described, checked }) => {
      if (!checked.ok || described.kind === 'relation') return []
      return collection.lines.flatMap((line) => refusal(checked.value, line[described.column ?? ''] ?? ''))
    })
    expect(refused).toEqual([])
  })

  test('links only to existing records of earlier collections', () => {
    const earlier = new Set(collections.slice(0, collections.indexOf(collection)).map(({ name }) => name))
    for (const { described } of fields.filter((field) => field.described.kind === 'relation')) {
      const target = described.options.collection ?? ''
      expect(earlier).toContain(target)
      const known = new Set(titlesOf(named(target)))
      const unknown = collection.lines.flatMap((line) =>
        relatedTitles(line, described.column ?? '').filter((title) => !known.has(title)),
      )
      expect(unknown).toEqual([])
    }
  })

  test('attaches existing pictures to existing records', () => {
    const titles = new Set(titlesOf(collection))
    for (const { record, field, file } of collection.attachments) {
      expect(titles).toContain(record)
      expect(collection.fields.find(({ name }) => name === field)?.kind).toBe('files')
      expect(existsSync(new URL(file, SAMPLES))).toBe(true)
    }
  })

  test('has valid rich-text notes for existing records', () => {
    const titles = new Set(titlesOf(collection))
    for (const { record, field, document } of collection.documents) {
      expect(titles).toContain(record)
      expect(collection.fields.find(({ name }) => name === field)?.kind).toBe('rich-text')
      for (const each of Object.values(document)) expect(checkDocument(each)).toMatchObject({ ok: true })
    }
  })
})

test('only relations missing from the source data are empty: 12 airports without a state, 150 strikes at Barksdale', () => {
  const withoutState = named('airports')?.lines.filter((line) => line['state'] === '')
  const withoutAirport = named('strikes')?.lines.filter((line) => line['Airport'] === '')
  expect(withoutState).toHaveLength(12)
  expect(withoutAirport).toHaveLength(150)
  expect(new Set(withoutAirport?.map((line) => line['Airport Name']))).toEqual(
    new Set(['BARKSDALE AIR FORCE BASE ARPT']),
  )
})

test('every picture belongs to a record; each is at most 150 kB, and together they are at most 3 MB', () => {
  const attached = collections.flatMap(({ attachments }) => attachments.map(({ file }) => file))
  const files = readdirSync(new URL('pictures/', SAMPLES)).map((name) => `pictures/${name}`)
  const sizes = files.map((file) => statSync(new URL(file, SAMPLES)).size)
  expect(attached.toSorted()).toEqual(files.toSorted())
  expect(Math.max(...sizes)).toBeLessThanOrEqual(150_000)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3_000_000)
})

function check(described: Described['fields'][number]) {
  const { name, label, kind, options, required = false, unique = false } = described
  let count = 0
  return checkField(
    { name, label, kind, options, required, unique },
    {
      id: name,
      newId: () => `choice-${(count += 1)}`,
      takenNames: new Set(),
      hasStatusField: false,
      knownOptions: [],
      findCollection: (wanted) => named(wanted)?.name,
      findRelation: () => fail([]),
      checkFormula: () => fail([]),
      checkRollup: () => fail([]),
      checkDefaultFormula: () => fail([]),
    },
  )
}

function refusal(field: Field, text: string): string[] {
  const parsed = parseValue(field, text)
  return parsed.ok ? [] : [`${field.name}: ${parsed.fault.message}`]
}
