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
  let current: Collection | undefined = collection
  for (const name of path.split('.')) {
    const leaf: Leaf | undefined = current && findLeaf(fullyVisible(current), name)
    if (!current || !leaf) return undefined
    parts.push({ collection: current, leaf })
    const target: CollectionId | undefined =
      leaf.type === 'field' && leaf.field.kind === 'relation' ? leaf.field.options.collection : undefined
    current = target === undefined ? undefined : target === collection.id ? collection : collectionOf(target)
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
export const filterById = (filter: Filter, context: PathContext): Filter => rewriteFilter(filter, context, BY_ID)

/** The same as it is shown: fields and choices by the names they have now. */
export const filterByName = (filter: Filter, context: PathContext): Filter => rewriteFilter(filter, context, BY_NAME)

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

function rewriteFilter(filter: Filter, context: PathContext, scheme: NamingScheme): Filter {
  if ('all' in filter) return { all: filter.all.map((part) => rewriteFilter(part, context, scheme)) }
  if ('any' in filter) return { any: filter.any.map((part) => rewriteFilter(part, context, scheme)) }
  const { op, value } = filter
  const field = rewrittenPath(filter.field, context, scheme)
  if (isFieldOperand(value)) return { field, op, value: { field: rewrittenPath(value.field, context, scheme) } }
  if (value === undefined) return { field, op }
  const toLiteral = literalIn(partsOfPath(filter.field, context)?.at(-1)?.leaf, op, scheme)
  return { field, op, value: isList(value) ? value.map(toLiteral) : toLiteral(value) }
}

const rewrittenPath = (path: string, context: PathContext, scheme: NamingScheme): string =>
  partsOfPath(path, context)?.map(scheme.part).join('.') ?? path

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
