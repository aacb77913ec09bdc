import type { FieldValue } from '#domain/fields/field.ts'
import { fileIdsIn, mentionsIn } from './document-references.ts'

/** Whether a value is a document that names files, people or records by id: it is for the one record it is written in. */
export const hasReferences = (value: FieldValue): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  (fileIdsIn(value).length > 0 || mentionsIn(value).length > 0)
