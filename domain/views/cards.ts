import { fieldById } from '../collections/collection.ts'
import type { ViewKindRules } from './view-kind.ts'

export const CARD_FIELD_COUNTS = [2, 4, 6, 8] as const

export type CardsOptions = {
  readonly fieldCount: (typeof CARD_FIELD_COUNTS)[number]
  /** File field whose first image is the cover; null: no cover. */
  readonly cover: string | null
}

export const DEFAULT_CARDS: CardsOptions = { fieldCount: 4, cover: null }

export const cards: ViewKindRules<CardsOptions> = {
  startFor: () => DEFAULT_CARDS,
  read: ({ fieldCount, cover }) => ({
    fieldCount: CARD_FIELD_COUNTS.find((count) => count === fieldCount) ?? DEFAULT_CARDS.fieldCount,
    cover: typeof cover === 'string' ? cover : null,
  }),
  renameFields: ({ cover, ...options }, rename) => ({
    ...options,
    cover: cover === null ? null : (rename(cover) ?? null),
  }),
  problem: ({ cover }, collection) =>
    cover === null || fieldById(collection, cover)?.kind === 'files'
      ? null
      : { option: 'cover', message: 'The cover must be a files field.' },
}
