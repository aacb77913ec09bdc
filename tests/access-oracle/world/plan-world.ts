import type { Random } from '#tests/access-oracle/generate/random.ts'
import { storedFields, withVirtualFields } from './virtual-fields.ts'
import { type Kind, type Marks, planValue, type WorldCollection, type WorldField, type WorldValue } from './world.ts'

const FILE_NAMES = ['plan.txt', 'Skizze.txt', 'übersicht.txt', 'Bild.png']

export type Plan = {
  readonly collections: readonly (Omit<WorldCollection, 'records' | 'laws'> & {
    readonly records: readonly PlannedRecord[]
  })[]
}

export type PlannedRecord = {
  readonly values: Readonly<Record<string, WorldValue>>
  readonly links: Readonly<Record<string, readonly number[]>>
  readonly files: Readonly<Record<string, readonly string[]>>
}

const POOL: readonly (readonly [name: string, kind: Kind, many?: boolean])[] = [
  ['note', 'text'],
  ['code', 'text'],
  ['notes', 'long-text'],
  ['amount', 'number'],
  ['cost', 'number'],
  ['isDone', 'checkbox'],
  ['dueOn', 'date'],
  ['calledAt', 'date-time'],
  ['status', 'select'],
  ['stage', 'state'],
  ['person', 'user'],
  ['tags', 'multi-select', true],
  ['docs', 'files', true],
  ['owner', 'relation'],
  ['keeper', 'relation'],
  ['mate', 'relation'],
  ['links', 'relation', true],
]

/** A unique relation links each record at most once. */
const UNIQUE: readonly string[] = ['code', 'mate']

export function planWorld(draw: Random, prefix: string, marks: Marks): Plan {
  const names = ['a', 'b', 'c'].map((letter) => `${prefix}${letter}`)
  const shapes = names.map((name) => {
    const fields = POOL.filter(() => draw.chance(0.65)).map(([field, kind, many = false]) => ({
      name: field === 'amount' ? field : `${field}${marks.next()}`,
      label: `${field} ${marks.next()}`,
      kind,
      many,
      target: kind === 'relation' ? draw.one(names) : '',
      isUnique: UNIQUE.includes(field),
    }))
    const title: WorldField = { name: 'title', label: `Title ${marks.next()}`, kind: 'text', many: false, target: '' }
    return {
      name,
      label: `Collection ${marks.next()}`,
      fields: [title, ...fields],
      title: draw.chance(0.85) ? 'title' : null,
      count: 4 + draw.below(14),
    }
  })
  const whole = withVirtualFields(draw, shapes, marks)
  const countOf = (name: string) => shapes.find((shape) => shape.name === name)?.count ?? 0
  const collections = whole.map(({ count, ...shape }) => {
    const drawLinks = linksOf(draw, countOf)
    const records = Array.from({ length: count }, () => planRecord(draw, shape.fields, drawLinks, marks))
    return { ...shape, records }
  })
  return { collections }
}

type DrawLinks = (field: WorldField) => readonly number[]

/** Draws the links of one record of a collection after another. */
function linksOf(draw: Random, countOf: (collection: string) => number): DrawLinks {
  const taken = new Map<string, Set<number>>()
  return ({ name, target, many, isUnique }) => {
    const linked = taken.get(name) ?? new Set()
    const places = Array.from({ length: countOf(target) }, (_, at) => at).filter((at) => !linked.has(at))
    const chosen = many ? draw.some(places, 3) : places.length > 0 ? [draw.one(places)] : []
    if (isUnique === true) taken.set(name, new Set([...linked, ...chosen]))
    return chosen
  }
}

function planRecord(draw: Random, fields: readonly WorldField[], drawLinks: DrawLinks, marks: Marks): PlannedRecord {
  const values: Record<string, WorldValue> = {}
  const links: Record<string, readonly number[]> = {}
  const files: Record<string, readonly string[]> = {}
  for (const field of storedFields({ fields })) {
    const isEmpty = draw.chance(0.2)
    if (field.kind === 'files')
      files[field.name] = isEmpty ? [] : draw.some(FILE_NAMES, 1).map((name) => `${marks.next()} ${name}`)
    else if (field.kind !== 'relation') values[field.name] = planValue(draw, field, isEmpty, marks)
    else if (!isEmpty) links[field.name] = drawLinks(field)
  }
  return { values, links, files }
}
