import { call, constant, emptyConstant } from '../expression.ts'
import {
  at,
  choose,
  defineFunction,
  equal,
  isFilled,
  not,
  optional,
  orElse,
  param,
  repeated,
} from './formula-function.ts'

const define = defineFunction('logic')

export const LOGIC_FUNCTIONS = {
  if: define(
    [param('condition', 'boolean'), param('then', 'same'), optional('else', 'same')],
    'same',
    'The second value if the condition is true, otherwise the third, or empty.',
    {
      examples: [
        ['if(2 > 1, "yes", "no")', 'yes'],
        ['if(1 > 2, "yes")', ''],
      ],
      build: (args) => choose(at(args, 0), at(args, 1), args[2] ?? emptyConstant(at(args, 1).type)),
    },
  ),
  switch: define(
    [param('value', 'same'), param('case', 'same'), param('result', 'outcome'), repeated('more', 'outcome', true)],
    'outcome',
    'The result after the first case that equals the value, otherwise the last argument, or empty.',
    {
      examples: [
        ['switch(2, 1, "one", 2, "two", "many")', 'two'],
        ['switch(9, 1, "one", 2, "two", "many")', 'many'],
      ],
      typesOf: (count) =>
        Array.from({ length: count }, (_, place) =>
          place === 0 || (place % 2 === 1 && place < count - 1) ? 'same' : 'outcome',
        ),
      build: (args) => {
        const [value, ...rest] = args
        const pairs = rest.length >> 1
        const last = rest.length % 2 === 1 ? at(rest, rest.length - 1) : emptyConstant(at(rest, 1).type)
        return Array.from({ length: pairs }, (_, place) => pairs - 1 - place).reduce(
          (other, pair) => choose(equal(value ?? last, at(rest, pair * 2)), at(rest, pair * 2 + 1), other),
          last,
        )
      },
    },
  ),
  and: define([repeated('condition', 'boolean')], 'boolean', 'True if all conditions are true.', {
    examples: [
      ['and(true, false)', 'false'],
      ['and(1 < 2, 2 < 3)', 'true'],
    ],
    build: (args) => call('boolean', 'and', ...args),
  }),
  or: define([repeated('condition', 'boolean')], 'boolean', 'True if at least one condition is true.', {
    examples: [
      ['or(true, false)', 'true'],
      ['or(false, false)', 'false'],
    ],
    build: (args) => call('boolean', 'or', ...args),
  }),
  xor: define([repeated('condition', 'boolean')], 'boolean', 'True if an odd number of conditions are true.', {
    examples: [
      ['xor(true, false)', 'true'],
      ['xor(true, true)', 'false'],
    ],
    build: (args) => call('boolean', 'xor', ...args),
  }),
  not: define([param('condition', 'boolean')], 'boolean', 'True if the condition is false.', {
    examples: [
      ['not(true)', 'false'],
      ['not(10 = 2)', 'true'],
    ],
    build: (args) => not(at(args, 0)),
  }),
  is_empty: define([param('value', 'any')], 'boolean', 'True if the value is empty. Checkboxes are never empty.', {
    examples: [
      ['is_empty("")', 'true'],
      ['is_empty(0)', 'false'],
    ],
    build: (args) => not(isFilled(at(args, 0))),
  }),
  when_empty: define(
    [param('value', 'same'), param('otherwise', 'same')],
    'same',
    'The first value, or the second if the first is empty.',
    {
      examples: [
        ['when_empty("", "none")', 'none'],
        ['when_empty(1 / 0, 0)', '0'],
      ],
      build: (args) => (at(args, 0).type === 'boolean' ? at(args, 0) : orElse(at(args, 0), at(args, 1))),
    },
  ),
  countall: define([repeated('value', 'any')], 'number', 'The number of arguments, including empty ones.', {
    examples: [['countall(1, "", "a")', '3']],
    build: (args) => constant('number', args.length),
  }),
} as const
