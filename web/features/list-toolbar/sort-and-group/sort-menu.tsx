import { IconArrowsSort } from '#web/ui/icons/general.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { usePopup } from '#web/ui/popup/use-popup.ts'
import { t } from '#web/i18n/t.ts'
import type { SortPanelProps } from './sort-panel.tsx'
import { ToolPanel } from '#web/ui/popup/tool-panel.tsx'

const panel = lazyModule(() => import('./sort-panel.tsx'))

export function SortMenu(props: SortPanelProps) {
  const { sort } = props
  const popup = usePopup('dialog')
  const { SortPanel } = useLazyModule(panel, popup.isOpen) ?? {}
  return (
    <ToolPanel
      popup={popup}
      command="sort"
      label={t('Sort')}
      state={sort.length === 0 ? undefined : String(sort.length)}
      icon={IconArrowsSort}
      className="key-panel"
    >
      {SortPanel && <SortPanel {...props} />}
    </ToolPanel>
  )
}
