import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import {
  changedFieldBody,
  draftOfCopy,
  draftOfField,
  NEW_FIELD,
  newFieldBody,
  unfinishedFields,
  withKind,
} from './field-draft.ts'

const status: Field = {
  id: 'f',
  name: 'status',
  label: 'Status',
  kind: 'select',
  required: false,
  unique: false,
  default: null,
  options: { choices: [{ id: 'c1', name: 'Open', color: 'blue' }] },
}
const code: Field = {
  id: 'g',
  name: 'code',
  label: 'Code',
  kind: 'text',
  required: true,
  unique: true,
  default: null,
  options: { max: 4 },
}

test('a new field is sent with a label, from which the server generates the name', () => {
  expect(newFieldBody({ ...NEW_FIELD, label: ' Due date ', kind: 'date', options: {} })).toEqual({
    label: 'Due date',
    description: '',
    kind: 'date',
    required: false,
    unique: false,
    options: {},
  })
})

test('new options are sent without an ID, and unnamed ones are omitted', () => {
  const draft = draftOfField(status)
  const choices = [
    { id: 'c1', name: 'Open', color: 'red' },
    { id: 'new-1', name: 'Done', color: 'green' },
    { id: 'new-2', name: ' ', color: 'gray' },
  ] as const
  expect(changedFieldBody({ ...draft, options: { choices } }, status)).toMatchObject({
    options: {
      choices: [
        { id: 'c1', name: 'Open', color: 'red' },
        { name: 'Done', color: 'green' },
      ],
    },
  })
})

test('text values are converted to options', () => {
  const body = changedFieldBody(withKind(draftOfField(code), 'select', code), code)
  expect(body).toMatchObject({ kind: 'select' })
  expect(body).not.toHaveProperty('options')
})

test('type-specific options are dropped when the type changes, and restored when switching back', () => {
  const asFiles = withKind(draftOfField(code), 'files', code)
  expect(asFiles).toMatchObject({ kind: 'files', options: {}, unique: false })
  expect(withKind(asFiles, 'text', code).options).toEqual({ max: 4 })
})

test('a copied field has new options and a unique name, and a copied status field becomes a select', () => {
  const copy = draftOfCopy({ ...status, kind: 'state' })
  expect(newFieldBody(copy)).toMatchObject({ label: 'Status copy', kind: 'select' })
  expect(newFieldBody(copy).options).toEqual({ choices: [{ name: 'Open', color: 'blue' }] })
  expect(newFieldBody(copy)).not.toHaveProperty('name')
})

test('the draft of a closed form is restored once, unless the field has changed in the meantime', () => {
  const start = draftOfField(code)
  unfinishedFields.keep('ada code', start, { ...start, label: 'Number' })
  expect(unfinishedFields.take('ben code', start)).toBeUndefined()
  expect(unfinishedFields.take('ada code', start)?.label).toBe('Number')
  expect(unfinishedFields.take('ada code', start)).toBeUndefined()
  unfinishedFields.keep('ada code', start, { ...start, label: 'Number' })
  expect(unfinishedFields.take('ada code', { ...start, required: false })).toBeUndefined()
})
