import { isDay } from '#domain/shared/time.ts'
import { compareKeyValues } from '#domain/shared/compare-values.ts'
import type { FormulaCalendar, FormulaValue } from '../formula-value.ts'
import * as dates from './dates.ts'
import { printDate, readDate } from './date-formats.ts'
import * as numbers from './numbers.ts'
import * as texts from './texts.ts'

type Args = readonly FormulaValue[]

/** A strict operation is empty if an argument is empty. Arguments have been checked, so conversions lose nothing. */
type Operation = { readonly isStrict: boolean; readonly run: (args: Args, calendar: FormulaCalendar) => FormulaValue }

const strict = (run: Operation['run']): Operation => ({ isStrict: true, run })
const lenient = (run: Operation['run']): Operation => ({ isStrict: false, run })

const numeric = (run: (...args: number[]) => number | null): Operation => strict((args) => run(...args.map(Number)))

const N = (args: Args, at: number): number => Number(args[at])
const S = (args: Args, at: number): string => String(args[at] ?? '')

/** Constant arguments have been checked, so the casts name what they are. */
const unitAt = (args: Args, at: number) => S(args, at) as dates.TimeUnit
const startAt = (args: Args, at: number) => S(args, at) as dates.WeekStart

const filledOf = (args: Args): (string | number)[] =>
  args.filter((one) => typeof one === 'string' || typeof one === 'number')

const extreme = (args: Args, sign: 1 | -1): FormulaValue =>
  filledOf(args).reduce<string | number | null>(
    (best, one) => (best === null || compareKeyValues(one, best) * sign > 0 ? one : best),
    null,
  )

const compared = (args: Args): number => {
  const [left = 0, right = 0] = args.map((one) => (typeof one === 'boolean' ? Number(one) : (one ?? 0)))
  return compareKeyValues(left, right)
}

const areFilled = (args: Args): boolean => args.every((one) => one !== '')

const NUMBER_OPERATIONS = {
  add: numeric((left = 0, right = 0) => numbers.add(left, right)),
  subtract: numeric((left = 0, right = 0) => numbers.subtract(left, right)),
  multiply: numeric((left = 0, right = 0) => numbers.multiply(left, right)),
  divide: numeric((left = 0, right = 0) => numbers.divide(left, right)),
  modulo: numeric((left = 0, right = 0) => numbers.modulo(left, right)),
  negate: numeric((value = 0) => 0 - value),
  abs: numeric((value = 0) => Math.abs(value)),
  sign: numeric((value = 0) => Math.sign(value) + 0),
  round: numeric((value = 0, places = 0) => numbers.roundToPlaces(value, places, 'half')),
  roundUp: numeric((value = 0, places = 0) => numbers.roundToPlaces(value, places, 'away')),
  roundDown: numeric((value = 0, places = 0) => numbers.roundToPlaces(value, places, 'toward')),
  floor: numeric((value = 0, step = 0) => numbers.roundToStep(value, step, 'down')),
  ceiling: numeric((value = 0, step = 0) => numbers.roundToStep(value, step, 'up')),
  even: numeric((value = 0) => numbers.even(value)),
  odd: numeric((value = 0) => numbers.odd(value)),
  sqrt: numeric((value = 0) => numbers.sqrt(value)),
  exp: numeric((value = 0) => numbers.exp(value)),
  ln: numeric((value = 0) => numbers.ln(value)),
  log: numeric((value = 0, base = 0) => numbers.log(value, base)),
  power: numeric((base = 0, exponent = 0) => numbers.power(base, exponent)),
  greatest: lenient((args) => extreme(args, 1)),
  least: lenient((args) => extreme(args, -1)),
  countTrue: lenient((args) => args.filter((one) => one === true).length),
} as const

const TEXT_OPERATIONS = {
  concat: strict((args) => texts.formulaText(args.join(''))),
  length: strict((args) => texts.lengthOf(S(args, 0))),
  left: strict((args) => texts.left(S(args, 0), N(args, 1))),
  right: strict((args) => texts.right(S(args, 0), N(args, 1))),
  mid: strict((args) => texts.mid(S(args, 0), N(args, 1), N(args, 2))),
  find: strict((args) => texts.find(S(args, 0), S(args, 1), N(args, 2))),
  search: strict((args) => texts.search(S(args, 0), S(args, 1), N(args, 2))),
  substitute: strict((args) => texts.substitute(S(args, 0), S(args, 1), S(args, 2))),
  substituteOne: strict((args) => texts.substituteOne(S(args, 0), S(args, 1), S(args, 2), N(args, 3))),
  replace: strict((args) => texts.replace(S(args, 0), N(args, 1), N(args, 2), S(args, 3))),
  repeat: strict((args) => texts.repeat(S(args, 0), N(args, 1))),
  reverse: strict((args) => texts.reverse(S(args, 0))),
  splitPart: strict((args) => texts.splitPart(S(args, 0), S(args, 1), N(args, 2))),
  padStart: strict((args) => texts.padStart(S(args, 0), N(args, 1), S(args, 2))),
  padEnd: strict((args) => texts.padEnd(S(args, 0), N(args, 1), S(args, 2))),
  trim: strict((args) => S(args, 0).trim()),
  upper: strict((args) => texts.upper(S(args, 0))),
  lower: strict((args) => texts.lower(S(args, 0))),
  encodeUrl: strict((args) => texts.encodeUrl(S(args, 0))),
  contains: strict((args) => S(args, 0).includes(S(args, 1))),
  startsWith: strict((args) => S(args, 0).startsWith(S(args, 1))),
  endsWith: strict((args) => S(args, 0).endsWith(S(args, 1))),
  parseNumber: strict((args) => numbers.parseNumber(S(args, 0))),
  numberText: strict((args) => numbers.numberText(N(args, 0))),
  booleanText: strict((args) => S(args, 0)),
  timeText: strict((args) => S(args, 0)),
} as const

/** Like filters: an empty value is neither equal to nor less than anything. */
const LOGIC_OPERATIONS = {
  equal: strict((args) => areFilled(args) && compared(args) === 0),
  less: strict((args) => compared(args) < 0),
  lessOrEqual: strict((args) => compared(args) <= 0),
  lessText: strict((args) => areFilled(args) && texts.compareTexts(S(args, 0), S(args, 1)) < 0),
  lessOrEqualText: strict((args) => areFilled(args) && texts.compareTexts(S(args, 0), S(args, 1)) <= 0),
  exactText: strict((args) => S(args, 0) === S(args, 1)),
  foldContains: strict((args) => args[0] !== '' && folded(args, 0).includes(folded(args, 1))),
  foldStarts: strict((args) => args[0] !== '' && folded(args, 0).startsWith(folded(args, 1))),
  foldEnds: strict((args) => args[0] !== '' && folded(args, 0).endsWith(folded(args, 1))),
  and: strict((args) => args.every((one) => one === true)),
  or: strict((args) => args.includes(true)),
  xor: strict((args) => args.filter((one) => one === true).length % 2 === 1),
  not: strict((args) => args[0] !== true),
  choose: lenient(([condition, one = null, other = null]) => (condition === true ? one : other)),
  isFilled: lenient(([value = null]) => value !== null && value !== ''),
  fallback: lenient(([value = null, other = null]) => (value === null || value === '' ? other : value)),
} as const

const folded = (args: Args, at: number): string => texts.foldFormulaText(S(args, at))

const DATE_OPERATIONS = {
  wallOfDay: strict((args) => dates.wallOfDay(S(args, 0))),
  wallOfInstant: strict((args, { timeZone }) => dates.wallOfInstant(S(args, 0), timeZone)),
  dayOfWall: strict((args) => dates.dayOfWall(N(args, 0))),
  instantOfWall: strict((args, { timeZone }) => dates.instantOfWall(N(args, 0), timeZone)),
  shiftWall: strict((args) => dates.shiftWall(N(args, 0), N(args, 1), unitAt(args, 2))),
  shiftInstant: strict((args) => dates.shiftInstant(S(args, 0), N(args, 1), unitAt(args, 2))),
  wallDifference: strict((args) => dates.wallDifference(N(args, 0), N(args, 1), unitAt(args, 2))),
  instantDifference: strict((args) => dates.instantDifference(S(args, 0), S(args, 1), S(args, 2) as dates.ClockUnit)),
  datePart: strict((args) => dates.datePart(N(args, 0), S(args, 1) as dates.DatePart)),
  weekday: strict((args) => dates.weekday(N(args, 0), startAt(args, 1))),
  weekNumber: strict((args) => dates.weekNumber(N(args, 0), startAt(args, 1))),
  isoWeekNumber: strict((args) => dates.isoWeekNumber(N(args, 0))),
  startOfUnit: strict((args) => dates.startOfUnit(N(args, 0), unitAt(args, 1))),
  makeDay: strict((args) => dates.makeDay(N(args, 0), N(args, 1), N(args, 2))),
  workday: strict((args) => dates.workday(N(args, 0), N(args, 1))),
  workdayDifference: strict((args) => dates.workdayDifference(N(args, 0), N(args, 1))),
  formatDate: strict((args) => printDate(N(args, 0), S(args, 1))),
  readDate: strict((args) => readDate(S(args, 0), S(args, 1))),
  readDay: strict((args) => (isDay(S(args, 0)) ? S(args, 0) : null)),
} as const

export const OPERATIONS = {
  ...NUMBER_OPERATIONS,
  ...TEXT_OPERATIONS,
  ...LOGIC_OPERATIONS,
  ...DATE_OPERATIONS,
} as const satisfies { readonly [name: string]: Operation }

export type OperationName = keyof typeof OPERATIONS

export const runOperation = (name: OperationName, args: Args, calendar: FormulaCalendar): FormulaValue => {
  const operation: Operation = OPERATIONS[name]
  return operation.isStrict && args.includes(null) ? null : operation.run(args, calendar)
}
