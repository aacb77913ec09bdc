import { queryOptions } from '@tanstack/react-query'
import { listGroups } from '#api/records.ts'
import { type Field, hasSelectOptions, holdsList } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import type { BoardValue } from '#domain/views/board-moves.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { type Listing, listingParams } from '#web/data/queries/record-list-queries.ts'
import { t } from '#web/i18n/t.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import { traitsOf } from '#web/shared/fields/kinds.ts'

/** A value of the field that columns or swimlanes are made by. */
export type BoardGroup = {
  readonly key: string
  /** Undefined if cards can't be moved to other groups of this field. */
  readonly value: BoardValue | undefined
  /** The value to store, in client form. */
  readonly stored: unknown
  readonly label: string
  readonly color: string | undefined
  readonly condition: Filter
}

type GroupAnswer = {
  readonly key: { readonly [field: string]: unknown }
  readonly label: string
  readonly count: number
}

/** The server's page size; more columns would be of no use. */
const MAX_GROUPS = 500

/** The counts of columns and swimlanes in one request. */
export const boardGroupsQuery = (collection: string, listing: Listing, by: readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.recordWindows(collection, { ...listing, groupsBy: by }),
    queryFn: async ({ signal }): Promise<{ readonly groups: readonly GroupAnswer[]; readonly total: number }> => {
      const query = { by: by.join(','), ...listingParams({ ...listing, sort: '' }), perPage: MAX_GROUPS }
      return call(listGroups, { params: { collection }, query, signal })
    },
  })

export const keyOf = (value: unknown): string => JSON.stringify(value ?? null)

/** All options of a field in their order, or the values that records have; records without a value come last. */
export function groupsOfField(field: Field, answers: readonly GroupAnswer[], isOptional: boolean): BoardGroup[] {
  const used = answers.map(({ key, label }) => ({ value: key[field.name] ?? null, label }))
  const none = { ...groupOf(field, null, t('No {label}', { label: field.label })), value: null, stored: null }
  const hasNone = isOptional || used.some(({ value }) => value === null)
  if (field.kind === 'checkbox')
    return [true, false].map((value) => ({
      ...groupOf(field, value, checkboxLabel(field, value)),
      value,
      stored: value,
    }))
  if (hasSelectOptions(field)) {
    const options = field.options.choices.map(({ id, name, color }) => ({
      ...groupOf(field, name, name),
      value: id,
      stored: field.kind === 'multi-select' ? [name] : name,
      color,
    }))
    return hasNone ? [...options, none] : options
  }
  const isReference = field.kind === 'user' || field.kind === 'relation'
  const others = used
    .filter(({ value }) => value !== null)
    .map(({ value, label }) => {
      const group = groupOf(field, value, valueLabel(field, value, label))
      if (!isReference || typeof value !== 'string') return group
      const reference = field.kind === 'user' ? { id: value, name: label } : { id: value, title: label }
      return { ...group, value, stored: [reference] }
    })
  return hasNone ? [...others, isReference ? none : { ...none, value: undefined }] : others
}

const checkboxLabel = (field: Field, value: boolean): string =>
  value ? t('{label}: yes', { label: field.label }) : t('{label}: no', { label: field.label })

const valueLabel = (field: Field, value: unknown, label: string): string =>
  (field.kind === 'relation' || field.kind === 'user' ? undefined : traitsOf(field).localText?.(value, field)) ??
  (label || UNTITLED)

function groupOf(field: Field, value: unknown, label: string): BoardGroup {
  const condition: Filter =
    value === null
      ? { field: field.name, op: 'is empty' }
      : value === false
        ? { field: field.name, op: '!=', value: true }
        : { field: field.name, op: '=', value: value as string | number | boolean }
  return { key: keyOf(value), value: undefined, stored: undefined, label, color: undefined, condition }
}

type Values = { readonly [field: string]: unknown }

/** The keys of the groups that contain a record: several if the field has several values. */
export function groupKeysOf(field: Field, values: Values): readonly string[] {
  if (!holdsList(field)) return [groupKeyOf(field, values)]
  const keys = entriesOf(field, values[field.name]).map(keyOfEntry)
  return keys.length === 0 ? [keyOf(null)] : keys
}

/** The value of a record that moves to another group: in a list, the value of its former group is replaced. */
export function valueAfterMove(field: Field, values: Values, from: BoardGroup, to: BoardGroup): unknown {
  if (!holdsList(field) || to.value === null) return to.stored
  const entries = entriesOf(field, values[field.name])
  const added = entries.some((entry) => keyOfEntry(entry) === to.key) ? [] : entriesOf(field, to.stored)
  const isReplaced = entries.some((entry) => keyOfEntry(entry) === from.key)
  return isReplaced
    ? entries.flatMap((entry) => (keyOfEntry(entry) === from.key ? added : [entry]))
    : [...entries, ...added]
}

type Entry = string | { readonly id: string }

const entriesOf = (field: Field, value: unknown): readonly Entry[] =>
  field.kind === 'relation' || field.kind === 'user'
    ? toClientValue(field.kind, value)
    : toClientValue('multi-select', value)

const keyOfEntry = (entry: Entry): string => keyOf(typeof entry === 'string' ? entry : entry.id)

/** The key of the group that contains a record, or of a group in the server's response. */
export function groupKeyOf(field: Field, values: Values): string {
  const value = values[field.name]
  if (field.kind === 'checkbox') return keyOf(value === true)
  if (field.kind === 'user' || field.kind === 'relation') return keyOf(toClientValue(field.kind, value)[0]?.id)
  return keyOf(value === '' ? null : value)
}
