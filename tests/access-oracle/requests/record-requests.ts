import { isFound, expectedOrder } from '#tests/access-oracle/expect/expected-answers.ts'
import { definitionFor } from '#tests/access-oracle/expect/visible-definitions.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { isOwnFile } from '#tests/access-oracle/expect/expect-write.ts'
import type { Requester, Expected, OracleRequest } from './request.ts'
import { pathOf, randomListing, type Listing, SEARCHES } from '#tests/access-oracle/expect/expected-listing.ts'
import { collectionIn, nameOf, relatedTo, scalarsOf } from '#tests/access-oracle/expect/evaluate-condition.ts'
import { shownLinks, shownValues } from '#tests/access-oracle/world/virtual-fields.ts'
import { randomExpansion } from './expand-requests.ts'
import { randomForeignRequest } from './foreign-resource-requests.ts'
import { randomExport, mayExportSomewhere } from './export-requests.ts'
import { randomCount, randomDays, randomGrouping, randomSummaries } from './summary-requests.ts'
import { randomSchemaRequest } from './schema-requests.ts'
import {
  isPicture,
  type World,
  type WorldCollection,
  type WorldField,
  type WorldRecord,
} from '#tests/access-oracle/world/world.ts'

const NO_COLLECTION: Expected = { status: 404, code: 'collection-not-found' }

function drawClosed(draw: Random, { viewpoint }: Requester, collection: string): OracleRequest {
  const what = draw.one(['records', 'groups?by=title', 'export.csv'])
  const isTurnedAway = what === 'export.csv' && !mayExportSomewhere(viewpoint)
  const expected = isTurnedAway ? { status: 403, code: 'forbidden' } : NO_COLLECTION
  return { path: `${collection}/${what}`, reads: 'list', isMoreThanReading: what === 'export.csv', expected }
}

export function randomRequest(draw: Random, requester: Requester): OracleRequest {
  if (draw.chance(0.06)) return drawSearchOfAll(draw, requester)
  if (draw.chance(0.05)) return randomForeignRequest(draw, requester)
  const managing = draw.chance(requester.viewpoint.manages.size > 0 ? 0.2 : 0.01)
    ? randomSchemaRequest(draw, requester)
    : undefined
  if (managing) return managing
  const { name } = draw.one(requester.world.collections)
  if (draw.chance(0.06)) return drawDefinition(requester, name)
  if (draw.chance(0.1)) return drawFile(draw, requester)
  if (draw.chance(0.12)) return drawRecord(draw, requester, name)
  const home = collectionIn(requester.view, name)
  if (!home) return drawClosed(draw, requester, `/api/collections/${name}`)
  return draw.chance(0.1) ? drawRefused(draw, requester, home) : drawOfList(draw, requester, home)
}

function drawOfList(draw: Random, requester: Requester, home: WorldCollection): OracleRequest {
  const listing = randomListing(draw, requester.view, home)
  if (draw.chance(0.2)) return randomGrouping(draw, requester, home, listing)
  if (draw.chance(0.1))
    return draw.chance(0.5)
      ? randomSummaries(home, listing)
      : randomCount(draw, collectionIn(requester.world, home.name) ?? home, listing)
  const days = draw.chance(0.1) ? randomDays(draw, requester, home, listing) : undefined
  if (days) return days
  const taken = draw.chance(0.12) ? randomExport(draw, requester, home, listing) : undefined
  return taken ?? drawList(draw, requester, home, listing)
}

function drawDefinition({ world, view, viewpoint }: Requester, name: string): OracleRequest {
  const path = `/api/collections/${name}`
  const [home, seen] = [world, view].map((one) => collectionIn(one, name))
  if (!home || !seen) return { path, reads: 'definition', expected: NO_COLLECTION }
  return { path, reads: 'definition', expected: { status: 200, shown: definitionFor(world, viewpoint, home) } }
}

function drawSearchOfAll(draw: Random, { view }: Requester): OracleRequest {
  const terms = draw.one(SEARCHES)
  const groups = view.collections.flatMap((home) => {
    const found = home.records.filter((record) => isFound(view, home, record, terms))
    const items = found.map((record) => ({ id: record.id, title: String(record.values[home.title ?? ''] ?? '') }))
    return items.length > 0 ? [{ collection: home.name, items }] : []
  })
  const reported = view.collections.flatMap(seenIn)
  const path = `/api/search?${new URLSearchParams({ q: terms.join(' '), limit: '20' })}`
  return { path, reads: 'everywhere', reported, expected: { status: 200, groups, hidden: [] } }
}

const seenIn = ({ records }: WorldCollection): readonly string[] =>
  records.flatMap(({ id, values }) => Object.keys(values).map((field) => `${id}.${field}`))

function drawList(
  draw: Random,
  { view }: Requester,
  home: WorldCollection,
  { parts, found, orders }: Listing,
): OracleRequest {
  const perPage = draw.one([1, 3, 7, 500])
  const list = expectedOrder(view, found, orders)
  if (draw.chance(0.25)) {
    const path = pathOf(home, 'records', { ...parts, perPage: String(Math.min(perPage + 2, 500)) })
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
  const path = pathOf(home, 'records', {
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
  return {
    path,
    reads: 'list',
    reported: seenIn(home),
    expected: { status: 200, items, ...counted, isLast, hidden: [] },
  }
}

function shown(view: World, field: WorldField, record: WorldRecord, expands: boolean): unknown {
  const value = shownAlone(view, field, record, expands)
  return field.reverse === undefined ? value : shownLinks([value].flat())
}

function shownAlone(view: World, field: WorldField, record: WorldRecord, expands: boolean): unknown {
  const value = record.values[field.name] ?? null
  if (!expands || (field.kind !== 'relation' && field.kind !== 'files' && field.kind !== 'user')) return value
  if (field.kind === 'user') return value === null ? null : { id: value, name: view.people.get(String(value)) }
  const named =
    field.kind === 'files'
      ? scalarsOf(record, field).map((id) => ({ id, name: view.fileNames.get(String(id)) }))
      : relatedTo(view, field, record).map((one) => ({ id: one.id, title: nameOf(view, field.target, one) ?? one.id }))
  return field.many ? named : (named[0] ?? null)
}

function drawRecord(draw: Random, requester: Requester, name: string): OracleRequest {
  const { world, view } = requester
  const { id } = draw.one([...(collectionIn(world, name)?.records ?? []), { id: '0'.repeat(26) }])
  const home = collectionIn(view, name)
  const record = home?.records.find((one) => one.id === id)
  const path = `/api/collections/${name}/records/${id}`
  if (!home) return { path, reads: 'record', expected: NO_COLLECTION }
  if (!record) return { path, reads: 'record', expected: { status: 404, code: 'record-not-found' } }
  const expanded = draw.chance(0.4) ? randomExpansion(draw, requester, home, record) : undefined
  if (expanded) return expanded
  if (draw.chance(0.5))
    return { path, reads: 'record', expected: { status: 200, id, values: shownValues(home, record.values) } }
  const fields = home.fields.filter((field) => Object.hasOwn(record.values, field.name))
  const values = Object.fromEntries(fields.map((field) => [field.name, shown(view, field, record, true)]))
  return { path: `${path}?expand=*`, reads: 'record', expected: { status: 200, id, values } }
}

/** Any file in the world: readers of its record can download it, and its sender can while it is unattached. */
function drawFile(draw: Random, { world, view, viewpoint }: Requester): OracleRequest {
  const ids = [...world.fileNames.keys()]
  const id = ids.length > 0 ? draw.one(ids) : '0'.repeat(26)
  const isSeen = view.collections.some(({ fields, records }) =>
    fields.some((field) => field.kind === 'files' && records.some((one) => scalarsOf(one, field).includes(id))),
  )
  const isOwn = !viewpoint.isLookedAt && isOwnFile(world, viewpoint.me.id, id)
  const isOpen = isSeen || isOwn
  if (draw.chance(0.2)) {
    const isRestored = draw.chance(0.3)
    const isGiven = isRestored ? isOwn : isOpen
    const path = `/api/uploads?${isRestored ? 'restore' : 'load'}=${id}`
    return { path, reads: 'status', isMoreThanReading: true, expected: { status: isGiven ? 200 : 404 } }
  }
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

/** A request that names a hidden field is rejected as if the field were missing. */
function drawRefused(draw: Random, { world }: Requester, home: WorldCollection): OracleRequest {
  const all = collectionIn(world, home.name)?.fields ?? []
  const hidden = all.filter(({ name }) => !home.fields.some((field) => field.name === name)).map(({ name }) => name)
  const [what, part, code, print] = draw.one(REFUSALS)
  const name = draw.one([...hidden, 'nowhere'])
  return { path: pathOf(home, what, { [part]: print(name) }), reads: 'list', expected: { status: 400, code } }
}
