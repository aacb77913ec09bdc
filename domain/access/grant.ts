import type { FieldValue } from '../fields/field.ts'
import type { Filter, FilterLiteral } from '../query/filter.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import type { Permission } from './permission.ts'

/** Which fields a grant opens: these alone, or all but these, those to come as well. */
export type FieldSet = { readonly only: readonly FieldId[] } | { readonly except: readonly FieldId[] }

/**
 * What a new record gets in a field its maker gave nothing for; a marker such as `@me` or `@today` is read when it is
 * made.
 */
export type GrantDefault = FieldValue | Marker

/** A placeholder for a value, such as `@me`. */
export type Marker = Extract<FilterLiteral, { readonly marker: string }>

/** Whether something is one. */
export const isMarker = (value: unknown): value is Marker =>
  typeof value === 'object' && value !== null && 'marker' in value && typeof value.marker === 'string'

/**
 * One permission, on one collection or on all, for the records a condition describes and the fields it opens.
 * Grants only add: what any of them allows is allowed.
 */
export type Grant = {
  readonly permission: Permission
  /** null: every collection, those to come as well. */
  readonly collection: CollectionId | null
  /** The records it speaks of; absent means all. A change must leave the record inside, too. */
  readonly where?: Filter
  /** The fields it opens: to read, or to write, as its permission says; absent means all. */
  readonly fields?: FieldSet
  /** For `records:create`: what fields start with. */
  readonly presets?: { readonly [field: FieldId]: GrantDefault }
}

/** A grant that says what the new records it speaks of start with. */
export type GrantWithDefaults = Grant & { readonly presets: NonNullable<Grant['presets']> }

/** Whether a grant opens a field. */
export function coversField({ fields }: Grant, field: FieldId): boolean {
  if (fields === undefined) return true
  return 'only' in fields ? fields.only.includes(field) : !fields.except.includes(field)
}
