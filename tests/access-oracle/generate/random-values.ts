import type { Random } from './random.ts'
import { grantsOf, type Sent, viewOf, type Writer } from '#tests/access-oracle/expect/expect-write.ts'
import { storedFields } from '#tests/access-oracle/world/virtual-fields.ts'
import { collectionIn, namedIn, scalarsOf } from '#tests/access-oracle/expect/evaluate-condition.ts'
import {
  type Marks,
  planValue,
  type WorldCollection,
  type WorldField,
  type WorldRecord,
  type WorldValue,
} from '#tests/access-oracle/world/world.ts'

export type RandomContext = {
  readonly draw: Random
  readonly writer: Writer
  readonly marks: Marks
  readonly home: WorldCollection
}

export function randomValues(lot: RandomContext, record: WorldRecord | undefined, most: number): Sent {
  const { draw, home } = lot
  const writable = draw.chance(0.02) ? home.fields : storedFields(home)
  const fields = writable.filter(({ name }) => home.laws.workflow?.field !== name || draw.chance(0.1))
  const one = (names: readonly string[]): WorldField[] =>
    draw.some(
      fields.filter(({ name }) => names.includes(name)),
      1,
    )
  const telling = draw.chance(0.4) ? [...new Set([...one(decisive(lot)), ...one(closedSomewhere(lot))])] : []
  const chosen = telling.length > 0 ? telling : draw.some(fields, most)
  const sent = chosen.map((field) => [field.name, randomValue(lot, field, record)] as const)
  return { ...Object.fromEntries(sent), ...(draw.chance(0.03) && { nowhere: 'x' }) }
}

const decisive = ({ writer, home }: RandomContext): readonly string[] =>
  [...grantsOf(writer, home.name, 'update'), ...grantsOf(writer, home.name, 'create')].flatMap(({ where }) =>
    where ? namedIn(where) : [],
  )

const closedSomewhere = ({ writer, home }: RandomContext): readonly string[] =>
  [...grantsOf(writer, home.name, 'update'), ...grantsOf(writer, home.name, 'create')].flatMap(({ hidden }) => hidden)

export function randomValue(lot: RandomContext, field: WorldField, record: WorldRecord | undefined): WorldValue {
  const { draw, marks } = lot
  if (record && Object.hasOwn(record.values, field.name) && draw.chance(0.15)) return record.values[field.name] ?? null
  if (field.kind === 'relation') return drawLink(lot, field)
  if (field.kind === 'files') return drawFiles(lot, field, record)
  const held = field.isUnique === true ? lot.home.records.flatMap((one) => scalarsOf(one, field)).map(String) : []
  if (held.length > 0 && draw.chance(0.3)) return draw.one(held)
  return planValue(draw, field, draw.chance(0.2), marks)
}

function drawFiles({ draw, writer }: RandomContext, field: WorldField, record: WorldRecord | undefined): WorldValue {
  const had = record ? scalarsOf(record, field).map(String) : []
  if (draw.chance(0.8)) return draw.some(had, 2)
  return [...new Set([...had, ...draw.some([...writer.world.fileNames.keys()], 1)])]
}

function drawLink({ draw, writer, home }: RandomContext, field: WorldField): WorldValue {
  const { target, many, isUnique } = field
  const there = collectionIn(draw.chance(0.7) ? viewOf(writer) : writer.world, target)
  const isAvoided = isUnique === true && draw.chance(0.8)
  const linked = isAvoided ? home.records.flatMap((one) => scalarsOf(one, field)) : []
  const ids = there?.records.flatMap(({ id }) => (linked.includes(id) ? [] : id)) ?? []
  if (many) return draw.some(ids, 2)
  return ids.length > 0 && draw.chance(0.8) ? draw.one(ids) : null
}
