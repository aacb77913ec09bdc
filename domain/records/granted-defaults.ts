import { isMarker, type GrantDefault, type GrantWithDefaults } from '#domain/access/grant.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, hasSelectOptions, holdsList } from '#domain/fields/field.ts'
import { checkValue } from '#domain/fields/kinds.ts'
import { findOption } from '#domain/fields/select.ts'
import { dayOfDate, readDateLiteral } from '#domain/query/relative-dates.ts'
import { attributeNameOf } from '#domain/query/attribute-markers.ts'
import type { QueryContext } from '#domain/query/query-context.ts'

/** Whoever makes a record, and when: what markers are read by. */
export type RecordCreator = Pick<QueryContext, 'actorId' | 'profile' | 'now' | 'workspaceTimeZone'>

/**
 * A collection whose new records start with what a grant fills in: its fields have that as their default. What does not
 * fit its field, or is noted of nobody, leaves the field's own default.
 */
export function withDefaults(
  collection: Collection,
  presets: GrantWithDefaults['presets'],
  maker: RecordCreator,
): Collection {
  const fields = collection.fields.map((field): Field => {
    const preset = presets[field.id]
    const value = preset === undefined ? undefined : resolveDefault(field, preset, maker)
    // The value was proven to be one of this very field.
    return value === undefined ? field : ({ ...field, default: value } as Field)
  })
  return { ...collection, fields }
}

function resolveDefault(field: Field, preset: GrantDefault, maker: RecordCreator): FieldValue | undefined {
  // Any JSON is kept as text, which would be taken for a text of its own.
  if (!isMarker(preset)) return field.kind === 'json' ? preset : proven(field, preset)
  const { marker } = preset
  if (marker === '@me') return maker.actorId === null ? undefined : proven(field, inList(field, [maker.actorId]))
  const own = attributeNameOf(preset)
  if (own !== undefined) return attributeValue(field, own, maker)
  const moment = readDateLiteral(marker, { now: maker.now, timeZone: maker.workspaceTimeZone })
  if (!moment) return undefined
  if (field.kind === 'date') return proven(field, dayOfDate(moment, maker.workspaceTimeZone))
  return field.kind === 'date-time' && moment.type === 'instant' ? proven(field, moment.text) : undefined
}

/** The texts noted under a name, as far as the field can hold them: one of them, or all. */
function attributeValue(field: Field, name: string, { profile }: RecordCreator): FieldValue | undefined {
  const noted = (profile && Object.hasOwn(profile, name) ? profile[name] : undefined) ?? []
  const texts = (typeof noted === 'string' ? [noted] : noted).filter((text) => text !== '')
  const fitting = hasSelectOptions(field) ? texts.flatMap((text) => findOption(field, text)?.id ?? []) : texts
  return fitting.length === 0 ? undefined : proven(field, inList(field, fitting))
}

const inList = (field: Field, values: readonly string[]): unknown => (holdsList(field) ? values : values[0])

function proven(field: Field, value: unknown): FieldValue | undefined {
  const checked = checkValue(field, value)
  return checked.ok ? checked.value : undefined
}
