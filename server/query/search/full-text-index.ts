import { type RawBuilder, sql } from 'kysely'
import type { CollectionId } from '#domain/shared/ids.ts'

/**
 * A field ID. For a formula, it is followed by what identifies its texts, so that an index with the texts of another
 * formula or version isn't used.
 */
export type SearchedField = string

/**
 * A full-text index on SQLite: the trigrams of the folded texts of some fields. A collection usually has one index for
 * all its texts; a field added to a large collection gets its own. Row numbers are the same as in the collection's
 * table.
 */
export type FullTextIndex = {
  readonly id: string
  readonly collection: CollectionId
  readonly fields: readonly SearchedField[]
  /** The range of row numbers that isn't indexed yet and must be scanned. */
  readonly gap: IndexGap | null
  /**
   * Since when most of its records are being deleted; null: they aren't. Their entries are kept, because removing them one
   * by one would take longer than creating the index again, which happens when the collection no longer changes.
   */
  readonly discardedAt: string | null
}

/** Inclusive row numbers, which can exceed JavaScript's safe integers. */
export type IndexGap = { readonly from: string; readonly to: string }

export type FullTextIndexes = ReadonlyMap<CollectionId, readonly FullTextIndex[]>

/** A condition on `search_pending as p`, written into SQL directly, because IDs are generated. */
export const isPendingIn = (collection: CollectionId): string => `p.collection_id = '${collection}'`

/**
 * Row numbers of records whose texts changed after they were indexed. Searches ignore their index entries and scan the
 * records instead.
 */
export const pendingRows = (collection: CollectionId): RawBuilder<unknown> =>
  sql.raw(`select p.seq from search_pending as p where ${isPendingIn(collection)}`)

export const fullTextTableOf = (part: string): string => `s_${part}`

export const trigramTableOf = (part: string): string => `t_${part}`

export const TRIGRAM = 3

/**
 * Filler character, appended twice to every indexed text, so that trigrams also start at its last two characters and a
 * search for one or two characters can match trigram prefixes. A search for the filler itself scans the rows.
 */
export const FILLER = '\u0001'
