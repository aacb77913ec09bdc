import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { type RowReader, createRowReader } from '#domain/imports/row-to-values.ts'
import type { CellValue, Dialect } from '#server/platform/database/database.ts'
import { type RowPacker, rowPacker } from '#server/platform/database/rows/packed-batch.ts'
import { type DictionaryBuilder, createDictionaryBuilder } from '#server/platform/database/rows/dictionary-lists.ts'
import { cellsIn } from '#server/records/values/row-mapping.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import type { ReadTask, RowBatch } from './csv-tasks.ts'
import { readCsv } from './read-csv.ts'

export async function* rowsToCells({ file, form, plan, dialect, isCheck = false }: ReadTask): AsyncGenerator<RowBatch> {
  const reader = createRowReader(plan)
  const places = fieldsInRow(reader).map((field) => ({ field, at: reader.fields.indexOf(field) }))
  const listPlaces = reader.lists.map((field) => reader.fields.indexOf(field))
  const hasKey = plan.key !== undefined
  let rowsRead = 0
  let isHeader = form.hasHeader
  for await (const { rows, bytesRead } of readCsv(file, form)) {
    const batch = emptyBatch(reader)
    for (const cells of isHeader ? rows.slice(1) : rows) {
      rowsRead += 1
      takeRow(batch, reader, { cells, number: rowsRead, dialect, places, listPlaces, hasKey, isCheck })
    }
    isHeader = false
    const { packer, numbers, keys, refused } = batch
    const titles = batch.titles.map(({ picks }) => picks())
    const lists = batch.lists.map(({ picks }) => picks())
    yield { packed: packer.bytes(), numbers, titles, lists, keys, refused, rowsRead, bytesRead }
  }
}

/** Fields that are stored in the row itself; lists have their own tables, and references are resolved later. */
export const fieldsInRow = ({ fields, references }: RowReader): Field[] =>
  fields.filter((field) => !holdsList(field) && !references.some((pointer) => pointer.id === field.id))

type Batch = {
  readonly packer: RowPacker
  readonly numbers: number[]
  readonly titles: readonly DictionaryBuilder[]
  readonly lists: readonly DictionaryBuilder[]
  readonly keys: (string | number | null)[]
  readonly refused: RowError[]
}

const emptyBatch = ({ references, lists }: RowReader): Batch => ({
  packer: rowPacker(),
  numbers: [],
  titles: references.map(createDictionaryBuilder),
  lists: lists.map(createDictionaryBuilder),
  keys: [],
  refused: [],
})

type Row = {
  readonly cells: readonly string[]
  readonly number: number
  readonly dialect: Dialect
  readonly places: readonly { readonly field: Field; readonly at: number }[]
  readonly listPlaces: readonly number[]
  readonly hasKey: boolean
  readonly isCheck: boolean
}

function takeRow(batch: Batch, reader: RowReader, place: Row): void {
  const { cells, number, dialect, places, listPlaces, hasKey, isCheck } = place
  const reading = reader.read(cells)
  if (!reading.ok) {
    for (const fault of reading.faults) batch.refused.push({ row: number, ...fault })
    if (!isCheck) return
  }
  const values = reading.ok ? reading.values : []
  const row: CellValue[] = []
  for (const { field, at } of places) {
    for (const cell of cellsIn(field, values[at] ?? null, dialect)) row.push(cell)
  }
  for (const [at, list] of batch.lists.entries()) list.add(listOf(values[listPlaces[at] ?? -1]))
  for (const [at, pointer] of batch.titles.entries()) pointer.add(reading.titles[at] ?? [])
  batch.packer.add(row)
  batch.numbers.push(number)
  if (hasKey) batch.keys.push(reading.ok ? reading.key : null)
}

const listOf = (value: FieldValue | undefined): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
