import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { groupSummaries, requestedSummaries, summaryRequests, withCondition } from './summary-requests.ts'
import { summaryLabel, numberSummaryText, subjectOf } from './summaries.ts'

const about = (name: string) => ({ id: `f-${name}`, name, label: name, required: false, unique: false, default: null })
const AMOUNT: Field = { ...about('amount'), kind: 'number', options: { decimals: 2 } }
const DUE: Field = { ...about('due'), kind: 'date', options: {} }
const PAID: Field = { ...about('paid'), kind: 'checkbox', options: {} }
const NOTE: Field = { ...about('note'), kind: 'long-text', options: {} }
const orders = { fields: [AMOUNT, DUE, PAID, NOTE] } as unknown as TypedCollection

const asksFor = (footers: { readonly [columnId: string]: string }) =>
  summaryRequests(requestedSummaries(orders, footers))

test('numeric summaries are requested together, each only once', () => {
  expect(asksFor({ 'f-amount': 'sum', 'f-note': 'count' })).toEqual([{ is: 'sums', aggregates: 'sum(amount)' }])
  expect(asksFor({ 'f-amount': 'average' })).toEqual([{ is: 'sums', aggregates: 'avg(amount)' }])
})

test('filled values are counted with an additional condition, and checkboxes by value', () => {
  expect(asksFor({ 'f-note': 'empty', 'f-due': 'filled', 'f-paid': 'filled' })).toEqual([
    { is: 'count', where: 'note is empty' },
    { is: 'count', where: 'due is not empty' },
    { is: 'count', where: 'paid = true' },
  ])
  expect(withCondition(' ', 'note is empty')).toBe('note is empty')
  expect(withCondition('a = 1 || b = 2', 'note is empty')).toBe('(a = 1 || b = 2) && note is empty')
})

test('the earliest and latest dates are read from a sorted list', () => {
  expect(asksFor({ 'f-due': 'max', createdAt: 'min' })).toEqual([
    { is: 'first', sort: '-due', field: 'due' },
    { is: 'first', sort: 'createdAt', field: '' },
  ])
})

test('a summary that does not apply to its column is not requested', () => {
  expect(asksFor({ 'f-note': 'sum', 'f-gone': 'count', 'f-amount': 'median', 'f-due': 'average' })).toEqual([])
})

test('groups show numeric summaries', () => {
  const summaries = groupSummaries(orders, { 'f-amount': 'average', 'f-note': 'empty' })
  expect(summaries.aggregates).toBe('avg(amount)')
  expect(summaries.of({ aggregates: { 'avg(amount)': 2 } })).toEqual({ 'f-amount': { name: 'Average', text: '2.00' } })
  expect(summaries.of({ aggregates: { 'avg(amount)': null } })).toEqual({})
})

test('summaries are labeled with their field, and an average has no unnecessary digits', () => {
  const subject = (id: string) => subjectOf(orders, id) ?? { name: '', field: undefined }
  expect(summaryLabel(subject('f-due'), 'max')).toBe('Latest')
  expect(summaryLabel(subject('f-amount'), 'max')).toBe('Largest')
  expect(summaryLabel(subject('f-paid'), 'empty')).toBe('Not checked')
  expect(summaryLabel(subject('updatedAt'), 'min')).toBe('Earliest')
  expect(numberSummaryText(subject('f-amount'), 'average', 10 / 3)).toBe(
    (3.3333).toLocaleString(undefined, { maximumFractionDigits: 4 }),
  )
})
