import { expect, test } from 'vitest'
import { FIELD_KINDS } from '#domain/fields/field.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds.ts'
import { FIELD_KIND_UI } from './field-kinds.ts'

test.each(FIELD_KINDS)('%s has a cell editor if and only if its traits specify one', (kind) => {
  expect(FIELD_KIND_UI[kind].CellEditor !== null).toBe(KIND_TRAITS[kind].hasCellEditor)
})
