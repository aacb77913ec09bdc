import { createContext, use } from 'react'
import { t } from '#web/i18n/t.ts'
import { grantInputFault } from '#domain/access/grant-inputs.ts'
import { checkFilterIn, environmentOfRules } from '#domain/query/check/check-filter.ts'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import type { QueryContext, QueryFault } from '#domain/query/check/query-context.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { definitionOf, type FindCollection, type PathGroup } from '#web/shared/conditions/path-fields.ts'
import type { Field } from '#domain/fields/field.ts'
import { takesField } from '#domain/query/check/check-field-comparison.ts'
import type { Operator } from '#domain/query/filter/filter.ts'

/** Something that is noted about people, as conditions name it: `@me.region`. */
export type UserAttribute = { readonly name: string; readonly label: string }

/** What conditions mean around here: who reads them, and when what is typed counts. */
export type ConditionOptions = {
  /** What whoever asks is called; null where a condition means the same whoever reads it. */
  readonly me: string | null
  /** What a text may be compared with of that person. */
  readonly ownNotes: readonly UserAttribute[]
  /** Whether the condition belongs to a grant, which takes fewer operators. */
  readonly isOfGrant: boolean
  /** Whether what is typed counts with every key, or when the typing rests. */
  readonly countsAtOnce: boolean
  /** The word before the first line. */
  readonly lead: string
}

const ConditionContext = createContext<ConditionOptions>({
  me: t('Me'),
  ownNotes: [],
  isOfGrant: false,
  countsAtOnce: false,
  lead: t('Where'),
})

/** Sets it for the conditions inside. */
export const ConditionOptionsProvider = ConditionContext.Provider

/** What conditions mean here. */
export const useConditionOptions = (): ConditionOptions => use(ConditionContext)

/** What a condition is judged in: all that whoever builds it may see, whoever will read it and when. */
export function filterContext(
  collection: TypedCollection,
  find: FindCollection,
  ownNotes: readonly UserAttribute[],
): QueryContext {
  return {
    collection: definitionOf(collection),
    collectionOf: (id) => {
      const there = find(id)
      return there && definitionOf(there)
    },
    decisionFor: () => ({ allowed: true, hiddenFields: new Set() }),
    now: new Date(),
    timeZone: 'UTC',
    workspaceTimeZone: 'UTC',
    actorId: null,
    ...(ownNotes.length > 0 && { profile: Object.fromEntries(ownNotes.map(({ name }) => [name, []])) }),
  }
}

/** What is wrong with a text as a filter here, told as the server tells it. */
export function filterErrorIn(text: string, context: QueryContext, isOfGrant = false): QueryFault | undefined {
  const checked = checkFilterIn(environmentOfRules(context), text)
  if (!checked.ok) return checked.fault
  const parsed = isOfGrant ? parseFilter(text) : undefined
  const message = parsed?.ok ? grantInputFault(parsed.value.filter, context)?.message : undefined
  return message === undefined ? undefined : { code: 'invalid-filter', message, path: 'filter' }
}

/** The fields that a field can be compared with by an operator, under their headings; none where there are none. */
export type ComparableFields = (field: Field, op: Operator) => readonly PathGroup[]

/** Finds them among these; each question is answered once. */
export function comparableFields(
  groups: readonly PathGroup[],
  context: QueryContext,
  isOfGrant: boolean,
): ComparableFields {
  const known = new Map<string, readonly PathGroup[]>()
  const fits = comparesIn(context, isOfGrant)
  return (field, op) => {
    const name = `${op} ${field.name}`
    const found = known.get(name) ?? fitting(groups, (other) => other.name !== field.name && fits(field, op, other))
    known.set(name, found)
    return found
  }
}

/** Whether two fields, named by their whole paths, can be compared by an operator; judged as the server judges it. */
export function comparesIn(
  context: QueryContext,
  isOfGrant: boolean,
): (field: Field, op: Operator, other: Field) => boolean {
  const surroundings = environmentOfRules(context)
  return (field, op, other) => {
    const comparison = { field: field.name, op, value: { field: other.name } }
    if (!takesField(op) || !checkFilterIn(surroundings, comparison).ok) return false
    return !isOfGrant || grantInputFault(comparison, context) === undefined
  }
}

const fitting = (groups: readonly PathGroup[], fits: (field: Field) => boolean): readonly PathGroup[] =>
  groups.map(({ label, fields }) => ({ label, fields: fields.filter(fits) })).filter(({ fields }) => fields.length > 0)
