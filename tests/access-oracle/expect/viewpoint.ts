import type { Condition } from '#tests/access-oracle/generate/condition.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { randomCondition } from '#tests/access-oracle/generate/random-condition.ts'
import { namedIn, satisfies } from './evaluate-condition.ts'
import { isRollup, storedFields, withLinks } from '#tests/access-oracle/world/virtual-fields.ts'
import {
  emptyOf,
  type Kind,
  type Rules,
  type Me,
  type World,
  type WorldCollection,
  type WorldField,
  type WorldRecord,
  type WorldRollup,
  type WorldValue,
  valueFor,
} from '#tests/access-oracle/world/world.ts'

export type WorldGrant = {
  readonly where?: Condition
  /** Fields that aren't covered, including virtual fields that would disclose others. */
  readonly hidden: readonly string[]
  /** Fields that the grant itself excludes; absent if they are the hidden ones. */
  readonly excluded?: readonly string[]
  /** The covered fields of a grant that names them instead of excluding others. */
  readonly only?: readonly string[]
  readonly presets?: Readonly<Record<string, WorldValue>>
}

export const RIGHTS = ['read', 'create', 'update', 'delete', 'transition', 'export', 'import'] as const

export type Right = (typeof RIGHTS)[number]

export type Granted = { readonly [R in Right]: readonly WorldGrant[] }

/** A user's grants for each permission. */
export const eachRight = (grantsOf: (right: Right) => readonly WorldGrant[]): Granted => ({
  read: grantsOf('read'),
  create: grantsOf('create'),
  update: grantsOf('update'),
  delete: grantsOf('delete'),
  transition: grantsOf('transition'),
  export: grantsOf('export'),
  import: grantsOf('import'),
})

export type Viewpoint = {
  readonly zone: string
  readonly me: Me
  readonly grants: ReadonlyMap<string, Granted>
  readonly manages: ReadonlySet<string>
  readonly readsAudit: boolean
  /** Whether the actor is impersonating a user; unattached files are then hidden. */
  readonly isLookedAt: boolean
}

/**
 * A world in which a user's grants, rules and conditions are evaluated; it keeps the workspace's time zone, regardless
 * of the user's.
 */
export const asSeenBy = (world: World, { me }: Viewpoint): World => ({ ...world, me })

/** Time zones of requests and workspaces; the date differs between the first and the last one. */
export const ZONES = ['Pacific/Pago_Pago', 'UTC', 'Europe/Vienna', 'America/New_York', 'Pacific/Kiritimati']

export function randomViewpoint(draw: Random, nobodys: World, me: Me): Viewpoint {
  const world = { ...nobodys, me }
  const grants = new Map<string, Granted>()
  for (const collection of world.collections) {
    // Users without any read permission are rejected at the route; other tests cover that.
    if (grants.size > 0 && draw.chance(0.2)) continue
    const drawn = (count: number): WorldGrant[] =>
      Array.from({ length: count }, () => drawGrant(draw, world, collection))
    const some = (): WorldGrant[] => (draw.chance(0.45) ? [{ hidden: [] }] : drawn(draw.below(3)))
    const read = grants.size > 0 && draw.chance(0.06) ? [] : drawn(draw.one([1, 1, 2, 3]))
    grants.set(collection.name, {
      read,
      create: withPresets(draw, collection, some()),
      update: some(),
      delete: some().map(whole),
      transition: some().map(whole),
      export: some(),
      // An import grant can't have a condition, because it could be checked only after the import.
      import: some().map(({ where: _where, ...grant }) => grant),
    })
  }
  const read = [...grants].filter(([, granted]) => granted.read.length > 0).map(([name]) => name)
  const manages = new Set(draw.chance(0.3) ? draw.some(read, 2) : [])
  const covered = withoutUnreadableReverseSides(world, grants)
  return { zone: draw.one(ZONES), me, grants: covered, manages, readsAudit: draw.chance(0.15), isLookedAt: false }
}

const FILLED_IN: readonly Kind[] = ['text', 'long-text', 'number', 'checkbox', 'date']

function withPresets(draw: Random, { fields }: WorldCollection, grants: readonly WorldGrant[]): readonly WorldGrant[] {
  const at = grants.findIndex(({ where }) => !where)
  if (at === -1 || draw.chance(0.5)) return grants
  const filled = draw.some(
    storedFields({ fields }).filter(({ kind, isUnique }) => FILLED_IN.includes(kind) && isUnique !== true),
    2,
  )
  const presets = Object.fromEntries(filled.map(({ name, kind }) => [name, valueFor(draw, kind)]))
  return grants.map((grant, place) => (place === at && filled.length > 0 ? { ...grant, presets } : grant))
}

/** Deletions and transitions apply to whole records, so their grants name no fields. */
const whole = ({ where }: WorldGrant): WorldGrant => ({ hidden: [], ...(where && { where }) })

function drawGrant(draw: Random, world: World, collection: WorldCollection): WorldGrant {
  const excluded = draw.some(collection.fields, 3).map((field) => field.name)
  const fields: WorldGrant =
    draw.chance(0.3) && collection.fields.length > excluded.length
      ? { hidden: excluded, excluded, only: namesWithout(collection, excluded) }
      : { hidden: closedBy(collection, excluded), excluded }
  return draw.chance(0.75)
    ? { ...fields, where: randomCondition(draw, world, collection, { depth: 2, isForGrant: true }) }
    : fields
}

const namesWithout = ({ fields }: WorldCollection, excluded: readonly string[]): readonly string[] =>
  fields.map(({ name }) => name).filter((name) => !excluded.includes(name))

/** A grant that excludes an input of a formula doesn't cover the formula, unless it names it. */
const closedBy = ({ fields }: WorldCollection, excluded: readonly string[]): readonly string[] =>
  fields
    .filter(({ name, formula }) => [name, ...(formula?.inputs ?? [])].some((one) => excluded.includes(one)))
    .map(({ name }) => name)

/** A reverse side is hidden if no grant covers reading its relation, and a summary if its inputs aren’t readable. */
export function withoutUnreadableReverseSides(
  world: Pick<World, 'collections'>,
  grants: Viewpoint['grants'],
): Viewpoint['grants'] {
  const isClosed = ({ target, reverse }: WorldField): boolean =>
    reverse !== undefined && grants.get(target)?.read.some(({ hidden }) => !hidden.includes(reverse)) !== true
  // A summary discloses its inputs in all records.
  const opens = ({ target, inputs }: WorldRollup): boolean => {
    const unlimited = (grants.get(target)?.read ?? []).filter(({ where }) => !where)
    return (
      unlimited.length > 0 &&
      inputs.every((input) => unlimited.some(({ hidden, excluded = hidden }) => !excluded.includes(input)))
    )
  }
  const covered = [...grants].map(([name, granted]): [string, Granted] => {
    const fields = world.collections.find((one) => one.name === name)?.fields ?? []
    const closed = fields.filter(isClosed).map((field) => field.name)
    const rollups = fields.filter(isRollup)
    const without = ({ hidden, excluded = hidden, ...grant }: WorldGrant): WorldGrant => {
      const isOpen = ({ rollup }: WorldField): boolean =>
        grant.only !== undefined || (rollup !== undefined && !excluded.includes(rollup.path) && opens(rollup))
      const summaries = rollups.filter((field) => !isOpen(field)).map((field) => field.name)
      return { ...grant, excluded, hidden: [...new Set([...hidden, ...closed, ...summaries])] }
    }
    return [name, eachRight((right) => granted[right].map(without))]
  })
  return new Map(covered)
}

/**
 * The part of a world that is visible to a user: readable collections, records covered by conditions, values allowed by
 * a covering grant, and relations without hidden targets. Every response must look as if nothing else existed.
 * Conditions themselves are evaluated on the whole world.
 */
export function visibleWorld(whole: World, viewpoint: Viewpoint): World {
  const { grants } = viewpoint
  const world = asSeenBy(whole, viewpoint)
  const seen = new Map(
    world.collections.flatMap((collection) => {
      const read = grants.get(collection.name)?.read
      return read?.length ? [[collection.name, cutCollection(world, collection, read)] as const] : []
    }),
  )
  const isSeen = (name: string, id: string): boolean => seen.get(name)?.records.some((one) => one.id === id) === true
  const collections = [...seen.values()].map((collection) => ({
    ...collection,
    records: collection.records.map((record) => cutLinks(record, collection.fields, isSeen)),
  }))
  return withLinks({ ...world, zone: viewpoint.zone, collections })
}

export function visibleExport(
  whole: World,
  view: World,
  viewpoint: Viewpoint,
  name: string,
): WorldCollection | undefined {
  const exports = viewpoint.grants.get(name)?.export ?? []
  const [all, seen] = [whole, view].map(({ collections }) => collections.find((one) => one.name === name))
  if (!all || !seen || exports.length === 0) return undefined
  const allowed = cutCollection(asSeenBy(whole, viewpoint), all, exports)
  const records = seen.records.flatMap((record) => {
    const out = allowed.records.find(({ id }) => id === record.id)
    if (!out) return []
    const values = Object.entries(record.values).filter(([field]) => Object.hasOwn(out.values, field))
    return { ...record, values: Object.fromEntries(values) }
  })
  const isOut = ({ name: field }: WorldField): boolean => allowed.fields.some((one) => one.name === field)
  const isColumn = (field: WorldField): boolean => field.reverse === undefined && isOut(field)
  return { ...seen, fields: seen.fields.filter(isColumn), records }
}

/** Grants are additive: a value is visible if a grant that covers its record allows its field. */
function cutCollection(world: World, collection: WorldCollection, grants: readonly WorldGrant[]): WorldCollection {
  const isOpen = (name: string, some: readonly WorldGrant[]): boolean =>
    some.some(({ hidden }) => !hidden.includes(name))
  const records = collection.records.flatMap((record) => {
    const covering = grants.filter(({ where }) => !where || satisfies(world, collection, record, where))
    if (covering.length === 0) return []
    const values = Object.entries(record.values).filter(([name]) => isOpen(name, covering))
    return { ...record, values: Object.fromEntries(values) }
  })
  return {
    name: collection.name,
    label: collection.label,
    fields: collection.fields.filter(({ name }) => isOpen(name, grants)),
    title: collection.title !== null && isOpen(collection.title, grants) ? collection.title : null,
    records,
    laws: cutLaws(collection, grants),
  }
}

function cutLaws({ laws: { rules, workflow } }: WorldCollection, grants: readonly WorldGrant[]): Rules {
  const isSeen = (name: string): boolean => grants.some(({ hidden }) => !hidden.includes(name))
  return {
    rules: rules.filter(({ when, then }) => [...(when ? namedIn(when) : []), ...namedIn(then)].every(isSeen)),
    workflow: workflow && isSeen(workflow.field) ? workflow : null,
  }
}

function cutLinks(
  record: WorldRecord,
  fields: readonly WorldField[],
  isSeen: (collection: string, id: string) => boolean,
): WorldRecord {
  const { values } = record
  const there = fields.filter(({ name }) => Object.hasOwn(values, name))
  const cut = there.map((field) => {
    const value = values[field.name] ?? emptyOf(field)
    if (field.kind !== 'relation' || field.reverse !== undefined) return [field.name, value] as const
    const left = (typeof value === 'object' ? (value ?? []) : [String(value)]).filter((one) =>
      isSeen(field.target, one),
    )
    return [field.name, field.many ? left : (left[0] ?? null)] as const
  })
  return { ...record, values: Object.fromEntries(cut) }
}
