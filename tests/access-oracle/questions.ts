import { grouped, isFound, type Order, sorted } from './answers.ts'
import type { Draw } from './draw.ts'
import { drawCondition, printCondition } from './draw-condition.ts'
import { isOwnFile } from './judge-write.ts'
import { collectionIn, nameOf, readableIn, relatedTo, satisfies, scalarsOf } from './meaning.ts'
import { RIGHTS, type Viewpoint } from './viewpoint.ts'
import type { Way } from './visitors.ts'
import { isPicture, type World, type WorldCollection, type WorldField, type WorldRecord } from './world.ts'

/** Somebody who asks: the whole world, and what they see of it. */
export type Asker = {
  readonly world: World
  readonly view: World
  /** What they may take out of a collection; undefined where nothing. */
  readonly exportOf: (collection: string) => WorldCollection | undefined
  readonly viewpoint: Viewpoint
  readonly way: Way
}

/** Who may export nowhere is turned away at the door, whatever they name. */
const mayExportSomewhere = ({ grants }: Viewpoint): boolean =>
  [...grants.values()].some((granted) => granted.export.length > 0)

/** A request and what must be answered; a list may be walked through with cursors. */
export type Question = {
  readonly path: string
  readonly expected: Expected
  /** The values, `record.field`, that an answer may take its words from. */
  readonly told?: readonly string[]
  /** How the answer is read before it is compared. */
  readonly reads:
    | 'list'
    | 'walk'
    | 'groups'
    | 'sums'
    | 'record'
    | 'csv'
    | 'status'
    | 'definition'
    | 'everywhere'
    | 'moves'
    | 'rights'
    | 'collections'
    | 'people'
    | 'signed'
    | 'views'
  /** Whether the owner asks, about whoever is there. */
  readonly isOfOwner?: boolean
  /** What is sent; without it the question is a GET. */
  readonly body?: object
}

/** Equal to what is read of the answer; `status` and `code` alone for a refusal. */
export type Expected = { readonly status: number; readonly [part: string]: unknown }

const NO_COLLECTION: Expected = { status: 404, code: 'collection-not-found' }

/** Asks for something in a collection that is not there for this asker. */
function drawClosed(draw: Draw, { viewpoint }: Asker, collection: string): Question {
  const what = draw.one(['records', 'groups?by=title', 'export.csv'])
  const isTurnedAway = what === 'export.csv' && !mayExportSomewhere(viewpoint)
  const expected = isTurnedAway ? { status: 403, code: 'forbidden' } : NO_COLLECTION
  return { path: `${collection}/${what}`, reads: 'list', expected }
}

/** What of a list is asked for, and what it finds in the world of whoever asks. */
type Listing = {
  readonly parts: Record<string, string>
  readonly found: readonly WorldRecord[]
  readonly orders: readonly Order[]
}

/** Draws one request of any sort. */
export function drawQuestion(draw: Draw, asker: Asker): Question {
  if (draw.chance(0.06)) return drawSearchOfAll(draw, asker)
  const { name } = draw.one(asker.world.collections)
  const path = `/api/collections/${name}`
  const home = collectionIn(asker.view, name)
  if (draw.chance(0.06))
    return { path, reads: 'definition', expected: home ? definitionOf(asker, home) : NO_COLLECTION }
  if (draw.chance(0.1)) return drawFile(draw, asker)
  if (draw.chance(0.12)) return drawRecord(draw, asker, name)
  if (!home) return drawClosed(draw, asker, path)
  if (draw.chance(0.1)) return drawRefused(draw, asker, home)

  const listing = drawListing(draw, asker, home)
  if (draw.chance(0.2)) return drawGroups(draw, asker, home, listing)
  if (draw.chance(0.1)) return drawSums(home, listing)
  if (draw.chance(0.1)) return drawExport(draw, asker, home, listing)
  return drawList(draw, asker, home, listing)
}

const SEARCHES = [['view'], ['own'], ['ap'], ['zoe'], ['b', 'a'], ['100%'], ['done'], ['txt'], ['birnen'], ['_']]

/** Looks for words in all collections at once; each has fewer records than may be answered. */
function drawSearchOfAll(draw: Draw, { view }: Asker): Question {
  const terms = draw.one(SEARCHES)
  const groups = view.collections.flatMap((home) => {
    const found = home.records.filter((record) => isFound(view, home, record, terms))
    const items = found.map((record) => ({ id: record.id, title: String(record.values[home.title ?? ''] ?? '') }))
    return items.length > 0 ? [{ collection: home.name, items }] : []
  })
  const told = view.collections.flatMap(seenIn)
  const path = `/api/search?${new URLSearchParams({ q: terms.join(' '), limit: '20' })}`
  return { path, reads: 'everywhere', told, expected: { status: 200, groups, hidden: [] } }
}

/** Every value that is seen in a collection. */
const seenIn = ({ records }: WorldCollection): readonly string[] =>
  records.flatMap(({ id, values }) => Object.keys(values).map((field) => `${id}.${field}`))

const definitionOf = ({ viewpoint }: Asker, { name, fields, title }: WorldCollection): Expected => ({
  status: 200,
  can: RIGHTS.filter((right) => viewpoint.grants.get(name)?.[right].length)
    .map((right) => `records:${right}`)
    .toSorted(),
  fields: fields.map((field) => field.name).toSorted(),
  titleField: title,
})

function drawListing(draw: Draw, { view }: Asker, home: WorldCollection): Listing {
  const parts: Record<string, string> = {}
  let found = home.records
  if (home.fields.length > 0 && draw.chance(0.7)) {
    const condition = drawCondition(draw, view, home, 3)
    parts['filter'] = printCondition(condition)
    found = found.filter((record) => satisfies(view, home, record, condition))
  }
  if (draw.chance(0.25)) {
    const terms = draw.one(SEARCHES)
    parts['search'] = terms.join(' ')
    found = found.filter((record) => isFound(view, home, record, terms))
  }
  const orders = drawOrders(draw, home, ({ kind }) => kind !== 'multi-select')
  if (orders.length > 0) parts['sort'] = printOrders(orders)
  return { parts, found, orders }
}

const drawOrders = (draw: Draw, { fields }: WorldCollection, fits: (field: WorldField) => boolean): Order[] =>
  draw.some(fields.filter(fits), 2).map((field) => ({ field, isDescending: draw.chance(0.5) }))

const printOrders = (orders: readonly Order[]): string =>
  orders.map(({ field, isDescending }) => `${isDescending ? '-' : ''}${field.name}`).join(',')

const addressOf = (home: WorldCollection, what: string, parts: Record<string, string>): string =>
  `/api/collections/${home.name}/${what}?${new URLSearchParams(parts)}`

function drawList(draw: Draw, { view }: Asker, home: WorldCollection, { parts, found, orders }: Listing): Question {
  const perPage = draw.one([1, 3, 7, 500])
  const list = sorted(view, found, orders)
  if (draw.chance(0.25)) {
    const path = addressOf(home, 'records', { ...parts, perPage: String(Math.min(perPage + 2, 500)) })
    return { path, reads: 'walk', expected: { status: 200, ids: list.map(({ id }) => id) } }
  }
  const page = 1 + draw.below(3)
  const fields = draw.chance(0.4) ? draw.some(home.fields, 4) : undefined
  const count = draw.one(['exact', 'capped', 'none'])
  const expands = draw.chance(0.4)
  const items = list.slice((page - 1) * perPage, page * perPage).map((record) => ({
    id: record.id,
    values: Object.fromEntries(
      (fields ?? home.fields)
        .filter(({ name }) => Object.hasOwn(record.values, name))
        .map((field) => [field.name, shown(view, field, record, expands)]),
    ),
  }))
  const path = addressOf(home, 'records', {
    ...parts,
    perPage: String(perPage),
    page: String(page),
    count,
    ...(fields && { fields: fields.map(({ name }) => name).join(',') }),
    ...(expands && { expand: '*' }),
    ...(parts['search'] !== undefined && { marks: 'true' }),
  })
  const counted = count === 'none' ? { total: null, totalIs: 'unknown' } : { total: list.length, totalIs: 'exact' }
  const isLast = list.length <= page * perPage
  return { path, reads: 'list', told: seenIn(home), expected: { status: 200, items, ...counted, isLast, hidden: [] } }
}

/** A value as a list shows it; expanded, what it points at by name. */
function shown(view: World, field: WorldField, record: WorldRecord, expands: boolean): unknown {
  const value = record.values[field.name] ?? null
  if (!expands || (field.kind !== 'relation' && field.kind !== 'files' && field.kind !== 'user')) return value
  if (field.kind === 'user') return value === null ? null : { id: value, name: view.people.get(String(value)) }
  const named =
    field.kind === 'files'
      ? scalarsOf(record, field).map((id) => ({ id, name: view.fileNames.get(String(id)) }))
      : relatedTo(view, field, record).map((one) => ({ id: one.id, title: nameOf(view, field.target, one) ?? one.id }))
  return field.many ? named : (named[0] ?? null)
}

function drawGroups(draw: Draw, { view }: Asker, home: WorldCollection, { parts, found }: Listing): Question {
  const isShort = ({ kind, many }: WorldField): boolean => !many && kind !== 'long-text'
  const by = drawOrders(draw, home, isShort)
  const hasAmount = home.fields.some(({ name }) => name === 'amount')
  const path = addressOf(home, 'groups', {
    ...parts,
    by: printOrders(by),
    perPage: '500',
    ...(hasAmount && { aggregates: 'count,sum(amount),max(amount)' }),
  })
  if (by.length === 0) return { path, reads: 'groups', expected: { status: 400, code: 'invalid-request' } }
  const groups = grouped(view, found, by).map(({ key, labels, records, offset }) => ({
    key: Object.fromEntries(by.map(({ field }, at) => [field.name, key[at] ?? null])),
    label: labels.includes(undefined) ? undefined : labels.join(' · '),
    count: records.length,
    offset,
    ...(hasAmount && figuresOf(records)),
  }))
  return { path, reads: 'groups', expected: { status: 200, groups, total: groups.length } }
}

function drawSums(home: WorldCollection, { parts: { sort: _sort, ...parts }, found }: Listing): Question {
  const hasAmount = home.fields.some(({ name }) => name === 'amount')
  const path = addressOf(home, 'sums', { ...parts, ...(hasAmount && { aggregates: 'sum(amount),max(amount)' }) })
  const figures = hasAmount && figuresOf(found)
  return { path, reads: 'sums', expected: { status: 200, count: found.length, ...figures } }
}

function figuresOf(records: readonly WorldRecord[]): object {
  const amounts = records.flatMap(({ values }) => (typeof values['amount'] === 'number' ? values['amount'] : []))
  const isEmpty = amounts.length === 0
  return {
    sum: isEmpty ? null : amounts.reduce((sum, amount) => sum + amount, 0),
    max: isEmpty ? null : Math.max(...amounts),
  }
}

function drawExport(draw: Draw, asker: Asker, home: WorldCollection, { parts, found, orders }: Listing): Question {
  const { view } = asker
  const out = asker.exportOf(home.name)
  const open = out?.fields ?? home.fields
  const chosen = draw.chance(0.5) && open.length > 0 ? [draw.one(open)] : undefined
  const fields = chosen ?? open
  const path = addressOf(home, 'export.csv', {
    ...parts,
    ...(chosen && { fields: chosen.map(({ name }) => name).join(',') }),
  })
  if (!out) return { path, reads: 'csv', expected: { status: 403, code: 'forbidden' } }
  if (fields.length === 0) return drawList(draw, asker, home, { parts, found, orders })
  const outOf = new Map(out.records.map((record) => [record.id, record]))
  const lines = sorted(view, found, orders)
    .flatMap(({ id }) => outOf.get(id) ?? [])
    .map((record) => fields.map((field) => cellOf(view, field, record)))
  return { path, reads: 'csv', expected: { status: 200, lines: [fields.map(({ name }) => name), ...lines] } }
}

function cellOf(view: World, field: WorldField, record: WorldRecord): string {
  const named =
    field.kind === 'relation'
      ? relatedTo(view, field, record).map((one) => nameOf(view, field.target, one) ?? one.id)
      : field.kind === 'files' || field.kind === 'user'
        ? readableIn(view, field, record)
        : scalarsOf(record, field)
  return field.many ? named.map(String).map(quoted).join('; ') : named.join('')
}

/** A name that would be taken for two in a list. */
const quoted = (name: string): string => (/[";]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)

/** Any record of the whole world, seen or not. */
function drawRecord(draw: Draw, { world, view }: Asker, name: string): Question {
  const { id } = draw.one([...(collectionIn(world, name)?.records ?? []), { id: '0'.repeat(26) }])
  const home = collectionIn(view, name)
  const record = home?.records.find((one) => one.id === id)
  const path = `/api/collections/${name}/records/${id}`
  if (!home) return { path, reads: 'record', expected: NO_COLLECTION }
  if (!record) return { path, reads: 'record', expected: { status: 404, code: 'record-not-found' } }
  return { path, reads: 'record', expected: { status: 200, id, values: record.values } }
}

/** Any file of the whole world: whoever sees it in a record may have it, and whoever sent it as long as it stands in none. */
function drawFile(draw: Draw, { world, view, viewpoint }: Asker): Question {
  const ids = [...world.fileNames.keys()]
  const id = ids.length > 0 ? draw.one(ids) : '0'.repeat(26)
  const isSeen = view.collections.some(({ fields, records }) =>
    fields.some((field) => field.kind === 'files' && records.some((one) => scalarsOf(one, field).includes(id))),
  )
  const isOpen = isSeen || isOwnFile(world, viewpoint.me.id, id)
  const size = isPicture(world.fileNames.get(id)) && draw.chance(0.5) ? '?w=96' : draw.chance(0.2) ? '?download=' : ''
  return { path: `/api/files/${id}${size}`, reads: 'status', expected: { status: isOpen ? 200 : 404 } }
}

const REFUSALS: readonly (readonly [what: string, part: string, code: string, print: (name: string) => string])[] = [
  ['records', 'filter', 'invalid-filter', (name) => `${name} is empty`],
  ['records', 'filter', 'invalid-filter', (name) => `title ~ "a" || ${name} = 1`],
  ['records', 'sort', 'invalid-sort', (name) => `-${name}`],
  ['records', 'fields', 'invalid-request', (name) => name],
  ['records', 'expand', 'invalid-request', (name) => name],
  ['groups', 'by', 'invalid-group', (name) => name],
  ['sums', 'aggregates', 'invalid-group', (name) => `sum(${name})`],
]

/** Names a field that this asker does not see: it is refused like one that does not exist. */
function drawRefused(draw: Draw, { world }: Asker, home: WorldCollection): Question {
  const all = collectionIn(world, home.name)?.fields ?? []
  const hidden = all.filter(({ name }) => !home.fields.some((field) => field.name === name)).map(({ name }) => name)
  const [what, part, code, print] = draw.one(REFUSALS)
  const name = draw.one([...hidden, 'nowhere'])
  return { path: addressOf(home, what, { [part]: print(name) }), reads: 'list', expected: { status: 400, code } }
}
