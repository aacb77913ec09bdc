import { seal } from './check-filter.ts'
import type { CheckedFilter, CheckedNode } from './checked-filter.ts'

/**
 * The filter that passes exactly the records another one does not. A checked comparison and its negation part all
 * records between them, empty values included, so a whole tree is negated by negating its leaves.
 */
export const negate = (filter: CheckedFilter): CheckedFilter => seal(negateNode(filter))

function negateNode(node: CheckedNode): CheckedNode {
  switch (node.type) {
    case 'all':
      return { type: 'any', of: node.of.map(negateNode) }
    case 'any':
      return { type: 'all', of: node.of.map(negateNode) }
    case 'compare':
    case 'pair':
      return { ...node, isNegated: !node.isNegated }
  }
}
