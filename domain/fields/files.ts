import { acceptFault } from '../uploads/file-type-groups.ts'
import { partProblem } from '../shared/problem.ts'
import { fail, ok } from '../shared/result.ts'
import { fault, type KindRules } from './field-kind.ts'
import { definedOptions } from './field-options.ts'
import { isId } from './relation.ts'
import type { Field, FieldValue, FilesOptions } from './field.ts'
import { fileIdsIn } from '#domain/rich-text/document-references.ts'
import type { AssetId } from '../shared/ids.ts'

/** Default file limit per field and record. */
const MAX_FILES = 1000

/** IDs of completed uploads, in order. The server checks who may attach them, and their type. */
export const filesRules: KindRules<'files'> = {
  optionNames: ['max', 'accept', 'maxBytes', 'stripLocation'],
  checkOptions: ({ max, maxBytes, stripLocation, ...options }) => {
    const accept = options.accept?.map((entry) => entry.trim())
    const wrong = accept?.map(acceptFault).find((each) => each !== undefined)
    if (wrong !== undefined) return fail([partProblem('options.accept', 'bad-type', wrong)])
    return ok(definedOptions({ max, accept, maxBytes, stripLocation: stripLocation === true ? true : undefined }))
  },
  check: (value, field) => {
    if (!Array.isArray(value)) return fault('not-list', 'Must be a list of file IDs.')
    if (!value.every(isId)) return fault('not-file', 'Each item must be the ID of an uploaded file.')
    const ids = [...new Set(value)]
    const max = field.options.max ?? MAX_FILES
    return ids.length <= max ? ok(ids) : fault('too-many', `Contains ${ids.length} files; at most ${max} are allowed.`)
  },
  parse: (text, field) =>
    filesRules.check(
      text
        .split(';')
        .map((part) => part.trim())
        .filter((id) => id !== ''),
      field,
    ),
  print: (value) => value.join('; '),
  canBeUnique: false,
}

/** Field whose values can contain files. */
export type FileField = Field<'files'> | Field<'rich-text'>

export const takesFiles = (field: Field): field is FileField => field.kind === 'files' || field.kind === 'rich-text'

/** Rich text accepts files of any type; location metadata is stripped from images. */
const IN_DOCUMENTS: FilesOptions = { stripLocation: true }

export const fileOptionsOf = (field: FileField): FilesOptions => (field.kind === 'files' ? field.options : IN_DOCUMENTS)

/** Distinct file IDs, in order. */
export function fileIdsOf(value: FieldValue | undefined): readonly AssetId[] {
  if (Array.isArray(value)) return [...new Set(value.map(String))]
  return typeof value === 'object' && value !== null && 'type' in value ? fileIdsIn(value) : []
}
