import { describe, expect, test } from 'vitest'
import type { Field, FieldKind, OptionsOf } from '#domain/fields/field.ts'
import { checkDefaultFormula, invalidDefaults, startingValues } from './default-formulas.ts'

const CALENDAR = { now: new Date('2026-03-29T22:30:00.000Z'), timeZone: 'Europe/Vienna' }

const idOf = (suffix: string): string => `01jd9q4z7m3k8w2x5v6c0b1n4${suffix}`

const field = <Kind extends FieldKind>(suffix: string, name: string, kind: Kind, options: OptionsOf[Kind]): Field => {
  const shared = { id: idOf(suffix), name, label: name, kind, required: false, unique: false, default: null, options }
  // The options are checked by the parameter type.
  return shared as unknown as Field
}

const choices = ['Low', 'High'].map((name, at) => ({ id: `o${at}`, name, color: 'gray' as const }))
const title = field('a', 'title', 'text', {})
const price = { ...field('b', 'price', 'number', {}), default: 10 } as Field
const number = field('c', 'number', 'auto-number', {})
const level = field('d', 'level', 'select', { choices })
const due = field('e', 'due', 'date', {})
const total = field('f', 'total', 'number', { max: 50 })
const code = field('g', 'code', 'text', {})

const withFormula = (one: Field, text: string, siblings: readonly Field[]): Field => {
  const checked = checkDefaultFormula(text, one, siblings, () => true)
  if (!checked.ok) throw new Error(checked.fault.message)
  return { ...one, defaultFormula: checked.value }
}

describe('a default value', () => {
  const base = [title, price, number, level, due, total, code]
  const calculated = [
    title,
    price,
    number,
    withFormula(level, 'if(total > 30, "High", "Low")', base),
    withFormula(due, 'dateadd(today(), 7, "days")', base),
    withFormula(total, 'price * 2', base),
    withFormula(code, 'upper(left(title, 2)) & total', base),
  ]
  const started = (given: object) => startingValues(calculated, given as never, CALENDAR)

  test('is calculated from the given values and other default values', () => {
    expect(started({ [title.id]: 'pen' })).toMatchObject({
      [level.id]: 'o0',
      [due.id]: '2026-04-06',
      [total.id]: 20,
      [code.id]: 'PE20',
    })
    expect(started({ [price.id]: 20 })).toMatchObject({ [total.id]: 40, [level.id]: 'o1' })
  })

  test('is only for values that aren’t given, also not as empty', () => {
    expect(started({ [total.id]: 1, [code.id]: null })).toMatchObject({
      [total.id]: 1,
      [code.id]: null,
      [level.id]: 'o0',
    })
  })

  test('is empty if the field doesn’t accept it', () => {
    expect(started({ [price.id]: 30 })).toMatchObject({ [total.id]: null })
  })

  test('survives renamed fields, and must stay valid', () => {
    const renamed = calculated.map((each) => (each.id === price.id ? { ...each, name: 'cost' } : each))
    expect(startingValues(renamed, {}, CALENDAR)[total.id]).toBe(20)
    expect(invalidDefaults(calculated)).toEqual([])
    expect(invalidDefaults(calculated.filter(({ id }) => id !== price.id)).map((each) => each.field.name)).toEqual([
      'total',
    ])
  })
})

test('formulas of default values are checked', () => {
  const fault = (text: string, one: Field = total) => {
    const checked = checkDefaultFormula(text, one, [title, price, number, level, code], () => true)
    return checked.ok ? 'accepted' : checked.fault
  }
  expect(fault('price * 2')).toBe('accepted')
  expect(fault('title')).toMatchObject({ message: expect.stringContaining('The result must be a number, not a text.') })
  expect(fault('number + 1')).toMatchObject({ message: expect.stringContaining('before the record is saved'), end: 6 })
  expect(fault('sum(tasks.hours)')).toMatchObject({ message: expect.stringContaining('before the record is saved') })
  expect(fault('record_id()', code)).toMatchObject({ message: expect.stringContaining('before the record is saved') })
  expect(fault('total')).toMatchObject({ message: expect.stringContaining('There is no field “total”') })
  const one = { ...code, defaultFormula: idOf('a') }
  expect(checkDefaultFormula('code', title, [one], () => true)).toMatchObject({
    fault: { message: 'A default value can’t depend on itself: title → code → title.' },
  })
})
