import { IconPalette } from '#web/ui/icons/general.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.ts'
import { ToolPanel } from '#web/ui/popup/tool-panel.tsx'
import { usePopup } from '#web/ui/popup/use-popup.ts'
import { t } from '#web/i18n/t.ts'
import type { ListSettingsProps } from '#web/views/listing/list-settings-props.ts'

const rules = lazyModule(() => import('./color-rules.tsx'))

/** Which records stand out in which colour, behind one button that tells how many rules there are. */
export function ColorsPanel(props: ListSettingsProps) {
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
      className="colours-panel"
    >
      {ColorRules && <ColorRules {...props} />}
    </ToolPanel>
  )
}
