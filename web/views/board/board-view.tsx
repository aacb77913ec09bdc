import { t } from '#web/i18n/t.ts'
import { IconLayoutKanban } from '#web/ui/icons/general.ts'
import { lazyComponent, lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { ViewKindUi } from '../view-kind.ts'

const board = lazyModule(() => import('./board.tsx'))

export const boardView: ViewKindUi<'board'> = {
  label: t('Board'),
  icon: IconLayoutKanban,
  draws: 'windows',
  Listing: function BoardListing(props) {
    const { Board } = useLazyModule(board, true) ?? {}
    return Board ? <Board {...props} /> : null
  },
  OptionsForm: lazyComponent(() => import('./board-options.tsx'), 'BoardOptionsForm'),
}
