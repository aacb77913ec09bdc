import type { KnownCollection } from '#web/fields/known-field.ts'
import type { GrantWords } from '#domain/access/grant-in-words.ts'
import { t } from '#web/language/t.ts'
import type { MatrixLine } from './access-matrix.tsx'
import { cellWords, EVERY_COLLECTION, type Source, sourcesAt } from './matrix.ts'

/** The key of the line that speaks of every collection. */
export const EVERYWHERE = '*'

/** The collection a line speaks of; null: every one. */
export const collectionOfLine = (key: string): string | null => (key === EVERYWHERE ? null : key)

type LinesProps = {
  readonly sources: readonly Source[]
  readonly collections: readonly KnownCollection[]
  readonly wordsOf: (collection: string | null) => GrantWords
  readonly isFixed: boolean
}

/** The lines of a matrix whose lines are collections: every one, those to come too, then one by one. */
export function collectionLines({ sources, collections, wordsOf, isFixed }: LinesProps): readonly MatrixLine[] {
  const lineOf = (key: string, name: string, collection: string | null): MatrixLine => ({
    key,
    name,
    head: name,
    isFixed,
    cellOf: (permission) =>
      isFixed
        ? { reach: 'all', text: t('all'), isInherited: false }
        : cellWords(sourcesAt(sources, permission, collection), collection, wordsOf(collection)),
  })
  return [
    { ...lineOf(EVERYWHERE, EVERY_COLLECTION.label, null), note: t('Those to come, too') },
    ...collections.map(({ id, label }) => lineOf(id, label, id)),
  ]
}
