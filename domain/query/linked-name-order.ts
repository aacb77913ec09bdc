import { type Leaf, leafOf, readableAt } from './checked-filter.ts'
import { kindOfLeaf } from './read-literal.ts'
import { type CheckedSort, type SortPart, isOwnPart } from './sort.ts'

/** An order that begins with the names of what a field points at: titles of related records, names of people. */
export type LinkedNameOrder = {
  /** The field itself: of all records that point at one thing, the names are the same. */
  readonly leaf: Leaf
  /** The parts that depend on the field alone. */
  readonly named: CheckedSort
  /** The parts behind them, which are read in the record's own row. */
  readonly rest: CheckedSort
}

/** Takes an order apart that begins with the names of one field; undefined where it does not, or where lists are in it. */
export function linkedNameOrder(sort: CheckedSort): LinkedNameOrder | undefined {
  const leaf = sort[0] && pointerOf(sort[0])
  if (!leaf) return undefined
  const end = sort.findIndex((part) => !isSame(pointerOf(part), leaf))
  const [named, rest] = [sort.slice(0, end), sort.slice(end)]
  return rest.length > 0 && rest.every(isOwnPart) ? { leaf, named, rest } : undefined
}

const isSame = (left: Leaf | undefined, right: Leaf): boolean =>
  left !== undefined && left.type === right.type && nameOf(left) === nameOf(right)

const nameOf = (leaf: Leaf): string => (leaf.type === 'field' ? leaf.field.id : leaf.field)

/** The field of one value that a part depends on alone, where it points at something. */
function pointerOf({ steps, leaf }: SortPart): Leaf | undefined {
  const [first, ...others] = steps
  if (others.length > 0) return undefined
  if (first)
    return first.relation.options.many || first.readable !== null ? undefined : leafOf(first.relation, first.readable)
  if (readableAt(leaf) !== null) return undefined
  const isMany = leaf.type === 'field' && 'many' in leaf.field.options && leaf.field.options.many
  const kind = kindOfLeaf(leaf)
  return !isMany && (kind === 'relation' || kind === 'user') ? leaf : undefined
}
