import { expectedOrder, grouped, type Order } from '#tests/access-oracle/expect/expected-answers.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { pathOf, randomOrders, type Listing, printOrders } from '#tests/access-oracle/expect/expected-listing.ts'
import type { Requester, OracleRequest } from './request.ts'
import type { WorldCollection, WorldField, WorldRecord } from '#tests/access-oracle/world/world.ts'

const LEVELS = 3

/** Fields whose names are the same in all worlds: a stored one, and a formula. */
const SUMMARIZED = ['amount', 'total']

const summarizedIn = ({ fields }: WorldCollection): readonly string[] =>
  SUMMARIZED.filter((name) => fields.some((field) => field.name === name))

const figureNames = (fields: readonly string[]): string =>
  ['count', ...fields.flatMap((name) => ['sum', 'max', 'min', 'avg'].map((figure) => `${figure}(${name})`))].join(',')

export function randomGrouping(
  draw: Random,
  { view }: Requester,
  home: WorldCollection,
  { parts, found }: Listing,
): OracleRequest {
  const isShort = ({ kind }: WorldField): boolean => kind !== 'long-text' && kind !== 'files'
  const by = withinLimits(randomOrders(draw, home, isShort, LEVELS))
  const summarized = summarizedIn(home)
  const [perPage, page] = draw.chance(0.7) ? [500, 1] : [draw.one([1, 2, 5]), 1 + draw.below(3)]
  const path = pathOf(home, 'groups', {
    ...parts,
    by: printOrders(by),
    perPage: String(perPage),
    page: String(page),
    ...(summarized.length > 0 && { aggregates: figureNames(summarized) }),
  })
  if (by.length === 0) return { path, reads: 'groups', expected: { status: 400, code: 'invalid-request' } }
  const all = grouped(view, found, by).map(({ key, labels, records, offset }) => ({
    key: Object.fromEntries(by.map(({ field }, at) => [field.name, key[at] ?? null])),
    label: labels.includes(undefined) ? undefined : labels.join(' · '),
    count: records.length,
    offset,
    ...(summarized.length > 0 && { figures: figuresOf(records, summarized) }),
  }))
  const groups = all.slice((page - 1) * perPage, page * perPage)
  return { path, reads: 'groups', expected: { status: 200, groups, total: all.length } }
}

/** At most two fields with several values, of which one can be a reverse side. */
function withinLimits(by: readonly Order[]): readonly Order[] {
  const several = by.filter(({ field }) => field.many).slice(0, 2)
  const reversed = several.filter(({ field }) => field.reverse !== undefined).slice(1)
  return by.filter((order) => !order.field.many || (several.includes(order) && !reversed.includes(order)))
}

/** Undefined without a date field. */
export function randomDays(
  draw: Random,
  { view }: Requester,
  home: WorldCollection,
  { parts: { sort: _sort, ...parts }, found }: Listing,
): OracleRequest | undefined {
  const dated = home.fields.filter(({ kind, many }) => kind === 'date' && !many)
  if (dated.length === 0) return undefined
  const field = draw.one(dated)
  const days = home.records.flatMap(({ values }) => values[field.name] ?? []).map(String)
  const from = days.length > 0 ? draw.one(days) : '2026-03-01'
  const [count, perDay] = [1 + draw.below(20), 1 + draw.below(3)]
  const path = pathOf(home, 'days', { ...parts, by: field.name, from, days: String(count), perDay: String(perDay) })
  const list = expectedOrder(view, found, [{ field, isDescending: false }])
  const expected = Array.from({ length: count }, (_, at) => {
    const day = new Date(Date.parse(from) + at * DAY_MS).toISOString().slice(0, 10)
    const ids = list.filter(({ values }) => values[field.name] === day).map(({ id }) => id)
    return { day, total: ids.length, ids: ids.slice(0, perDay) }
  })
  return { path, reads: 'days', expected: { status: 200, days: expected } }
}

const DAY_MS = 86_400_000

export function randomSummaries(
  home: WorldCollection,
  { parts: { sort: _sort, ...parts }, found }: Listing,
): OracleRequest {
  const summarized = summarizedIn(home)
  const path = pathOf(home, 'sums', { ...parts, ...(summarized.length > 0 && { aggregates: figureNames(summarized) }) })
  const figures = summarized.length > 0 && { figures: figuresOf(found, summarized) }
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

const figuresOf = (records: readonly WorldRecord[], names: readonly string[]): object =>
  Object.assign({ count: records.length }, ...names.map((name) => figuresOfField(records, name)))

function figuresOfField(records: readonly WorldRecord[], name: string): object {
  const numbers = records.map(({ values }) => values[name]).filter((value) => typeof value === 'number')
  const named = (figures: Readonly<Record<string, number | null>>): object =>
    Object.fromEntries(Object.entries(figures).map(([figure, value]) => [`${figure}(${name})`, value]))
  if (numbers.length === 0) return named({ sum: null, max: null, min: null, avg: null })
  const sum = numbers.reduce((all, number) => all + number, 0)
  const avg = Number((sum / numbers.length).toPrecision(15))
  return named({ sum, max: Math.max(...numbers), min: Math.min(...numbers), avg })
}
