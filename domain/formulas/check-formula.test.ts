import { describe, expect, test } from 'vitest'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import { fail } from '#domain/shared/result.ts'
import { checkFormula } from './check-formula.ts'
import { formulaScope } from './formula-fields.ts'
import { MAX_FORMULA_DEPTH, MAX_FORMULA_LENGTH } from './formula-limits.ts'

const field = (name: string, kind: FieldKind): Field =>
  // The options don't matter here.
  ({
    id: name,
    name,
    label: name,
    kind,
    required: false,
    unique: false,
    default: null,
    options: { choices: [] },
  }) as unknown as Field

const SCOPE = formulaScope(
  {
    fields: [
      field('title', 'text'),
      field('price', 'number'),
      field('due', 'date'),
      field('sent', 'date-time'),
      field('paid', 'checkbox'),
      field('stage', 'select'),
      field('tags', 'multi-select'),
    ],
  },
  () => fail(''),
)

const typeOf = (formula: string) => {
  const checked = checkFormula(formula, SCOPE)
  return checked.ok ? checked.value.type : checked.fault.message
}

const faultOf = (formula: string) => {
  const checked = checkFormula(formula, SCOPE)
  return checked.ok ? undefined : [formula.slice(checked.fault.position, checked.fault.end), checked.fault.message]
}

describe('the type of a formula', () => {
  test.each([
    ['price * 2', 'number'],
    ['-price', 'number'],
    ['title & price', 'text'],
    ['stage', 'text'],
    ['price > 2 && paid', 'boolean'],
    ['title is empty', 'boolean'],
    ['stage in ("a", "b")', 'boolean'],
    ['price between 1 and 2', 'boolean'],
    ['dateadd(due, 1, "day")', 'date'],
    ['dateadd(sent, 1, "day")', 'date-time'],
    ['if(paid, due)', 'date'],
    ['if(paid, blank(), price)', 'number'],
    ['if(paid, "2026-01-01", due)', 'date'],
    ['max(price, 1, blank())', 'number'],
    ['max(due, "2026-01-01")', 'date'],
    ['switch(stage, "a", 1, "b", 2, 0)', 'number'],
    ['switch(price, 1, due, today())', 'date'],
    ['IF(paid, Upper(title), "")', 'text'],
    ['createdAt', 'date-time'],
    ['record_id()', 'text'],
    ['blank()', 'text'],
  ])('of %s is %s', (formula, type) => expect(typeOf(formula)).toBe(type))
})

describe('an error', () => {
  test.each([
    ['price + title', 'title', 'Texts can’t be added. Use & to join texts.'],
    ['due + 1', 'due', 'Dates can’t be used with +. Use dateadd(…) or datetime_diff(…).'],
    ['title * 2', 'title', '* needs a number here, not a text. Use value(…) to convert it.'],
    [
      'if(price, 1, 2)',
      'price',
      '“condition” of if must be true or false, not a number. Use a comparison, such as amount > 0.',
    ],
    ['if(paid, 1, "a")', '"a"', '“else” of if must be a number, not a text. Use value(…) to convert it.'],
    ['len(price)', 'price', '“text” of len must be a text, not a number. Use to_text(…) to convert it.'],
    ['due < sent', 'sent', 'a date can’t be compared with a date and time. Use to_date(…) to convert it.'],
    ['due = "tomorrow"', '"tomorrow"', 'a date can’t be compared with a text. Use to_date(…) to convert it.'],
    ['title = ""', '""', 'Use “is empty” or “is not empty” to test for empty values.'],
    ['title = blank()', 'blank', 'Use “is empty” or “is not empty” to test for empty values.'],
    ['paid < true', '<', '< can’t be used with true or false.'],
    ['max(title, "b")', 'title', 'max(value, …) doesn’t accept a text.'],
    ['dateadd(due, 1, "fortnight")', '"fortnight"', expect.stringContaining('“unit” must be one of millisecond')],
    ['dateadd(due, 1, title)', 'title', '“unit” must be a text in double quotes.'],
    [
      'datetime_format(due, "DD mon")',
      '"DD mon"',
      '“o” isn’t part of a date format. Put text in square brackets: [o].',
    ],
    [
      'datetime_parse(title, "YY")',
      '"YY"',
      'The format must contain YYYY, MM and DD, and can contain HH, mm and ss, each once.',
    ],
    ['left(title)', 'left', 'Use left(text, count).'],
    ['left(title, 1, 2)', 'left', 'Use left(text, count).'],
    ['round()', 'round', 'Use round(value, [decimals]).'],
    ['tags', 'tags', '“tags” contains values that formulas can’t use.'],
    [
      'author.name',
      'author.name',
      'Conditions can’t calculate with linked records. Add a formula field for this value and use the field here.',
    ],
    ['today', 'today', '“today” is a function. Add parentheses: today().'],
    ['titel', 'titel', 'There is no field “titel”. Did you mean “title”?'],
    ['1e200', '1e200', 'This number is too large.'],
    ['price == 2', '=', 'Unexpected “=”: expected a value, a field or a function.'],
    ['price 2', '2', 'Unexpected “2”: expected an operator or the end.'],
    ['(price', '', 'Unexpected end of input: expected an operator or a closing parenthesis.'],
    ["price & 'a'", "'", 'Put text in straight double quotes ("…"), not in \'.'],
  ])('in %s is at %s', (formula, place, message) => expect(faultOf(formula)).toEqual([place, message]))
})

test('a formula has limits of length, depth and size', () => {
  expect(faultOf('1 '.repeat(MAX_FORMULA_LENGTH))?.[1]).toContain('Must be at most')
  expect(faultOf('('.repeat(MAX_FORMULA_DEPTH + 1) + '1' + ')'.repeat(MAX_FORMULA_DEPTH + 1))?.[1]).toContain('Nested')
  expect(faultOf(Array.from({ length: MAX_FORMULA_DEPTH + 10 }, () => '1').join(' + '))?.[1]).toContain(
    'too many parts',
  )
  expect(faultOf(`concatenate(${Array.from({ length: 101 }, () => '1').join(', ')})`)?.[1]).toContain('at most 100')
})
