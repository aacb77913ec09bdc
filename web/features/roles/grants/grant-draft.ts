import type { ExampleInput, GrantInput, PolicyBody } from '#api/roles.ts'
import type { FieldSet } from '#domain/access/grant.ts'
import { isOwnRecordsOnly } from '#domain/access/describe-grant.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { sameJson } from '#domain/shared/json.ts'
import type { GrantBody, GrantPlace } from '#web/features/roles/matrix/matrix.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'

/**
 * No records, all records, records created by the user, records with the user in a field, or records that match a
 * condition.
 */
export type RecordScopeKind = 'none' | 'all' | 'own' | 'named' | 'some'

export type FieldScopeKind = 'all' | 'except' | 'only'

export type GrantDraft = {
  readonly records: RecordScopeKind
  readonly where: Filter | null
  readonly fieldChoice: FieldScopeKind
  readonly fields: readonly string[]
  readonly presets: { readonly [field: string]: unknown }
}

/** Matches records whose field contains the current user. */
export const isThem = (field: string): Filter => ({ field, op: '=', value: { marker: '@me' } })

export const OWN_RECORDS = isThem('createdBy')

/** Without a grant, the draft allows nothing. */
export function draftOf(grant: GrantBody | undefined, collection: TypedCollection): GrantDraft {
  if (grant === undefined) return { records: 'none', where: null, fieldChoice: 'all', fields: [], presets: {} }
  const { where, fields, presets } = grant
  return { ...recordsOf(where, collection), ...fieldsOf(fields), presets: presets ?? {} }
}

function recordsOf(where: Filter | null, { fields }: TypedCollection): Pick<GrantDraft, 'records' | 'where'> {
  if (where === null) return { records: 'all', where: null }
  if (isOwnRecordsOnly(where)) return { records: 'own', where: null }
  const isNamed = fields.some(({ id, kind }) => kind === 'user' && sameJson(where, isThem(id)))
  return { records: isNamed ? 'named' : 'some', where }
}

function fieldsOf(fields: FieldSet | null): Pick<GrantDraft, 'fieldChoice' | 'fields'> {
  if (fields === null) return { fieldChoice: 'all', fields: [] }
  return 'only' in fields
    ? { fieldChoice: 'only', fields: fields.only }
    : { fieldChoice: 'except', fields: fields.except }
}

type SentenceInput = Pick<GrantInput, 'where' | 'fields' | 'presets'>

/** Returns null if the draft allows nothing; the grant is then removed. */
export function sentenceInputOf({ records, where, fieldChoice, fields, presets }: GrantDraft): SentenceInput | null {
  if (records === 'none') return null
  const given = Object.entries(presets).filter(([, value]) => value !== null && value !== undefined)
  return {
    where: records === 'own' ? OWN_RECORDS : records === 'all' ? null : where,
    fields: fieldChoice === 'all' ? null : fieldChoice === 'only' ? { only: [...fields] } : { except: [...fields] },
    // The form's inputs return JSON values, which the server validates.
    presets: given.length === 0 ? null : (Object.fromEntries(given) as NonNullable<SentenceInput['presets']>),
  }
}

/** A draft for some records needs a condition; without one, it would grant access to all records. */
export const isWholeDraft = ({ records, where, fieldChoice, fields }: GrantDraft): boolean =>
  ((records !== 'some' && records !== 'named') || where !== null) && (fieldChoice === 'all' || fields.length > 0)

export const inputOf = ({ id, permission, collection, where, fields, presets }: GrantBody): GrantInput => ({
  id,
  permission,
  collection,
  where,
  fields,
  presets,
})

export const inputOfExample = ({
  id,
  who,
  may,
  permission,
  collection,
  field,
  record,
}: PolicyBody['examples'][number]): ExampleInput => ({ id, who, may, permission, collection, field, record })

/** Replaces or removes the grant with this ID; without an ID, adds a grant. */
export function withGrant(
  grants: readonly GrantBody[],
  id: string | undefined,
  place: GrantPlace,
  said: SentenceInput | null,
): GrantInput[] {
  const others = grants.map(inputOf)
  if (id === undefined) return said === null ? others : [...others, { ...place, ...said }]
  return others.flatMap((grant) => (grant.id === id ? (said === null ? [] : [{ ...grant, ...said }]) : [grant]))
}

/**
 * Splits a grant for all collections into one grant for each collection that has none of its own. Doesn't cover
 * collections created later.
 */
export function withGrantApart(
  grants: readonly GrantBody[],
  general: GrantBody,
  {
    collections,
    apart,
    said,
  }: { readonly collections: readonly string[]; readonly apart: string; readonly said: SentenceInput | null },
): GrantInput[] {
  const { permission } = general
  const others = grants.filter(({ id }) => id !== general.id).map(inputOf)
  const each = collections
    .filter((collection) => collection !== apart)
    .map((collection): GrantInput => ({ permission, collection, where: general.where }))
  return [...others, ...each, ...(said === null ? [] : [{ permission, collection: apart, ...said }])]
}
