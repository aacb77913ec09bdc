import { IconAdjustmentsHorizontal, IconPalette } from '#web/ui/icons/general.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { ToolPanel } from '#web/ui/popup/tool-panel.tsx'
import { usePopup } from '#web/ui/popup/use-popup.ts'
import { DEFAULT_DISPLAY } from '#domain/views/view-kinds.ts'
import { VIEW_KIND_UI } from '#web/views/view-kinds.tsx'
import { t } from '#web/i18n/t.ts'
import type { ListSettingsProps } from '#web/views/listing/list-settings.ts'
import '../../../views/listing/listing.css'

const settings = lazyModule(() => import('./layout-settings.tsx'))

function DisplayPanel(props: ListSettingsProps) {
  const popup = usePopup('dialog')
  const { DisplaySettings } = useLazyModule(settings, popup.isOpen) ?? {}
  const { label, icon } = VIEW_KIND_UI[props.look.display.kind]
  return (
    <ToolPanel
      popup={popup}
      position="bottom-end"
      command="layout"
      label={t('Layout')}
      state={props.look.display.kind === DEFAULT_DISPLAY.kind ? undefined : label}
      icon={icon}
      className="layout-panel"
    >
      {DisplaySettings && <DisplaySettings {...props} />}
    </ToolPanel>
  )
}

const rules = lazyModule(() => import('./color-rules.tsx'))

function ColorsPanel(props: ListSettingsProps) {
  const popup = usePopup('dialog')
  const { ColorRules } = useLazyModule(rules, popup.isOpen) ?? {}
  const count = props.look.colors.length
  return (
    <ToolPanel
      popup={popup}
      position="bottom-end"
      label={t('Colors')}
      state={count === 0 ? undefined : String(count)}
      icon={IconPalette}
      className="color-rules-panel"
    >
      {ColorRules && <ColorRules {...props} />}
    </ToolPanel>
  )
}

export function LayoutPanel(props: ListSettingsProps) {
  const popup = usePopup('dialog')
  const { ColumnSettings } = useLazyModule(settings, popup.isOpen) ?? {}
  return (
    <>
      <DisplayPanel {...props} />
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
