import { describe, expect, test } from 'vitest'
import type { Field, FormulaResult } from '#domain/fields/field.ts'
import {
  allInputs,
  checkFormulaField,
  collectionFormulas,
  directInputs,
  expressionOf,
  formulaById,
  formulaByName,
} from './formula-fields.ts'
import { valueField } from './value-field.ts'
import { valuesWithFormulas } from './formula-values.ts'

const idOf = (suffix: string): string => `01jd9q4z7m3k8w2x5v6c0b1n4${suffix}`
const bare = { required: false, unique: false, default: null } as const

const price: Field = { ...bare, id: idOf('a'), name: 'price', label: 'Price', kind: 'number', options: {} }
const title: Field = { ...bare, id: idOf('b'), name: 'title', label: 'Title', kind: 'text', options: {} }

const formula = (suffix: string, text: string, result: FormulaResult = 'number'): Field<'formula'> => ({
  ...bare,
  id: idOf(suffix),
  name: `f_${suffix}`,
  label: suffix.toUpperCase(),
  kind: 'formula',
  options: { formula: text, result },
})

const check = (
  text: string,
  field: Parameters<typeof checkFormulaField>[1],
  siblings: readonly Field[],
  isVisible: (field: Field) => boolean = () => true,
) =>
  checkFormulaField(text, field, { siblings, isVisible, collectionOf: () => undefined, linkedValue: () => undefined })

describe('a stored formula', () => {
  const fields = [price, title]

  test('refers to fields by ID, and is shown with their names', () => {
    const stored = formulaById('price + len(title) & "price"', { fields })
    expect(stored).toBe(`${idOf('a')} + len(${idOf('b')}) & "price"`)
    expect(formulaByName(stored, { fields: [{ ...price, name: 'cost' }, title] })).toBe('cost + len(title) & "price"')
    expect(formulaById('unknown + "', { fields })).toBe('unknown + "')
  })

  test('names its inputs, also those of other formulas', () => {
    const net = formula('c', `${idOf('a')} * 2`)
    const gross = formula('d', `${idOf('c')} + len(${idOf('b')})`)
    expect(directInputs(gross)).toEqual([idOf('c'), idOf('b')])
    expect(allInputs(gross, [price, title, net, gross])).toEqual([idOf('c'), idOf('b'), idOf('a')])
  })

  test('is empty while it isn’t valid', () => {
    const lost = formula('c', `${idOf('z')} + 1`)
    const other = formula('d', `title & "x"`, 'number')
    const record = { id: 'r', createdAt: '', updatedAt: '', values: {} }
    const calendar = { now: new Date(0), timeZone: 'UTC' }
    const all = { fields: [title, lost, other] }
    expect(valuesWithFormulas(all, all.fields, record, calendar)).toEqual({ [idOf('c')]: null, [idOf('d')]: null })
    expect(expressionOf(all, lost)).toMatchObject({ node: 'constant', type: 'number', value: null })
  })
})

test('a formula that refers to itself through others is refused with the path', () => {
  const one = formula('c', `${idOf('d')} + 1`)
  const two = formula('d', `${idOf('e')} + 1`)
  const three = formula('e', `${idOf('c')} + 1`)
  const formulas = collectionFormulas({ fields: [one, two, three] })
  expect(formulas.get(one.id)).toMatchObject({ fault: { message: 'A formula can’t refer to itself: C → D → E → C.' } })
  expect(formulas.get(three.id)?.ok).toBe(false)
  expect(check('f_c', { id: 'new', name: 'new', label: 'New' }, [one, two, three])).toMatchObject({
    ok: false,
  })
  expect(check('self + 1', { id: 'x', name: 'self', label: 'Self' }, [])).toMatchObject({
    fault: { message: 'A formula can’t refer to itself: Self → Self.' },
  })
})

test('the result of a new formula is inferred, and fields that its author can’t see don’t exist', () => {
  const place = { id: 'new', name: 'new', label: 'New' }
  expect(check('price > 1', place, [price])).toEqual({
    ok: true,
    value: { formula: `${idOf('a')} > 1`, result: 'checkbox' },
  })
  expect(check('price > 1', place, [price, title], ({ id }) => id !== price.id)).toMatchObject({
    fault: { message: 'There is no field “price”.', position: 0, end: 5 },
  })
})

test('a formula field is treated like a field with the kind of its result', () => {
  const field = formula('c', '1', 'date')
  expect(valueField(field)).toMatchObject({ id: field.id, name: field.name, kind: 'date', options: {} })
  expect(valueField(field)).toBe(valueField(field))
  expect(valueField(price)).toBe(price)
})
