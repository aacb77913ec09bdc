import type { ExampleInput, GrantInput, PolicyBody } from '#api/roles.ts'
import type { FieldSet } from '#domain/access/grant.ts'
import { isOwnRecordsOnly } from '#domain/access/describe-grant.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import type { GrantBody, GrantPlace } from '#web/features/roles/matrix/matrix.ts'

/** Which records are meant: none, all, those somebody has added, or those a condition describes. */
export type RecordScopeKind = 'none' | 'all' | 'own' | 'some'

/** Which fields are meant: all, all but those named, or those alone. */
export type FieldScopeKind = 'all' | 'except' | 'only'

/** One grant as its panel asks for it. */
export type GrantDraft = {
  readonly records: RecordScopeKind
  readonly where: Filter | null
  readonly fieldChoice: FieldScopeKind
  readonly fields: readonly string[]
  readonly presets: { readonly [field: string]: unknown }
}

/** Only the records somebody has added. */
export const OWN_RECORDS: Filter = { field: 'createdBy', op: '=', value: { marker: '@me' } }

/** The draft of a grant; without one nothing is allowed yet. */
export function draftOf(grant: GrantBody | undefined): GrantDraft {
  if (grant === undefined) return { records: 'none', where: null, fieldChoice: 'all', fields: [], presets: {} }
  const { where, fields, presets } = grant
  return { ...recordsOf(where), ...fieldsOf(fields), presets: presets ?? {} }
}

function recordsOf(where: Filter | null): Pick<GrantDraft, 'records' | 'where'> {
  if (where === null) return { records: 'all', where: null }
  return isOwnRecordsOnly(where) ? { records: 'own', where: null } : { records: 'some', where }
}

function fieldsOf(fields: FieldSet | null): Pick<GrantDraft, 'fieldChoice' | 'fields'> {
  if (fields === null) return { fieldChoice: 'all', fields: [] }
  return 'only' in fields
    ? { fieldChoice: 'only', fields: fields.only }
    : { fieldChoice: 'except', fields: fields.except }
}

/** What a draft says, where it says anything; null: it allows nothing. */
type SentenceInput = Pick<GrantInput, 'where' | 'fields' | 'presets'>

/** What is sent of a draft; null takes the grant away. */
export function sentenceInputOf({ records, where, fieldChoice, fields, presets }: GrantDraft): SentenceInput | null {
  if (records === 'none') return null
  const given = Object.entries(presets).filter(([, value]) => value !== null && value !== undefined)
  return {
    where: records === 'own' ? OWN_RECORDS : records === 'some' ? where : null,
    fields: fieldChoice === 'all' ? null : fieldChoice === 'only' ? { only: [...fields] } : { except: [...fields] },
    // What stands in an input is JSON; the server judges whether it fits its field.
    presets: given.length === 0 ? null : (Object.fromEntries(given) as NonNullable<SentenceInput['presets']>),
  }
}

/** Whether a draft can be saved: “some” without a condition would be all. */
export const isWholeDraft = ({ records, where, fieldChoice, fields }: GrantDraft): boolean =>
  (records !== 'some' || where !== null) && (fieldChoice === 'all' || fields.length > 0)

/** A grant as it is sent again. */
export const inputOf = ({ id, permission, collection, where, fields, presets }: GrantBody): GrantInput => ({
  id,
  permission,
  collection,
  where,
  fields,
  presets,
})

/** An example as it is sent again. */
export const inputOfExample = ({
  id,
  who,
  may,
  permission,
  collection,
  field,
  record,
}: PolicyBody['examples'][number]): ExampleInput => ({ id, who, may, permission, collection, field, record })

/** All grants of a policy with one changed (by its id), added (without), or taken away (nothing said). */
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
 * A grant for every collection, said anew for each of those there are: one of them gets what was said for it alone, and
 * collections to come get nothing.
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
