import { type Result, fail, ok } from '../../shared/result.ts'
import { linkedCollection } from '../../fields/field.ts'
import { type CheckedNode, type Leaf, NO_RECORDS, type Source, type Step, systemLeaf } from './checked-filter.ts'
import { fieldsOfLinkedValues } from '../../formulas/formula-fields.ts'
import { relationOf } from '../../collections/reverse-side.ts'
import { MAX_PATH_RELATIONS } from '../query-limits.ts'
import { type VisibleCollection, type QueryEnvironment, findLeaf, titleLeaf, unknownField } from './query-context.ts'

/** Resolves a path such as `author.country.name`. */
export function resolvePath(path: string, environment: QueryEnvironment): Result<Source, string> {
  const names = path.split('.')
  if (names.length - 1 > MAX_PATH_RELATIONS)
    return fail(`A path can contain at most ${MAX_PATH_RELATIONS} linked record fields.`)

  let current: VisibleCollection = environment.home
  const steps: Step[] = []
  for (const [at, name] of names.entries()) {
    const leaf = findLeaf(current, name)
    if (!leaf || (isReverseLeaf(leaf) && !followRelation(leaf, environment))) return fail(unknownField(current, name))
    if (isReverseLeaf(leaf) && environment.context.isPast === true) return fail(NO_PAST_LINKS)
    if (isLinkedValue(current, leaf) && environment.context.isPast === true) return fail(NO_PAST_VALUES)
    if (at === names.length - 1) return ok({ steps, leaf })

    const followed = followRelation(leaf, environment)
    if (!followed)
      return fail(
        `“${name}” isn’t a linked record field, so it can’t be followed by “${names.slice(at + 1).join('.')}”.`,
      )
    steps.push(followed.step)
    current = followed.target
  }
  return fail('A path needs a field name.')
}

const NO_PAST_LINKS =
  'Fields of the type “Linked from” can’t be used here at an earlier time, because only their current links are known.'

export const NO_PAST_VALUES =
  'Lookups, counts and rollups, and formulas that use them, can’t be used at an earlier time, because only their current values are known.'

export const isLinkedValue = ({ collection }: VisibleCollection, leaf: Leaf): boolean =>
  leaf.type === 'field' && fieldsOfLinkedValues(collection).has(leaf.field.id)

/** Path to the title of linked records; undefined if titles are hidden. */
export function resolveTitle(relation: Source, environment: QueryEnvironment): Source | undefined {
  const followed = followRelation(relation.leaf, environment)
  return followed && { steps: [...relation.steps, followed.step], leaf: titleLeaf(followed.target) }
}

/** Limits linked IDs to visible records, so that comparing, sorting and grouping don't reveal hidden ones. */
export function visibleRelation(source: Source, environment: QueryEnvironment): Source {
  const { leaf } = source
  if (leaf.type !== 'field' || linkedCollection(leaf.field) === undefined) return source
  const followed = followRelation(leaf, environment)
  if (leaf.field.kind === 'relation' && followed?.target.visible === null) return source
  const step = followed?.step ?? deadEnd(leaf)
  return step ? { steps: [...source.steps, step], leaf: systemLeaf('id') } : source
}

/** A relation to a collection that isn't visible. */
function deadEnd(leaf: Leaf): Step | undefined {
  if (leaf.type !== 'field' || leaf.field.kind !== 'relation') return undefined
  const { field: relation, readable } = leaf
  return { relation, isReverse: false, readable, into: relation.options.collection, visible: NO_RECORDS }
}

const isReverseLeaf = (leaf: Leaf): boolean => leaf.type === 'field' && leaf.field.kind === 'reverse'

type Followed = { readonly step: Step; readonly target: VisibleCollection }

function followRelation(leaf: Leaf, { collectionFor }: QueryEnvironment): Followed | undefined {
  if (leaf.type !== 'field') return undefined
  const { field, readable } = leaf
  const target = collectionFor(linkedCollection(field) ?? '')
  if (!target) return undefined
  const into = target.collection.id
  if (field.kind === 'relation')
    return { step: { relation: field, isReverse: false, readable, into, visible: target.visible }, target }
  if (field.kind !== 'reverse') return undefined
  const relation = relationOf(field, target.collection)
  if (!relation || target.hiddenFields.has(relation.id)) return undefined
  const visible = bothHold(target.visible, target.readableIn(relation.id))
  return { step: { relation, isReverse: true, readable, into, visible }, target }
}

/** null: true for every record. */
export function bothHold(one: CheckedNode | null, other: CheckedNode | null): CheckedNode | null {
  if (one === null || other === null) return one ?? other
  return { type: 'all', of: [one, other] }
}
