import type { Field, FieldValue, FilesOptions } from '../fields/field.ts'
import { fileIdsIn } from '#domain/rich-text/document-references.ts'
import type { AssetId } from '../shared/ids.ts'

/** A field whose values can contain files. */
export type FileField = Field<'files'> | Field<'rich-text'>

export const takesFiles = (field: Field): field is FileField => field.kind === 'files' || field.kind === 'rich-text'

/** Documents accept any file, and location data is removed from images. */
const IN_DOCUMENTS: FilesOptions = { stripLocation: true }

export const fileOptionsOf = (field: FileField): FilesOptions => (field.kind === 'files' ? field.options : IN_DOCUMENTS)

/** Distinct, in order. */
export function fileIdsOf(value: FieldValue | undefined): readonly AssetId[] {
  if (Array.isArray(value)) return [...new Set(value.map(String))]
  return typeof value === 'object' && value !== null && 'type' in value ? fileIdsIn(value) : []
}
