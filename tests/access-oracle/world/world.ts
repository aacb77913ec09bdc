import type { Condition } from '#tests/access-oracle/generate/condition.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'

/** The kinds of fields the oracle knows; those that are compared like one of these are left to the conformance tests. */
export type Kind =
  | 'text'
  | 'long-text'
  | 'number'
  | 'checkbox'
  | 'date'
  | 'date-time'
  | 'select'
  | 'multi-select'
  | 'state'
  | 'user'
  | 'relation'
  | 'files'

/** What values are made of: words that are written nowhere else, in this world or in another, and people by their ids. */
export type Marks = { readonly next: () => string; readonly people: readonly string[] }

/** A field, told by its name. `choices` in their order; `target` names the collection a relation leads to. */
export type WorldField = {
  readonly name: string
  readonly label: string
  readonly kind: Kind
  readonly many: boolean
  readonly target: string
  /** Of a field with options: their names in their order, where that is not the first one. */
  readonly options?: readonly string[]
  /** Whether no two records may hold the same in it. */
  readonly isUnique?: boolean
}

/** A value as the API shows it; empty is null, or no item. */
export type WorldValue = string | number | boolean | null | readonly string[]

/** A record; its values by the names of fields. One that is not there is not seen, and as if it were empty. */
export type WorldRecord = {
  readonly id: string
  /** Whoever made it, by their id. */
  readonly createdBy: string
  readonly values: Readonly<Record<string, WorldValue>>
}

/** A collection with its records, oldest first. */
export type WorldCollection = {
  readonly name: string
  readonly label: string
  readonly fields: readonly WorldField[]
  /** The field that names its records. */
  readonly title: string | null
  readonly records: readonly WorldRecord[]
  /** What must hold in its records, and the way they take. */
  readonly laws: Rules
}

/** A rule for values, with a message that is written nowhere else. */
export type WorldRule = {
  readonly id: string
  readonly when: Condition | null
  readonly then: Condition
  readonly message: string
}

/** A move from one state to another; `isMine`: whether it is open to the roles of whoever visits. */
export type WorldTransition = {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly when: Condition | null
  readonly isMine: boolean
  readonly needsNote: boolean
}

/** What a state asks of the records in it: fields by name. */
export type WorldState = { readonly required: readonly string[]; readonly frozen: readonly string[] | 'all' }

/** The way of the records of a collection. */
export type WorldWorkflow = {
  readonly field: string
  readonly moves: readonly WorldTransition[]
  readonly states: Readonly<Record<string, WorldState>>
}

/** What is asked of every record, whoever writes it. */
export type Rules = { readonly rules: readonly WorldRule[]; readonly workflow: WorldWorkflow | null }

/** Nothing is asked. */
export const NO_RULES: Rules = { rules: [], workflow: null }

/** Everything there is, or all that somebody sees of it. */
export type World = {
  readonly collections: readonly WorldCollection[]
  /** Names of files by id. */
  readonly fileNames: ReadonlyMap<string, string>
  /** Who sent a file and where it may stand, by its id. */
  readonly sent: ReadonlyMap<string, SentFile>
  /** Names of people by id. */
  readonly people: ReadonlyMap<string, string>
  /** The time zone of the workspace; of a world that is cut for a person, theirs. */
  readonly zone: string
  /** Who looks at it; null: nobody in particular, as laws do. */
  readonly me: Me | null
  /** What the owner shares with everybody, by collection. */
  readonly views: ReadonlyMap<string, readonly SharedView[]>
}

type WorldOrder = { readonly field: WorldField; readonly isDescending: boolean }

/** A view the owner shares with everybody: what it asks, and the fields it puts away. */
export type SharedView = {
  readonly name: string
  readonly condition: Condition | null
  readonly orders: readonly WorldOrder[]
  readonly groups: readonly WorldOrder[]
  readonly puts: readonly WorldField[]
}

/** A file as it was sent: while it stands in no record, it is its sender's alone. */
export type SentFile = { readonly by: string; readonly home: string; readonly field: string }

/** Somebody, and what the workspace notes about them as their teams. */
export type Me = { readonly id: string; readonly teams: readonly string[] }

/** The name of what is noted. */
export const TEAMS = 'teams'

/** The options of every select at first, in their order, which is not that of their names. */
export const OPTIONS: readonly string[] = ['open', 'Blocked', 'äußerst', 'done']

/** The options of a field in their order. */
export const optionsOf = ({ options }: Pick<WorldField, 'options'>): readonly string[] => options ?? OPTIONS

/** The instant of the oracle's clock: on Kiritimati the day is half over, in New York it is still yesterday. */
export const NOW = '2026-03-29T01:30:00.000Z'

/** Texts that occur again and again. */
const WORDS = [
  'apfel',
  'Äpfel',
  'Birne',
  'birnen baum',
  'O’Neil',
  '100%',
  'a_b',
  '"so"',
  'back\\slash',
  'Zoë',
  'zoe',
  '😀',
]
const DAYS = ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2025-12-31']
const INSTANTS = [
  '2026-03-28T10:59:59.999Z',
  '2026-03-28T22:59:59.999Z',
  '2026-03-28T23:00:00.000Z',
  '2026-03-29T03:59:59.999Z',
  '2026-03-29T04:00:00.000Z',
  '2026-03-29T22:00:00.000Z',
]
const NUMBERS = [-3, 0, 0.5, 2, 7, 7.25, 1000]
const FILE_NAMES = ['plan.txt', 'Skizze.txt', 'übersicht.txt', 'Bild.png']

/** Whether a file is a picture, which is shown smaller as well. */
export const isPicture = (name: string | undefined): boolean => name?.endsWith('.png') === true

/** A world that is still to be made: records are told by their places. */
export type Plan = {
  readonly collections: readonly (Omit<WorldCollection, 'records' | 'laws'> & {
    readonly records: readonly PlannedRecord[]
  })[]
}

/** Values that need no other record, the places of related records, and the names of files to send. */
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
  ['links', 'relation', true],
]

/** Draws three collections that lead to each other and to themselves; what may be hidden bears marks. */
export function planWorld(draw: Random, prefix: string, marks: Marks): Plan {
  const names = ['a', 'b', 'c'].map((letter) => `${prefix}${letter}`)
  const shapes = names.map((name) => {
    const fields = POOL.filter(() => draw.chance(0.65)).map(([field, kind, many = false]) => ({
      // The amount is what sums are asked of, so its name is known.
      name: field === 'amount' ? field : `${field}${marks.next()}`,
      label: `${field} ${marks.next()}`,
      kind,
      many,
      target: kind === 'relation' ? draw.one(names) : '',
      isUnique: field === 'code',
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
  const countOf = (name: string) => shapes.find((shape) => shape.name === name)?.count ?? 0
  const collections = shapes.map(({ count, ...shape }) => ({
    ...shape,
    records: Array.from({ length: count }, () => planRecord(draw, shape.fields, countOf, marks)),
  }))
  return { collections }
}

function planRecord(
  draw: Random,
  fields: readonly WorldField[],
  countOf: (collection: string) => number,
  marks: Marks,
): PlannedRecord {
  const values: Record<string, WorldValue> = {}
  const links: Record<string, readonly number[]> = {}
  const files: Record<string, readonly string[]> = {}
  for (const field of fields) {
    const isEmpty = draw.chance(0.2)
    if (field.kind === 'files')
      files[field.name] = isEmpty ? [] : draw.some(FILE_NAMES, 1).map((name) => `${marks.next()} ${name}`)
    else if (field.kind !== 'relation') values[field.name] = planValue(draw, field, isEmpty, marks)
    else if (!isEmpty) {
      const places = Array.from({ length: countOf(field.target) }, (_, at) => at)
      links[field.name] = field.many ? draw.some(places, 3) : [draw.one(places)]
    }
  }
  return { values, links, files }
}

/** A value a record may hold in a field that points at nothing; of texts every second one is written nowhere else. */
export function planValue(draw: Random, field: WorldField, isEmpty: boolean, marks: Marks): WorldValue {
  if (isEmpty && field.kind !== 'state') return emptyOf(field)
  if (field.kind === 'user') return draw.one(marks.people)
  if (field.isUnique === true) return marks.next()
  const value = valueFor(draw, field.kind)
  if ((field.kind !== 'text' && field.kind !== 'long-text') || draw.chance(0.5)) return value
  return draw.chance(0.5) ? `${marks.next()} ${String(value)}` : `${String(value)} ${marks.next()}`
}

/** What an empty field is shown as. */
export const emptyOf = ({ kind, many }: WorldField): WorldValue => (kind === 'checkbox' ? false : many ? [] : null)

/** A value a field of this kind may hold; for people, files and relations nothing that names none. */
export function valueFor(draw: Random, kind: Kind): WorldValue {
  switch (kind) {
    case 'text':
    case 'long-text':
      return draw.one(WORDS)
    case 'number':
      return draw.one(NUMBERS)
    case 'checkbox':
      return draw.chance(0.5)
    case 'date':
      return draw.one(DAYS)
    case 'date-time':
      return draw.one(INSTANTS)
    case 'select':
    case 'state':
      return draw.one(OPTIONS)
    case 'multi-select':
      return draw.some(OPTIONS, 3)
    case 'user':
    case 'relation':
    case 'files':
      return null
  }
}
