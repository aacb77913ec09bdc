import type { Decision } from '#domain/access/decide.ts'
import { linkedCollection } from '#domain/fields/field.ts'
import { type QueryContext, fullyVisible, titleLeaf } from '#domain/query/check/query-context.ts'
import { comparisonsOf, type PathPart, type PathContext, partsOfPath } from '#domain/query/filter/saved-filter.ts'
import { type Comparison, type Filter, pathsOf } from '#domain/query/filter/filter.ts'
import { readsText } from '#domain/query/filter/operators.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Rule } from './rule.ts'

export type RuleReader = PathContext & Pick<QueryContext, 'decisionFor'>

type RuleParts = Pick<Rule, 'when' | 'then' | 'field'>

/**
 * Whether a manager of the collection can see a rule. Rules that use hidden fields of other collections are invisible.
 */
export function isRuleVisible({ when, then }: RuleParts, reader: RuleReader): boolean {
  const comparisons = [...(when === null ? [] : comparisonsOf(when)), ...comparisonsOf(then)]
  const parts = comparisons.flatMap(pathsOf).flatMap((path) => partsOfPath(path, reader) ?? [])
  return parts.every(({ collection, leaf }) => {
    const decision = reader.decisionFor(collection.id)
    if (collection.id === reader.collection.id) return true
    return decision.allowed && (leaf.type === 'system' || !decision.hiddenFields.has(leaf.field.id))
  })
}

/**
 * Whether a user can see the rule's message; requires read access, in every record, to each field that the rule uses.
 */
export function isMessageVisible({ when, then, field }: RuleParts, reader: RuleReader): boolean {
  const comparisons = [...(when === null ? [] : comparisonsOf(when)), ...comparisonsOf(then)]
  const home = reader.decisionFor(reader.collection.id)
  const isFieldVisible = field === null || (home.allowed && !home.hiddenFields.has(field))
  return isFieldVisible && comparisons.every((comparison) => isReadable(comparison, reader))
}

function isReadable(comparison: Comparison, reader: RuleReader): boolean {
  return pathsOf(comparison).every((path) => {
    const parts = partsOfPath(path, reader)
    if (!parts) return false
    return [...parts, ...linkedTitle(comparison, parts, reader)].every((part, at) => {
      const decision = reader.decisionFor(part.collection.id)
      return (
        isPartReadable(part, decision) &&
        (!isReverse(part) || targetsAreVisible(part, reader)) &&
        (at === 0 || (decision.allowed && decision.where === undefined))
      )
    })
  })
}

function isPartReadable({ leaf }: PathPart, decision: Decision): boolean {
  if (!decision.allowed) return false
  if (leaf.type === 'system') return true
  const { id } = leaf.field
  return !decision.hiddenFields.has(id) && decision.partlyHidden?.has(id) !== true
}

function linkedTitle({ op }: Comparison, parts: readonly PathPart[], reader: RuleReader): readonly PathPart[] {
  const last = parts.at(-1)?.leaf
  const linked = last?.type === 'field' ? linkedCollection(last.field) : undefined
  if (!readsText(op) || linked === undefined) return []
  const target = collectionAt(linked, reader)
  return target ? [{ collection: target, leaf: titleLeaf(fullyVisible(target)) }] : []
}

const collectionAt = (id: CollectionId, { collection, collectionOf }: PathContext) =>
  id === collection.id ? collection : collectionOf(id)

/** Fields in a condition that the reader can't read in every record, such as partly visible links. */
export function unreadableParts(condition: Filter, reader: RuleReader): readonly PathPart[] {
  return comparisonsOf(condition).flatMap((comparison) =>
    pathsOf(comparison).flatMap((path) => {
      const parts = partsOfPath(path, reader) ?? []
      const all = [...parts, ...linkedTitle(comparison, parts, reader)]
      return all.filter((part, at) => {
        const decision = reader.decisionFor(part.collection.id)
        const isSeen = at === 0 || (decision.allowed && decision.where === undefined)
        return !isSeen || !isPartReadable(part, decision) || !targetsAreVisible(part, reader)
      })
    }),
  )
}

const isReverse = ({ leaf }: PathPart): boolean => leaf.type === 'field' && leaf.field.kind === 'reverse'

/** The links of a reverse side are values of the relation in the linked records. */
function targetsAreVisible({ leaf }: PathPart, { decisionFor }: RuleReader): boolean {
  if (leaf.type !== 'field') return true
  const { field } = leaf
  const linked = linkedCollection(field)
  if (linked === undefined) return true
  const decision = decisionFor(linked)
  if (!decision.allowed || decision.where !== undefined) return false
  if (field.kind !== 'reverse') return true
  const { relation } = field.options
  return !decision.hiddenFields.has(relation) && decision.partlyHidden?.has(relation) !== true
}
