import { call, type Expression } from '../expression.ts'
import { CALENDAR_UNITS, CLOCK_UNITS, type DatePart } from '../operations/dates.ts'
import { parseDateFormat, parseReadingFormat } from '../operations/date-formats.ts'
import { at, defineFunction, equal, optional, param, text, timeOfWall, wallOf } from './formula-function.ts'

const define = defineFunction('date')

const TIME = param('date', 'time')

/** Units in singular and plural, and the short forms of other tools, which are case-sensitive. */
const SHORT_UNITS = {
  ms: 'millisecond',
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  M: 'month',
  Q: 'quarter',
  y: 'year',
}

const UNITS: { readonly [written: string]: string } = {
  ...Object.fromEntries(
    [...CLOCK_UNITS, ...CALENDAR_UNITS].flatMap((unit) => [
      [unit, unit],
      [`${unit}s`, unit],
    ]),
  ),
  ...SHORT_UNITS,
}

const WEEK_STARTS = { Sunday: 'sunday', Monday: 'monday', sunday: 'sunday', monday: 'monday' }

const UNIT = param('unit', 'word', { words: UNITS })
const WEEK_START = optional('start', 'word', { words: WEEK_STARTS })

const wordAt = (args: readonly Expression[], place: number): string => {
  const arg = args[place]
  return arg?.node === 'constant' ? String(arg.value) : ''
}

const isClockUnit = (unit: string): boolean => CLOCK_UNITS.some((known) => known === unit)

const part =
  (name: DatePart) =>
  (args: readonly Expression[]): Expression =>
    call('number', 'datePart', wallOf(at(args, 0)), text(name))

/** Clock units of a date-time are added to the point in time, calendar units to the local time. */
function shifted(args: readonly Expression[]): Expression {
  const [value, count, unit] = [at(args, 0), at(args, 1), at(args, 2)]
  if (value.type === 'date-time' && isClockUnit(wordAt(args, 2)))
    return call('date-time', 'shiftInstant', value, count, unit)
  return timeOfWall(call('wall', 'shiftWall', wallOf(value), count, unit), value.type)
}

function difference(args: readonly Expression[]): Expression {
  const [one, other, unit] = [at(args, 0), at(args, 1), at(args, 2)]
  if (one.type === 'date-time' && isClockUnit(wordAt(args, 2)))
    return call('number', 'instantDifference', one, other, unit)
  return call('number', 'wallDifference', wallOf(one), wallOf(other), unit)
}

const started = (value: Expression, unit: Expression): Expression => call('wall', 'startOfUnit', wallOf(value), unit)

const formatted =
  (format: string) =>
  (args: readonly Expression[]): Expression =>
    call('text', 'formatDate', wallOf(at(args, 0)), text(format))

const faultOf = (result: { readonly ok: boolean; readonly fault?: string }): string | undefined => result.fault

const FORMAT = param('format', 'word', { checkWord: (word) => faultOf(parseDateFormat(word)) })
const READING_FORMAT = optional('format', 'word', { checkWord: (word) => faultOf(parseReadingFormat(word)) })

const two = (args: readonly Expression[]): readonly [Expression, Expression] => [at(args, 0), at(args, 1)]

const PAIR = [param('date', 'same'), param('other', 'same')] as const
const TIMES = { accepts: ['date', 'date-time'] } as const

export const DATE_FUNCTIONS = {
  date: define(
    [param('year', 'number'), param('month', 'number'), param('day', 'number')],
    'date',
    'The date with these numbers; empty if there is no such day.',
    { examples: [['date(2026, 3, 31)', '2026-03-31']], build: (args) => call('date', 'makeDay', ...args) },
  ),
  dateadd: define(
    [TIME, param('count', 'number'), UNIT],
    'time',
    'Adds a number of units, such as "days" or "months". The 31st becomes the last day of a shorter month.',
    {
      examples: [
        ['dateadd(date(2015, 7, 15), 10, "days")', '2015-07-25'],
        ['dateadd(date(2026, 1, 31), 1, "month")', '2026-02-28'],
      ],
      build: shifted,
    },
  ),
  datestr: define([TIME], 'text', 'The date as text, such as 2026-03-31.', {
    examples: [['datestr(date(2015, 7, 15))', '2015-07-15']],
    build: formatted('YYYY-MM-DD'),
  }),
  datetime_diff: define(
    [...PAIR, UNIT],
    'number',
    'The first date minus the second in whole units, rounded toward zero.',
    {
      ...TIMES,
      examples: [
        ['datetime_diff(date(2020, 1, 1), date(2000, 1, 1), "years")', '20'],
        ['datetime_diff(date(2026, 1, 1), date(2026, 1, 31), "days")', '-30'],
      ],
      build: difference,
    },
  ),
  datetime_format: define(
    [TIME, FORMAT],
    'text',
    'The date in a format such as "DD.MM.YYYY HH:mm", with English names. Text goes in square brackets.',
    {
      examples: [['datetime_format(date(2015, 7, 15), "M/D/YYYY")', '7/15/2015']],
      build: (args) => call('text', 'formatDate', wallOf(at(args, 0)), at(args, 1)),
    },
  ),
  datetime_parse: define(
    [param('text', 'text'), READING_FORMAT],
    'date-time',
    'Reads a date and time in the given format, by default YYYY-MM-DD HH:mm; empty if the text differs from it.',
    {
      examples: [['datestr(datetime_parse("15.07.2015", "DD.MM.YYYY"))', '2015-07-15']],
      build: (args) =>
        timeOfWall(call('wall', 'readDate', at(args, 0), args[1] ?? text('YYYY-MM-DD HH:mm')), 'date-time'),
    },
  ),
  day: define([TIME], 'number', 'The day of the month, from 1 to 31.', {
    examples: [['day(date(2013, 2, 17))', '17']],
    build: part('day'),
  }),
  hour: define([TIME], 'number', 'The hour in the workspace’s time zone, from 0 to 23.', {
    examples: [['hour(date(2013, 2, 17))', '0']],
    build: part('hour'),
  }),
  is_after: define([...PAIR], 'boolean', 'True if the first date is later than the second.', {
    ...TIMES,
    examples: [['is_after(date(2026, 1, 2), date(2026, 1, 1))', 'true']],
    build: (args) => call('boolean', 'less', ...two(args).toReversed()),
  }),
  is_before: define([...PAIR], 'boolean', 'True if the first date is earlier than the second.', {
    ...TIMES,
    examples: [['is_before(date(2026, 1, 2), date(2026, 1, 1))', 'false']],
    build: (args) => call('boolean', 'less', ...two(args)),
  }),
  is_same: define(
    [...PAIR, optional('unit', 'word', { words: UNITS })],
    'boolean',
    'True if both dates are in the same unit, such as "month", or identical without a unit. Weeks start on Monday.',
    {
      ...TIMES,
      examples: [['is_same(date(2026, 1, 2), date(2026, 1, 31), "month")', 'true']],
      build: (args) => {
        const [one, other] = two(args)
        const unit = args[2]
        return unit ? equal(started(one, unit), started(other, unit)) : equal(one, other)
      },
    },
  ),
  isoweeknum: define([TIME], 'number', 'The week of the year by ISO 8601, from Monday.', {
    examples: [['isoweeknum(date(2027, 1, 1))', '53']],
    build: (args) => call('number', 'isoWeekNumber', wallOf(at(args, 0))),
  }),
  minute: define([TIME], 'number', 'The minute, from 0 to 59.', {
    examples: [['minute(date(2013, 2, 17))', '0']],
    build: part('minute'),
  }),
  month: define([TIME], 'number', 'The month, from 1 to 12.', {
    examples: [['month(date(2013, 2, 17))', '2']],
    build: part('month'),
  }),
  now: define([], 'date-time', 'The current date and time, computed when the record is read.', {
    examples: [['now() < now()', 'false']],
    build: () => ({ node: 'clock', type: 'date-time' }),
  }),
  quarter: define([TIME], 'number', 'The quarter of the year, from 1 to 4.', {
    examples: [['quarter(date(2013, 5, 17))', '2']],
    build: part('quarter'),
  }),
  second: define([TIME], 'number', 'The second, from 0 to 59.', {
    examples: [['second(date(2013, 2, 17))', '0']],
    build: part('second'),
  }),
  start_of: define(
    [TIME, UNIT],
    'time',
    'The start of the unit, such as the first day of the month. Weeks start on Monday.',
    {
      examples: [['start_of(date(2026, 5, 17), "quarter")', '2026-04-01']],
      build: (args) => timeOfWall(started(at(args, 0), at(args, 1)), at(args, 0).type),
    },
  ),
  timestr: define([TIME], 'text', 'The time as text, such as 16:30:00.', {
    examples: [['timestr(date(2013, 2, 17))', '00:00:00']],
    build: formatted('HH:mm:ss'),
  }),
  to_date: define([param('date', 'any')], 'date', 'The date of a date and time, or of a text such as "2026-03-31".', {
    examples: [['to_date("2026-03-31")', '2026-03-31']],
    build: (args) => dateOf(at(args, 0)),
  }),
  to_datetime: define([TIME], 'date-time', 'The start of a day in the workspace’s time zone, as a date and time.', {
    examples: [['hour(to_datetime(date(2026, 3, 31)))', '0']],
    build: (args) => (at(args, 0).type === 'date' ? timeOfWall(wallOf(at(args, 0)), 'date-time') : at(args, 0)),
  }),
  today: define([], 'date', 'The current date in the workspace’s time zone, computed when the record is read.', {
    examples: [['today() < today()', 'false']],
    build: () => ({ node: 'clock', type: 'date' }),
  }),
  weekday: define(
    [TIME, WEEK_START],
    'number',
    'The day of the week, from 0 to 6. Weeks start on Sunday, or on "Monday".',
    {
      examples: [
        ['weekday(date(2026, 11, 29))', '0'],
        ['weekday(date(2026, 11, 29), "Monday")', '6'],
      ],
      build: (args) => call('number', 'weekday', wallOf(at(args, 0)), args[1] ?? text('sunday')),
    },
  ),
  weeknum: define(
    [TIME, WEEK_START],
    'number',
    'The week of the year; the first one contains January 1. Weeks start on Sunday, or on "Monday".',
    {
      examples: [['weeknum(date(2013, 2, 17))', '8']],
      build: (args) => call('number', 'weekNumber', wallOf(at(args, 0)), args[1] ?? text('sunday')),
    },
  ),
  workday: define(
    [TIME, param('count', 'number')],
    'date',
    'The date that is a number of working days (Monday to Friday) later.',
    {
      examples: [['workday(date(2020, 3, 16), 5)', '2020-03-23']],
      build: (args) => call('date', 'workday', wallOf(at(args, 0)), at(args, 1)),
    },
  ),
  workday_diff: define(
    [...PAIR],
    'number',
    'The number of working days from the first date to the second, including both.',
    {
      ...TIMES,
      examples: [['workday_diff(date(2026, 11, 23), date(2026, 11, 30))', '6']],
      build: (args) => call('number', 'workdayDifference', ...two(args).map(wallOf)),
    },
  ),
  year: define([TIME], 'number', 'The year.', {
    examples: [['year(date(2013, 2, 17))', '2013']],
    build: part('year'),
  }),
} as const

function dateOf(value: Expression): Expression {
  if (value.type === 'text') return call('date', 'readDay', value)
  return value.type === 'date' ? value : call('date', 'dayOfWall', wallOf(value))
}

const recordFunction = defineFunction('record')

export const RECORD_FUNCTIONS = {
  created_time: recordFunction([], 'date-time', 'When the record was created.', {
    examples: [['is_empty(created_time())', 'false']],
    build: () => ({ node: 'system', type: 'date-time', field: 'createdAt' }),
  }),
  last_modified_time: recordFunction([], 'date-time', 'When the record was last changed.', {
    examples: [['is_empty(last_modified_time())', 'false']],
    build: () => ({ node: 'system', type: 'date-time', field: 'updatedAt' }),
  }),
  record_id: recordFunction([], 'text', 'The ID of the record.', {
    examples: [['len(record_id())', '26']],
    build: () => ({ node: 'system', type: 'text', field: 'id' }),
  }),
} as const
