import { isDeepStrictEqual } from 'node:util'
import { collectionIn, namedIn, satisfies, scalarsOf } from './evaluate-condition.ts'
import { isVirtual, settled, storedInputs } from '#tests/access-oracle/world/virtual-fields.ts'
import { asSeenBy, visibleWorld, type Right, type Viewpoint, type WorldGrant } from './viewpoint.ts'
import type { World, WorldCollection, WorldField, WorldRecord, WorldValue } from '#tests/access-oracle/world/world.ts'

export type Sent = Readonly<Record<string, WorldValue>>

export type Writer = {
  readonly world: World
  readonly viewpoint: Viewpoint
  readonly bringsStates?: boolean
}

/**
 * Possible errors as `status code`; any of them is accepted. If empty, the write must succeed with this world as the
 * result.
 */
export type ExpectedResult = { readonly refusals: ReadonlySet<string>; readonly world: World }

export const NO_COLLECTION = '404 collection-not-found'
export const NO_RECORD = '404 record-not-found'
export const FORBIDDEN = '403 forbidden'
export const INVALID = '422 values-invalid'

export const rejected = (world: World, ...refusals: readonly string[]): ExpectedResult => ({
  refusals: new Set(refusals),
  world,
})

export const viewOf = ({ world, viewpoint }: Writer): World => visibleWorld(world, viewpoint)

export const grantsOf = ({ viewpoint }: Writer, name: string, right: Right): readonly WorldGrant[] =>
  viewpoint.grants.get(name)?.[right] ?? []

export function expectedRejection(writer: Writer, name: string, right: Right, hasDoor = true): string | undefined {
  const isHeld = [...writer.viewpoint.grants.values()].some((granted) => granted[right].length > 0)
  if (hasDoor && !isHeld) return FORBIDDEN
  if (grantsOf(writer, name, 'read').length === 0) return NO_COLLECTION
  return grantsOf(writer, name, right).length === 0 ? FORBIDDEN : undefined
}

export type WriteContext = {
  readonly home: WorldCollection
  readonly right: Right
  readonly grants: readonly WorldGrant[]
}

export const covering = (
  { world, viewpoint }: Writer,
  { home, grants }: Pick<WriteContext, 'home' | 'grants'>,
  record: WorldRecord,
): readonly WorldGrant[] =>
  grants.filter(({ where }) => !where || satisfies(asSeenBy(world, viewpoint), home, record, where))

export function areOpen(writer: Writer, context: WriteContext, record: WorldRecord, names: readonly string[]): boolean {
  const grants = covering(writer, context, record)
  return grants.length > 0 && names.every((name) => grants.some(({ hidden }) => !hidden.includes(name)))
}

export function inputErrors(writer: Writer, { home, grants }: WriteContext, sent: Sent): string[] {
  const isOpen = (some: readonly WorldGrant[], name: string): boolean =>
    some.some(({ hidden }) => !hidden.includes(name))
  return Object.keys(sent).flatMap((name) => {
    const field = home.fields.find((one) => one.name === name)
    if (!field) return INVALID
    if (!isOpen(grants, name)) return isOpen(grantsOf(writer, home.name, 'read'), name) ? FORBIDDEN : INVALID
    if (isVirtual(field)) return INVALID
    return home.laws.workflow?.field === name && writer.bringsStates !== true ? '422 use-transition' : []
  })
}

export function referenceErrors(writer: Writer, home: WorldCollection, before: WorldRecord, sent: Sent): string[] {
  const view = viewOf(writer)
  return home.fields.flatMap((field) => {
    const value = sent[field.name]
    if (value === undefined) return []
    const ids = scalarsOf({ values: { [field.name]: value } }, field)
    if (field.kind === 'relation') {
      const seen = collectionIn(view, field.target)?.records ?? []
      return ids.every((id) => seen.some((one) => one.id === id)) ? [] : INVALID
    }
    if (field.kind !== 'files') return []
    const had = scalarsOf(before, field)
    const isTheirs = (id: string): boolean => isOwnFile(writer.world, writer.viewpoint.me.id, id, { home, field })
    return ids.every((id) => had.includes(id) || isTheirs(String(id))) ? [] : INVALID
  })
}

export function duplicateErrors({ fields, records }: WorldCollection, id: string, sent: Sent): string[] {
  const isTwin = (field: WorldField): boolean => {
    const own = scalarsOf({ values: { [field.name]: sent[field.name] ?? null } }, field)
    return records.some((one) => one.id !== id && scalarsOf(one, field).some((value) => own.includes(value)))
  }
  return fields.some((field) => field.isUnique === true && isTwin(field)) ? [INVALID] : []
}

export function isOwnFile(
  { sent, collections }: World,
  me: string,
  id: string,
  place?: { readonly home: WorldCollection; readonly field: WorldField },
): boolean {
  const file = sent.get(id)
  const isPut = collections.some(({ fields, records }) =>
    fields.some((field) => field.kind === 'files' && records.some((record) => scalarsOf(record, field).includes(id))),
  )
  if (!file || file.by !== me || isPut) return false
  return !place || (file.home === place.home.name && file.field === place.field.name)
}

const differing = (record: WorldRecord, sent: Sent): readonly string[] =>
  Object.keys(sent).filter((name) => !isDeepStrictEqual(record.values[name], sent[name]))

/**
 * Whether the user can't read the record, or can't read the field in all records, so that reporting it as unchanged
 * would reveal its value.
 */
function isUnread(writer: Writer, home: WorldCollection, record: WorldRecord, name: string): boolean {
  const grants = grantsOf(writer, home.name, 'read')
  if (covering(writer, { home, grants }, record).length === 0) return true
  const openers = grants.filter(({ hidden }) => !hidden.includes(name))
  const isOpen = ({ where }: WorldGrant): boolean =>
    openers.some((opener) => opener.where === undefined || isDeepStrictEqual(opener.where, where))
  return !grants.every(isOpen)
}

/** Fields that change, or might change, although they are locked in the record's status. */
export function lockedFieldErrors(writer: Writer, home: WorldCollection, record: WorldRecord, sent: Sent): string[] {
  const { workflow } = home.laws
  if (!workflow) return []
  const { frozen = [] } = workflow.states[String(record.values[workflow.field])] ?? {}
  const isFrozen = (name: string): boolean => name !== workflow.field && (frozen === 'all' || frozen.includes(name))
  const changed = [...differing(record, sent), ...setUnreadableFields(writer, home, record, sent)]
  return changed.some((name) => home.fields.some((field) => field.name === name) && isFrozen(name))
    ? ['422 field-frozen']
    : []
}

/** Submitted fields that the writer can't read; they count as changed regardless of the value. */
export const setUnreadableFields = (writer: Writer, home: WorldCollection, record: WorldRecord, sent: Sent): string[] =>
  Object.keys(sent).filter((name) => isUnread(writer, home, record, name))

type Touched = {
  readonly before: WorldRecord | null
  readonly after: WorldRecord
  readonly unread?: readonly string[]
}

/** Rules that a record violates after a write to fields that they use. */
export function ruleErrors(
  { world, viewpoint }: Writer,
  home: WorldCollection,
  { before, after, unread = [] }: Touched,
): string[] {
  // Rules depend on values, not on users.
  const here = { ...asSeenBy(world, viewpoint), me: null }
  const changed = before ? [...differing(before, after.values), ...unread] : []
  const isTouched = (name: string): boolean => !before || changed.includes(name)
  return home.laws.rules.flatMap(({ when, then }) => {
    const named = [...(when ? namedIn(when) : []), ...namedIn(then)]
    if (!named.flatMap((name) => storedInputs(home, name)).some(isTouched) && before) return []
    if (when && !satisfies(here, home, after, when)) return []
    return satisfies(here, home, after, then) ? [] : ['422 rule-broken']
  })
}

export function withRecord(world: World, name: string, record: WorldRecord): World {
  return settled({
    ...world,
    collections: world.collections.map((collection) => {
      if (collection.name !== name) return collection
      const isKnown = collection.records.some(({ id }) => id === record.id)
      const records = collection.records.map((one) => (one.id === record.id ? record : one))
      return { ...collection, records: isKnown ? records : [...records, record] }
    }),
  })
}

/** A record as it is in a world, including its virtual fields. */
export const recordIn = (world: World, name: string, record: WorldRecord): WorldRecord =>
  collectionIn(world, name)?.records.find(({ id }) => id === record.id) ?? record

export function withoutRecords(world: World, name: string, ids: readonly string[]): World {
  const cleared = (field: WorldField, value: WorldValue | undefined): WorldValue => {
    if (value === undefined) return null
    if (field.kind !== 'relation' || field.target !== name) return value
    if (typeof value === 'object') return value?.filter((id) => !ids.includes(id)) ?? null
    return ids.includes(String(value)) ? null : value
  }
  return settled({
    ...world,
    collections: world.collections.map((collection) => ({
      ...collection,
      records: collection.records
        .filter(({ id }) => collection.name !== name || !ids.includes(id))
        .map(({ id, createdBy, values }) => ({
          id,
          createdBy,
          values: Object.fromEntries(
            collection.fields.map((field) => [field.name, cleared(field, values[field.name])]),
          ),
        })),
    })),
  })
}
