import type { Draw } from './draw.ts'
import { drawCondition } from './draw-condition.ts'
import { type Condition, satisfies } from './meaning.ts'
import { emptyOf, type World, type WorldCollection, type WorldField, type WorldRecord } from './world.ts'

/** One grant to read in a collection: which records, and which fields it keeps hidden. */
export type ReadGrant = { readonly where?: Condition; readonly hidden: readonly string[] }

/** What somebody is granted in each collection, by its name; in one that is missing, nothing. */
export type Viewpoint = {
  readonly zone: string
  readonly grants: ReadonlyMap<string, { readonly read: readonly ReadGrant[]; readonly mayExport: boolean }>
}

const ZONES = ['UTC', 'Europe/Vienna', 'America/New_York', 'Pacific/Auckland']

/** Draws what somebody may see of a world. */
export function drawViewpoint(draw: Draw, world: World): Viewpoint {
  const grants = new Map<string, { readonly read: readonly ReadGrant[]; readonly mayExport: boolean }>()
  for (const collection of world.collections) {
    // Who may read nowhere is turned away at the door; that is for other tests.
    if (grants.size > 0 && draw.chance(0.2)) continue
    const read = [drawGrant(draw, world, collection), ...(draw.chance(0.2) ? [drawGrant(draw, world, collection)] : [])]
    grants.set(collection.name, { read, mayExport: draw.chance(0.7) })
  }
  return { zone: draw.one(ZONES), grants }
}

function drawGrant(draw: Draw, world: World, collection: WorldCollection): ReadGrant {
  const hidden = draw.some(collection.fields, 3).map((field) => field.name)
  return draw.chance(0.75) ? { hidden, where: drawCondition(draw, world, collection, 2) } : { hidden }
}

/**
 * The world as somebody may see it, cut out of the whole: collections they read, records their conditions let through,
 * fields that are not hidden, and relations without what lies outside. Whatever they ask must be answered as if this
 * were all there is. Conditions themselves are the workspace's and see everything.
 */
export function cutWorld(whole: World, { grants, zone }: Viewpoint): World {
  const world = { ...whole, zone }
  const seen = new Map(
    world.collections.flatMap((collection) => {
      const read = grants.get(collection.name)?.read
      return read ? [[collection.name, cutCollection(world, collection, read)] as const] : []
    }),
  )
  const isSeen = (name: string, id: string): boolean => seen.get(name)?.records.some((one) => one.id === id) === true
  const collections = [...seen.values()].map((collection) => ({
    ...collection,
    records: collection.records.map((record) => cutRecord(record, collection.fields, isSeen)),
  }))
  return { ...world, collections }
}

/** Grants add up. One without a condition covers what others cover; among those that count, the stricter hiding holds. */
function cutCollection(world: World, collection: WorldCollection, read: readonly ReadGrant[]): WorldCollection {
  const whole = read.filter(({ where }) => where === undefined)
  const isHidden = (name: string): boolean =>
    whole.length > 0
      ? whole.every(({ hidden }) => hidden.includes(name))
      : read.some(({ hidden }) => hidden.includes(name))
  const isCovered = (record: WorldRecord): boolean =>
    read.some(({ where }) => where === undefined || satisfies(world, collection, record, where))
  return {
    name: collection.name,
    fields: collection.fields.filter(({ name }) => !isHidden(name)),
    title: collection.title !== null && isHidden(collection.title) ? null : collection.title,
    records: collection.records.filter(isCovered),
  }
}

function cutRecord(
  { id, values }: WorldRecord,
  fields: readonly WorldField[],
  isSeen: (collection: string, id: string) => boolean,
): WorldRecord {
  const cut = fields.map((field) => {
    const value = values[field.name] ?? emptyOf(field)
    if (field.kind !== 'relation') return [field.name, value] as const
    const left = (typeof value === 'object' ? (value ?? []) : [String(value)]).filter((one) =>
      isSeen(field.target, one),
    )
    return [field.name, field.many ? left : (left[0] ?? null)] as const
  })
  return { id, values: Object.fromEntries(cut) }
}
