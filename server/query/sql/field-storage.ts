import { type Field, type FieldKind, type FieldShape, shapeOf } from '#domain/fields/field.ts'
import type { Dialect } from '#server/platform/database/database.ts'

/**
 * How values are stored in a record's row: as text, alone or with its folded form; as JSON; as a document with its
 * folded text; as a number, alone or with its digits for searching; or as a boolean. Lists have separate tables, and
 * virtual fields aren't stored.
 */
export type StorageForm =
  | 'text'
  | 'folded-text'
  | 'json'
  | 'document'
  | 'number'
  | 'searched-number'
  | 'boolean'
  | 'list'
  | 'none'

const FORMS: { readonly [Shape in FieldShape]: StorageForm } = {
  text: 'folded-text',
  document: 'document',
  number: 'number',
  boolean: 'boolean',
  // Dates are stored as fixed-length text, so that they sort chronologically and no driver converts them to its own
  // type.
  date: 'text',
  'date-time': 'text',
  option: 'text',
  record: 'text',
  person: 'text',
  file: 'list',
  json: 'json',
  formula: 'none',
}

/** Field kinds that are stored differently from others of the same shape. */
const EXCEPTIONS: { readonly [Kind in FieldKind]?: StorageForm } = {
  'multi-select': 'list',
  'auto-number': 'searched-number',
  reverse: 'none',
}

export const storageForm = ({ kind }: Pick<Field, 'kind'>): StorageForm => EXCEPTIONS[kind] ?? FORMS[shapeOf({ kind })]

const FORMS_WITH_FOLD: ReadonlySet<StorageForm> = new Set(['folded-text', 'document', 'searched-number'])

/** Whether the folded form of the value has its own column. */
export const hasFoldColumn = (field: Pick<Field, 'kind'>): boolean => FORMS_WITH_FOLD.has(storageForm(field))

/** The SQL type of the column that stores the value. */
export function columnType(field: Pick<Field, 'kind'>, dialect: Dialect): string {
  const isPostgres = dialect === 'postgres'
  switch (storageForm(field)) {
    case 'text':
    case 'folded-text':
    case 'list':
    case 'none':
      return textColumnType(dialect)
    case 'document':
    case 'json':
      return 'text'
    case 'number':
    case 'searched-number':
      return isPostgres ? 'double precision' : 'real'
    case 'boolean':
      return isPostgres ? 'boolean not null default false' : 'integer not null default 0'
  }
}

/** A text column that sorts in byte order in both dialects. */
export const textColumnType = (dialect: Dialect): string => (dialect === 'postgres' ? 'text collate "C"' : 'text')
