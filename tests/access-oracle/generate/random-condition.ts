import { type Comparison, type Condition, isOtherField, type Literal, type Sign } from './condition.ts'
import type { Random } from './random.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { isRollup } from '#tests/access-oracle/world/virtual-fields.ts'
import { collectionIn } from '#tests/access-oracle/expect/evaluate-condition.ts'
import {
  type Kind,
  TEAMS,
  valueFor,
  type World,
  type WorldCollection,
  type WorldField,
} from '#tests/access-oracle/world/world.ts'

const TEXT_SIGNS: readonly Sign[] = ['=', '!=', '<', '>=', '~', '!~', '^=', '$=', 'in', 'is empty', 'is not empty']
const SIZE_SIGNS: readonly Sign[] = ['=', '!=', '<', '<=', '>', '>=', 'in', 'between', 'is empty', 'is not empty']

const SIGNS: { readonly [K in Kind]: readonly Sign[] } = {
  text: TEXT_SIGNS,
  'long-text': TEXT_SIGNS,
  number: SIZE_SIGNS,
  checkbox: ['=', '!='],
  date: SIZE_SIGNS,
  'date-time': SIZE_SIGNS,
  select: ['=', '!=', '<', '>=', '~', 'in', 'is empty', 'is not empty'],
  state: ['=', '!=', '<', '>=', '~', 'in'],
  'multi-select': ['=', '!=', '~', '!~', 'in', 'is empty', 'is not empty'],
  user: ['=', '!=', 'in', '~', '!~', '^=', 'is empty', 'is not empty'],
  relation: ['=', '!=', 'in', '~', '!~', '^=', 'is empty', 'is not empty'],
  files: ['=', '!=', '~', '!~', 'is empty', 'is not empty'],
}

const BY_ID: readonly Sign[] = ['=', '!=', 'in', 'is empty', 'is not empty']
const COMPARED_BY_ID: ReadonlySet<Kind> = new Set(['select', 'state', 'multi-select', 'user', 'relation', 'files'])

const signsOf = (kind: Kind, isForGrant: boolean): readonly Sign[] =>
  isForGrant && COMPARED_BY_ID.has(kind) ? SIGNS[kind].filter((sign) => BY_ID.includes(sign)) : SIGNS[kind]

const PIECES = ['own', 'ap', 'B', 'zo', '%', '_', '\\', '"', 'e', 'O’', '😀', 'done', 'txt', 'ü']

type ConditionShape = {
  readonly depth: number
  readonly isForGrant?: boolean
}

const withoutRollups = (world: World): World => ({
  ...world,
  collections: world.collections.map((home) => ({ ...home, fields: home.fields.filter((field) => !isRollup(field)) })),
})

export function randomCondition(
  draw: Random,
  world: World,
  home: WorldCollection,
  { depth, isForGrant = false }: ConditionShape,
): Condition {
  if (depth > 0 && draw.chance(0.45)) {
    const part = { depth: depth - 1, isForGrant }
    const parts = [randomCondition(draw, world, home, part), randomCondition(draw, world, home, part)]
    return draw.chance(0.5) ? { all: parts } : { any: parts }
  }
  if (world.me && draw.chance(0.05)) return { field: 'createdBy', op: draw.one(['=', '!=']), value: { marker: '@me' } }
  // Permissions can't depend on summaries of linked records.
  const drawn = isForGrant ? withoutRollups(world) : world
  const from = collectionIn(drawn, home.name) ?? home
  const pair = draw.chance(0.15) ? drawPair(draw, drawn, from, isForGrant) : undefined
  if (pair) return pair
  return drawOfField(draw, drawn, from, isForGrant)
}

function drawOfField(draw: Random, world: World, home: WorldCollection, isForGrant: boolean): Condition {
  const { path, field } = drawPath(draw, world, home)
  if (world.me && (field.kind === 'text' || field.kind === 'select') && draw.chance(0.15))
    return { field: path, op: isForGrant ? '=' : draw.one(['=', '!=']), value: { marker: `@me.${TEAMS}` } }
  const comparison = { field: path, ...drawComparison(draw, world, field, signsOf(field.kind, isForGrant)) }
  const calculation = draw.chance(0.2) ? calculationFor(comparison, field) : undefined
  return calculation === undefined ? comparison : { ...comparison, calculation }
}

/** Formulas read fields of the record itself; where a field isn't readable, neither a formula nor its negation is true. */
function calculationFor({ field: path, op, value }: Comparison, { kind }: WorldField): string | undefined {
  const isPositive = value !== undefined && op !== '!=' && op !== '!~'
  if (path.includes('.') || !isPositive || [value].flat().includes('')) return undefined
  if (kind === 'number') return ' + 0'
  return kind === 'text' || kind === 'long-text' ? ' & ""' : undefined
}

/** Maximum total number of relations in the two paths of a comparison. */
const MAX_RELATIONS = 3

const relationsIn = (path: string): number => path.split('.').length - 1

const TRIES = 6

function drawPair(draw: Random, world: World, home: WorldCollection, isForGrant: boolean): Condition | undefined {
  const left = drawPath(draw, world, home)
  if (left.field.kind === 'files') return undefined
  if (isForGrant && pairedAs(left.field) === 'select') return undefined
  for (let tries = 0; tries < TRIES; tries += 1) {
    const right = drawPath(draw, world, home)
    if (right.path === left.path || pairedAs(left.field) !== pairedAs(right.field)) continue
    if (relationsIn(left.path) + relationsIn(right.path) > MAX_RELATIONS) continue
    const isOrdered = left.field.kind !== 'checkbox' && SIZE_OF_PAIRS.has(left.field.kind)
    const op = draw.one<Sign>(isOrdered ? ['=', '!=', '<', '<=', '>', '>='] : ['=', '!='])
    return { field: left.path, op, value: { field: right.path } }
  }
  return undefined
}

const SIZE_OF_PAIRS: ReadonlySet<Kind> = new Set(['text', 'long-text', 'number', 'date', 'date-time'])

function pairedAs({ kind, target }: WorldField): string {
  if (kind === 'long-text') return 'text'
  if (kind === 'state' || kind === 'multi-select') return 'select'
  return kind === 'relation' ? `relation ${target}` : kind
}

function drawPath(
  draw: Random,
  world: World,
  home: WorldCollection,
): { readonly path: string; readonly field: WorldField } {
  const names: string[] = []
  let here = home
  for (;;) {
    const field = draw.one(here.fields)
    names.push(field.name)
    const there = collectionIn(world, field.target)
    if (!there || there.fields.length === 0 || names.length > 3 || draw.chance(0.4))
      return { path: names.join('.'), field }
    here = there
  }
}

function drawComparison(
  draw: Random,
  world: World,
  field: WorldField,
  signs: readonly Sign[],
): { readonly op: Sign; readonly value?: Literal | readonly Literal[] } {
  const op = draw.one(signs)
  const literal = (): Literal => (/[~^$]/.test(op) ? draw.one(PIECES) : drawLiteral(draw, world, field))
  if (op === 'is empty' || op === 'is not empty') return { op }
  if (op === 'in') return { op, value: [literal(), literal()] }
  return { op, value: op === 'between' ? [literal(), literal()] : literal() }
}

function drawLiteral(draw: Random, world: World, field: WorldField): Literal {
  switch (field.kind) {
    case 'relation': {
      const ids = world.collections.find(({ name }) => name === field.target)?.records.map(({ id }) => id) ?? []
      return ids.length > 0 ? draw.one(ids) : NOBODY
    }
    case 'files':
      return world.fileNames.size > 0 ? draw.one([...world.fileNames.keys()]) : NOBODY
    case 'user':
      return world.me && draw.chance(0.4) ? { marker: '@me' } : draw.one([...world.people.keys()])
    case 'multi-select':
      return String(valueFor(draw, 'select'))
    case 'date':
    case 'date-time': {
      if (draw.chance(0.3)) return { marker: draw.one(['@today', '@today-1d', '@today+1d']) }
      return String(valueFor(draw, draw.chance(0.5) ? 'date' : field.kind))
    }
    default: {
      const value = valueFor(draw, field.kind)
      return typeof value === 'object' ? '' : value
    }
  }
}

const NOBODY = '0'.repeat(26)

/** A condition as JSON. */
export function treeOf(condition: Condition): Filter {
  if ('all' in condition) return { all: condition.all.map(treeOf) }
  if ('any' in condition) return { any: condition.any.map(treeOf) }
  return condition.calculation === undefined ? condition : { formula: printCondition(condition) }
}

/** A condition in filter syntax. */
export function printCondition(condition: Condition): string {
  if ('all' in condition) return `(${condition.all.map(printCondition).join(' && ')})`
  if ('any' in condition) return `(${condition.any.map(printCondition).join(' || ')})`
  const { op, value, calculation = '' } = condition
  const field = condition.field + calculation
  if (value === undefined) return `${field} ${op}`
  if (isOtherField(value)) return `${field} ${op} ${value.field}`
  if (!isList(value)) return `${field} ${op} ${printLiteral(value)}`
  const printed = value.map(printLiteral)
  return op === 'in' ? `${field} in (${printed.join(', ')})` : `${field} between ${printed.join(' and ')}`
}

function printLiteral(literal: Literal): string {
  if (typeof literal === 'object') return literal.marker
  return typeof literal === 'string' ? `"${literal.replaceAll(/["\\]/g, String.raw`\$&`)}"` : String(literal)
}

const isList = (value: Literal | readonly Literal[]): value is readonly Literal[] => Array.isArray(value)
