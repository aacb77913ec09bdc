import type { Profile } from '../../access/actor.ts'
import type { Decision } from '../../access/decide.ts'
import { type Collection, fieldById, findField } from '../../collections/collection.ts'
import type { ProblemCode } from '../../shared/problem.ts'
import type { CollectionId, FieldId, UserId } from '../../shared/ids.ts'
import { type Result, fail } from '../../shared/result.ts'
import { type Field, hasManyEntries } from '#domain/fields/field.ts'
import { SYSTEM_FIELDS, isSystemField } from '#domain/fields/system-fields.ts'
import { type Expression, type FormulaCalendar, readsClock } from '#domain/formulas/expression.ts'
import { expressionOf } from '#domain/formulas/formula-fields.ts'
import { resultField, valueField } from '#domain/formulas/value-field.ts'
import { type CheckedNode, type Leaf, leafOf, systemLeaf } from './checked-filter.ts'
import { didYouMean } from '../filter/did-you-mean.ts'

/** Context for validating a query: collections, permissions, and the values of `@me` and `@today`. */
export type QueryContext = {
  readonly collection: Collection
  readonly collectionOf: (id: CollectionId) => Collection | undefined
  /** Access decision for the query's permission. */
  readonly decisionFor: (id: CollectionId) => Decision
  readonly now: Date
  /** Whether the query reads an earlier time, of which the links from other records aren't known. */
  readonly isPast?: boolean
  /** IANA name of the actor's time zone, used for their own filters. */
  readonly timeZone: string
  /** Workspace time zone for grants, validation rules and guards; requests can't override it. */
  readonly workspaceTimeZone: string
  /** null for the system; `@me` then matches no user. */
  readonly actorId: UserId | null
  /** Values of `@me.<name>`; absent if there is no user, in which case any name is accepted but matches nothing. */
  readonly profile?: Profile | undefined
}

export type QueryPart = 'filter' | 'sort' | 'search' | 'group' | 'cursor'

/** `position` is a zero-based UTF-16 offset; `path` names a query parameter or a node in a filter tree. */
export type QueryFault = {
  readonly code: Extract<ProblemCode, `invalid-${QueryPart}`>
  readonly message: string
  readonly position?: number
  readonly path: string
}

export function invalidQuery(
  part: QueryPart,
  message: string,
  position?: number,
  path: string = part,
): Result<never, QueryFault> {
  return fail({ code: `invalid-${part}` as const, message, path, ...(position === undefined ? {} : { position }) })
}

export type VisibleCollection = {
  readonly collection: Collection
  readonly hiddenFields: ReadonlySet<FieldId>
  /** Condition for records in which a field is readable; null: all records. */
  readonly readableIn: (field: FieldId) => CheckedNode | null
  /** null: all records. */
  readonly visible: CheckedNode | null
  /** For formulas that use the current time. */
  readonly calendar: FormulaCalendar
}

/** Unrestricted view of a collection, used for stored conditions. */
export const fullyVisible = (collection: Collection, calendar = NO_TIME): VisibleCollection => ({
  calendar,
  collection,
  hiddenFields: NO_FIELDS,
  readableIn: () => null,
  visible: null,
})

const NO_FIELDS: ReadonlySet<FieldId> = new Set()

/** For conditions that are rewritten or described, and not evaluated. */
const NO_TIME: FormulaCalendar = { now: new Date(0), timeZone: 'UTC' }

/** Formulas give the same values to every reader, so they use the workspace's time zone. */
export const calendarOf = ({ now, workspaceTimeZone }: QueryContext): FormulaCalendar => ({
  now,
  timeZone: workspaceTimeZone,
})

/** Context for validating a filter, sort, search or group. */
export type QueryEnvironment = {
  readonly context: QueryContext
  readonly home: VisibleCollection
  /** Undefined if the reader can't see the collection. */
  readonly collectionFor: (id: CollectionId) => VisibleCollection | undefined
}

/** A hidden field is treated like a missing one. */
export function findLeaf(reachable: VisibleCollection, nameOrId: string): Leaf | undefined {
  if (isSystemField(nameOrId)) return systemLeaf(nameOrId)
  const { collection, hiddenFields } = reachable
  const field = findField(collection, nameOrId)
  return field && !hiddenFields.has(field.id) ? leafIn(reachable, field) : undefined
}

/** A formula that isn't valid is empty in every record. */
export function leafIn({ collection, readableIn, calendar }: VisibleCollection, field: Field): Leaf {
  const readable = readableIn(field.id)
  if (field.kind !== 'formula') return leafOf(valueField(field), readable)
  const expression = expressionOf(collection, field)
  return leafOf(resultField(field), readable, { expression, calendar: calendarFor(expression, { calendar }) })
}

/** Without the time, equal queries have equal cache keys. */
export const calendarFor = (expression: Expression, { calendar }: Pick<VisibleCollection, 'calendar'>) =>
  readsClock(expression) ? calendar : { ...NO_TIME, timeZone: calendar.timeZone }

export const visibleFields = ({ collection, hiddenFields }: VisibleCollection): readonly Field[] =>
  collection.fields.filter((field) => !hiddenFields.has(field.id))

export function titleLeaf(reachable: VisibleCollection): Leaf {
  const { collection, hiddenFields } = reachable
  const title = collection.titleField === null ? undefined : fieldById(collection, collection.titleField)
  return title && !hiddenFields.has(title.id) && isTitle(title) ? leafIn(reachable, title) : systemLeaf('id')
}

/** Lists, references and JSON can't be titles. */
const isTitle = (field: Field): boolean =>
  !hasManyEntries(field) && field.kind !== 'relation' && field.kind !== 'user' && field.kind !== 'json'

/** Creates an error that suggests a similar visible name. */
export function unknownField(reachable: VisibleCollection, name: string): string {
  const names = [...visibleFields(reachable).map((field) => field.name), ...SYSTEM_FIELDS]
  return `There is no field “${name.slice(0, 80)}” in ${reachable.collection.label}.${didYouMean(name, names)}`
}
