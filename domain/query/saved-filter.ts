import type { Collection } from '../collections/collection.ts'
import { hasChoices } from '../fields/field.ts'
import { findChoice, nameOfChoice } from '../fields/select.ts'
import type { CollectionId } from '../shared/ids.ts'
import type { Leaf } from './checked-filter.ts'
import { type Comparison, type Filter, type FilterLiteral, isFieldOperand, isList, type Operator } from './filter.ts'
import { readsText } from './operators.ts'
import { findLeaf, seenWhole } from './surroundings.ts'

/** Where the paths of a filter begin, and the collections they may lead into. */
export type PathWorld = {
  readonly collection: Collection
  readonly collectionOf: (id: CollectionId) => Collection | undefined
}

/** One name of a path: the collection it is looked up in, and what it names there. */
export type PathPart = { readonly collection: Collection; readonly leaf: Leaf }

/** What each name of a path stands for, whoever may read it; undefined where one of them means nothing. */
export function partsOfPath(path: string, { collection, collectionOf }: PathWorld): readonly PathPart[] | undefined {
  const parts: PathPart[] = []
  let here: Collection | undefined = collection
  for (const name of path.split('.')) {
    const leaf: Leaf | undefined = here && findLeaf(seenWhole(here), name)
    if (!here || !leaf) return undefined
    parts.push({ collection: here, leaf })
    const target: CollectionId | undefined =
      leaf.type === 'field' && leaf.field.kind === 'relation' ? leaf.field.options.collection : undefined
    here = target === undefined ? undefined : target === collection.id ? collection : collectionOf(target)
  }
  return parts
}

/** Every comparison of a filter, in its order. */
export function comparisonsOf(filter: Filter): readonly Comparison[] {
  if ('all' in filter) return filter.all.flatMap(comparisonsOf)
  return 'any' in filter ? filter.any.flatMap(comparisonsOf) : [filter]
}

/**
 * A filter as it is kept: fields and choices by their ids, so that renaming them breaks nothing. What means nothing
 * stays as it is written.
 */
export const filterById = (filter: Filter, world: PathWorld): Filter => rewritten(filter, world, BY_ID)

/** The same as it is shown: fields and choices by the names they have now. */
export const filterByName = (filter: Filter, world: PathWorld): Filter => rewritten(filter, world, BY_NAME)

type Wording = {
  readonly part: (part: PathPart) => string
  readonly choice: (field: Parameters<typeof findChoice>[0], written: string) => string
}

const BY_ID: Wording = {
  part: ({ leaf }) => (leaf.type === 'system' ? leaf.field : leaf.field.id),
  choice: (field, written) => findChoice(field, written)?.id ?? written,
}

const BY_NAME: Wording = {
  part: ({ leaf }) => (leaf.type === 'system' ? leaf.field : leaf.field.name),
  choice: (field, written) => nameOfChoice(field, written) ?? written,
}

function rewritten(filter: Filter, world: PathWorld, wording: Wording): Filter {
  if ('all' in filter) return { all: filter.all.map((part) => rewritten(part, world, wording)) }
  if ('any' in filter) return { any: filter.any.map((part) => rewritten(part, world, wording)) }
  const { op, value } = filter
  const field = rewrittenPath(filter.field, world, wording)
  if (isFieldOperand(value)) return { field, op, value: { field: rewrittenPath(value.field, world, wording) } }
  if (value === undefined) return { field, op }
  const say = literalIn(partsOfPath(filter.field, world)?.at(-1)?.leaf, op, wording)
  return { field, op, value: isList(value) ? value.map(say) : say(value) }
}

const rewrittenPath = (path: string, world: PathWorld, wording: Wording): string =>
  partsOfPath(path, world)?.map(wording.part).join('.') ?? path

/** What operators of texts look for in the names of choices is no choice itself. */
function literalIn(
  leaf: Leaf | undefined,
  op: Operator,
  { choice }: Wording,
): (literal: FilterLiteral) => FilterLiteral {
  const field = leaf?.type === 'field' && hasChoices(leaf.field) ? leaf.field : undefined
  if (!field || readsText(op)) return (literal) => literal
  return (literal) => (typeof literal === 'string' ? choice(field, literal) : literal)
}
