import type { Collection } from '../collections/collection.ts'
import { type SelectKind, type Field, type FieldValue, hasSelectOptions } from '../fields/field.ts'
import { emptyValue } from '../fields/kinds.ts'
import { optionName } from '../fields/select.ts'
import type { RichDocument } from '../rich-text/document-schema.ts'
import { plainText } from '../rich-text/plain-text.ts'
import { printHtml } from '../rich-text/print-html.ts'
import { printMarkdown } from '../rich-text/print-markdown.ts'
import type { NameOf } from '#domain/rich-text/document-references.ts'
import type { HiddenFields } from './check-values.ts'
import type { RecordValues } from './record.ts'

/** Output format: options by name or ID, rich text in one of four formats. */
export type ValueForm = {
  readonly choices: 'name' | 'id'
  readonly richText: 'document' | 'text' | 'html' | 'markdown'
}

export const DEFAULT_FORM: ValueForm = { choices: 'name', richText: 'document' }

export function nameValues(
  collection: Collection,
  values: RecordValues,
  hidden: HiddenFields,
  form: ValueForm = DEFAULT_FORM,
): { [fieldName: string]: unknown } {
  const named: { [fieldName: string]: unknown } = Object.create(null)
  for (const field of collection.fields) {
    if (!hidden.has(field.id)) named[field.name] = apiValue(field, values[field.id] ?? emptyValue(field), form)
  }
  return named
}

/** HTML and Markdown include the names of mentions that `nameOf` knows. */
export function apiValue(field: Field, value: FieldValue, form: ValueForm, nameOf?: NameOf): unknown {
  if (value === null) return null
  if (hasSelectOptions(field) && form.choices === 'name') return namesOf(field, value)
  // Can't fail, because `JSON.stringify` wrote this text.
  if (field.kind === 'json') return typeof value === 'string' ? JSON.parse(value) : null
  if (form.richText !== 'document' && typeof value === 'object' && 'type' in value) {
    return PRINTERS[form.richText](value, nameOf)
  }
  return value
}

const PRINTERS: Readonly<Record<'text' | 'html' | 'markdown', (document: RichDocument, nameOf?: NameOf) => string>> = {
  // Plain text is also used for search highlighting, so it excludes mention names.
  text: plainText,
  html: printHtml,
  markdown: printMarkdown,
}

/** Omits deleted options. */
function namesOf(field: Field<SelectKind>, value: FieldValue): unknown {
  if (Array.isArray(value)) return value.flatMap((id) => optionName(field, String(id)) ?? [])
  return typeof value === 'string' ? (optionName(field, value) ?? null) : null
}
