import { t } from '#web/i18n/t.ts'
import { IconLayoutCards } from '#web/ui/icons/general.ts'
import { lazyComponent, lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { ViewKindUi } from '../view-kind.ts'

const cards = lazyModule(() => import('./card-list.tsx'))

export const cardsView: ViewKindUi<'cards'> = {
  label: t('Gallery'),
  icon: IconLayoutCards,
  draws: 'rows',
  Listing: function Cards(props) {
    const { CardList } = useLazyModule(cards, true) ?? {}
    return CardList ? <CardList {...props} /> : null
  },
  OptionsForm: lazyComponent(() => import('./cards-options.tsx'), 'GalleryOptionsForm'),
}
