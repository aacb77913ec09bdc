import { type Result, fail, ok } from '../shared/result.ts'
import { type Leaf, NO_RECORDS, type Source, type Step, systemLeaf } from './checked-filter.ts'
import { MAX_PATH_RELATIONS } from './query-limits.ts'
import {
  type VisibleCollection,
  type QueryEnvironment,
  findLeaf,
  titleLeaf,
  unknownField,
} from './query-environment.ts'

/** Follows a path such as `author.country.name` to what it reads; a sentence says where it breaks off. */
export function resolvePath(path: string, surroundings: QueryEnvironment): Result<Source, string> {
  const names = path.split('.')
  if (names.length - 1 > MAX_PATH_RELATIONS)
    return fail(`A path can follow at most ${MAX_PATH_RELATIONS} linked records.`)

  let here: VisibleCollection = surroundings.home
  const steps: Step[] = []
  for (const [at, name] of names.entries()) {
    const leaf = findLeaf(here, name)
    if (!leaf) return fail(unknownField(here, name))
    if (at === names.length - 1) return ok({ steps, leaf })

    const crossed = cross(leaf, surroundings)
    if (!crossed)
      return fail(`“${name}” isn’t a linked record field, so “${names.slice(at + 1).join('.')}” can’t follow it.`)
    steps.push(crossed.step)
    here = crossed.there
  }
  return fail('A path needs a field name.')
}

/** What names the records a relation points at: their title. undefined where the relation leads out of sight. */
export function resolveTitle(relation: Source, surroundings: QueryEnvironment): Source | undefined {
  const crossed = cross(relation.leaf, surroundings)
  return crossed && { steps: [...relation.steps, crossed.step], leaf: titleLeaf(crossed.there) }
}

/**
 * The records a relation names, as far as this reader sees them. Where a bound or a closed door keeps some out of sight,
 * the ids are read behind it: what cannot be seen must not be told by comparing, sorting or grouping either.
 */
export function visibleRelation(relation: Source, { reach }: QueryEnvironment): Source {
  const { leaf } = relation
  if (leaf.type !== 'field' || leaf.field.kind !== 'relation') return relation
  const into = leaf.field.options.collection
  const there = reach(into)
  if (there?.visible === null) return relation
  const step: Step = { relation: leaf.field, readable: leaf.readable, into, visible: there?.visible ?? NO_RECORDS }
  return { steps: [...relation.steps, step], leaf: systemLeaf('id') }
}

function cross(
  leaf: Leaf,
  { reach }: QueryEnvironment,
): { readonly step: Step; readonly there: VisibleCollection } | undefined {
  if (leaf.type !== 'field' || leaf.field.kind !== 'relation') return undefined
  const there = reach(leaf.field.options.collection)
  const { field: relation, readable } = leaf
  return there && { step: { relation, readable, into: there.collection.id, visible: there.visible }, there }
}
