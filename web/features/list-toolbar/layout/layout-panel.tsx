import { IconAdjustmentsHorizontal } from '#web/ui/icons/general.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.ts'
import { ToolPanel } from '#web/ui/popup/tool-panel.tsx'
import { usePopup } from '#web/ui/popup/use-popup.ts'
import { t } from '#web/i18n/t.ts'
import { ColorsPanel } from './colors-panel.tsx'
import type { ListSettingsProps } from '#web/views/listing/list-settings-props.ts'
import '../../../views/listing/listing.css'

const columnSettings = lazyModule(() => import('./column-settings.tsx'))

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
