import type { GrantInput, PolicyBody } from '#api/roles.ts'
import { checkGrants, type PolicyContext } from '#domain/access/check-policy.ts'
import type { Permission } from '#domain/access/permission.ts'
import { filterByName } from '#domain/query/filter/saved-filter.ts'
import { sameJson } from '#domain/shared/json.ts'
import {
  draftOf,
  type GrantDraft,
  inputOf,
  isThem,
  sentenceInputOf,
  withGrant,
} from '#web/features/roles/grants/grant-draft.ts'
import type { ScopePart } from '#web/features/roles/grants/record-scopes.ts'
import { t } from '#web/i18n/t.ts'
import { definitionOf } from '#web/shared/conditions/path-fields.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import {
  type GrantBody,
  type GrantPlace,
  MATRIX_ACTIONS,
  policyFor,
  sourcesAt,
  sourcesOf,
  type Subject,
} from './matrix.ts'

/** The change saved by a single click; if `policy` is undefined, a policy is created for the role. */
export type QuickEdit = { readonly policy: PolicyBody | undefined; readonly grants: readonly GrantInput[] }

const isOnlyTheirs = ({ role }: Subject, policy: PolicyBody): boolean =>
  role === undefined || policy.roles.every((id) => id === role.id)

/**
 * Gives a cell access to a set of records. Undefined if access is inherited, shared with other roles or combined from
 * several grants, so the user must decide.
 */
export function cellEdit(
  subject: Subject,
  place: GrantPlace,
  { part, collection }: { readonly part: ScopePart; readonly collection: TypedCollection },
): QuickEdit | undefined {
  const [source, ...more] = sourcesAt(sourcesOf(subject.policies), place.permission, place.collection)
  const policy = source?.policy ?? policyFor(subject)
  const isSimple =
    source === undefined || (source.grant.collection === place.collection && isOnlyTheirs(subject, source.policy))
  if (!isSimple || more.length > 0) return undefined
  const draft: GrantDraft = { ...draftOf(source?.grant, collection), ...part }
  return { policy, grants: withGrant(policy?.grants ?? [], source?.grant.id, place, sentenceInputOf(draft)) }
}

/** Record scope per permission for a whole row; permissions not listed aren't granted. */
export type RowPreset = {
  readonly label: string
  readonly parts: ReadonlyMap<Permission, ScopePart>
}

const ALL: ScopePart = { records: 'all' }
const OWN: ScopePart = { records: 'own' }

const partsOf = (part: ScopePart, ...permissions: readonly Permission[]) =>
  permissions.map((permission): readonly [Permission, ScopePart] => [permission, part])

const CHANGING = ['records:read', 'records:update', 'records:transition'] as const

export function rowPresets({ fields }: TypedCollection): readonly RowPreset[] {
  const named = fields.flatMap(({ id, kind, label }): readonly RowPreset[] => {
    const part: ScopePart = { records: 'named', where: isThem(id) }
    return kind === 'user'
      ? [{ label: t('Edit records where {label} is the user', { label }), parts: new Map(partsOf(part, ...CHANGING)) }]
      : []
  })
  return [
    { label: t('No access'), parts: new Map() },
    { label: t('View only'), parts: new Map(partsOf(ALL, 'records:read')) },
    { label: t('Create and edit'), parts: new Map(partsOf(ALL, ...CHANGING, 'records:create')) },
    {
      label: t('Create and edit own records'),
      parts: new Map([...partsOf(ALL, 'records:create'), ...partsOf(OWN, ...CHANGING)]),
    },
    ...named,
    { label: t('Full access'), parts: new Map(MATRIX_ACTIONS.flatMap(({ permission }) => partsOf(ALL, permission))) },
  ]
}

/**
 * Applies a preset to a row; fields and default values stay unchanged. Undefined if inherited or shared grants allow
 * more than the preset.
 */
export function rowEdit(subject: Subject, collection: TypedCollection, { parts }: RowPreset): QuickEdit | undefined {
  const policy = policyFor(subject)
  const place = collection.id === '' ? null : collection.id
  const others = sourcesOf(subject.policies).filter(
    (source) => source.policy !== policy || source.grant.collection !== place,
  )
  let grants: readonly GrantInput[] = (policy?.grants ?? []).map(inputOf)
  for (const { permission } of MATRIX_ACTIONS) {
    const [own, ...more] = (policy?.grants ?? []).filter(
      (grant) => grant.permission === permission && grant.collection === place,
    )
    const part = parts.get(permission) ?? NONE
    const sentence = sentenceInputOf({ ...draftOf(own, collection), ...part })
    const exceeds = sourcesAt(others, permission, place).some(({ grant }) => !isWithin(grant, sentence))
    if (exceeds || more.length > 0) return undefined
    grants = [
      ...grants.filter(({ id }) => own === undefined || id !== own.id),
      ...(sentence ? [{ ...(own && { id: own.id }), permission, collection: place, ...sentence }] : []),
    ]
  }
  return { policy, grants }
}

const NONE: ScopePart = { records: 'none' }

const isWithin = (grant: GrantBody, wanted: ReturnType<typeof sentenceInputOf>): boolean =>
  grant.presets === null &&
  (wanted?.where === null || (typeof wanted?.where === 'object' && sameJson(grant.where, wanted.where)))

export type CopiedRow = QuickEdit & {
  /** Grants not copied because the other collection lacks a field or option that they use. */
  readonly left: readonly GrantPlace[]
}

/**
 * Converts a row's own grants for other collections, matching fields and options by name. Inherited grants already
 * apply to those collections.
 */
export function copiedRow(
  subject: Subject,
  { from, to }: { readonly from: TypedCollection; readonly to: readonly TypedCollection[] },
  context: CopyContext,
): CopiedRow {
  const policy = policyFor(subject)
  const own = sourcesOf(subject.policies).filter(({ grant }) => grant.collection === from.id)
  const kept = (policy?.grants ?? []).filter(({ collection }) => !to.some(({ id }) => id === collection))
  const copies = to.flatMap((collection) =>
    own.map(({ grant }) => ({
      place: { permission: grant.permission, collection: collection.id },
      input: grantIn(collection, { grant, from }, context),
    })),
  )
  return {
    policy,
    grants: [...kept.map(inputOf), ...copies.flatMap(({ input }) => input ?? [])],
    left: copies.flatMap(({ input, place }) => (input ? [] : place)),
  }
}

type CopyContext = Pick<PolicyContext, 'collectionOf' | 'attributeNames'>

function grantIn(
  to: TypedCollection,
  { grant, from }: { readonly grant: GrantBody; readonly from: TypedCollection },
  context: CopyContext,
): GrantInput | undefined {
  const named = (id: string): string => from.fields.find((field) => field.id === id)?.name ?? id
  const { permission, where, fields, presets } = grant
  const draft = {
    permission,
    collection: to.id,
    where: where && filterByName(where, { collection: definitionOf(from), collectionOf: context.collectionOf }),
    fields: fields && ('only' in fields ? { only: fields.only.map(named) } : { except: fields.except.map(named) }),
    presets: presets && Object.fromEntries(Object.entries(presets).map(([id, value]) => [named(id), value])),
  }
  const find = () => definitionOf(to)
  return checkGrants([draft], { ...context, find, newId: () => '' }).ok ? draft : undefined
}
