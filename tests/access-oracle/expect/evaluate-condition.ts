import {
  type Comparison,
  type Condition,
  isOtherField,
  type Literal,
  pathsOf,
  type Sign,
} from '#tests/access-oracle/generate/condition.ts'
import {
  NOW,
  optionsOf,
  TEAMS,
  type World,
  type WorldCollection,
  type WorldField,
  type WorldRecord,
} from '#tests/access-oracle/world/world.ts'

type Scalar = string | number | boolean

/** Text folding as specified: NFKD, combining marks removed, lower case. */
export const fold = (text: string): string =>
  text.normalize('NFKD').toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '')

export const collectionIn = (world: World, name: string): WorldCollection | undefined =>
  world.collections.find((collection) => collection.name === name)

export function relatedTo(world: World, field: WorldField, record: WorldRecord): readonly WorldRecord[] {
  const there = collectionIn(world, field.target)
  return scalarsOf(record, field).flatMap((id) => there?.records.find((one) => one.id === id) ?? [])
}

export function scalarsOf(record: Pick<WorldRecord, 'values'>, { name }: WorldField): readonly Scalar[] {
  const value = record.values[name]
  if (value === null || value === undefined) return []
  return typeof value === 'object' ? value : [value]
}

/** The title of a record, or its ID if the collection has no visible title. */
export function nameOf(world: World, collection: string, record: WorldRecord): string | null {
  const home = collectionIn(world, collection)
  const title = home?.fields.find((field) => field.name === home.title)
  if (!title) return record.id
  const [text] = scalarsOf(record, title)
  return text === undefined ? null : String(text)
}

export function readableIn(world: World, field: WorldField, record: WorldRecord): readonly string[] {
  if (field.kind === 'relation')
    return relatedTo(world, field, record).flatMap((one) => nameOf(world, field.target, one) ?? [])
  const values = scalarsOf(record, field).map(String)
  if (field.kind === 'user') return values.map((id) => world.people.get(id) ?? '')
  return field.kind === 'files' ? values.map((id) => world.fileNames.get(id) ?? '') : values
}

export function satisfies(world: World, home: WorldCollection, record: WorldRecord, condition: Condition): boolean {
  if ('all' in condition) return condition.all.every((part) => satisfies(world, home, record, part))
  if ('any' in condition) return condition.any.some((part) => satisfies(world, home, record, part))

  const { op, value: right } = condition
  const literals = isOtherField(right)
    ? walk(world, home, record, right.field.split('.')).flatMap(({ field, at }) => scalarsOf(at, field))
    : listOf(right).flatMap((literal) => meantBy(literal, world))
  if (condition.field === 'createdBy') return literals.includes(record.createdBy) === (op !== '!=')
  const holders = walk(world, home, record, condition.field.split('.'))
  if (op === 'is empty' || op === 'is not empty') {
    const isFilled = holders.some(({ field, at }) => scalarsOf(at, field).length > 0)
    return isFilled === (op === 'is not empty')
  }
  if (op === '~' || op === '!~' || op === '^=' || op === '$=')
    return readsText(world, holders, op, fold(textOf(literals[0])))
  const isOne = holders.some(({ field, at }) =>
    scalarsOf(at, field).some((value) =>
      isOtherField(right)
        ? literals.some((other) => compares(field, value, { op, literals: [other], zone: world.zone }))
        : compares(field, value, { op, literals, zone: world.zone }),
    ),
  )
  return op === '!=' ? !isOne : isOne
}

export function namedIn(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(namedIn)
  if ('any' in condition) return condition.any.flatMap(namedIn)
  return pathsOf(condition).map((path) => path.split('.')[0] ?? '')
}

export function comparisonsIn(condition: Condition): readonly Comparison[] {
  if ('all' in condition) return condition.all.flatMap(comparisonsIn)
  return 'any' in condition ? condition.any.flatMap(comparisonsIn) : [condition]
}

export function fieldAt(
  world: World,
  home: WorldCollection,
  path: string,
): { readonly home: string; readonly field: WorldField } | undefined {
  const [name, ...rest] = path.split('.')
  const field = home.fields.find((one) => one.name === name)
  if (!field || rest.length === 0) return field && { home: home.name, field }
  const there = collectionIn(world, field.target)
  return there && fieldAt(world, there, rest.join('.'))
}

function readsText(world: World, holders: readonly Holder[], op: '~' | '!~' | '^=' | '$=', needle: string): boolean {
  const texts = holders.flatMap(({ field, at }) => readableIn(world, field, at).map(fold))
  if (op === '^=') return texts.some((text) => text.startsWith(needle))
  if (op === '$=') return texts.some((text) => text.endsWith(needle))
  return texts.some((text) => text.includes(needle)) === (op === '~')
}

function meantBy(literal: Literal, { me }: World): readonly Literal[] {
  if (typeof literal !== 'object') return [literal]
  if (literal.marker === '@me') return me ? [me.id] : []
  return literal.marker === `@me.${TEAMS}` ? (me?.teams ?? []) : [literal]
}

type Holder = { readonly field: WorldField; readonly at: WorldRecord }

function walk(world: World, home: WorldCollection, from: WorldRecord, names: readonly string[]): readonly Holder[] {
  const [name, ...rest] = names
  const field = home.fields.find((one) => one.name === name)
  if (!field) throw new Error(`The oracle was asked for a field that is not there: ${name}`)
  if (rest.length === 0) return [{ field, at: from }]
  const there = collectionIn(world, field.target)
  return there ? relatedTo(world, field, from).flatMap((next) => walk(world, there, next, rest)) : []
}

type Wanted = { readonly op: Sign; readonly literals: readonly Literal[]; readonly zone: string }

function compares(field: WorldField, value: Scalar, { op, literals, zone }: Wanted): boolean {
  const order = (literal: Literal | undefined): number => orderOf(field, value, literal ?? '', zone)
  const [first, second] = literals
  switch (op) {
    case '<':
      return order(first) < 0
    case '<=':
      return order(first) <= 0
    case '>':
      return order(first) > 0
    case '>=':
      return order(first) >= 0
    case 'between':
      return order(first) >= 0 && order(second) <= 0
    case '=':
    case '!=':
    case 'in':
      return literals.some((literal) => order(literal) === 0)
    default:
      throw new Error(`The oracle does not compare by ${op}.`)
  }
}

/** Compares a value with a literal; returns a negative number, zero or a positive number. */
function orderOf(field: WorldField, value: Scalar, literal: Literal, zone: string): number {
  if (field.kind === 'date') return compareScalars(value, dayMeant(literal, zone))
  if (field.kind === 'date-time') {
    const text = typeof literal === 'string' ? literal : dayMeant(literal, zone)
    return text.length === 10 ? compareScalars(dayAt(String(value), zone), text) : compareScalars(value, text)
  }
  if (typeof literal === 'object') throw new Error(`${field.name} is not compared with ${literal.marker}.`)
  if (field.kind === 'select' || field.kind === 'state')
    return optionsOf(field).indexOf(String(value)) - optionsOf(field).indexOf(String(literal))
  if (field.kind === 'text' || field.kind === 'long-text') return compareTexts(String(value), String(literal))
  return compareScalars(value, literal)
}

function dayMeant(literal: Literal, zone: string): string {
  if (typeof literal !== 'object') return String(literal)
  const days = Number(/([+-]\d+)d$/.exec(literal.marker)?.[1] ?? 0)
  const [year = 0, month = 1, day = 1] = dayAt(NOW, zone).split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10)
}

/** The date in a time zone at a given instant. */
function dayAt(instant: string, zone: string): string {
  const known = calendars.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  calendars.set(zone, known)
  return known.format(new Date(instant))
}

/** Formatters are cached, because creating one takes longer than using it. */
const calendars = new Map<string, Intl.DateTimeFormat>()

/** Text order: by folded form, then by unfolded text, by code point. */
export const compareTexts = (left: string, right: string): number =>
  byCodePoint(fold(left), fold(right)) || byCodePoint(left, right)

function byCodePoint(left: string, right: string): number {
  const [one, other] = [[...left], [...right]]
  for (const [at, sign] of one.entries()) {
    const difference = (sign.codePointAt(0) ?? 0) - (other[at]?.codePointAt(0) ?? -1)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

export function compareScalars(left: Scalar, right: Scalar): number {
  if (typeof left === 'string' || typeof right === 'string') return byCodePoint(String(left), String(right))
  return Number(left) - Number(right)
}

const textOf = (literal: Literal | undefined): string =>
  literal === undefined || typeof literal === 'object' ? '' : String(literal)

const listOf = (value: Literal | readonly Literal[] | undefined): readonly Literal[] =>
  value === undefined ? [] : isList(value) ? value : [value]

const isList = (value: Literal | readonly Literal[]): value is readonly Literal[] => Array.isArray(value)
