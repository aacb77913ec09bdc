import type { Collection } from '../collections/collection.ts'
import { hasSelectOptions } from '../fields/field.ts'
import { findOption, optionName } from '../fields/select.ts'
import type { CollectionId } from '../shared/ids.ts'
import type { Leaf } from './checked-filter.ts'
import { type Comparison, type Filter, type FilterLiteral, isFieldOperand, isList, type Operator } from './filter.ts'
import { readsText } from './operators.ts'
import { findLeaf, fullyVisible } from './query-environment.ts'

/** Where the paths of a filter begin, and the collections they may lead into. */
export type PathContext = {
  readonly collection: Collection
  readonly collectionOf: (id: CollectionId) => Collection | undefined
}

/** One name of a path: the collection it is looked up in, and what it names there. */
export type PathPart = { readonly collection: Collection; readonly leaf: Leaf }

/** What each name of a path stands for, whoever may read it; undefined where one of them means nothing. */
export function partsOfPath(path: string, { collection, collectionOf }: PathContext): readonly PathPart[] | undefined {
  const parts: PathPart[] = []
  let here: Collection | undefined = collection
  for (const name of path.split('.')) {
    const leaf: Leaf | undefined = here && findLeaf(fullyVisible(here), name)
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
export const filterById = (filter: Filter, world: PathContext): Filter => rewriteFilter(filter, world, BY_ID)

/** The same as it is shown: fields and choices by the names they have now. */
export const filterByName = (filter: Filter, world: PathContext): Filter => rewriteFilter(filter, world, BY_NAME)

type NamingScheme = {
  readonly part: (part: PathPart) => string
  readonly choice: (field: Parameters<typeof findOption>[0], written: string) => string
}

const BY_ID: NamingScheme = {
  part: ({ leaf }) => (leaf.type === 'system' ? leaf.field : leaf.field.id),
  choice: (field, written) => findOption(field, written)?.id ?? written,
}

const BY_NAME: NamingScheme = {
  part: ({ leaf }) => (leaf.type === 'system' ? leaf.field : leaf.field.name),
  choice: (field, written) => optionName(field, written) ?? written,
}

function rewriteFilter(filter: Filter, world: PathContext, wording: NamingScheme): Filter {
  if ('all' in filter) return { all: filter.all.map((part) => rewriteFilter(part, world, wording)) }
  if ('any' in filter) return { any: filter.any.map((part) => rewriteFilter(part, world, wording)) }
  const { op, value } = filter
  const field = rewrittenPath(filter.field, world, wording)
  if (isFieldOperand(value)) return { field, op, value: { field: rewrittenPath(value.field, world, wording) } }
  if (value === undefined) return { field, op }
  const say = literalIn(partsOfPath(filter.field, world)?.at(-1)?.leaf, op, wording)
  return { field, op, value: isList(value) ? value.map(say) : say(value) }
}

const rewrittenPath = (path: string, world: PathContext, wording: NamingScheme): string =>
  partsOfPath(path, world)?.map(wording.part).join('.') ?? path

/** What operators of texts look for in the names of choices is no choice itself. */
function literalIn(
  leaf: Leaf | undefined,
  op: Operator,
  { choice }: NamingScheme,
): (literal: FilterLiteral) => FilterLiteral {
  const field = leaf?.type === 'field' && hasSelectOptions(leaf.field) ? leaf.field : undefined
  if (!field || readsText(op)) return (literal) => literal
  return (literal) => (typeof literal === 'string' ? choice(field, literal) : literal)
}
