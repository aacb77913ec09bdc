import type { Field } from '#domain/fields/field.ts'
import { holdsText } from '#domain/fields/folded-text.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'

/**
 * Where things live. Tables and columns are named after ids, so everything can be renamed by people; ids hold only
 * digits and lower-case letters, so the names need no care with quoting.
 */

/** The table of a collection's records. */
export const tableOf = (collection: CollectionId): `c_${string}` => `c_${collection}`

/** The table of a list field: `record_id`, `position`, `value`. */
export const listTableOf = (field: FieldId): `l_${string}` => `l_${field}`

/** The column that holds a field's value. */
export const columnOf = (field: FieldId): string => `f_${field}`

/** The column that holds the folded form of a text, or the folded plain text of what is searched as text. */
export const foldColumnOf = (field: FieldId): string => `f_${field}_fold`

/** Whether the field has a folded column beside its own. */
export const hasFoldColumn = (field: Field): boolean =>
  holdsText(field.kind) || field.kind === 'rich-text' || field.kind === 'auto-number'

/**
 * SQLite's own number of a row, in the order of ids: whatever is sorted by id is sorted by it, and every index carries it
 * for free. PostgreSQL has none. It does not fit a JavaScript number, so it is compared in the database and never read.
 */
export const SEQ_COLUMN = 'seq'

/** The columns every collection's table has. `import_id` marks rows of an import that may still be undone. */
export const SYSTEM_COLUMNS = {
  id: 'id',
  version: 'version',
  createdAt: 'created_at',
  createdBy: 'created_by',
  updatedAt: 'updated_at',
  updatedBy: 'updated_by',
  importId: 'import_id',
} as const
