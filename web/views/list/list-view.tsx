import { useMemo } from 'react'
import { t } from '#web/i18n/t.ts'
import { IconListDetails } from '#web/ui/icons/general.ts'
import { lazyComponent, lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { ViewKindUi } from '../view-kind.ts'

const cards = lazyModule(() => import('../cards/card-list.tsx'))

/** Height of a line in px: on a phone, the minimum touch target. */
const LINE_PX = { wide: 36, narrow: 44 } as const

export const listView: ViewKindUi<'list'> = {
  label: t('List'),
  icon: IconListDetails,
  draws: 'rows',
  Listing: function List({ collection, options, grid, isNarrow }) {
    const { CardList } = useLazyModule(cards, true) ?? {}
    const { fieldCount } = options
    const shown = useMemo(() => ({ fieldCount, cover: null }), [fieldCount])
    const linePx = isNarrow ? LINE_PX.narrow : LINE_PX.wide
    return CardList ? <CardList collection={collection} options={shown} grid={grid} linePx={linePx} /> : null
  },
  OptionsForm: lazyComponent(() => import('../cards/cards-options.tsx'), 'ListOptionsForm'),
}
