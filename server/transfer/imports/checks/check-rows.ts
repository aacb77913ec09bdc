import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import type { ReferenceField } from '#domain/imports/row-to-values.ts'
import type { CellValue, Transaction } from '#server/platform/database/database.ts'
import { awaitAll } from '#server/platform/concurrency/async-helpers.ts'
import { columnOf } from '#server/query/sql/sql-context.ts'
import type { RowError } from '#domain/imports/row-issues.ts'
import {
  type CandidateRow,
  type Linked,
  type FilteredRows,
  rejectPicked,
} from '#server/transfer/imports/run/link-rows.ts'
import { findRemovedRows, valuesInUse } from '#server/transfer/imports/run/rows-store.ts'

/** Rejects rows that link to a record that has since been deleted. */
export async function rejectRemovedTargets(
  transaction: Transaction,
  pointers: readonly ReferenceField[],
  linked: Linked,
): Promise<Linked> {
  const gone = await awaitAll(
    ...pointers.map(async (field, at) => {
      const ids = linked.pointed[at]?.texts.filter((id) => id !== '') ?? []
      // Users are never deleted.
      return field.kind === 'user' ? new Set<string>() : findRemovedRows(transaction, field.options.collection, ids)
    }),
  )
  let sifted = linked
  for (const [at, field] of pointers.entries()) {
    const [picks, lost] = [linked.pointed[at], gone[at]]
    if (!picks || !lost?.size) continue
    const faults = picks.texts.map((id) => (lost.has(id) ? TARGET_REMOVED : undefined))
    sifted = rejectPicked(sifted, { field, picks, faults })
  }
  return sifted
}

const TARGET_REMOVED = { code: 'no-match', message: 'The linked record was just deleted.' }

/** Columns for the uniqueness check; `brought` are the fields with a column in the file. */
type Layout = {
  readonly collection: Collection
  readonly columns: readonly string[]
  readonly brought: readonly Field[]
}

/** Rejects rows whose unique value exists in the table or in an earlier row. */
export async function rejectDuplicates(
  transaction: Transaction,
  { collection, columns, brought }: Layout,
  candidates: readonly CandidateRow[],
): Promise<FilteredRows> {
  let sifted: FilteredRows = { candidates, refused: [] }
  for (const field of collection.fields) {
    const column = columnOf(field.id)
    const at = columns.indexOf(column)
    if (!field.unique || at === -1) continue
    const values = sifted.candidates.map(({ row }) => row[at] ?? null).filter((value) => value !== null)
    const used = await valuesInUse(transaction, collection.id, column, [...new Set(values)])
    const isBrought = brought.some(({ id }) => id === field.id)
    sifted = filterRows(sifted, ({ row, number }) => {
      const value = row[at] ?? null
      if (claimValue(used, value)) return undefined
      return isBrought ? duplicateError(number, field, value) : { row: number, ...UNIQUE_DEFAULT_CONFLICT }
    })
  }
  return sifted
}

/** Doesn't name a field, because defaults may contain values that the importer can't read. */
export const UNIQUE_DEFAULT_CONFLICT = {
  column: '',
  message:
    'A default value is set for a unique field, so only one record can be created. Ask an owner to remove that default.',
}

function claimValue(used: Set<CellValue>, value: CellValue): boolean {
  if (value === null) return true
  if (used.has(value)) return false
  used.add(value)
  return true
}

export const duplicateError = (row: number, { label }: Pick<Field, 'label'>, value: CellValue): RowError => ({
  row,
  column: label,
  code: 'duplicate',
  text: String(value),
  message: `“${String(value).slice(0, 60)}” already exists, but the value must be unique.`,
})

function filterRows(before: FilteredRows, errorOf: (candidate: CandidateRow) => RowError | undefined): FilteredRows {
  const refused: RowError[] = [...before.refused]
  const candidates = before.candidates.filter((candidate) => {
    const error = errorOf(candidate)
    if (error !== undefined) refused.push(error)
    return error === undefined
  })
  return { candidates, refused }
}
