import type { Field } from '#domain/fields/field.ts'
import { keepApart } from '#domain/imports/print-csv.ts'
import { printList } from '#domain/shared/list-text.ts'
import { shownValue } from '#web/fields/shown-value.ts'

/**
 * A value as plain text, the same as an export prints it: what a copy gives, and a paste reads back. Only numbers have
 * the decimal sign of the person's language, which is the one their spreadsheet reads.
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
      return keepApart(printList(shownValue('multi-select', value)))
    case 'relation':
      return inOneCell(
        shownValue('relation', value).map(({ id, title }) => (title === '' ? id : title)),
        field.options.many,
      )
    case 'user':
      return inOneCell(
        shownValue('user', value).map(({ name }) => name),
        field.options.many,
      )
    case 'files':
      return inOneCell(
        shownValue('files', value).map(({ name }) => name),
        true,
      )
    case 'json':
      return keepApart(JSON.stringify(value))
    case 'text':
    case 'long-text':
    case 'rich-text':
    case 'email':
    case 'url':
    case 'phone':
    case 'select':
    case 'state':
      return keepApart(plainText(value))
  }
}

/** Several names are a list; the only one a field can hold stands as it is. */
const inOneCell = (names: readonly string[], isMany: boolean): string =>
  keepApart(isMany ? printList(names) : (names[0] ?? ''))

const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
