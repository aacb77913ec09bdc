import { isDeepStrictEqual } from 'node:util'
import type { Random } from '#tests/access-oracle/generate/random.ts'
import { collectionIn } from '#tests/access-oracle/expect/evaluate-condition.ts'
import { visibleWorld, type Viewpoint } from '#tests/access-oracle/expect/viewpoint.ts'
import { withoutRecords, withRecord } from '#tests/access-oracle/expect/expect-write.ts'
import {
  type Marks,
  planValue,
  type World,
  type WorldCollection,
  type WorldValue,
} from '#tests/access-oracle/world/world.ts'
import { storedFields } from '#tests/access-oracle/world/virtual-fields.ts'
import type { Caller } from '#tests/support/server/test-app.ts'
import type { Twins } from './twins.ts'

export type Secret = {
  readonly collection: string
  readonly field: string | null
  readonly record: string | null
  readonly isUnseen: boolean
  readonly values: readonly (string | number | boolean)[]
  readonly reported: string
}

type Change = {
  readonly secret: Secret
  readonly world: World
  readonly make: (owner: Caller, isFirst: boolean) => Promise<void>
}

type Lot = {
  readonly draw: Random
  readonly marks: Marks
  readonly world: World
  readonly viewpoint: Viewpoint
  readonly bystander: string
}

const TRIES = 60

/** Makes two worlds differ in one thing that is hidden from a user; undefined if the user can see everything. */
export async function plantSecret(
  twins: Pick<Twins, 'owners'>,
  lot: Lot,
): Promise<Pick<Change, 'secret' | 'world'> | undefined> {
  const change = drawHidden(lot)
  if (change === undefined) return undefined
  for (const [at, owner] of twins.owners.entries()) await change.make(owner, at === 0)
  return change
}

function drawHidden(lot: Lot): Change | undefined {
  const draws = [drawValueChange, drawValueChange, drawValueChange, drawRecordChange, drawFieldChange, drawAttribute]
  for (let tries = 0; tries < TRIES; tries += 1) {
    const change = lot.draw.one(draws)(lot)
    if (change !== undefined) return change
  }
  return undefined
}

const lookAlike = (viewpoint: Viewpoint, one: World, other: World): boolean =>
  isDeepStrictEqual(visibleWorld(one, viewpoint), visibleWorld(other, viewpoint))

const isSeen = (viewpoint: Viewpoint, world: World, name: string, id: string): boolean =>
  visibleWorld(world, viewpoint).collections.some(
    (home) => home.name === name && home.records.some((record) => record.id === id),
  )

function drawValueChange({ draw, marks, world, viewpoint }: Lot): Change | undefined {
  const home = draw.one(world.collections)
  const field = home.fields.find(({ name }) => name === home.title && draw.chance(0.25)) ?? draw.one(storedFields(home))
  const record = home.records.length > 0 ? draw.one(home.records) : undefined
  if (field.kind === 'files' || record === undefined) return undefined
  const drawn = (): WorldValue => {
    if (field.kind !== 'relation') return planValue(draw, field, draw.chance(0.3), marks)
    const linked = field.isUnique === true ? home.records.flatMap(({ values }) => values[field.name] ?? []).flat() : []
    const all = collectionIn(world, field.target)?.records.map(({ id }) => id) ?? []
    const ids = all.filter((id) => !linked.includes(id))
    return field.many ? draw.some(ids, 3) : ids.length > 0 && draw.chance(0.7) ? draw.one(ids) : null
  }
  const values = [drawn(), drawn()] as const
  const now = record.values[field.name] ?? null
  if (isDeepStrictEqual(values[0], values[1]) || values.some((value) => isDeepStrictEqual(value, now))) return undefined
  const [one, other] = values.map((value) =>
    withRecord(world, home.name, { ...record, values: { ...record.values, [field.name]: value } }),
  )
  if (one === undefined || other === undefined || !lookAlike(viewpoint, one, other)) return undefined
  const path = `/api/collections/${home.name}/records/${record.id}`
  return {
    world: one,
    secret: {
      collection: home.name,
      field: field.name,
      record: record.id,
      isUnseen: !isSeen(viewpoint, one, home.name, record.id),
      values: values.flat().filter((value) => value !== null),
      reported: `${field.name} of ${record.id}: ${JSON.stringify(values)}`,
    },
    make: async (owner, isFirst) => {
      await accepted(owner.patch(path, { values: { [field.name]: values[isFirst ? 0 : 1] } }))
    },
  }
}

function drawRecordChange({ draw, world, viewpoint }: Lot): Change | undefined {
  const home = draw.one(world.collections)
  const record = home.records.length > 4 ? draw.one(home.records) : undefined
  const isPointedAt = world.collections.some((other) =>
    other.records.some(({ values }) =>
      storedFields(other).some(({ name }) => [values[name] ?? []].flat().includes(record?.id ?? '')),
    ),
  )
  if (record === undefined || isPointedAt || hasFiles(home)) return undefined
  if (!lookAlike(viewpoint, world, withoutRecords(world, home.name, [record.id]))) return undefined
  const path = `/api/collections/${home.name}/records`
  return {
    world,
    secret: {
      collection: home.name,
      field: null,
      record: record.id,
      isUnseen: true,
      values: Object.values(record.values)
        .flat()
        .filter((value) => value !== null),
      reported: `record ${record.id}`,
    },
    make: async (owner, isFirst) => {
      const decoy = '/api/collections/decoy/records'
      const { body } = await owner.post(decoy, { values: { title: 'x' } })
      // Each server deletes one record, so that both continue with the same IDs.
      await accepted(owner.delete(isFirst ? `${decoy}/${body.id}` : `${path}/${record.id}`))
    },
  }
}

const hasFiles = ({ fields }: WorldCollection): boolean => fields.some(({ kind }) => kind === 'files')

function drawFieldChange({ draw, marks, world, viewpoint }: Lot): Change | undefined {
  const home = draw.one(world.collections)
  const field = draw.one(home.fields)
  const seen = visibleWorld(world, viewpoint).collections.find(({ name }) => name === home.name)
  const isKnown = seen?.fields.some(({ name }) => name === field.name) ?? false
  const isWritten = Object.values(viewpoint.grants.get(home.name) ?? {}).some((grants) =>
    grants.some(({ hidden }) => !hidden.includes(field.name)),
  )
  if (isKnown || isWritten || viewpoint.manages.has(home.name)) return undefined
  const labels = [`One ${marks.next()}`, `Two ${marks.next()}`] as const
  return {
    world,
    secret: {
      collection: home.name,
      field: field.name,
      record: null,
      isUnseen: false,
      values: labels,
      reported: `label of ${field.name}`,
    },
    make: (owner, isFirst) =>
      accepted(owner.patch(`/api/collections/${home.name}/fields/${field.name}`, { label: labels[isFirst ? 0 : 1] })),
  }
}

const TEAMS = ['birne', 'zoe'] as const

function drawAttribute({ bystander, world, viewpoint }: Lot): Change | undefined {
  if (viewpoint.readsAudit) return undefined
  return {
    world,
    secret: {
      collection: '',
      field: null,
      record: null,
      isUnseen: false,
      values: TEAMS,
      reported: 'teams of a bystander',
    },
    make: (owner, isFirst) =>
      accepted(owner.patch(`/api/users/${bystander}`, { profile: { teams: [TEAMS[isFirst ? 0 : 1]] } })),
  }
}

async function accepted(answer: ReturnType<Caller['get']>): Promise<void> {
  const { status, text } = await answer
  if (status >= 400) throw new Error(`The secret could not be planted: ${text}`)
}
