import { grouped } from '#tests/access-oracle/expect/expected-answers.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { pathOf, randomOrders, type Listing, printOrders } from '#tests/access-oracle/expect/expected-listing.ts'
import type { Requester, OracleRequest } from './request.ts'
import type { WorldCollection, WorldField, WorldRecord } from '#tests/access-oracle/world/world.ts'

const LEVELS = 3

const FIGURES = 'count,sum(amount),max(amount),min(amount),avg(amount)'

export function randomGrouping(
  draw: Random,
  { view }: Requester,
  home: WorldCollection,
  { parts, found }: Listing,
): OracleRequest {
  const isShort = ({ kind, many }: WorldField): boolean => !many && kind !== 'long-text'
  const by = randomOrders(draw, home, isShort, LEVELS)
  const hasAmount = home.fields.some(({ name }) => name === 'amount')
  const [perPage, page] = draw.chance(0.7) ? [500, 1] : [draw.one([1, 2, 5]), 1 + draw.below(3)]
  const path = pathOf(home, 'groups', {
    ...parts,
    by: printOrders(by),
    perPage: String(perPage),
    page: String(page),
    ...(hasAmount && { aggregates: FIGURES }),
  })
  if (by.length === 0) return { path, reads: 'groups', expected: { status: 400, code: 'invalid-request' } }
  const all = grouped(view, found, by).map(({ key, labels, records, offset }) => ({
    key: Object.fromEntries(by.map(({ field }, at) => [field.name, key[at] ?? null])),
    label: labels.includes(undefined) ? undefined : labels.join(' · '),
    count: records.length,
    offset,
    ...(hasAmount && figuresOf(records)),
  }))
  const groups = all.slice((page - 1) * perPage, page * perPage)
  return { path, reads: 'groups', expected: { status: 200, groups, total: all.length } }
}

export function randomSummaries(
  home: WorldCollection,
  { parts: { sort: _sort, ...parts }, found }: Listing,
): OracleRequest {
  const hasAmount = home.fields.some(({ name }) => name === 'amount')
  const path = pathOf(home, 'sums', { ...parts, ...(hasAmount && { aggregates: FIGURES }) })
  const figures = hasAmount && figuresOf(found)
  return { path, reads: 'sums', expected: { status: 200, count: found.length, ...figures } }
}

export function randomCount(draw: Random, home: WorldCollection, { parts, found }: Listing): OracleRequest {
  const { filter, search } = parts
  const only = draw.chance(0.5) ? home.records.filter(() => draw.chance(0.5)).map(({ id }) => id) : undefined
  const where = {
    ...(filter !== undefined && { filter }),
    ...(search !== undefined && { search }),
    ...(only && { only }),
  }
  const count = found.filter(({ id }) => !only || only.includes(id)).length
  const path = `/api/collections/${home.name}/records/bulk/count`
  return { path, body: { where }, reads: 'sums', expected: { status: 200, count } }
}

function figuresOf(records: readonly WorldRecord[]): object {
  const amounts = records.flatMap(({ values }) => (typeof values['amount'] === 'number' ? values['amount'] : []))
  if (amounts.length === 0) return { sum: null, max: null, min: null, avg: null }
  const sum = amounts.reduce((all, amount) => all + amount, 0)
  const avg = Number((sum / amounts.length).toPrecision(15))
  return { sum, max: Math.max(...amounts), min: Math.min(...amounts), avg }
}
