import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { FieldKind } from '#domain/fields/field.ts'
import { printCsvLine } from '#domain/imports/print-csv.ts'
import type { Language } from '#domain/shared/language.ts'
import { readCsv } from '#server/transfer/imports/csv/read-csv.ts'
import { type SampleCollection, samplePath } from './sample-description.ts'

/** Returns unknown texts unchanged. */
export type Translate = (text: string) => string

/** English is the original. */
const CATALOGUES: { readonly [Each in Language]?: string } = { de: 'de.json' }

/** Other cells hold proper names, codes, numbers and dates. */
const TRANSLATED_KINDS: readonly FieldKind[] = ['select', 'relation', 'long-text']

/** A report is named by its number and animal. */
const REPORT = /^(?<number>\d{4}-\d{4} )(?<animal>.+)$/

const BETWEEN = '; '

const FORM = { separator: ',', quote: '"', hasHeader: true, encoding: 'utf-8' } as const

export async function loadSampleTranslations(language: Language): Promise<Translate> {
  const file = CATALOGUES[language]
  if (file === undefined) return (text) => text
  const said = z.record(z.string(), z.string()).parse(JSON.parse(await readFile(samplePath(file), 'utf8')))
  return createTranslate(new Map(Object.entries(said)))
}

function createTranslate(said: ReadonlyMap<string, string>): Translate {
  const one: Translate = (text) => said.get(text) ?? text
  return (text) => {
    const { number, animal } = REPORT.exec(text)?.groups ?? {}
    if (number !== undefined && animal !== undefined) return `${number}${one(animal)}`
    return said.get(text) ?? text.split(BETWEEN).map(one).join(BETWEEN)
  }
}

/** Translates labels and options but keeps API names, so that one description serves every language. */
export const translateDescription = (described: SampleCollection, inWords: Translate): SampleCollection => ({
  ...described,
  label: inWords(described.label),
  group: inWords(described.group),
  fields: described.fields.map(({ column, field }) => ({
    column,
    field: {
      ...field,
      label: inWords(field.label),
      options: {
        ...field.options,
        ...(field.options.choices && {
          choices: field.options.choices.map((choice) => ({ ...choice, name: inWords(choice.name) })),
        }),
      },
    },
  })),
  pictures: described.pictures.map((picture) => ({
    ...picture,
    record: inWords(picture.record),
    name: inWords(picture.name),
  })),
  documents: described.documents.map((item) => ({ ...item, record: inWords(item.record) })),
})

/** The translated CSV; its header stays. */
export const translateRecords = (described: SampleCollection, inWords: Translate): Readable =>
  Readable.from(translatedLines(described, inWords))

async function* translatedLines(described: SampleCollection, inWords: Translate): AsyncGenerator<string> {
  const { file, fields, titleField } = described
  const worded = new Set(
    fields
      .filter(({ field }) => field.name === titleField || TRANSLATED_KINDS.includes(field.kind))
      .flatMap(({ column }) => column ?? []),
  )
  let header: readonly string[] | undefined
  for await (const { rows } of readCsv(samplePath(file), FORM)) {
    let lines = ''
    for (const row of rows) {
      header ??= row
      const columns = header
      lines += printCsvLine(
        row === header ? row : row.map((cell, at) => (worded.has(columns[at] ?? '') ? inWords(cell) : cell)),
      )
    }
    yield lines
  }
}
