import { IconAdjustmentsHorizontal } from '#web/kit/icons/icon-adjustments-horizontal.ts'
import { lazyModule, useLazyModule } from '#web/kit/later.ts'
import { ToolPanel } from '#web/kit/popup/tool-panel.tsx'
import { usePopup } from '#web/kit/popup/use-popup.ts'
import { t } from '#web/language/t.ts'
import { ColorsPanel } from './colours/colours-panel.tsx'
import type { ListSettingsProps } from './look-props.ts'
import './records.css'

const columnSettings = lazyModule(() => import('./columns-choices.tsx'))

/** How the list is shown: its columns and their order, the height of its rows, what stands below, colours. */
export function LayoutPanel(props: ListSettingsProps) {
  const popup = usePopup('dialog')
  const { ColumnSettings } = useLazyModule(columnSettings, popup.isOpen) ?? {}
  return (
    <>
      <ColorsPanel {...props} />
      <ToolPanel
        popup={popup}
        position="bottom-end"
        command="columns"
        label={t('Columns')}
        state={undefined}
        icon={IconAdjustmentsHorizontal}
        className="columns-panel"
      >
        {ColumnSettings && <ColumnSettings {...props} />}
      </ToolPanel>
    </>
  )
}
