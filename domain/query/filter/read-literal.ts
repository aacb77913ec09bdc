import type { SelectKind, Field } from '../../fields/field.ts'
import { type TextKind, comparedText, holdsText } from '../../fields/folded-text.ts'
import { isId } from '../../fields/relation.ts'
import { findOption } from '../../fields/select.ts'
import { foldText } from '../../shared/text.ts'
import { type Result, fail, ok, unreachable } from '../../shared/result.ts'
import type { Leaf, Range } from '../check/checked-filter.ts'
import { didYouMean } from './did-you-mean.ts'
import type { FilterLiteral } from './filter.ts'
import { dayOfDate, point, readDateLiteral, rangeOfDate } from './relative-dates.ts'
import { type OperandKind, operandShape } from './operators.ts'
import type { QueryContext } from '../check/query-context.ts'

type Read<Value> = Result<Value, string>

export function kindOfLeaf(leaf: Leaf): OperandKind {
  if (leaf.type === 'field') return leaf.field.kind
  switch (leaf.field) {
    case 'id':
      return 'id'
    case 'createdAt':
    case 'updatedAt':
      return 'date-time'
    case 'createdBy':
    case 'updatedBy':
      return 'user'
  }
}

export function readNeedle(literal: FilterLiteral): Read<string> {
  const text = readText(literal)
  return text.ok ? ok(foldText(text.value)) : text
}

/** Range covered by a literal: a single value, or a whole day for date-times. */
export function readRange(leaf: Leaf, literal: FilterLiteral, context: QueryContext): Read<Range> {
  const kind = kindOfLeaf(leaf)
  if (holdsText(kind)) return pointOf(readComparedText(kind, literal))
  const shape = operandShape(kind)
  switch (shape) {
    case 'number':
      return pointOf(readNumber(literal))
    case 'date':
    case 'date-time':
      return readTime(shape, literal, context)
    case 'id':
    case 'record':
    case 'file':
      return pointOf(readId(literal))
    case 'person':
      return pointOf(isMe(literal) ? ok(context.actorId ?? NO_ID) : readId(literal))
    case 'text':
    case 'boolean':
    case 'option':
    case 'document':
    case 'json':
    case 'formula':
      // Unreachable, because operators for these shapes never use ranges.
      return fail('This comparison isn’t supported.')
    default:
      return unreachable(shape)
  }
}

/** Represents `@me` when there is no user; never equals an ID. */
const NO_ID = ''

export const readTruth = (literal: FilterLiteral): Read<boolean> =>
  typeof literal === 'boolean' ? ok(literal) : fail('Expected true or false.')

/**
 * Position of an option, found by name or ID. The ID of a deleted option matches nothing, so that saved filters stay
 * valid.
 */
export function readOption(field: Field<SelectKind>, literal: FilterLiteral): Read<number | undefined> {
  const text = readText(literal)
  if (!text.ok) return text
  const choice = findOption(field, text.value)
  if (choice) return ok(field.options.choices.indexOf(choice))
  return isId(text.value)
    ? ok(undefined)
    : fail(`“${shorten(text.value)}” isn’t one of the options${listOptions(field)}.${suggestOption(field, text.value)}`)
}

const pointOf = (read: Read<string | number>): Read<Range> => (read.ok ? ok(point(read.value)) : read)

function readText(literal: FilterLiteral): Read<string> {
  if (typeof literal !== 'string') return fail('Expected text in double quotes.')
  // Neither database can store NUL characters, and PostgreSQL rejects them in parameters.
  if (literal.includes('\0')) return fail('The text contains a null character (U+0000), which can’t be stored.')
  return ok(literal.toWellFormed())
}

/** Email addresses, URLs and phone numbers are compared in their stored form. */
function readComparedText(kind: TextKind, literal: FilterLiteral): Read<string> {
  const text = readText(literal)
  return text.ok ? ok(comparedText(kind, text.value)) : text
}

function readNumber(literal: FilterLiteral): Read<number> {
  if (typeof literal !== 'number' || !Number.isFinite(literal)) return fail('Expected a number without quotes.')
  return ok(literal === 0 ? 0 : literal)
}

const readId = (literal: FilterLiteral): Read<string> =>
  isId(literal) ? ok(literal) : fail('Expected an ID of 26 letters and digits.')

function readTime(kind: 'date' | 'date-time', literal: FilterLiteral, context: QueryContext): Read<Range> {
  const text = markerOf(literal) ?? literal
  const moment = typeof text === 'string' ? readDateLiteral(text, context) : undefined
  if (!moment || (kind === 'date' && moment.type === 'instant' && !isMarker(text))) {
    const meant = typeof text === 'string' && text.startsWith('@') ? suggestMarker(text) : ''
    return fail(
      `Expected ${kind === 'date' ? 'a date' : 'a date, or a date and time,'} such as ${EXAMPLES[kind]}.${meant}`,
    )
  }
  return ok(kind === 'date' ? point(dayOfDate(moment, context.timeZone)) : rangeOfDate(moment, context.timeZone))
}

/** Suggests a marker for a typo such as `@todya-7d`. */
function suggestMarker(written: string): string {
  const [, name = '', shift = ''] = /^@([a-z]*)(.*)$/is.exec(written) ?? []
  if (name === 'now' || name === 'today') return ''
  return didYouMean(name, ['now', 'today'], (meant) => `@${meant}${shift}`)
}

const EXAMPLES = { date: '"2026-03-01" or @today-7d', 'date-time': '"2026-03-01", "2026-03-01T14:30:00Z" or @now-2h' }

/** For kinds that don't accept text, API clients may send a marker as a plain string. */
const markerOf = (literal: FilterLiteral): string | undefined =>
  typeof literal === 'object' ? literal.marker : undefined

const isMarker = (text: FilterLiteral): boolean => typeof text === 'string' && text.startsWith('@')

const isMe = (literal: FilterLiteral): boolean => (markerOf(literal) ?? literal) === '@me'

const suggestOption = ({ options }: Field<SelectKind>, written: string): string =>
  didYouMean(
    written,
    options.choices.map(({ name }) => name),
  )

function listOptions({ options }: Field<SelectKind>): string {
  const shown = options.choices.slice(0, 8).map(({ name }) => `“${shorten(name)}”`)
  return shown.length === 0 ? '' : ` (${shown.join(', ')}${options.choices.length > 8 ? ', …' : ''})`
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
