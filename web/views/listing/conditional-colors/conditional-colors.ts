import type { RecordListItem } from '#api/records.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import { checkValue } from '#domain/fields/kinds.ts'
import { checkFilterIn, environmentOfRules } from '#domain/query/check/check-filter.ts'
import {
  type CheckedCondition,
  type CheckedFilter,
  type CheckedNode,
  conditionsIn,
  type Source,
  sourcesOf,
} from '#domain/query/check/checked-filter.ts'
import { matches } from '#domain/query/run/matches.ts'
import type { QueryContext } from '#domain/query/check/query-context.ts'
import type { Lookup } from '#domain/query/run/read-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { definitionOf, type FindCollection } from '#web/shared/conditions/path-fields.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { t } from '#web/i18n/t.ts'
import type { ColorRule } from '#web/views/listing/list-settings.ts'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import { describeCondition } from '#web/shared/conditions/describe-condition.ts'

export type ColorContext = {
  readonly collection: TypedCollection
  readonly findCollection: FindCollection
  readonly userId: string | null
  readonly now: Date
}

export function colorRuleError(filter: string, world: ColorContext): string | undefined {
  const ready = readyFilter(filter, world)
  return typeof ready === 'string' ? ready : undefined
}

/** Returns the indexes of the rules that match a record, exactly as on the server. */
export type ColorMatcher = (record: RecordListItem) => readonly number[]

export function colorMatcher(rules: readonly ColorRule[], world: ColorContext): ColorMatcher {
  const ready = rules.flatMap(({ filter }, at) => {
    const checked = filter === '' ? 'empty' : readyFilter(filter, world)
    return typeof checked === 'string' ? [] : [{ at, filter: checked }]
  })
  const named = new Set(ready.flatMap(({ filter }) => fieldsNamed(filter)))
  const fields = world.collection.fields.filter(({ id }) => named.has(id))
  return (record) => {
    const read = readRecord(world.collection.id, fields, record)
    const lookup = lookupOf(fields, record, world)
    return ready.flatMap(({ at, filter }) => (matches(filter, read, lookup) ? [at] : []))
  }
}

const NOT_FROM_HERE = t('Color rules can only use fields of the record itself, not of linked records.')

function readyFilter(filter: string, world: ColorContext): CheckedFilter | string {
  const checked = checkFilterIn(environmentOfRules(contextOf(world)), filter)
  if (!checked.ok) return checked.fault.message
  return conditionsIn(checked.value).every((each) => isLoadedInList(each, world)) ? checked.value : NOT_FROM_HERE
}

function contextOf({ collection, findCollection, userId, now }: ColorContext): QueryContext {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return {
    collection: definitionOf(collection),
    // Used for collections that the user can't see: related records exist, but nothing else about them is known.
    collectionOf: (id) => {
      const there = findCollection(id)
      return there ? definitionOf(there) : nothingKnown(id)
    },
    decisionFor: () => ({ allowed: true, hiddenFields: new Set() }),
    now,
    // Colors are computed for each reader, in the reader's time zone.
    timeZone,
    workspaceTimeZone: timeZone,
    actorId: userId,
  }
}

const nothingKnown = (id: string): Collection => ({ id, name: '', label: '', fields: [], titleField: null, version: 0 })

const fieldsNamed = (node: CheckedNode): readonly string[] =>
  conditionsIn(node)
    .flatMap(sourcesOf)
    .flatMap(({ steps, leaf }) => {
      const field = steps[0]?.relation ?? (leaf.type === 'field' ? leaf.field : undefined)
      return field ? [field.id] : []
    })

const LISTED_TITLES: ReadonlySet<string> = new Set(['text', 'long-text', 'email', 'url', 'phone'])

/** Whether lists load all data that the condition needs: the record's own values and the names of related records. */
function isLoadedInList(condition: CheckedCondition, world: ColorContext): boolean {
  const isById = condition.type === 'pair' || condition.test.is === 'filled' || condition.test.is === 'oneOf'
  return sourcesOf(condition).every((source) => isSourceLoadedInList(source, isById, world))
}

function isSourceLoadedInList({ steps, leaf }: Source, isById: boolean, { findCollection }: ColorContext): boolean {
  const [step, ...more] = steps
  if (step?.isReverse === true) return false
  if (!step) return leaf.type === 'field' || !READS_NAMES.has(leaf.field) || isById
  if (more.length > 0 || leaf.type !== 'field' || !LISTED_TITLES.has(leaf.field.kind)) return false
  return findCollection(step.into)?.titleField === leaf.field.name
}

const READS_NAMES: ReadonlySet<string> = new Set(['createdBy', 'updatedBy'])

function readRecord(
  collection: string,
  fields: readonly Field[],
  { values, ...record }: RecordListItem,
): CollectionRecord {
  const { id, version, createdAt, createdBy, updatedAt, updatedBy } = record
  const read = fields.map((field) => [field.id, readValue(field, values[field.name])] as const)
  return { id, collection, version, createdAt, createdBy, updatedAt, updatedBy, values: Object.fromEntries(read) }
}

function readValue(field: Field, value: unknown): FieldValue {
  // Lists contain a document's text, which is all that filters use.
  if (field.kind === 'rich-text') return typeof value === 'string' ? value : null
  if (field.kind === 'relation' || field.kind === 'user' || field.kind === 'files') {
    return toClientValue(field.kind, value).map(({ id }) => id)
  }
  if (field.kind === 'reverse') return null
  const checked = checkValue(field, value ?? null)
  if (checked.ok) return checked.value
  // A value stored before a limit was introduced may exceed that limit.
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

function lookupOf(fields: readonly Field[], { values }: RecordListItem, { findCollection }: ColorContext): Lookup {
  const reported = (kind: 'user' | 'files' | 'relation') => fields.filter((field) => field.kind === kind)
  const people = reported('user').flatMap(({ name }) => toClientValue('user', values[name]))
  const files = reported('files').flatMap(({ name }) => toClientValue('files', values[name]))
  const related = reported('relation').flatMap(({ name }) => toClientValue('relation', values[name]))
  return {
    // Lists contain only some of them, so conditions on them aren’t evaluated.
    linkingTo: () => [],
    manualKeyOf: () => undefined,
    userNameOf: (id) => people.find((person) => person.id === id)?.name,
    fileNameOf: (id) => files.find((file) => file.id === id)?.name,
    recordOf: (collection, id) => {
      const found = related.find((one) => one.id === id)
      const there = findCollection(collection)
      const title = there?.fields.find(({ name }) => name === there.titleField)
      if (!found) return undefined
      const own = { id, collection, version: 1, createdAt: '', createdBy: null, updatedAt: '', updatedBy: null }
      return { ...own, values: title ? { [title.id]: found.title } : {} }
    },
  }
}

type ColorRuleContext = { readonly collection: TypedCollection; readonly findCollection: FindCollection }

/** Describes a color rule as text, for users who can't see colors. */
export function describeColorRule(filter: string, { collection, findCollection }: ColorRuleContext): string {
  const parsed = filter === '' ? undefined : parseFilter(filter)
  return parsed?.ok ? describeCondition(parsed.value.filter, { collection, findCollection, me: 'me' }) : filter
}
