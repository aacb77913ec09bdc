import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { creatableTitle } from './use-create-linked.tsx'

const about = { id: 'f', name: 'title', label: 'Title', required: false, unique: false, default: null }
const title: Field<'text'> = { ...about, kind: 'text', options: {} }
const ports: TypedCollection = {
  id: 'p',
  name: 'ports',
  label: 'Ports',
  fields: [title],
  titleField: 'title',
  version: 1,
  timeZone: 'UTC',
  can: ['records:read', 'records:create'],
}

test('a linked record can be created from a typed title if it needs no other values', () => {
  expect(creatableTitle(ports)).toBe(title)
  expect(creatableTitle({ ...ports, can: ['records:read'] })).toBeUndefined()
  expect(creatableTitle({ ...ports, closed: { title: { create: 'wholly' } } })).toBeUndefined()
  expect(creatableTitle({ ...ports, titleField: null })).toBeUndefined()
  expect(creatableTitle({ ...ports, fields: [{ ...about, kind: 'auto-number', options: {} }] })).toBeUndefined()
})
