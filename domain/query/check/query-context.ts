import type { Profile } from '../../access/actor.ts'
import type { Decision } from '../../access/decide.ts'
import { type Collection, fieldById, fieldByName } from '../../collections/collection.ts'
import type { ProblemCode } from '../../shared/problem.ts'
import type { CollectionId, FieldId, UserId } from '../../shared/ids.ts'
import { type Result, fail } from '../../shared/result.ts'
import { type Field, holdsList } from '#domain/fields/field.ts'
import { SYSTEM_FIELDS, isSystemField } from '#domain/fields/system-fields.ts'
import { type CheckedNode, type Leaf, leafOf, systemLeaf } from './checked-filter.ts'
import { didYouMean } from '../filter/did-you-mean.ts'

/** What a query is checked against: the collections, what the actor may see of them, and what `@me` and `@today` mean. */
export type QueryContext = {
  readonly collection: Collection
  /** Any collection by id: relations lead there. */
  readonly collectionOf: (id: CollectionId) => Collection | undefined
  /** What the actor may do in a collection, for the permission the query is made under. */
  readonly decisionFor: (id: CollectionId) => Decision
  readonly now: Date
  /** IANA name of the actor's time zone, such as `Europe/Vienna`: their own filters are read by it. See `findTimeZone`. */
  readonly timeZone: string
  /** The time zone of the workspace: grants, validation rules and guards are read by it, for no request may choose it. */
  readonly workspaceTimeZone: string
  /** null for the program itself: `@me` is then nobody. */
  readonly actorId: UserId | null
  /** What `@me.region` means; absent where nobody asks: then it means nothing at all, whatever is named. */
  readonly profile?: Profile | undefined
}

/** The part of a query that was refused. */
export type QueryPart = 'filter' | 'sort' | 'search' | 'group' | 'cursor'

/** Why a query was refused. `position` counts UTF-16 units from 0 in the text; `path` names the part or the place in a tree. */
export type QueryFault = {
  readonly code: Extract<ProblemCode, `invalid-${QueryPart}`>
  readonly message: string
  readonly position?: number
  readonly path: string
}

/** Refuses a part of a query. */
export function invalidQuery(
  part: QueryPart,
  message: string,
  position?: number,
  path: string = part,
): Result<never, QueryFault> {
  return fail({ code: `invalid-${part}` as const, message, path, ...(position === undefined ? {} : { position }) })
}

/** A collection as one reader sees it: which of its fields exist, and which of its records may be reached. */
export type VisibleCollection = {
  readonly collection: Collection
  readonly hiddenFields: ReadonlySet<FieldId>
  /** In which of the records a field is there; null means all. */
  readonly readableIn: (field: FieldId) => CheckedNode | null
  /** null means all. */
  readonly visible: CheckedNode | null
}

/** A collection of which nothing is hidden: as rules see it, which the workspace made. */
export const fullyVisible = (collection: Collection): VisibleCollection => ({
  collection,
  hiddenFields: NO_FIELDS,
  readableIn: () => null,
  visible: null,
})

const NO_FIELDS: ReadonlySet<FieldId> = new Set()

/** What a filter, sort, search or group is checked in: its own collection, and the way into others. */
export type QueryEnvironment = {
  readonly context: QueryContext
  readonly home: VisibleCollection
  /** undefined for a collection that does not exist for this reader. */
  readonly collectionFor: (id: CollectionId) => VisibleCollection | undefined
}

/** The field of that name or id; a hidden one is answered like one that does not exist. */
export function findLeaf(reachable: VisibleCollection, nameOrId: string): Leaf | undefined {
  if (isSystemField(nameOrId)) return systemLeaf(nameOrId)
  const { collection, hiddenFields } = reachable
  const field = fieldByName(collection, nameOrId) ?? fieldById(collection, nameOrId)
  return field && !hiddenFields.has(field.id) ? leafIn(reachable, field) : undefined
}

/** A field that exists for this reader, in the records in which it is there. */
export const leafIn = ({ readableIn }: VisibleCollection, field: Field): Leaf => leafOf(field, readableIn(field.id))

/** The fields that exist for this reader. */
export const visibleFields = ({ collection, hiddenFields }: VisibleCollection): readonly Field[] =>
  collection.fields.filter((field) => !hiddenFields.has(field.id))

/** What names the records of a collection to this reader: a field of one value, else their id. */
export function titleLeaf(reachable: VisibleCollection): Leaf {
  const { collection, hiddenFields } = reachable
  const title = collection.titleField === null ? undefined : fieldById(collection, collection.titleField)
  return title && !hiddenFields.has(title.id) && isTitle(title) ? leafIn(reachable, title) : systemLeaf('id')
}

/** Whether a field reads as a title by itself: neither a list, nor by way of something else, nor a program's. */
const isTitle = (field: Field): boolean =>
  !holdsList(field) && field.kind !== 'relation' && field.kind !== 'user' && field.kind !== 'json'

/** Says that a name means nothing here, and which name was perhaps meant; never one that is hidden. */
export function unknownField(reachable: VisibleCollection, name: string): string {
  const names = [...visibleFields(reachable).map((field) => field.name), ...SYSTEM_FIELDS]
  return `There is no field “${name.slice(0, 80)}” in ${reachable.collection.label}.${didYouMean(name, names)}`
}
