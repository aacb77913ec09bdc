import { isFound, type Order } from './expected-answers.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { randomCondition, printCondition } from '#tests/access-oracle/generate/random-condition.ts'
import { collectionIn, satisfies } from './evaluate-condition.ts'
import type { World, WorldCollection, WorldField, WorldRecord } from '#tests/access-oracle/world/world.ts'

export type Listing = {
  readonly parts: Record<string, string>
  readonly found: readonly WorldRecord[]
  readonly orders: readonly Order[]
}

export const SEARCHES = [['view'], ['own'], ['ap'], ['zoe'], ['b', 'a'], ['100%'], ['done'], ['txt'], ['birnen'], ['_']]

export function randomListing(draw: Random, view: World, home: WorldCollection): Listing {
  const parts: Record<string, string> = {}
  let found = home.records
  if (home.fields.length > 0 && draw.chance(0.7)) {
    const condition = randomCondition(draw, view, home, { depth: 3 })
    parts['filter'] = printCondition(condition)
    found = found.filter((record) => satisfies(view, home, record, condition))
  }
  if (draw.chance(0.25)) {
    const terms = draw.one(SEARCHES)
    parts['search'] = terms.join(' ')
    found = found.filter((record) => isFound(view, home, record, terms))
  }
  const plain = randomOrders(draw, home, isSortable, 2)
  const orders = draw.chance(0.25) ? [...drawOrdersBehind(draw, view, home), ...plain] : plain
  if (orders.length > 0) parts['sort'] = printOrders(orders)
  return { parts, found, orders }
}

const isSortable = ({ kind }: WorldField): boolean => kind !== 'multi-select'

export const randomOrders = (
  draw: Random,
  { fields }: WorldCollection,
  fits: (field: WorldField) => boolean,
  most: number,
): Order[] => draw.some(fields.filter(fits), most).map((field) => ({ field, isDescending: draw.chance(0.5) }))

function drawOrdersBehind(draw: Random, view: World, home: WorldCollection): Order[] {
  const ways = home.fields.flatMap((via) =>
    (collectionIn(view, via.target)?.fields ?? []).filter(isSortable).map((field) => ({ via, field })),
  )
  return ways.length === 0 ? [] : [{ ...draw.one(ways), isDescending: draw.chance(0.5) }]
}

export const printOrders = (orders: readonly Order[]): string =>
  orders
    .map(({ field, via, isDescending }) => `${isDescending ? '-' : ''}${via ? `${via.name}.` : ''}${field.name}`)
    .join(',')

export const pathOf = ({ name }: Pick<WorldCollection, 'name'>, what: string, parts: Record<string, string>) =>
  `/api/collections/${name}/${what}?${new URLSearchParams(parts)}`
