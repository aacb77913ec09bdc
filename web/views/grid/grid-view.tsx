import { DEFAULT_CARDS } from '#domain/views/cards.ts'
import { t } from '#web/i18n/t.ts'
import { Grid } from '#web/ui/grid/grid.tsx'
import { IconTable } from '#web/ui/icons/general.ts'
import { cardsView } from '../cards/cards-view.tsx'
import type { ViewKindUi } from '../view-kind.ts'

export const gridView: ViewKindUi<'grid'> = {
  label: t('Grid'),
  icon: IconTable,
  draws: 'rows',
  Listing: (props) =>
    props.isNarrow ? <cardsView.Listing {...props} options={DEFAULT_CARDS} /> : <Grid {...props.grid} />,
  OptionsForm: null,
}
