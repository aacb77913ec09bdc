import type { Field } from '#domain/fields/field.ts'
import { escapeGuarded } from '#domain/imports/print-csv.ts'
import { printList } from '#domain/shared/list-text.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'

/**
 * Plain text as in an export, for copying; pasting parses it back. Numbers use the locale's decimal sign, as
 * spreadsheets do.
 */
export function cellText(field: Field, value: unknown, decimal = '.'): string {
  if (value === null || value === undefined) return ''
  switch (field.kind) {
    case 'number':
      return plainText(value).replace('.', decimal)
    case 'auto-number':
    case 'checkbox':
    case 'date':
    case 'date-time':
      return plainText(value)
    case 'multi-select':
      return escapeGuarded(printList(toClientValue('multi-select', value)))
    case 'relation':
      return joinNames(
        toClientValue('relation', value).map(({ id, title }) => (title === '' ? id : title)),
        field.options.many,
      )
    case 'user':
      return joinNames(
        toClientValue('user', value).map(({ name }) => name),
        field.options.many,
      )
    case 'files':
      return joinNames(
        toClientValue('files', value).map(({ name }) => name),
        true,
      )
    case 'json':
      return escapeGuarded(JSON.stringify(value))
    case 'text':
    case 'long-text':
    case 'rich-text':
    case 'email':
    case 'url':
    case 'phone':
    case 'select':
    case 'state':
      return escapeGuarded(plainText(value))
  }
}

/** A single name is written without list quoting. */
const joinNames = (names: readonly string[], isMany: boolean): string =>
  escapeGuarded(isMany ? printList(names) : (names[0] ?? ''))

const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
