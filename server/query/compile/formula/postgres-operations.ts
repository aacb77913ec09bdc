import { type RawBuilder, sql } from 'kysely'
import type { Expression } from '#domain/formulas/expression.ts'
import { type FormatToken, parseReadingFormat, partsOfFormat } from '#domain/formulas/operations/date-formats.ts'
import type { OperationName } from '#domain/formulas/operations/operations.ts'
import { WHITESPACE } from '#domain/formulas/operations/texts.ts'
import { textLiteral } from '#server/query/sql/sql-context.ts'

type Sql = RawBuilder<unknown>
type Args = readonly Sql[]

/** The operands as expressions, for operations that depend on their type or on a constant. */
type OperationContext = { readonly nodes: readonly Expression[]; readonly timeZone: string }

type Compile = (args: Args, context: OperationContext) => Sql

const NULL = sql`null`

const arg = (args: Args, at: number): Sql => args[at] ?? NULL

const fn =
  (name: string): Compile =>
  (args) =>
    sql`${sql.raw(name)}(${sql.join(args)})`

/** A function with further constant arguments. */
const fnWith =
  (name: string, ...more: readonly Sql[]): Compile =>
  (args) =>
    sql`${sql.raw(name)}(${sql.join([...args, ...more])})`

const arithmetic =
  (sign: string): Compile =>
  (args) =>
    sql`dossier_number(${arg(args, 0)} ${sql.raw(sign)} ${arg(args, 1)})`

/** Constants are part of the statement, as an index of the expression requires. */
const text = (value: string): Sql => textLiteral(value, 'postgres')

const number = (value: Sql): Sql => sql`cast(${value} as double precision)`

const toPlaces =
  (rounding: 'half' | 'away' | 'toward'): Compile =>
  (args) =>
    sql`dossier_to_step(${arg(args, 0)}, dossier_step_of(${arg(args, 1)}), ${sql.lit(rounding)})`

const constantAt = ({ nodes }: OperationContext, at: number): string => {
  const node = nodes[at]
  return node?.node === 'constant' ? String(node.value ?? '') : ''
}

const joined =
  (sign: string): Compile =>
  (args) =>
    sql`(${sql.join(args, sql.raw(` ${sign} `))})`

const isText = ({ nodes }: OperationContext): boolean => nodes[0]?.type === 'text'

/** Empty texts are neither equal to nor less than anything. */
const filled = (value: Sql): Sql => sql`nullif(${value}, '')`

const fold = (value: Sql): Sql => sql`dossier_fold(${value})`

const asText = (value: Sql): Sql => sql`(${value} collate "C")`

const compared =
  (sign: string): Compile =>
  (args, { nodes }) => {
    const isTime = nodes[0]?.type === 'date' || nodes[0]?.type === 'date-time'
    const [left, right] = isTime ? [asText(arg(args, 0)), asText(arg(args, 1))] : args
    return sql`${left ?? NULL} ${sql.raw(sign)} ${right ?? NULL}`
  }

const extreme =
  (name: string): Compile =>
  (args, { nodes }) => {
    const isNumber = nodes[0]?.type === 'number'
    return sql`${sql.raw(name)}(${sql.join(isNumber ? args : args.map(asText))})`
  }

/** How many of the conditions are true. */
const countTrue = (args: Args): Sql =>
  number(sql`num_nonnulls(${sql.join(args.map((one) => sql`nullif(${one}, false)`))})`)

const FORMATS: { readonly [Token in FormatToken]: string } = {
  YYYY: 'YYYY',
  YY: 'YY',
  Q: 'Q',
  MMMM: 'FMMonth',
  MMM: 'Mon',
  MM: 'MM',
  M: 'FMMM',
  DD: 'DD',
  D: 'FMDD',
  dddd: 'FMDay',
  ddd: 'Dy',
  WW: 'IW',
  W: 'FMIW',
  HH: 'HH24',
  H: 'FMHH24',
  hh: 'HH12',
  h: 'FMHH12',
  mm: 'MI',
  m: 'FMMI',
  ss: 'SS',
  s: 'FMSS',
  A: 'AM',
  a: 'am',
}

/** Text in double quotes; empty quotes separate the parts, which could be read as one otherwise. */
const formatOf = (format: string): string =>
  partsOfFormat(format)
    .map((part) => ('text' in part ? `"${part.text.replaceAll(/["\\]/g, String.raw`\$&`)}"` : FORMATS[part.token]))
    .join('""')

function readDate(args: Args, context: OperationContext): Sql {
  const reading = parseReadingFormat(constantAt(context, 1))
  if (!reading.ok) return sql`cast(null as timestamp)`
  const { pattern, tokens } = reading.value
  const places = (['YYYY', 'MM', 'DD', 'HH', 'mm', 'ss'] as const).map((token) => tokens.indexOf(token) + 1)
  return sql`dossier_read_date(${arg(args, 0)}, ${text(pattern)}, ${sql.lit(`{${places.join(',')}}`)}::int[])`
}

/** A local time in UTC. */
const utc = (instant: Sql): Sql => sql`dossier_wall(${instant}, 'UTC')`

/** Each operation of formulas in SQL; an operation without a value is null. */
export const POSTGRES_OPERATIONS: { readonly [Name in OperationName]: Compile } = {
  add: arithmetic('+'),
  subtract: arithmetic('-'),
  multiply: arithmetic('*'),
  divide: (args) => sql`dossier_number(${arg(args, 0)} / nullif(${arg(args, 1)}, 0))`,
  modulo: (args) =>
    sql`dossier_number(mod(cast(${arg(args, 0)} as numeric), cast(nullif(${arg(args, 1)}, 0) as numeric))::double precision)`,
  negate: (args) => sql`0 - ${arg(args, 0)}`,
  abs: fn('abs'),
  sign: fn('sign'),
  round: toPlaces('half'),
  roundUp: toPlaces('away'),
  roundDown: toPlaces('toward'),
  floor: fnWith('dossier_to_step', sql`'down'`),
  ceiling: fnWith('dossier_to_step', sql`'up'`),
  even: fnWith('dossier_to_step', sql`2`, sql`'up'`),
  odd: fn('dossier_odd'),
  sqrt: fn('dossier_sqrt'),
  exp: fn('dossier_exp'),
  ln: fn('dossier_ln'),
  log: fn('dossier_log'),
  power: fn('dossier_power'),
  greatest: extreme('greatest'),
  least: extreme('least'),
  countTrue: (args) => countTrue(args),
  concat: (args) => sql`dossier_text(${sql.join(args, sql.raw(' || '))})`,
  length: (args) => number(sql`char_length(${arg(args, 0)})`),
  left: (args) => sql`left(${arg(args, 0)}, dossier_count(${arg(args, 1)}))`,
  right: (args) => sql`right(${arg(args, 0)}, dossier_count(${arg(args, 1)}))`,
  mid: (args) => sql`substr(${arg(args, 0)}, dossier_place(${arg(args, 1)}), dossier_count(${arg(args, 2)}))`,
  find: fn('dossier_find'),
  search: (args) => sql`nullif(dossier_find(${sql.join(args)}), 0)`,
  substitute: fn('dossier_substitute'),
  substituteOne: fn('dossier_substitute_one'),
  replace: fn('dossier_replace'),
  repeat: fn('dossier_repeat'),
  reverse: fn('reverse'),
  splitPart: fn('dossier_split'),
  padStart: (args) => sql`dossier_padding(${sql.join(args)}) || ${arg(args, 0)}`,
  padEnd: (args) => sql`${arg(args, 0)} || dossier_padding(${sql.join(args)})`,
  trim: (args) => sql`btrim(${arg(args, 0)}, ${text(WHITESPACE)})`,
  upper: fn('dossier_upper'),
  lower: fn('dossier_lower'),
  encodeUrl: (args) => sql`dossier_text(dossier_encode_url(${arg(args, 0)}))`,
  contains: (args) => sql`strpos(${arg(args, 0)}, ${arg(args, 1)}) > 0`,
  startsWith: fn('starts_with'),
  endsWith: (args) => sql`right(${arg(args, 0)}, char_length(${arg(args, 1)})) = ${arg(args, 1)}`,
  parseNumber: fn('dossier_value'),
  numberText: (args) => sql`cast(cast(${arg(args, 0)} as numeric) as text)`,
  booleanText: (args) => sql`cast(${arg(args, 0)} as text)`,
  timeText: (args) => arg(args, 0),
  equal: (args, context) =>
    isText(context) ? sql`${filled(arg(args, 0))} = ${filled(arg(args, 1))}` : sql`${arg(args, 0)} = ${arg(args, 1)}`,
  less: compared('<'),
  lessOrEqual: compared('<='),
  lessText: fnWith('dossier_less', sql`false`),
  lessOrEqualText: fnWith('dossier_less', sql`true`),
  exactText: (args) => sql`${arg(args, 0)} = ${arg(args, 1)}`,
  foldContains: (args) => sql`strpos(${fold(filled(arg(args, 0)))}, ${fold(arg(args, 1))}) > 0`,
  foldStarts: (args) => sql`starts_with(${fold(filled(arg(args, 0)))}, ${fold(arg(args, 1))})`,
  foldEnds: fn('dossier_fold_ends'),
  and: joined('and'),
  or: joined('or'),
  xor: (args) => sql`num_nonnulls(${sql.join(args.map((one) => sql`nullif(${one}, false)`))}) % 2 = 1`,
  not: (args) => sql`not ${arg(args, 0)}`,
  choose: (args) => sql`case when ${arg(args, 0)} then ${arg(args, 1)} else ${arg(args, 2)} end`,
  isFilled: (args, context) => (isText(context) ? sql`${arg(args, 0)} <> ''` : sql`${arg(args, 0)} is not null`),
  fallback: (args, context) => sql`coalesce(${isText(context) ? filled(arg(args, 0)) : arg(args, 0)}, ${arg(args, 1)})`,
  wallOfDay: fn('dossier_wall_of_day'),
  wallOfInstant: (args, { timeZone }) => sql`dossier_wall(${arg(args, 0)}, ${text(timeZone)})`,
  dayOfWall: fnWith('dossier_format', sql`'YYYY-MM-DD'`),
  instantOfWall: (args, { timeZone }) => sql`dossier_instant(${arg(args, 0)}, ${text(timeZone)})`,
  shiftWall: fn('dossier_shift'),
  shiftInstant: (args) => sql`dossier_iso(dossier_shift(${sql.join([utc(arg(args, 0)), ...args.slice(1)])}))`,
  wallDifference: fn('dossier_difference'),
  instantDifference: (args) => sql`dossier_difference(${utc(arg(args, 0))}, ${utc(arg(args, 1))}, ${arg(args, 2)})`,
  datePart: (args, context) => number(sql`trunc(extract(${sql.raw(partOf(context))} from ${arg(args, 0)}))`),
  weekday: (args, context) =>
    constantAt(context, 1) === 'monday'
      ? number(sql`extract(isodow from ${arg(args, 0)}) - 1`)
      : number(sql`extract(dow from ${arg(args, 0)})`),
  weekNumber: fn('dossier_week'),
  isoWeekNumber: (args) => number(sql`extract(week from ${arg(args, 0)})`),
  startOfUnit: (args) => sql`date_trunc(${arg(args, 1)}, ${arg(args, 0)})`,
  makeDay: fn('dossier_make_day'),
  workday: fn('dossier_workday'),
  workdayDifference: fn('dossier_workday_difference'),
  formatDate: (args, context) => sql`dossier_format(${arg(args, 0)}, ${text(formatOf(constantAt(context, 1)))})`,
  readDate,
  readDay: fn('dossier_read_day'),
}

const PARTS = ['year', 'quarter', 'month', 'day', 'hour', 'minute', 'second']

/** Only known words become part of the statement. */
const partOf = (context: OperationContext): string => PARTS.find((part) => part === constantAt(context, 1)) ?? 'year'
