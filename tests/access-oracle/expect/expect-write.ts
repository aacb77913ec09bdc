import { isDeepStrictEqual } from 'node:util'
import { collectionIn, namedIn, satisfies, scalarsOf } from './evaluate-condition.ts'
import { asSeenBy, visibleWorld, type Right, type Viewpoint, type WorldGrant } from './viewpoint.ts'
import type { World, WorldCollection, WorldField, WorldRecord, WorldValue } from '#tests/access-oracle/world/world.ts'

/** Values as somebody sends them, by name; names that are not there among them. */
export type Sent = Readonly<Record<string, WorldValue>>

/** Where a world stands, and who writes in it. */
export type Writer = {
  readonly world: World
  readonly viewpoint: Viewpoint
  /** Whether states may be written that are on a way. */
  readonly bringsStates?: boolean
}

/** Why a write may be refused, `status code`: any of these; without one it must be taken, and the world is then this. */
export type ExpectedResult = { readonly refusals: ReadonlySet<string>; readonly world: World }

export const NO_COLLECTION = '404 collection-not-found'
export const NO_RECORD = '404 record-not-found'
export const FORBIDDEN = '403 forbidden'
export const INVALID = '422 values-invalid'

/** A verdict that refuses. */
export const rejected = (world: World, ...refusals: readonly string[]): ExpectedResult => ({
  refusals: new Set(refusals),
  world,
})

/** The world as whoever writes reads it. */
export const viewOf = ({ world, viewpoint }: Writer): World => visibleWorld(world, viewpoint)

/** What somebody is granted of a right in a collection. */
export const grantsOf = ({ viewpoint }: Writer, name: string, right: Right): readonly WorldGrant[] =>
  viewpoint.grants.get(name)?.[right] ?? []

/** Why somebody may not even begin: the collection is not there for them, or this is not for them in it. */
export function expectedRejection(writer: Writer, name: string, right: Right, hasDoor = true): string | undefined {
  const isHeld = [...writer.viewpoint.grants.values()].some((granted) => granted[right].length > 0)
  if (hasDoor && !isHeld) return FORBIDDEN
  if (grantsOf(writer, name, 'read').length === 0) return NO_COLLECTION
  return grantsOf(writer, name, right).length === 0 ? FORBIDDEN : undefined
}

/** A right, and the records and fields it is asked about. */
export type WriteContext = {
  readonly home: WorldCollection
  readonly right: Right
  readonly grants: readonly WorldGrant[]
}

/** The grants that cover a record as the world stands. */
export const covering = (
  { world, viewpoint }: Writer,
  { home, grants }: Pick<WriteContext, 'home' | 'grants'>,
  record: WorldRecord,
): readonly WorldGrant[] =>
  grants.filter(({ where }) => !where || satisfies(asSeenBy(world, viewpoint), home, record, where))

/** Whether all of these fields may be written in a record as it stands. */
export function areOpen(writer: Writer, context: WriteContext, record: WorldRecord, names: readonly string[]): boolean {
  const grants = covering(writer, context, record)
  return grants.length > 0 && names.every((name) => grants.some(({ hidden }) => !hidden.includes(name)))
}

/** What is wrong with values whoever sends them, before any record is looked at. */
export function inputErrors(writer: Writer, { home, grants }: WriteContext, sent: Sent): string[] {
  const isOpen = (some: readonly WorldGrant[], name: string): boolean =>
    some.some(({ hidden }) => !hidden.includes(name))
  return Object.keys(sent).flatMap((name) => {
    const field = home.fields.find((one) => one.name === name)
    if (!field) return INVALID
    if (!isOpen(grants, name)) return isOpen(grantsOf(writer, home.name, 'read'), name) ? FORBIDDEN : INVALID
    return home.laws.workflow?.field === name && writer.bringsStates !== true ? '422 use-transition' : []
  })
}

/** Relations that name what is not there for their writer, and files that are not theirs to put there. */
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

/** Values that another record of the collection holds already, where no two may hold the same. */
export function duplicateErrors({ fields, records }: WorldCollection, id: string, sent: Sent): string[] {
  const isTwin = (field: WorldField): boolean => {
    const own = scalarsOf({ values: { [field.name]: sent[field.name] ?? null } }, field)
    return records.some((one) => one.id !== id && scalarsOf(one, field).some((value) => own.includes(value)))
  }
  return fields.some((field) => field.isUnique === true && isTwin(field)) ? [INVALID] : []
}

/** Whether a file is still its sender's alone; and, where a place is named, sent for that very place. */
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

/** What of given values a record does not hold already. */
const differing = (record: WorldRecord, sent: Sent): readonly string[] =>
  Object.keys(sent).filter((name) => !isDeepStrictEqual(record.values[name], sent[name]))

/**
 * Whether somebody does not read a record, or a field in none of their records or not in all: that it may stay as it is
 * would tell what it is.
 */
function isUnread(writer: Writer, home: WorldCollection, record: WorldRecord, name: string): boolean {
  const grants = grantsOf(writer, home.name, 'read')
  if (covering(writer, { home, grants }, record).length === 0) return true
  const openers = grants.filter(({ hidden }) => !hidden.includes(name))
  const isOpen = ({ where }: WorldGrant): boolean =>
    openers.some((opener) => opener.where === undefined || isDeepStrictEqual(opener.where, where))
  return !grants.every(isOpen)
}

/** Fields that change, or might, although they are frozen where the record is. */
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

/** Given fields that their writer does not read: they count as changed whatever is given. */
export const setUnreadableFields = (writer: Writer, home: WorldCollection, record: WorldRecord, sent: Sent): string[] =>
  Object.keys(sent).filter((name) => isUnread(writer, home, record, name))

/** What a write made of a record; `before` null: it is new. */
type Touched = {
  readonly before: WorldRecord | null
  readonly after: WorldRecord
  /** The given fields that its writer does not read. */
  readonly unread?: readonly string[]
}

/** Rules that a record breaks after a write that touched fields they name. */
export function ruleErrors(
  { world, viewpoint }: Writer,
  home: WorldCollection,
  { before, after, unread = [] }: Touched,
): string[] {
  // Rules judge values, not people.
  const here = { ...asSeenBy(world, viewpoint), me: null }
  const changed = before ? [...differing(before, after.values), ...unread] : []
  const isTouched = (name: string): boolean => !before || changed.includes(name)
  return home.laws.rules.flatMap(({ when, then }) => {
    const named = [...(when ? namedIn(when) : []), ...namedIn(then)]
    if (!named.some(isTouched)) return []
    if (when && !satisfies(here, home, after, when)) return []
    return satisfies(here, home, after, then) ? [] : ['422 rule-broken']
  })
}

/** A world in which one record is another, or new. */
export function withRecord(world: World, name: string, record: WorldRecord): World {
  return {
    ...world,
    collections: world.collections.map((collection) => {
      if (collection.name !== name) return collection
      const isKnown = collection.records.some(({ id }) => id === record.id)
      const records = collection.records.map((one) => (one.id === record.id ? record : one))
      return { ...collection, records: isKnown ? records : [...records, record] }
    }),
  }
}

/** A world without some records, and without what pointed at them. */
export function withoutRecords(world: World, name: string, ids: readonly string[]): World {
  const cleared = (field: WorldField, value: WorldValue | undefined): WorldValue => {
    if (value === undefined) return null
    if (field.kind !== 'relation' || field.target !== name) return value
    if (typeof value === 'object') return value?.filter((id) => !ids.includes(id)) ?? null
    return ids.includes(String(value)) ? null : value
  }
  return {
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
  }
}
