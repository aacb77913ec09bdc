import type { Field, FieldValue, FilesOptions } from '../fields/field.ts'
import { fileIdsIn } from '#domain/rich-text/document-references.ts'
import type { AssetId } from '../shared/ids.ts'

/** A field in whose values files stand: in a list, or inside a document. */
export type FileField = Field<'files'> | Field<'rich-text'>

/** Whether files may stand in a field. */
export const takesFiles = (field: Field): field is FileField => field.kind === 'files' || field.kind === 'rich-text'

/**
 * Documents take everything that a record may hold, for nobody chooses rules for pictures in a text; whoever reads the
 * text is not to learn where its pictures were taken.
 */
const IN_DOCUMENTS: FilesOptions = { stripLocation: true }

/** Which files a field takes. */
export const fileOptionsOf = (field: FileField): FilesOptions => (field.kind === 'files' ? field.options : IN_DOCUMENTS)

/** The files that a value of such a field names, each once and in their order. */
export function fileIdsOf(value: FieldValue | undefined): readonly AssetId[] {
  if (Array.isArray(value)) return [...new Set(value.map(String))]
  return typeof value === 'object' && value !== null && 'type' in value ? fileIdsIn(value) : []
}
