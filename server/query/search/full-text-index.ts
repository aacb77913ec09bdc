import { type RawBuilder, sql } from 'kysely'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import { foldColumnOf } from '#server/query/sql/sql-context.ts'

/**
 * A full-text index on SQLite: the trigrams of the folded texts of some fields of a collection, kept in the transaction of
 * every write. A collection has one for all its texts as a rule; a field that comes to a large collection gets its own.
 * The number of a row in it is that of the record.
 */
export type FullTextIndex = {
  readonly id: string
  readonly collection: CollectionId
  readonly fields: readonly FieldId[]
  /** Whether it also holds texts of fields that are gone, or are of another kind by now. */
  readonly holdsMore: boolean
  /** The stretch of records, by number, that is not in the index yet; what is looked for must be looked for in there, too. */
  readonly gap: IndexGap | null
}

/** From one number to another, both included; they are beyond what a JavaScript number holds. */
export type IndexGap = { readonly from: string; readonly to: string }

/** The full-text indexes of each collection. */
export type FullTextIndexes = ReadonlyMap<CollectionId, readonly FullTextIndex[]>

/** The table of a full-text index. */
export const fullTextTableOf = (part: string): string => `s_${part}`

/** The table that lists what stands in a full-text index, trigram by trigram. */
export const trigramTableOf = (part: string): string => `t_${part}`

/** What a trigram is: three characters. */
export const TRIGRAM = 3

/**
 * Stands twice behind every text in the index, so that its last characters begin trigrams, too: then whatever has one
 * or two characters is found as the beginning of trigrams. A search for the filler itself asks the rows.
 */
export const FILLER = '\u0001'

/** The folded text of a field in a row, as it is searched. */
export const searchedText = (row: string, field: FieldId): RawBuilder<string> =>
  sql.ref<string>(`${row}.${foldColumnOf(field)}`)
