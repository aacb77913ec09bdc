import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { type RowReader, rowReader } from '#domain/imports/row-to-values.ts'
import type { CellValue, Dialect } from '#server/database/database.ts'
import { type RowPacker, rowPacker } from '#server/database/packed-rows.ts'
import { cellsIn } from '#server/records/values-and-row.ts'
import type { ReadTask, RowBatch, RowError } from './csv-tasks.ts'
import { readCsv } from './read-csv.ts'

/** Reads a file into batches of rows for a table. */
export async function* rowsToCells({ file, form, plan, dialect }: ReadTask): AsyncGenerator<RowBatch> {
  const reader = rowReader(plan)
  const places = fieldsInRow(reader).map((field) => ({ field, at: reader.fields.indexOf(field) }))
  let rowsRead = 0
  let isHeader = form.hasHeader
  for await (const { rows, bytesRead } of readCsv(file, form)) {
    const batch = emptyBatch()
    for (const cells of isHeader ? rows.slice(1) : rows) {
      rowsRead += 1
      takeRow(batch, reader, { cells, number: rowsRead, dialect, places, hasKey: plan.key !== undefined })
    }
    isHeader = false
    const { packer, ...rest } = batch
    yield { ...rest, packed: packer.bytes(), rowsRead, bytesRead }
  }
}

/** The fields whose cells a row brings: lists have tables of their own, and what a name points at is found later. */
export const fieldsInRow = ({ fields, pointers }: RowReader): Field[] =>
  fields.filter((field) => !holdsList(field) && !pointers.some((pointer) => pointer.id === field.id))

type Batch = {
  readonly packer: RowPacker
  readonly numbers: number[]
  readonly titles: (readonly (readonly string[])[])[]
  readonly lists: (readonly (readonly string[])[])[]
  readonly keys: (string | number | null)[]
  readonly refused: RowError[]
}

const emptyBatch = (): Batch => ({ packer: rowPacker(), numbers: [], titles: [], lists: [], keys: [], refused: [] })

type Row = {
  readonly cells: readonly string[]
  readonly number: number
  readonly dialect: Dialect
  readonly places: readonly { readonly field: Field; readonly at: number }[]
  readonly hasKey: boolean
}

function takeRow(batch: Batch, reader: RowReader, { cells, number, dialect, places, hasKey }: Row): void {
  const reading = reader.read(cells)
  if (!reading.ok) {
    for (const fault of reading.faults) batch.refused.push({ row: number, ...fault })
    return
  }
  const row: CellValue[] = []
  for (const { field, at } of places) {
    for (const cell of cellsIn(field, reading.values[at] ?? null, dialect)) row.push(cell)
  }
  if (reader.lists.length > 0) {
    batch.lists.push(reader.lists.map((field) => listOf(reading.values[reader.fields.indexOf(field)])))
  }
  batch.packer.add(row)
  batch.numbers.push(number)
  if (hasKey) batch.keys.push(reading.key)
  if (reader.pointers.length > 0) batch.titles.push(reading.titles)
}

const listOf = (value: FieldValue | undefined): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
