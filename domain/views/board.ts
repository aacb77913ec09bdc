import { fieldById } from '../collections/collection.ts'
import { type Field, type FieldKind, hasManyEntries } from '../fields/field.ts'
import { CARD_FIELD_COUNTS } from './cards.ts'
import type { ViewKindRules } from './view-kind.ts'

export type BoardOptions = {
  /** Field whose values are the columns; null: not chosen, or deleted. */
  readonly by: string | null
  /** Number of visible fields on a card, besides the title. */
  readonly fieldCount: (typeof CARD_FIELD_COUNTS)[number]
  /** File field whose first image is the cover; null: no cover. */
  readonly cover: string | null
}

const DEFAULT_BOARD: BoardOptions = { by: null, fieldCount: 4, cover: null }

/** Kinds of fields that a board can have columns by, the most suitable first. */
const BOARD_KINDS: readonly FieldKind[] = ['state', 'select', 'user', 'relation', 'checkbox', 'multi-select']

/** In a field with several values, a card is in the column of each of them. */
export const isBoardField = ({ kind }: Field): boolean => BOARD_KINDS.includes(kind)

export const board: ViewKindRules<BoardOptions> = {
  startFor: ({ fields }) => {
    const possible = fields.filter(isBoardField)
    const [first] = [false, true].flatMap((isMany) =>
      BOARD_KINDS.flatMap(
        (kind) => possible.find((field) => field.kind === kind && hasManyEntries(field) === isMany) ?? [],
      ),
    )
    return first ? { ...DEFAULT_BOARD, by: first.id } : null
  },
  read: ({ by, fieldCount, cover }) => ({
    by: typeof by === 'string' ? by : null,
    fieldCount: CARD_FIELD_COUNTS.find((count) => count === fieldCount) ?? DEFAULT_BOARD.fieldCount,
    cover: typeof cover === 'string' ? cover : null,
  }),
  renameFields: ({ by, cover, ...options }, rename) => ({
    ...options,
    by: by === null ? null : (rename(by) ?? null),
    cover: cover === null ? null : (rename(cover) ?? null),
  }),
  problem: ({ by, cover }, collection) => {
    const chosen = by === null ? undefined : fieldById(collection, by)
    if (by !== null && (!chosen || !isBoardField(chosen)))
      return { option: 'by', message: 'A board needs a status, select, person, relation or checkbox field.' }
    return cover === null || fieldById(collection, cover)?.kind === 'files'
      ? null
      : { option: 'cover', message: 'The cover must be a files field.' }
  },
}
