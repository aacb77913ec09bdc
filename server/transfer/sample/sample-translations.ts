import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { fieldInput } from '#api/collections.ts'
import { COLLECTION_ICONS } from '#domain/collections/collection-appearance.ts'
import { type FieldKind, OPTION_COLORS } from '#domain/fields/field.ts'
import { printCsvLine } from '#domain/imports/print-csv.ts'
import type { Language } from '#domain/shared/language.ts'
import { PROJECT_ROOT } from '#server/platform/config/project-root.ts'
import { readCsv } from '#server/transfer/imports/csv/read-csv.ts'

const SAMPLES = join(PROJECT_ROOT, 'samples')

const PICTURES = 'attachments'

const sampleCollection = z.object({
  name: z.string(),
  label: z.string(),
  icon: z.enum(COLLECTION_ICONS),
  color: z.enum(OPTION_COLORS),
  group: z.string(),
  file: z.string(),
  titleField: z.string(),
  /** `column`: the header of the CSV column that fills the field. */
  fields: z.array(
    fieldInput.extend({ column: z.string().optional() }).transform(({ column, ...field }) => ({ column, field })),
  ),
  [PICTURES]: z.array(z.object({ record: z.string(), field: z.string(), file: z.string(), name: z.string() })),
  /** Rich text by language. */
  documents: z.array(z.object({ record: z.string(), field: z.string(), document: z.looseObject({ en: z.unknown() }) })),
})

export type SampleCollection = z.infer<typeof sampleCollection> & {
  readonly pictures: z.infer<typeof sampleCollection>[typeof PICTURES]
}

/** In dependency order: linked collections come first. */
export async function readSampleDescription(): Promise<readonly SampleCollection[]> {
  const text = await readFile(join(SAMPLES, 'workspace.json'), 'utf8')
  const { collections } = z.object({ collections: z.array(sampleCollection) }).parse(JSON.parse(text))
  return collections.map((each) => ({ ...each, pictures: each[PICTURES] }))
}

export const samplePath = (file: string): string => join(SAMPLES, file)

/** Returns unknown texts unchanged. */
export type Translate = (text: string) => string

/** English is the original. */
const CATALOGUES: { readonly [Each in Language]?: string } = { de: 'de.json' }

/** Cells of other kinds contain proper names, codes, numbers and dates, which aren't translated. */
const TRANSLATED_KINDS: readonly FieldKind[] = ['select', 'relation', 'long-text']

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

/** Translates labels and options but keeps API names, so that one definition works for every language. */
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

/** The CSV with translated cells; its header is unchanged. */
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
