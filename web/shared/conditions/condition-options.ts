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

export type UserAttribute = { readonly name: string; readonly label: string }

export type ConditionOptions = {
  /** Null if the condition doesn't depend on the current user. */
  readonly me: string | null
  readonly ownNotes: readonly UserAttribute[]
  readonly isOfGrant: boolean
  /** Whether changes apply on every keystroke or after a pause in typing. */
  readonly countsAtOnce: boolean
  readonly lead: string
}

const ConditionContext = createContext<ConditionOptions>({
  me: t('Me'),
  ownNotes: [],
  isOfGrant: false,
  countsAtOnce: false,
  lead: t('Where'),
})

export const ConditionOptionsProvider = ConditionContext.Provider

export const useConditionOptions = (): ConditionOptions => use(ConditionContext)

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

export function filterErrorIn(text: string, context: QueryContext, isOfGrant = false): QueryFault | undefined {
  const checked = checkFilterIn(environmentOfRules(context), text)
  if (!checked.ok) return checked.fault
  const parsed = isOfGrant ? parseFilter(text) : undefined
  const message = parsed?.ok ? grantInputFault(parsed.value.filter, context)?.message : undefined
  return message === undefined ? undefined : { code: 'invalid-filter', message, path: 'filter' }
}

export type ComparableFields = (field: Field, op: Operator) => readonly PathGroup[]

/** Cached per field and operator. */
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

/** Uses the same validation as the server. */
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
