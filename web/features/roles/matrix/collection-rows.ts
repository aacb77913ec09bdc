import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { GrantLabels } from '#domain/access/describe-grant.ts'
import { t } from '#web/i18n/t.ts'
import type { MatrixRow } from './access-matrix.tsx'
import { describeCell, EVERY_COLLECTION, type Source, sourcesAt } from './matrix.ts'

/** Key of the row for all collections. */
export const EVERYWHERE = '*'

export const collectionOfRow = (key: string): string | null => (key === EVERYWHERE ? null : key)

type CollectionRowsProps = {
  readonly sources: readonly Source[]
  readonly collections: readonly TypedCollection[]
  readonly wordsOf: (collection: string | null) => GrantLabels
  readonly isFixed: boolean
}

/** All collections, including future ones, then each. */
export function collectionRows({ sources, collections, wordsOf, isFixed }: CollectionRowsProps): readonly MatrixRow[] {
  const lineOf = (key: string, name: string, collection: string | null): MatrixRow => ({
    key,
    name,
    head: name,
    isFixed,
    cellOf: (permission) =>
      isFixed
        ? { coverage: 'all', text: t('all'), isInherited: false }
        : describeCell(sourcesAt(sources, permission, collection), collection, wordsOf(collection)),
  })
  return [
    { ...lineOf(EVERYWHERE, EVERY_COLLECTION.label, null), note: t('Including future collections') },
    ...collections.map(({ id, label }) => lineOf(id, label, id)),
  ]
}
