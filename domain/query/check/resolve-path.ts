import { type Result, fail, ok } from '../../shared/result.ts'
import { type Leaf, NO_RECORDS, type Source, type Step, systemLeaf } from './checked-filter.ts'
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
    if (!leaf) return fail(unknownField(current, name))
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

/** Path to the title of linked records; undefined if titles are hidden. */
export function resolveTitle(relation: Source, environment: QueryEnvironment): Source | undefined {
  const followed = followRelation(relation.leaf, environment)
  return followed && { steps: [...relation.steps, followed.step], leaf: titleLeaf(followed.target) }
}

/** Limits linked IDs to visible records, so that comparing, sorting and grouping don't reveal hidden ones. */
export function visibleRelation(relation: Source, { collectionFor }: QueryEnvironment): Source {
  const { leaf } = relation
  if (leaf.type !== 'field' || leaf.field.kind !== 'relation') return relation
  const into = leaf.field.options.collection
  const target = collectionFor(into)
  if (target?.visible === null) return relation
  const step: Step = { relation: leaf.field, readable: leaf.readable, into, visible: target?.visible ?? NO_RECORDS }
  return { steps: [...relation.steps, step], leaf: systemLeaf('id') }
}

function followRelation(
  leaf: Leaf,
  { collectionFor }: QueryEnvironment,
): { readonly step: Step; readonly target: VisibleCollection } | undefined {
  if (leaf.type !== 'field' || leaf.field.kind !== 'relation') return undefined
  const target = collectionFor(leaf.field.options.collection)
  const { field: relation, readable } = leaf
  return target && { step: { relation, readable, into: target.collection.id, visible: target.visible }, target }
}
