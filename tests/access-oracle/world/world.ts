import type { Condition } from '#tests/access-oracle/generate/condition.ts'
import type { Random } from '#tests/access-oracle/generate/random.ts'

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

/** Values consist of user IDs and of unique words that occur nowhere else, in this world or any other. */
export type Marks = { readonly next: () => string; readonly people: readonly string[] }

/** A formula, its value in a record, and all fields that it discloses, including other formulas. */
export type WorldFormula = {
  readonly text: string
  readonly inputs: readonly string[]
  readonly valueIn: (values: WorldRecord['values']) => WorldValue
}

/**
 * A count, a rollup or a formula that reads linked records: the linked records of a field, the summarized field of their
 * collection (null: the records are counted), and the fields there that it discloses.
 */
export type WorldRollup = {
  readonly path: string
  readonly target: string
  readonly field: string | null
  readonly summary: 'count' | 'sum' | 'join' | 'any' | 'first'
  readonly inputs: readonly string[]
  /** The formula that contains the summary, and its value. */
  readonly formula?: { readonly text: string; readonly valueOf: (summary: WorldValue) => WorldValue }
}

export type WorldField = {
  readonly name: string
  readonly label: string
  readonly kind: Kind
  readonly many: boolean
  readonly target: string
  readonly options?: readonly string[]
  readonly isUnique?: boolean
  /** The field is calculated; its kind is that of the result. */
  readonly formula?: WorldFormula
  /** The field is calculated from linked records; its kind is that of the result. */
  readonly rollup?: WorldRollup
  /** The field is the reverse side of this relation of the target. */
  readonly reverse?: string
}

export type WorldValue = string | number | boolean | null | readonly string[]

/** Values by field name. A hidden record counts as missing, a hidden value as empty. */
export type WorldRecord = {
  readonly id: string
  readonly createdBy: string
  readonly values: Readonly<Record<string, WorldValue>>
}

export type WorldCollection = {
  readonly name: string
  readonly label: string
  readonly fields: readonly WorldField[]
  readonly title: string | null
  readonly records: readonly WorldRecord[]
  readonly laws: Rules
}

export type WorldRule = {
  readonly id: string
  readonly when: Condition | null
  readonly then: Condition
  readonly message: string
}

export type WorldTransition = {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly when: Condition | null
  readonly isMine: boolean
  readonly needsNote: boolean
}

export type WorldState = { readonly required: readonly string[]; readonly frozen: readonly string[] | 'all' }

export type WorldWorkflow = {
  readonly field: string
  readonly moves: readonly WorldTransition[]
  readonly states: Readonly<Record<string, WorldState>>
}

export type Rules = { readonly rules: readonly WorldRule[]; readonly workflow: WorldWorkflow | null }

export const NO_RULES: Rules = { rules: [], workflow: null }

export type World = {
  readonly collections: readonly WorldCollection[]
  readonly fileNames: ReadonlyMap<string, string>
  readonly sent: ReadonlyMap<string, SentFile>
  readonly people: ReadonlyMap<string, string>
  /** The workspace's time zone or, in a user's view of the world, the user's. */
  readonly zone: string
  readonly me: Me | null
  readonly views: ReadonlyMap<string, readonly SharedView[]>
}

/** A world before a write. */
export type Past = { readonly at: string; readonly world: World }

type WorldOrder = { readonly field: WorldField; readonly isDescending: boolean }

export type SharedView = {
  readonly name: string
  readonly condition: Condition | null
  readonly orders: readonly WorldOrder[]
  readonly groups: readonly WorldOrder[]
  readonly puts: readonly WorldField[]
  readonly cover: WorldField | null
}

export type SentFile = { readonly by: string; readonly home: string; readonly field: string }

export type Me = { readonly id: string; readonly teams: readonly string[] }

export const TEAMS = 'teams'

export const OPTIONS: readonly string[] = ['open', 'Blocked', 'äußerst', 'done']

export const optionsOf = ({ options }: Pick<WorldField, 'options'>): readonly string[] => options ?? OPTIONS

/** The oracle's current time: afternoon in Kiritimati, still the previous day in New York. */
export const NOW = '2026-03-29T01:30:00.000Z'

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

export const isPicture = (name: string | undefined): boolean => name?.endsWith('.png') === true

export function planValue(draw: Random, field: WorldField, isEmpty: boolean, marks: Marks): WorldValue {
  if (isEmpty && field.kind !== 'state') return emptyOf(field)
  if (field.kind === 'user') return draw.one(marks.people)
  if (field.isUnique === true) return marks.next()
  const value = valueFor(draw, field.kind)
  if ((field.kind !== 'text' && field.kind !== 'long-text') || draw.chance(0.5)) return value
  return draw.chance(0.5) ? `${marks.next()} ${String(value)}` : `${String(value)} ${marks.next()}`
}

export const emptyOf = ({ kind, many }: WorldField): WorldValue => (kind === 'checkbox' ? false : many ? [] : null)

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
