import type { OptionsDraft } from '#domain/fields/field-options.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, hasSelectOptions, holdsList } from '#domain/fields/field.ts'
import { holdsText } from '#domain/fields/folded-text.ts'
import { foldText } from '#domain/shared/text.ts'
import { parseList } from '#domain/shared/list-text.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { columnOf } from '#server/query/sql/sql-context.ts'
import { cellsOfValue, valueOfCell } from '#server/records/values/row-mapping.ts'
import { conversionOf, convert, textOf } from '#server/records/values/convert-value.ts'
import { addFieldColumns, dropFieldColumns, renameFieldColumns } from '#server/schema/collections/tables-store.ts'
import { frequentValues, readColumn, readLists, writeCells, writeLists } from './values-store.ts'

/** Rows read and converted at a time. */
const WINDOW_ROWS = 2000
/** Most choices a text field brings along when it becomes a select; beyond it a select is the wrong kind. */
const MAX_OPTIONS_FROM_VALUES = 200
/** Longest text that makes a sensible choice. */
const MAX_OPTION_LENGTH = 120

/** Values a loss names: enough to recognise what they are. */
const MAX_EXAMPLES = 20
/** How much of a value a loss names. */
export const EXAMPLE_LENGTH = 80

/** What a change of kind cannot carry over. */
export type DataLoss = { readonly count: number; readonly examples: readonly string[] }

/**
 * Moves a field's values into columns of another kind, by their text form. Values whose text the new kind does not
 * take are left empty and counted; the caller decides whether that is acceptable, else undoes the transaction.
 */
export async function convertValues(
  writing: Writing,
  collection: Collection,
  old: Field,
  next: Field,
): Promise<DataLoss> {
  const { transaction } = writing
  // The new columns live under an id of their own until the old ones are gone.
  const target: Field = { ...next, id: writing.newId(), unique: false }
  await addFieldColumns(transaction, collection.id, target)

  const loss = await convertEach(transaction.db, collection, { old, target }, (converted) =>
    writeValues(transaction, collection, target, converted),
  )
  await dropFieldColumns(transaction, collection.id, old)
  await renameFieldColumns(transaction, collection.id, target, next)
  return loss
}

/** What such a change would lose, told by reading alone: nobody who writes has to wait for it. */
export const previewLoss = (reader: Reader, collection: Collection, old: Field, next: Field): Promise<DataLoss> =>
  convertEach(reader, collection, { old, target: next }, async () => undefined)

/** Converts all values of a field, window by window, and hands those on that the new kind takes. */
async function convertEach(
  reader: Reader,
  collection: Collection,
  { old, target }: { readonly old: Field; readonly target: Field },
  take: (converted: readonly HeldValue[]) => Promise<void>,
): Promise<DataLoss> {
  const change = await conversionOf(reader, old, target)
  const examples: string[] = []
  let count = 0
  let behind = ''
  for (let isMore = true; isMore; ) {
    const held = await readValues(reader, collection, old, behind)
    const converted: HeldValue[] = []
    for (const { id, value } of held) {
      const next = convert(change, value)
      if (next !== undefined) converted.push({ id, value: next })
      else if ((count += 1) <= MAX_EXAMPLES) examples.push(textOf(change, value).slice(0, EXAMPLE_LENGTH))
    }
    await take(converted)
    behind = held.at(-1)?.id ?? behind
    isMore = held.length === WINDOW_ROWS
  }
  return { count, examples }
}

/** A record with what it holds in a field. */
export type HeldValue = { readonly id: string; readonly value: FieldValue }

/** The next records that hold something in a field, with what they hold. */
async function readValues(
  reader: Reader,
  collection: Collection,
  field: Field,
  behind: string,
): Promise<readonly HeldValue[]> {
  const window = { behind, count: WINDOW_ROWS }
  if (holdsList(field)) {
    const lists = await readLists(reader, field.id, window)
    return lists.map(({ id, list }) => ({ id, value: list }))
  }
  const cells = await readColumn(reader, collection, columnOf(field.id), window)
  return cells.map(({ id, cell }) => ({ id, value: valueOfCell(field, cell) }))
}

/** Writes values into the columns of a field that are empty yet. */
export function writeValues(
  transaction: Transaction,
  collection: Collection,
  target: Field,
  values: readonly HeldValue[],
): Promise<void> {
  if (holdsList(target)) {
    const lists = values.map(({ id, value }) => ({ id, list: Array.isArray(value) ? value.map(String) : [] }))
    return writeLists(transaction, target.id, lists)
  }
  const cells = values.map(({ id, value }) => ({ id, cells: cellsOfValue(target, value, transaction.dialect) }))
  return writeCells(transaction, collection, cells)
}

/** The choices a field brings along: its own, or the frequent values of a text, each once. */
export async function optionsFromValues(
  reader: Reader,
  collection: Collection,
  old: Field,
  isList: boolean,
): Promise<NonNullable<OptionsDraft['choices']>> {
  if (hasSelectOptions(old)) return old.options.choices

  if (!holdsText(old.kind)) return []
  const values = await frequentValues(reader, collection, columnOf(old.id), MAX_OPTIONS_FROM_VALUES)
  const byFold = new Map<string, string>()
  for (const value of values.flatMap((text) => (isList ? parseList(text) : text))) {
    const name = value.trim()
    if (name !== '' && name.length <= MAX_OPTION_LENGTH && !byFold.has(foldText(name))) byFold.set(foldText(name), name)
  }
  return [...byFold.values()].slice(0, MAX_OPTIONS_FROM_VALUES).map((name) => ({ name }))
}
