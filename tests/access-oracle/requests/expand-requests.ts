import type { Random } from '#tests/access-oracle/generate/random.ts'
import { collectionIn, nameOf, relatedTo } from '#tests/access-oracle/expect/evaluate-condition.ts'
import { shownLinks } from '#tests/access-oracle/world/virtual-fields.ts'
import type { OracleRequest, Requester } from './request.ts'
import type { World, WorldCollection, WorldField, WorldRecord } from '#tests/access-oracle/world/world.ts'

/** A field in a response, and the requested fields of its linked records. */
type Expansion = { readonly field: WorldField; readonly fields?: readonly Expansion[] }

const LEVELS = 2
const MAX_FIELDS = 3

/** A record with fields of its linked records, from both sides; undefined if it has no links. */
export function randomExpansion(
  draw: Random,
  { world, view }: Requester,
  home: WorldCollection,
  record: WorldRecord,
): OracleRequest | undefined {
  const links = home.fields.filter(({ kind }) => kind === 'relation')
  if (links.length === 0) return undefined
  const wanted = drawExpansion(draw, world, draw.one(links), LEVELS)
  if (!wanted.fields) return undefined
  const path = `/api/collections/${home.name}/records/${record.id}?${new URLSearchParams({ expand: print(wanted) })}`
  if (!isReadable(view, wanted)) return { path, reads: 'record', expected: { status: 400, code: 'invalid-request' } }
  const shown = home.fields.map((field): Expansion => (field === wanted.field ? wanted : { field }))
  return { path, reads: 'record', expected: { status: 200, id: record.id, values: valuesIn(view, record, shown) } }
}

function drawExpansion(draw: Random, world: World, field: WorldField, levels: number): Expansion {
  const there = levels > 0 ? collectionIn(world, field.target) : undefined
  const fields = there ? draw.some(there.fields, MAX_FIELDS) : []
  if (fields.length === 0) return { field }
  return { field, fields: fields.map((one) => drawExpansion(draw, world, one, draw.chance(0.6) ? levels - 1 : 0)) }
}

const print = ({ field, fields }: Expansion): string =>
  fields ? `${field.name}(${fields.map(print).join(',')})` : field.name

/** Fields that the user can't read don't exist, nor do links to a collection that the user can't read. */
function isReadable(view: World, { field, fields }: Expansion): boolean {
  if (!fields) return true
  const there = collectionIn(view, field.target)
  if (!there) return false
  return fields.every((one) => there.fields.some(({ name }) => name === one.field.name) && isReadable(view, one))
}

const valuesIn = (view: World, record: WorldRecord, shown: readonly Expansion[]): object =>
  Object.fromEntries(
    shown
      .filter(({ field }) => Object.hasOwn(record.values, field.name))
      .map((one) => [one.field.name, valueIn(view, record, one)]),
  )

function valueIn(view: World, record: WorldRecord, { field, fields }: Expansion): unknown {
  const value = record.values[field.name] ?? null
  if (!fields) return field.reverse === undefined ? value : shownLinks([value].flat())
  const linked = relatedTo(view, field, record).map((one) => ({
    id: one.id,
    title: nameOf(view, field.target, one) ?? one.id,
    values: valuesIn(view, one, fields),
  }))
  if (field.reverse !== undefined) return shownLinks(linked)
  return field.many ? linked : (linked[0] ?? null)
}
