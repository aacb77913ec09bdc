import { IconArrowsSort, IconLayoutList } from '#web/ui/icons/general.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { usePopup } from '#web/ui/popup/use-popup.ts'
import { t } from '#web/i18n/t.ts'
import type { GroupPanelProps, SortPanelProps } from './sort-and-group-panels.tsx'
import { ToolPanel } from '#web/ui/popup/tool-panel.tsx'
import { groupNames } from '#web/features/list-toolbar/url/list-query-params.ts'

const panels = lazyModule(() => import('./sort-and-group-panels.tsx'))

export function SortMenu(props: SortPanelProps) {
  const { sort } = props
  const popup = usePopup('dialog')
  const { SortPanel } = useLazyModule(panels, popup.isOpen) ?? {}
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

export function GroupMenu(props: GroupPanelProps) {
  const { fields, grouped } = props
  const popup = usePopup('dialog')
  const { GroupPanel } = useLazyModule(panels, popup.isOpen) ?? {}
  const names = groupNames(grouped.group)
  const labels = names.map((name) => fields.find((field) => field.name === name)?.label ?? name)
  return (
    <ToolPanel
      popup={popup}
      command="group"
      label={t('Group')}
      state={labels.length === 0 ? undefined : labels.join(' › ')}
      icon={IconLayoutList}
      className="key-panel"
    >
      {GroupPanel && <GroupPanel {...props} />}
    </ToolPanel>
  )
}
