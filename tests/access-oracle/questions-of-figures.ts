import { grouped } from './answers.ts'
import type { Draw } from './draw.ts'
import { addressOf, drawOrders, type Listing, printOrders } from './listing.ts'
import type { Asker, Question } from './question.ts'
import type { WorldCollection, WorldField, WorldRecord } from './world.ts'

/** Most levels of groups. */
const LEVELS = 3

const FIGURES = 'count,sum(amount),max(amount),min(amount),avg(amount)'

/** Groups of a list, page by page. */
export function drawGroups(draw: Draw, { view }: Asker, home: WorldCollection, { parts, found }: Listing): Question {
  const isShort = ({ kind, many }: WorldField): boolean => !many && kind !== 'long-text'
  const by = drawOrders(draw, home, isShort, LEVELS)
  const hasAmount = home.fields.some(({ name }) => name === 'amount')
  const [perPage, page] = draw.chance(0.7) ? [500, 1] : [draw.one([1, 2, 5]), 1 + draw.below(3)]
  const path = addressOf(home, 'groups', {
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

/** Figures of a whole list. */
export function drawSums(home: WorldCollection, { parts: { sort: _sort, ...parts }, found }: Listing): Question {
  const hasAmount = home.fields.some(({ name }) => name === 'amount')
  const path = addressOf(home, 'sums', { ...parts, ...(hasAmount && { aggregates: FIGURES }) })
  const figures = hasAmount && figuresOf(found)
  return { path, reads: 'sums', expected: { status: 200, count: found.length, ...figures } }
}

/** How many records a query finds, or of some that it may not find. */
export function drawCount(draw: Draw, home: WorldCollection, { parts, found }: Listing): Question {
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
  // As many digits as are answered.
  const avg = Number((sum / amounts.length).toPrecision(15))
  return { sum, max: Math.max(...amounts), min: Math.min(...amounts), avg }
}
