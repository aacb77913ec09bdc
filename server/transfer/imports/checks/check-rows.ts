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
  /** Fields whose values are resolved references instead of columns. */
  readonly pointers: readonly Field[]
  readonly brought: readonly Field[]
}

/** Reads the value of a unique field in a row; undefined if the import doesn't set it. */
export function uniqueCell(
  field: Field,
  { columns, pointers }: Pick<Layout, 'columns' | 'pointers'>,
): ((candidate: CandidateRow) => CellValue) | undefined {
  const pointer = pointers.findIndex(({ id }) => id === field.id)
  if (pointer !== -1) return ({ ids }) => ids[pointer]?.[0] ?? null
  const at = columns.indexOf(columnOf(field.id))
  return at === -1 ? undefined : ({ row }) => row[at] ?? null
}

/** Rejects rows whose unique value exists in the table or in an earlier row. */
export async function rejectDuplicates(
  transaction: Transaction,
  { collection, brought, ...layout }: Layout,
  candidates: readonly CandidateRow[],
): Promise<FilteredRows> {
  let sifted: FilteredRows = { candidates, refused: [] }
  for (const field of collection.fields) {
    const cellOf = uniqueCell(field, layout)
    if (!field.unique || !cellOf) continue
    const values = sifted.candidates.map(cellOf).filter((value) => value !== null)
    const used = await valuesInUse(transaction, collection.id, columnOf(field.id), [...new Set(values)])
    const isBrought = brought.some(({ id }) => id === field.id)
    sifted = filterRows(sifted, (candidate) => {
      const value = cellOf(candidate)
      const { number } = candidate
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

export const duplicateError = (row: number, field: Pick<Field, 'label' | 'kind'>, value: CellValue): RowError => ({
  row,
  column: field.label,
  code: 'duplicate',
  // The ID of a linked record isn't in the file.
  ...(field.kind !== 'relation' && { text: String(value) }),
  message: duplicateMessage(field, value),
})

export const duplicateMessage = ({ kind }: Pick<Field, 'kind'>, value: CellValue): string =>
  kind === 'relation'
    ? 'Another record already links to this one, and each record can be linked only once.'
    : `“${String(value).slice(0, 60)}” already exists, but the value must be unique.`

function filterRows(before: FilteredRows, errorOf: (candidate: CandidateRow) => RowError | undefined): FilteredRows {
  const refused: RowError[] = [...before.refused]
  const candidates = before.candidates.filter((candidate) => {
    const error = errorOf(candidate)
    if (error !== undefined) refused.push(error)
    return error === undefined
  })
  return { candidates, refused }
}
