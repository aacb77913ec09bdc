import { expect, test } from 'vitest'
import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { detailFields, firstOptions, recordOption } from './search-options.ts'

/** Loads a list of options and counts the requests. */
async function listOf(total: number) {
  const pages: number[] = []
  const found = await firstOptions(async (page, perPage) => {
    pages.push(page)
    const rest = Math.max(0, Math.min(perPage, total - (page - 1) * perPage))
    const options = Array.from({ length: rest }, (_, at) => ({ value: `${(page - 1) * perPage + at}`, label: 'One' }))
    return { options, total }
  })
  return { shown: found.options.length, total: found.total, pages }
}

test('search loads up to a thousand options and the total count', async () => {
  expect(await listOf(3376)).toEqual({ shown: 1000, total: 3376, pages: [1, 2] })
})

test('a short list of options is loaded in one request', async () => {
  expect(await listOf(0)).toEqual({ shown: 0, total: 0, pages: [1] })
  expect(await listOf(499)).toEqual({ shown: 499, total: 499, pages: [1] })
  expect(await listOf(501)).toEqual({ shown: 501, total: 501, pages: [1, 2] })
})

const about = (name: string) => ({ id: name, name, label: name, required: false, unique: false, default: null })
const title: Field<'text'> = { ...about('title'), kind: 'text', options: {} }
const notes: Field<'long-text'> = { ...about('notes'), kind: 'long-text', options: {} }
const place: Field<'text'> = { ...about('place'), kind: 'text', options: {} }
const due: Field<'date'> = { ...about('due'), kind: 'date', options: {} }
const stage: Field<'select'> = { ...about('stage'), kind: 'select', options: { choices: [] } }
const tasks: TypedCollection = {
  id: 't',
  name: 'tasks',
  label: 'Tasks',
  fields: [title, notes, place, due, stage],
  titleField: 'title',
  version: 1,
  timeZone: 'UTC',
  can: [],
}
const task = (values: RecordListItem['values']): RecordListItem => ({
  id: 'r',
  version: 1,
  createdAt: '',
  createdBy: null,
  updatedAt: '',
  updatedBy: null,
  values,
})

test('an option shows two short fields besides the title, with status and date first', () => {
  expect(detailFields(tasks)).toEqual([stage, due])
  const option = recordOption(tasks, task({ title: 'Paint', stage: 'Open', due: '2026-03-01' }))
  expect(option).toMatchObject({ value: 'r', label: 'Paint', description: expect.stringMatching(/^Open · .*2026/) })
})

test('an option shows no empty or hidden fields', () => {
  expect(recordOption(tasks, task({ title: 'Paint', stage: null, due: '2026-03-01' })).description).toMatch(
    /^\D*\d.*2026$/,
  )
  expect(recordOption(tasks, task({ title: 'Paint' }))).toEqual({ value: 'r', label: 'Paint' })
})
