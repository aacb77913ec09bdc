import type { FieldKind } from '#domain/fields/field.ts'
import type { Dialect } from '#server/platform/database/database.ts'

/** The SQL type of a field's value. No `default`: a new kind does not compile until it is added. */
export function columnTypeFor(kind: FieldKind, dialect: Dialect): string {
  const isPostgres = dialect === 'postgres'
  switch (kind) {
    case 'text':
    case 'long-text':
    case 'email':
    case 'url':
    case 'phone':
    case 'select':
    case 'multi-select':
    case 'state':
    case 'relation':
    case 'user':
    case 'files':
    // Dates and timestamps have a fixed length, so their text sorts chronologically, and no driver converts them.
    case 'date':
    case 'date-time':
      return textColumnType(dialect)
    case 'rich-text':
    case 'json':
      return 'text'
    case 'number':
    // Auto-numbers are compared with any number, also with fractions.
    case 'auto-number':
      return isPostgres ? 'double precision' : 'real'
    case 'checkbox':
      return isPostgres ? 'boolean not null default false' : 'integer not null default 0'
  }
}

/** Text with byte order, in both dialects. */
export const textColumnType = (dialect: Dialect): string => (dialect === 'postgres' ? 'text collate "C"' : 'text')
