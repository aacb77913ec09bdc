import { call, type Expression, emptyConstant } from '../expression.ts'
import type { OperationName } from '../operations/operations.ts'
import { at, defineFunction, number, optional, param, repeated, text, textOf } from './formula-function.ts'

const define = defineFunction('text')

const TEXT = param('text', 'text')
const COUNT = param('count', 'number')

const plain =
  (operation: OperationName) =>
  (args: readonly Expression[]): Expression =>
    call('text', operation, ...args)

const test =
  (operation: OperationName) =>
  (args: readonly Expression[]): Expression =>
    call('boolean', operation, ...args)

/** The third argument is 1 by default. */
const from =
  (operation: OperationName) =>
  (args: readonly Expression[]): Expression =>
    call('number', operation, at(args, 0), at(args, 1), args[2] ?? number(1))

const padded =
  (operation: OperationName) =>
  (args: readonly Expression[]): Expression =>
    call('text', operation, at(args, 0), at(args, 1), args[2] ?? text(' '))

export const TEXT_FUNCTIONS = {
  concatenate: define([repeated('value', 'any')], 'text', 'Joins values to one text, like &.', {
    examples: [['concatenate("a", 1, true)', 'a1true']],
    build: (args) => call('text', 'concat', ...args.map(textOf)),
  }),
  contains: define([TEXT, param('part', 'text')], 'boolean', 'True if the text contains the part, in the same case.', {
    examples: [['contains("test", "e")', 'true']],
    build: test('contains'),
  }),
  encode_url_component: define([TEXT], 'text', 'Encodes a text for use in a URL.', {
    examples: [['encode_url_component("chicken & waffles")', 'chicken%20%26%20waffles']],
    build: plain('encodeUrl'),
  }),
  ends_with: define(
    [TEXT, param('part', 'text')],
    'boolean',
    'True if the text ends with the part, in the same case.',
    {
      examples: [['ends_with("test", "st")', 'true']],
      build: test('endsWith'),
    },
  ),
  exact: define(
    [TEXT, param('other', 'text')],
    'boolean',
    'True if both texts are identical, also if both are empty.',
    {
      examples: [
        ['exact("a", "A")', 'false'],
        ['exact("", "")', 'true'],
      ],
      build: test('exactText'),
    },
  ),
  find: define(
    [param('part', 'text'), TEXT, optional('start', 'number')],
    'number',
    'The position of the part in the text, from 1, in the same case; 0 if it doesn’t occur.',
    {
      examples: [
        ['find("fox", "quick brown fox")', '13'],
        ['find("cat", "quick brown fox")', '0'],
      ],
      build: from('find'),
    },
  ),
  left: define([TEXT, COUNT], 'text', 'The first characters of a text.', {
    examples: [['left("quick brown fox", 5)', 'quick']],
    build: plain('left'),
  }),
  len: define([TEXT], 'number', 'The number of characters.', {
    examples: [['len("quick brown fox")', '15']],
    build: (args) => call('number', 'length', at(args, 0)),
  }),
  lower: define([TEXT], 'text', 'The text in lowercase.', {
    examples: [['lower("Hello!")', 'hello!']],
    build: plain('lower'),
  }),
  mid: define(
    [TEXT, param('start', 'number'), COUNT],
    'text',
    'A part of a text. The first character has position 1, as in find and replace.',
    {
      examples: [['mid("quick brown fox", 7, 5)', 'brown']],
      build: plain('mid'),
    },
  ),
  pad_end: define(
    [TEXT, param('length', 'number'), optional('fill', 'text')],
    'text',
    'Appends spaces or other characters until the text has the given length.',
    { examples: [['pad_end("7", 3, "0")', '700']], build: padded('padEnd') },
  ),
  pad_start: define(
    [TEXT, param('length', 'number'), optional('fill', 'text')],
    'text',
    'Prepends spaces or other characters until the text has the given length.',
    { examples: [['pad_start("7", 3, "0")', '007']], build: padded('padStart') },
  ),
  replace: define(
    [TEXT, param('start', 'number'), COUNT, param('replacement', 'text')],
    'text',
    'Replaces characters at a position, which is 1 for the first. To replace a given text, use substitute.',
    { examples: [['replace("database", 2, 5, "o")', 'dose']], build: plain('replace') },
  ),
  rept: define([TEXT, COUNT], 'text', 'Repeats a text.', {
    examples: [['rept("Hi! ", 3)', 'Hi! Hi! Hi! ']],
    build: plain('repeat'),
  }),
  reverse: define([TEXT], 'text', 'The text in reverse.', {
    examples: [['reverse("abc")', 'cba']],
    build: plain('reverse'),
  }),
  right: define([TEXT, COUNT], 'text', 'The last characters of a text.', {
    examples: [['right("quick brown fox", 5)', 'n fox']],
    build: plain('right'),
  }),
  search: define(
    [param('part', 'text'), TEXT, optional('start', 'number')],
    'number',
    'Like find, but empty if the part doesn’t occur.',
    {
      examples: [
        ['search("World", "Hello World")', '7'],
        ['search("none", "Hello World")', ''],
      ],
      build: from('search'),
    },
  ),
  split_part: define(
    [TEXT, param('separator', 'text'), param('part', 'number')],
    'text',
    'A part of a text between separators, counted from 1.',
    { examples: [['split_part("John, Jane, Michael", ", ", 2)', 'Jane']], build: plain('splitPart') },
  ),
  starts_with: define(
    [TEXT, param('part', 'text')],
    'boolean',
    'True if the text starts with the part, in the same case.',
    { examples: [['starts_with("test", "te")', 'true']], build: test('startsWith') },
  ),
  substitute: define(
    [TEXT, param('old', 'text'), param('new', 'text'), optional('occurrence', 'number')],
    'text',
    'Replaces a text wherever it occurs, or only one occurrence, counted from 1.',
    {
      examples: [
        ['substitute("gold mold", "old", "et")', 'get met'],
        ['substitute("gold mold", "old", "et", 1)', 'get mold'],
      ],
      build: (args) => call('text', args.length > 3 ? 'substituteOne' : 'substitute', ...args),
    },
  ),
  t: define([param('value', 'any')], 'text', 'The value if it is a text, otherwise empty.', {
    examples: [
      ['t("text only")', 'text only'],
      ['t(10)', ''],
    ],
    build: (args) => (at(args, 0).type === 'text' ? at(args, 0) : emptyConstant('text')),
  }),
  to_text: define(
    [param('value', 'any')],
    'text',
    'The value as text: numbers without separators, dates as 2026-03-31, times in UTC.',
    {
      examples: [
        ['to_text(10)', '10'],
        ['to_text(true)', 'true'],
      ],
      build: (args) => textOf(at(args, 0)),
    },
  ),
  trim: define([TEXT], 'text', 'The text without spaces at its start and end.', {
    examples: [['trim(" Hello! ")', 'Hello!']],
    build: plain('trim'),
  }),
  upper: define([TEXT], 'text', 'The text in uppercase.', {
    examples: [['upper("Hello!")', 'HELLO!']],
    build: plain('upper'),
  }),
} as const
