import { fieldById } from '../collections/collection.ts'
import type { ViewKindRules } from './view-kind.ts'

export const CARD_FIELD_COUNTS = [0, 2, 4, 6, 8] as const

/** Sizes of cards; `row` shows one card per row, with its fields side by side. */
export const CARD_SIZES = ['small', 'medium', 'large', 'row'] as const

/** `crop` fills the area of the cover, `fit` shows the whole image. */
export const COVER_FITS = ['crop', 'fit'] as const

export type CardsOptions = {
  readonly fieldCount: (typeof CARD_FIELD_COUNTS)[number]
  /** File field whose first image is the cover; null: no cover. */
  readonly cover: string | null
}

export type GalleryOptions = CardsOptions & {
  readonly fit: (typeof COVER_FITS)[number]
  readonly size: (typeof CARD_SIZES)[number]
}

/** As in version 0.2.0, whose views have no size. */
export const DEFAULT_CARDS: GalleryOptions = { fieldCount: 4, cover: null, fit: 'crop', size: 'row' }

export const cards: ViewKindRules<GalleryOptions> = {
  startFor: ({ fields }) => {
    const cover = fields.find(({ kind }) => kind === 'files')?.id ?? null
    return { ...DEFAULT_CARDS, cover, size: 'medium' }
  },
  read: ({ fieldCount, cover, fit, size }) => ({
    fieldCount: CARD_FIELD_COUNTS.find((count) => count === fieldCount) ?? DEFAULT_CARDS.fieldCount,
    cover: typeof cover === 'string' ? cover : null,
    fit: COVER_FITS.find((known) => known === fit) ?? DEFAULT_CARDS.fit,
    size: CARD_SIZES.find((known) => known === size) ?? DEFAULT_CARDS.size,
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

/** One line per record, with the title and a few fields. */
export type ListOptions = Pick<CardsOptions, 'fieldCount'>

const DEFAULT_LIST: ListOptions = { fieldCount: 2 }

export const list: ViewKindRules<ListOptions> = {
  startFor: () => DEFAULT_LIST,
  read: ({ fieldCount }) => ({
    fieldCount: CARD_FIELD_COUNTS.find((count) => count === fieldCount) ?? DEFAULT_LIST.fieldCount,
  }),
  renameFields: (options) => options,
  problem: () => null,
}
