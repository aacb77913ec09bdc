import type { Field } from '#domain/fields/field.ts'
import { formatDay, formatInstant, formatNumber } from '#web/fields/format-value.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import type { GridGroup } from '#web/kit/grid/grid-source.ts'

/** A group as the server answers it. */
type GroupBody = {
  readonly key: { readonly [field: string]: unknown }
  readonly label: string
  readonly count: number
  readonly offset: number
}

/** The groups of a list as the grid shows them. */
export function gridGroups(
  collection: KnownCollection,
  by: string,
  groups: readonly GroupBody[],
): readonly GridGroup[] {
  const field = collection.fields.find(({ name }) => name === by)
  return groups.map((group) => ({
    key: JSON.stringify(group.key),
    depth: 0,
    count: group.count,
    first: group.offset,
    label: field ? groupLabel(field, group) : group.label,
  }))
}

/** What a group is called: its value in the reader's language, or that there is none. */
function groupLabel(field: Field, { key, label }: GroupBody): string {
  const value = key[field.name]
  if (field.kind === 'checkbox') return value === true ? `${field.label}: yes` : `${field.label}: no`
  if (value === null || value === undefined) return `No ${field.label.toLowerCase()}`
  return inReadersLanguage(field, value) ?? label
}

function inReadersLanguage({ kind }: Field, value: unknown): string | undefined {
  if (typeof value === 'number') return kind === 'auto-number' ? String(value) : formatNumber(value)
  if (typeof value !== 'string') return undefined
  if (kind === 'date') return formatDay(value)
  return kind === 'date-time' ? formatInstant(value) : undefined
}
