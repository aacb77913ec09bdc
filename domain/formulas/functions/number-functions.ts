import { call, type Expression, type FormulaType } from '../expression.ts'
import type { OperationName } from '../operations/operations.ts'
import { at, defineFunction, isFilled, number, optional, param, repeated, sumOf } from './formula-function.ts'

const define = defineFunction('number')

const VALUE = param('value', 'number')

const one =
  (operation: OperationName) =>
  (args: readonly Expression[]): Expression =>
    call('number', operation, at(args, 0))

/** The second argument has a default. */
const two =
  (operation: OperationName, byDefault: number) =>
  (args: readonly Expression[]): Expression =>
    call('number', operation, at(args, 0), args[1] ?? number(byDefault))

const ORDERED: readonly FormulaType[] = ['number', 'date', 'date-time']

const EXTREME = { accepts: ORDERED } as const

const count = (args: readonly Expression[]): Expression => call('number', 'countTrue', ...args.map(isFilled))

export const NUMBER_FUNCTIONS = {
  abs: define([VALUE], 'number', 'The number without its sign.', {
    examples: [['abs(-15)', '15']],
    build: one('abs'),
  }),
  average: define([repeated('value', 'number')], 'number', 'The average of the values that aren’t empty.', {
    examples: [['average(10, 20, 30)', '20']],
    build: (args) => call('number', 'divide', sumOf(args), count(args)),
  }),
  ceiling: define(
    [VALUE, optional('step', 'number')],
    'number',
    'The smallest multiple of the step (by default 1) that isn’t less than the value.',
    {
      examples: [
        ['ceiling(1.01)', '2'],
        ['ceiling(1.01, 0.1)', '1.1'],
      ],
      build: two('ceiling', 1),
    },
  ),
  count: define([repeated('value', 'number')], 'number', 'How many of the numbers aren’t empty.', {
    examples: [['count(1, 2, 1 / 0)', '2']],
    build: count,
  }),
  counta: define(
    [repeated('value', 'any')],
    'number',
    'How many of the values aren’t empty. Checkboxes always count.',
    {
      examples: [['counta(1, "", "a")', '2']],
      build: count,
    },
  ),
  even: define([VALUE], 'number', 'The smallest even number that isn’t less than the value.', {
    examples: [
      ['even(0.1)', '2'],
      ['even(-0.1)', '0'],
    ],
    build: one('even'),
  }),
  exp: define([VALUE], 'number', 'Euler’s number raised to the power of the value, with 12 digits.', {
    examples: [['exp(1)', '2.71828182846']],
    build: one('exp'),
  }),
  floor: define(
    [VALUE, optional('step', 'number')],
    'number',
    'The largest multiple of the step (by default 1) that isn’t greater than the value.',
    {
      examples: [
        ['floor(1.99)', '1'],
        ['floor(1.99, 0.1)', '1.9'],
      ],
      build: two('floor', 1),
    },
  ),
  int: define(
    [VALUE],
    'number',
    'The greatest whole number that isn’t greater than the value. Negative numbers become smaller.',
    {
      examples: [
        ['int(1.99)', '1'],
        ['int(-1.99)', '-2'],
      ],
      build: two('floor', 1),
    },
  ),
  ln: define([VALUE], 'number', 'The natural logarithm, with 12 digits; empty for zero and negative numbers.', {
    examples: [['ln(1)', '0']],
    build: one('ln'),
  }),
  log: define(
    [VALUE, optional('base', 'number')],
    'number',
    'The logarithm, by default with base 10. The value comes first, then the base.',
    {
      examples: [
        ['log(1024, 2)', '10'],
        ['log(1000)', '3'],
      ],
      build: two('log', 10),
    },
  ),
  max: define([repeated('value', 'same')], 'same', 'The largest value. Empty values are ignored.', {
    ...EXTREME,
    examples: [['max(10, 100)', '100']],
    build: (args) => call(at(args, 0).type, 'greatest', ...args),
  }),
  min: define([repeated('value', 'same')], 'same', 'The smallest value. Empty values are ignored.', {
    ...EXTREME,
    examples: [['min(10, 100)', '10']],
    build: (args) => call(at(args, 0).type, 'least', ...args),
  }),
  mod: define(
    [VALUE, param('divisor', 'number')],
    'number',
    'The remainder of a division, with the sign of the value. Empty if the divisor is zero.',
    {
      examples: [
        ['mod(5, 2)', '1'],
        ['mod(-3, 2)', '-1'],
      ],
      build: (args) => call('number', 'modulo', at(args, 0), at(args, 1)),
    },
  ),
  odd: define([VALUE], 'number', 'The nearest odd number away from zero.', {
    examples: [
      ['odd(1.1)', '3'],
      ['odd(-1.1)', '-3'],
    ],
    build: one('odd'),
  }),
  pi: define([], 'number', 'The number π.', {
    examples: [['round(pi(), 2)', '3.14']],
    build: () => number(3.14159265358979),
  }),
  power: define(
    [VALUE, param('exponent', 'number')],
    'number',
    'The value raised to a power. Powers with a fraction have 12 digits.',
    {
      examples: [
        ['power(3, 2)', '9'],
        ['power(25, 0.5)', '5'],
      ],
      build: (args) => call('number', 'power', at(args, 0), at(args, 1)),
    },
  ),
  round: define(
    [VALUE, optional('decimals', 'number')],
    'number',
    'Rounds to a number of decimals (by default 0). Ties are rounded toward positive infinity: -2.5 becomes -2.',
    {
      examples: [
        ['round(2.5)', '3'],
        ['round(-2.5)', '-2'],
      ],
      build: two('round', 0),
    },
  ),
  rounddown: define([VALUE, optional('decimals', 'number')], 'number', 'Rounds toward zero: -1.9 becomes -1.', {
    examples: [
      ['rounddown(1.9, 0)', '1'],
      ['rounddown(-1.9, 0)', '-1'],
    ],
    build: two('roundDown', 0),
  }),
  roundup: define([VALUE, optional('decimals', 'number')], 'number', 'Rounds away from zero: -1.1 becomes -2.', {
    examples: [
      ['roundup(1.1, 0)', '2'],
      ['roundup(-1.1, 0)', '-2'],
    ],
    build: two('roundUp', 0),
  }),
  sign: define([VALUE], 'number', 'Returns 1, -1 or 0 for positive, negative numbers and zero.', {
    examples: [['sign(-9)', '-1']],
    build: one('sign'),
  }),
  sqrt: define([VALUE], 'number', 'The square root; empty for negative numbers.', {
    examples: [['sqrt(9)', '3']],
    build: one('sqrt'),
  }),
  sum: define([repeated('value', 'number')], 'number', 'The sum. Empty values count as zero.', {
    examples: [['sum(1, 2, 3)', '6']],
    build: sumOf,
  }),
  trunc: define([VALUE], 'number', 'The number without its decimals.', {
    examples: [['trunc(-1.9)', '-1']],
    build: two('roundDown', 0),
  }),
  value: define(
    [param('text', 'text')],
    'number',
    'The number in a text. Spaces, commas and currency signs are ignored; empty if the rest isn’t a number.',
    {
      examples: [['value("$10,000")', '10000']],
      build: (args) => call('number', 'parseNumber', at(args, 0)),
    },
  ),
} as const
