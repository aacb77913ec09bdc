import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { startingValues } from '#domain/formulas/default-formulas.ts'
import { type RowReader, type RowResult, createRowReader } from '#domain/imports/row-to-values.ts'
import type { CellValue } from '#server/platform/database/database.ts'
import { type RowPacker, rowPacker } from '#server/platform/database/rows/packed-batch.ts'
import { type DictionaryBuilder, createDictionaryBuilder } from '#server/platform/database/rows/dictionary-lists.ts'
import { type CellWriter, cellWriter } from '#server/records/values/row-mapping.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import type { ReadTask, RowBatch } from './csv-tasks.ts'
import { readCsv } from './read-csv.ts'

export async function* rowsToCells({ file, form, plan, dialect, isCheck = false }: ReadTask): AsyncGenerator<RowBatch> {
  const reader = createRowReader(plan, startingValues)
  const columns = fieldsInRow(reader).map((field) => ({
    write: cellWriter(field, dialect),
    at: reader.fields.indexOf(field),
  }))
  const layout: Layout = { columns, hasKey: plan.key !== undefined, isCheck }
  let rowsRead = 0
  let isHeader = form.hasHeader
  for await (const { rows, bytesRead } of readCsv(file, form)) {
    const batch = emptyBatch(reader)
    for (const cells of isHeader ? rows.slice(1) : rows) {
      rowsRead += 1
      takeRow(batch, layout, reader.read(cells), rowsRead)
    }
    isHeader = false
    const { packer, numbers, keys, refused, missing } = batch
    const titles = batch.titles.map(({ picks }) => picks())
    const lists = batch.lists.map(({ picks }) => picks())
    yield { packed: packer.bytes(), numbers, titles, lists, keys, refused, missing, rowsRead, bytesRead }
  }
}

/** Fields that are stored in the row itself; lists have their own tables, and references are resolved later. */
export const fieldsInRow = ({ fields, references }: RowReader): Field[] =>
  fields.filter((field) => !holdsList(field) && !references.some((pointer) => pointer.id === field.id))

type Batch = {
  readonly packer: RowPacker
  readonly numbers: number[]
  readonly titles: readonly PlacedBuilder[]
  readonly lists: readonly PlacedBuilder[]
  readonly keys: (string | number | null)[]
  readonly refused: RowError[]
  readonly missing: RowError[]
}

/** `at`: where a row's values are. */
type PlacedBuilder = DictionaryBuilder & { readonly at: number }

const emptyBatch = ({ references, fields, lists }: RowReader): Batch => ({
  packer: rowPacker(),
  numbers: [],
  titles: references.map((_, at) => ({ ...createDictionaryBuilder(), at })),
  lists: lists.map((field) => ({ ...createDictionaryBuilder(), at: fields.indexOf(field) })),
  keys: [],
  refused: [],
  missing: [],
})

type Layout = {
  readonly columns: readonly { readonly write: CellWriter; readonly at: number }[]
  readonly hasKey: boolean
  readonly isCheck: boolean
}

function takeRow(batch: Batch, layout: Layout, reading: RowResult, number: number): void {
  const { columns, hasKey, isCheck } = layout
  if (!reading.ok) {
    for (const fault of reading.faults) batch.refused.push({ row: number, ...fault })
    if (!isCheck) return
  } else for (const fault of reading.missing) batch.missing.push({ row: number, ...fault })
  const values = reading.ok ? reading.values : []
  const row: CellValue[] = []
  for (const { write, at } of columns) write(row, values[at] ?? null)
  for (const { add, at } of batch.lists) add(listOf(values[at]))
  for (const { add, at } of batch.titles) add(reading.titles[at] ?? NONE)
  batch.packer.add(row)
  batch.numbers.push(number)
  if (hasKey) batch.keys.push(reading.ok ? reading.key : null)
}

// Lists contain only IDs.
const listOf = (value: FieldValue | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly string[]) : NONE

const NONE: readonly string[] = []
