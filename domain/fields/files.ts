import { ok } from '../shared/result.ts'
import { type KindRules, fault } from './field-kind.ts'
import { isId } from './relation.ts'

/** Most files in one field of one record when the owner sets no limit. */
const MAX_FILES = 1000

/** Finished uploads, by id and in order. Who may attach them, and whether their type fits, the server judges. */
export const filesRules: KindRules<'files'> = {
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
