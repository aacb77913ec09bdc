import fc from 'fast-check'
import type { FormulaType } from '#domain/formulas/expression.ts'
import { DAYS, TEXTS } from '#tests/conformance/query/data/generated-values.ts'

export type Formulas = { readonly [Type in FormulaType]: fc.Arbitrary<string> }

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

/** Short texts, of which each is one line. */
const TEXT_LITERALS = TEXTS.filter((text) => text.length < 12).map(quoted)

const NUMBER_LITERALS = [
  '0',
  '1',
  '2',
  '3',
  '-1',
  '0.5',
  '2.5',
  '10',
  '100',
  '1e20',
  '1e-20',
  '-7.25',
  '0.1',
  '12345.678',
]

const UNITS = ['"day"', '"week"', '"month"', '"quarter"', '"year"', '"hour"', '"minute"', '"second"', '"ms"']

const FORMATS = ['"YYYY-MM-DD"', '"DD.MM.YY HH:mm:ss"', '"dddd D MMMM"', '"ddd, MMM Do".', '"W [week] Q h A"'].map(
  (one) => one.replace('Do".', 'D"'),
)

const LEAVES: Formulas = {
  number: fc.constantFrom('price', 'count', ...NUMBER_LITERALS),
  text: fc.constantFrom('title', 'note', 'stage', 'record_id()', ...TEXT_LITERALS),
  boolean: fc.constantFrom('paid', 'true', 'false'),
  date: fc.constantFrom('due', 'start', 'today()', ...DAYS.map((day) => `to_date("${day}")`)),
  'date-time': fc.constantFrom('sent', 'created_time()', 'now()'),
}

const of =
  (write: (...parts: string[]) => string) =>
  (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
    fc.tuple(...parts).map((drawn) => write(...drawn))

const infix = (left: fc.Arbitrary<string>, signs: readonly string[], right: fc.Arbitrary<string>) =>
  fc.tuple(left, fc.constantFrom(...signs), right).map(([one, sign, other]) => `(${one} ${sign} ${other})`)

const calls = (names: readonly string[], ...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...names), ...parts).map(([name, ...args]) => `${name}(${args.join(', ')})`)

const unit = fc.constantFrom(...UNITS)

function numbers({ number, text, boolean, date, 'date-time': time }: Formulas): fc.Arbitrary<string>[] {
  return [
    infix(number, ['+', '-', '*', '/'], number),
    of((value = '') => `-(${value})`)(number),
    calls(
      ['abs', 'even', 'odd', 'int', 'trunc', 'sign', 'sqrt', 'exp', 'ln', 'log', 'ceiling', 'floor', 'round'],
      number,
    ),
    calls(['round', 'roundup', 'rounddown', 'ceiling', 'floor', 'mod', 'power', 'log', 'when_empty'], number, number),
    calls(['sum', 'average', 'count', 'counta', 'max', 'min', 'countall'], number, number, number),
    calls(['if'], boolean, number, number),
    calls(['switch'], text, text, number, text, number, number),
    calls(['len', 'value'], text),
    calls(['find', 'search'], text, text),
    calls(['find', 'search'], text, text, number),
    calls(['year', 'month', 'day', 'hour', 'minute', 'second', 'quarter', 'weekday', 'weeknum', 'isoweeknum'], date),
    calls(['year', 'month', 'day', 'hour', 'minute', 'second', 'quarter', 'weekday', 'weeknum', 'isoweeknum'], time),
    calls(['weekday', 'weeknum'], date, fc.constantFrom('"Sunday"', '"Monday"')),
    calls(['datetime_diff'], date, date, unit),
    calls(['datetime_diff'], time, time, unit),
    calls(['workday_diff'], date, date),
  ]
}

function texts({ number, text, boolean, date, 'date-time': time }: Formulas): fc.Arbitrary<string>[] {
  const format = fc.constantFrom(...FORMATS)
  return [
    infix(text, ['&'], fc.oneof(text, number, boolean, date)),
    calls(['concatenate'], text, number, boolean),
    calls(['left', 'right', 'rept'], text, number),
    calls(['mid'], text, number, number),
    calls(['upper', 'lower', 'trim', 'reverse', 'encode_url_component', 't'], text),
    calls(['replace'], text, number, number, text),
    calls(['substitute'], text, text, text),
    calls(['substitute'], text, text, text, number),
    calls(['split_part'], text, text, number),
    calls(['pad_start', 'pad_end'], text, number, text),
    calls(['to_text'], fc.oneof(number, boolean, date, time)),
    calls(['if'], boolean, text, text),
    calls(['when_empty'], text, text),
    calls(['datetime_format'], fc.oneof(date, time), format),
    calls(['datestr', 'timestr'], fc.oneof(date, time)),
  ]
}

function conditions({ number, text, boolean, date, 'date-time': time }: Formulas): fc.Arbitrary<string>[] {
  const signs = ['=', '!=', '<', '<=', '>', '>=']
  // Constant texts that are empty can't be compared.
  const filled = text.map((one) => `(${one} & stage)`)
  return [
    infix(number, signs, number),
    infix(filled, [...signs, '~', '!~', '^=', '$='], filled),
    infix(date, signs, date),
    infix(time, signs, time),
    infix(boolean, ['&&', '||', '=', '!='], boolean),
    calls(['and', 'or', 'xor'], boolean, boolean, boolean),
    calls(['not'], boolean),
    calls(['is_empty'], fc.oneof(number, text, date, time)),
    calls(['contains', 'starts_with', 'ends_with', 'exact'], text, text),
    calls(['is_before', 'is_after', 'is_same'], date, date),
    calls(['is_same'], date, date, unit),
    calls(['is_same'], time, time, unit),
    of((value = '', low = '', high = '') => `(${value} between ${low} and ${high})`)(number, number, number),
    of((value = '', one = '', other = '') => `(${value} in (${one}, ${other}))`)(number, number, number),
  ]
}

function dates({ number, boolean, date, text, 'date-time': time }: Formulas): fc.Arbitrary<string>[] {
  return [
    calls(['date'], number, number, number),
    calls(['dateadd'], date, number, unit),
    calls(['start_of'], date, unit),
    calls(['to_date'], fc.oneof(time, text)),
    calls(['workday'], fc.oneof(date, time), number),
    calls(['if'], boolean, date, date),
    calls(['max', 'min', 'when_empty'], date, date),
  ]
}

function times({ number, boolean, date, text, 'date-time': time }: Formulas): fc.Arbitrary<string>[] {
  return [
    calls(['dateadd'], time, number, unit),
    calls(['start_of'], time, unit),
    calls(['to_datetime'], date),
    calls(['datetime_parse'], text, fc.constantFrom('"YYYY-MM-DD"', '"DD.MM.YYYY HH:mm"')),
    calls(['if'], boolean, time, time),
    calls(['max', 'min', 'when_empty'], time, time),
  ]
}

/** Valid formulas up to four levels deep. */
export function formulasOver(leaves: Formulas): fc.Arbitrary<string> {
  // All types share one depth.
  const depthIdentifier = fc.createDepthIdentifier()
  const tree = fc.letrec<{ [Type in FormulaType]: string }>((tie) => {
    const inner: Formulas = {
      number: tie('number'),
      text: tie('text'),
      boolean: tie('boolean'),
      date: tie('date'),
      'date-time': tie('date-time'),
    }
    const grown = (type: FormulaType, more: readonly fc.Arbitrary<string>[]) =>
      fc.oneof({ maxDepth: 4, depthSize: 'small', depthIdentifier }, leaves[type], ...more)
    return {
      number: grown('number', numbers(inner)),
      text: grown('text', texts(inner)),
      boolean: grown('boolean', conditions(inner)),
      date: grown('date', dates(inner)),
      'date-time': grown('date-time', times(inner)),
    }
  })
  return fc.oneof(tree.number, tree.text, tree.boolean, tree.date, tree['date-time'])
}

export const formulas = formulasOver(LEAVES)
