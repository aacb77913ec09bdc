import { CARD_FIELD_COUNTS, type CardsOptions } from './cards.ts'
import type { ViewKindRules } from './view-kind.ts'

/** One line per record, with the title and a few fields. */
export type ListOptions = Pick<CardsOptions, 'fieldCount'>

const defaults: ListOptions = { fieldCount: 2 }

export const list: ViewKindRules<ListOptions> = {
  startFor: () => defaults,
  read: ({ fieldCount }) => ({
    fieldCount: CARD_FIELD_COUNTS.find((count) => count === fieldCount) ?? defaults.fieldCount,
  }),
  renameFields: (options) => options,
  problem: () => null,
}
