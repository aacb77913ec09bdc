import { foldText } from '../shared/text.ts'
import { isSystemField } from '../fields/system-fields.ts'

/** PostgreSQL limits identifiers to 63 bytes. */
const MAX_NAME_LENGTH = 63
export const MAX_LABEL_LENGTH = 120

/** In UTF-16 code units, like label lengths. Descriptions are plain text and can contain line breaks. */
export const MAX_FIELD_DESCRIPTION_LENGTH = 500
export const MAX_COLLECTION_DESCRIPTION_LENGTH = 1000

/** Names that don't need to be quoted in URLs and filters. */
const NAME_PATTERN = /^[a-z][a-zA-Z0-9_]*$/

/** Keywords of the filter language and record properties, which would be ambiguous as field names. */
const RESERVED_FIELD_NAMES = new Set([
  'in',
  'is',
  'not',
  'empty',
  'between',
  'and',
  'or',
  'true',
  'false',
  'null',
  'version',
  'values',
])

/** Field names are object keys, so `constructor` and similar names are reserved. */
export const isFieldName = (name: string): boolean =>
  isName(name) &&
  !isSystemField(name) &&
  !RESERVED_FIELD_NAMES.has(name.toLowerCase()) &&
  !Object.hasOwn(Object.prototype, name)

export const isName = (name: string): boolean => name.length <= MAX_NAME_LENGTH && NAME_PATTERN.test(name)

/** For example, “Due date” becomes `dueDate`, then `dueDate2` if taken. */
export function nameFromLabel(label: string, taken: ReadonlySet<string>): string {
  // NFKD doesn't decompose ß.
  const words =
    foldText(label)
      .replaceAll('ß', 'ss')
      .match(/[a-z0-9]+/g) ?? []
  const joined = words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
  const legal = /^[a-z]/.test(joined) ? joined : `field${joined.charAt(0).toUpperCase()}${joined.slice(1)}`
  const base = legal.slice(0, MAX_NAME_LENGTH - 4)
  let name = base
  for (let count = 2; taken.has(name) || !isFieldName(name); count += 1) name = `${base}${count}`
  return name
}
