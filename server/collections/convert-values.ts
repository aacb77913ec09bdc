import type { OptionsDraft } from '#domain/collections/check-field.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { isEmptyValue, parseValue, printValue } from '#domain/fields/kinds.ts'
import { foldText } from '#domain/shared/fold-text.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Writing } from '#server/changes/commit-change.ts'
import type { Transaction } from '#server/database/database.ts'
import { columnOf } from '#server/query/column-of.ts'
import { cellsOfValue, valueOfCell } from '#server/records/values-and-row.ts'
import { addFieldColumns, dropFieldColumns, renameFieldColumns } from './tables-store.ts'
import { frequentValues, readColumn, writeCells } from './values-store.ts'

/** Rows read and converted at a time. */
const WINDOW = 500
/** Most choices a text field brings along when it becomes a select; beyond it a select is the wrong kind. */
const MAX_CHOICES_FROM_VALUES = 200
/** Longest text that makes a sensible choice. */
const MAX_CHOICE_LENGTH = 120

/** Values a loss names, and how much of each: enough to recognise them. */
const MAX_EXAMPLES = 20
const EXAMPLE_LENGTH = 80

/** What a change of kind cannot carry over. */
export type Loss = { readonly count: number; readonly examples: readonly string[] }

/**
 * Moves a field's values into columns of another kind, by their text form. Values whose text the new kind does not
 * take are left empty and counted; the caller decides whether that is acceptable, else undoes the transaction.
 */
export async function convertValues(writing: Writing, collection: Collection, old: Field, next: Field): Promise<Loss> {
  if (holdsList(old) || holdsList(next)) {
    throw new Problem(
      'definition-invalid',
      'A field of many values cannot change its kind yet. Add a new field instead.',
    )
  }
  const { transaction } = writing
  // The new columns live under an id of their own until the old ones are gone.
  const target: Field = { ...next, id: writing.newId(), unique: false }
  await addFieldColumns(transaction, collection.id, target)

  const lost: string[] = []
  let behind = ''
  for (let isMore = true; isMore; ) {
    const rows = await readColumn(transaction, collection, columnOf(old.id), { behind, count: WINDOW })
    for (const { id, cell } of rows) {
      const value = valueOfCell(old, cell)
      const converted = convert(old, value, target)
      if (converted === undefined) lost.push(printValue(old, value).slice(0, EXAMPLE_LENGTH))
      else await writeCells(transaction, collection, id, cellsOfValue(target, converted, transaction.dialect))
    }
    behind = rows.at(-1)?.id ?? behind
    isMore = rows.length === WINDOW
  }

  await dropFieldColumns(transaction, collection.id, old)
  await renameFieldColumns(transaction, collection.id, target, next)
  return { count: lost.length, examples: lost.slice(0, MAX_EXAMPLES) }
}

/** The value in the new kind; undefined when it has no place there. */
function convert(old: Field, value: FieldValue, target: Field): FieldValue | undefined {
  const text = printValue(old, value)
  const parsed = parseValue(target, text)
  if (!parsed.ok) return undefined
  return isEmptyValue(parsed.value) && !isEmptyValue(value) ? undefined : parsed.value
}

/** The choices a text field would bring along: its frequent values, each once. */
export async function choicesFromValues(
  transaction: Transaction,
  collection: Collection,
  old: Field,
): Promise<NonNullable<OptionsDraft['choices']>> {
  if (old.kind !== 'text' && old.kind !== 'long-text') return []
  const values = await frequentValues(transaction, collection, columnOf(old.id), MAX_CHOICES_FROM_VALUES)
  const byFold = new Map<string, string>()
  for (const value of values) {
    const name = value.trim()
    if (name !== '' && name.length <= MAX_CHOICE_LENGTH && !byFold.has(foldText(name))) byFold.set(foldText(name), name)
  }
  return [...byFold.values()].map((name) => ({ name }))
}
