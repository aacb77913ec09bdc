import type { Collection } from '#domain/collections/collection.ts'
import type { OptionsDraft } from '#domain/fields/field-options.ts'
import { type Field, type FieldValue, hasSelectOptions, holdsList } from '#domain/fields/field.ts'
import { holdsText } from '#domain/fields/folded-text.ts'
import { isEmptyValue, startingValue } from '#domain/fields/kinds.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import { parseList } from '#domain/shared/list-text.ts'
import { foldText } from '#domain/shared/text.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { columnOf } from '#server/query/sql/sql-context.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { continueNumbersAfter } from '#server/records/values/auto-numbers.ts'
import { conversionOf, convert, textOf } from '#server/records/values/convert-value.ts'
import { cellsOfValue, valueOfCell } from '#server/records/values/row-mapping.ts'
import { addFieldColumns, renameFieldColumns } from '#server/schema/collections/tables-store.ts'
import {
  type ConvertedValue,
  convertedValues,
  discardRestored,
  type FormerValues,
  keepFormerValues,
  type ValueConversion,
} from './former-values.ts'
import {
  fillEmpty,
  fillMissingNumbers,
  frequentValues,
  highestNumber,
  idsAfter,
  readColumn,
  readLists,
  writeCells,
  writeLists,
} from './values-store.ts'

const WINDOW_ROWS = 2000
/** Maximum number of options created from a text field; with more, a select is the wrong kind. */
const MAX_OPTIONS_FROM_VALUES = 200
/** Maximum length of a text that becomes an option. */
const MAX_OPTION_LENGTH = 120

const MAX_EXAMPLES = 20
export const EXAMPLE_LENGTH = 80

export type DataLoss = { readonly count: number; readonly examples: readonly string[] }

/** Values that a change of the field type affected. */
export type ConversionReport = DataLoss & {
  /** The number of records that got the value from before the change that is undone. */
  readonly restored: number
  /** When a change is undone: records that were edited since, and those whose value couldn't be converted back. */
  readonly edited: readonly RecordId[]
  readonly lost: readonly RecordId[]
}

export type FieldConversionPlan = {
  readonly old: Field
  readonly next: Field
  /** The change set, whose ID is that of the kept values. */
  readonly changeSet: string
  /** If the change undoes another one. */
  readonly former?: FormerValues | undefined
}

/**
 * Converts a field's values based on their text form. Rejected values are left empty and counted; the old values are
 * kept, so that the change can be undone.
 */
export async function convertValues(
  writing: Writing,
  collection: Collection,
  { old, next, changeSet, former }: FieldConversionPlan,
): Promise<ConversionReport> {
  const { transaction } = writing
  // The new columns use a temporary field ID until the old ones are set aside.
  const target: Field = { ...next, id: writing.newId(), unique: false }
  await addFieldColumns(transaction, collection.id, target)

  const write = (converted: readonly HeldValue[]) => writeValues(transaction, collection, target, converted)
  const report = former
    ? await convertBack(transaction, collection, { old, target, former }, write)
    : { ...NOTHING_RESTORED, ...(await convertEach(transaction.db, collection, { old, target }, write)) }
  await keepFormerValues(writing, collection, { old, changeSet, former })
  await renameFieldColumns(transaction, collection.id, target, next)
  if (former) await discardRestored(writing, collection, former, next)
  return report
}

const NOTHING_RESTORED = { restored: 0, edited: [], lost: [] } as const

/** Gives records the values from before the change that is undone; those edited since are converted. */
async function convertBack(
  transaction: Transaction,
  collection: Collection,
  conversion: ValueConversion,
  take: (converted: readonly HeldValue[]) => Promise<void>,
): Promise<ConversionReport> {
  const edited: RecordId[] = []
  const lost: RecordId[] = []
  let restored = 0
  for (let after: RecordId | null = null; ; ) {
    const ids = await idsAfter(transaction.db, collection.id, after, WINDOW_ROWS)
    const converted = await convertedValues(transaction, collection, conversion, ids)
    await take(converted.flatMap(({ id, value }) => (value === undefined || value === null ? [] : { id, value })))
    const report = reportOf(converted)
    restored += report.restored
    edited.push(...report.edited)
    lost.push(...report.lost)
    after = ids.at(-1) ?? null
    if (ids.length < WINDOW_ROWS) return { restored, edited, lost, count: lost.length, examples: [] }
  }
}

/** The data loss from a change, determined with reads alone, so that writers don't have to wait. */
export const previewLoss = (reader: Reader, collection: Collection, old: Field, next: Field): Promise<DataLoss> =>
  convertEach(reader, collection, { old, target: next }, async () => undefined)

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

/** Empty values aren't counted. */
export function reportOf(converted: readonly ConvertedValue[]): Pick<ConversionReport, 'restored' | 'edited' | 'lost'> {
  const filled = converted.filter(({ value }) => value === undefined || !isEmptyValue(value))
  const idsOf = (some: readonly ConvertedValue[]) => some.map(({ id }) => id)
  const edited = filled.filter(({ isFormer }) => !isFormer)
  return {
    restored: filled.length - edited.length,
    edited: idsOf(edited.filter(({ value }) => value !== undefined)),
    lost: idsOf(edited.filter(({ value }) => value === undefined)),
  }
}

export type HeldValue = { readonly id: string; readonly value: FieldValue }

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

/** Fills fields that are never empty: statuses, and auto numbers in creation order after the existing ones. */
export async function fillNewField(transaction: Transaction, collection: CollectionId, field: Field): Promise<void> {
  const start = startingValue(field)
  if (field.kind === 'state' && typeof start === 'string') await fillEmpty(transaction, collection, field.id, start)
  if (field.kind !== 'auto-number') return

  await fillMissingNumbers(transaction, collection, field.id, await highestNumber(transaction, collection, field.id))
  await continueNumbersAfter(transaction, field.id, await highestNumber(transaction, collection, field.id))
}
