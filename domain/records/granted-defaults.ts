import { type GrantDefault, type GrantWithDefaults, isMarker } from '#domain/access/grant.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, hasSelectOptions, holdsList } from '#domain/fields/field.ts'
import { checkValue } from '#domain/fields/kinds.ts'
import { findOption } from '#domain/fields/select.ts'
import { dayOfDate, readDateLiteral } from '#domain/query/filter/relative-dates.ts'
import { attributeNameOf } from '#domain/query/filter/attribute-markers.ts'
import type { QueryContext } from '#domain/query/check/query-context.ts'
import { checkStoredFilter } from '#domain/query/check/check-filter.ts'
import type { CheckedNode } from '#domain/query/check/checked-filter.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { nodeMatches } from '#domain/query/run/matches.ts'
import { NO_LOOKUP } from '#domain/query/run/read-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { readsOnlyOwnValues } from '#domain/rules/rule-violations.ts'

export type RecordCreator = Pick<QueryContext, 'actorId' | 'profile' | 'now' | 'workspaceTimeZone'>

/**
 * Applies a grant's default values. If a value is invalid or the attribute is empty, the field's own default remains.
 */
export function withDefaults(
  collection: Collection,
  presets: GrantWithDefaults['presets'],
  creator: RecordCreator,
): Collection {
  const fields = collection.fields.map((field): Field => {
    const preset = presets[field.id]
    const value = preset === undefined ? undefined : resolveDefault(field, preset, creator)
    // Safe because the value was validated for this field.
    const { defaultFormula: _, ...rest } = field
    return value === undefined ? field : ({ ...rest, default: value } as Field)
  })
  return { ...collection, fields }
}

function resolveDefault(field: Field, preset: GrantDefault, creator: RecordCreator): FieldValue | undefined {
  // JSON is stored as text, so validating it again would encode it twice.
  if (!isMarker(preset)) return field.kind === 'json' ? preset : checkedValue(field, preset)
  const { marker } = preset
  if (marker === '@me')
    return creator.actorId === null ? undefined : checkedValue(field, inList(field, [creator.actorId]))
  const attributeName = attributeNameOf(preset)
  if (attributeName !== undefined) return attributeValue(field, attributeName, creator)
  const date = readDateLiteral(marker, { now: creator.now, timeZone: creator.workspaceTimeZone })
  if (!date) return undefined
  if (field.kind === 'date') return checkedValue(field, dayOfDate(date, creator.workspaceTimeZone))
  return field.kind === 'date-time' && date.type === 'instant' ? checkedValue(field, date.text) : undefined
}

/** Attribute values that the field can store: the first one, or all for list fields. */
function attributeValue(field: Field, name: string, { profile }: RecordCreator): FieldValue | undefined {
  const attribute = (profile && Object.hasOwn(profile, name) ? profile[name] : undefined) ?? []
  const texts = (typeof attribute === 'string' ? [attribute] : attribute).filter((text) => text !== '')
  const fitting = hasSelectOptions(field) ? texts.flatMap((text) => findOption(field, text)?.id ?? []) : texts
  return fitting.length === 0 ? undefined : checkedValue(field, inList(field, fitting))
}

const inList = (field: Field, values: readonly string[]): unknown => (holdsList(field) ? values : values[0])

function checkedValue(field: Field, value: unknown): FieldValue | undefined {
  const checked = checkValue(field, value)
  return checked.ok ? checked.value : undefined
}

/**
 * Whether a record with these values could match. Unknown values count as matching, because the record is checked again
 * when it is saved.
 */
export function couldMatch(where: Filter, context: QueryContext, values: RecordValues): boolean {
  const record: CollectionRecord = { ...NEW_RECORD, collection: context.collection.id, values }
  return nodeCouldMatch(checkStoredFilter(where, context), record)
}

function nodeCouldMatch(node: CheckedNode, record: CollectionRecord): boolean {
  switch (node.type) {
    case 'all':
      return node.of.every((part) => nodeCouldMatch(part, record))
    case 'any':
      return node.of.some((part) => nodeCouldMatch(part, record))
    case 'compare':
    case 'pair':
      return !readsOnlyOwnValues(node) || nodeMatches(node, record, NO_LOOKUP)
  }
}

const NEW_RECORD = { id: '', version: 1, createdAt: '', createdBy: null, updatedAt: '', updatedBy: null } as const
