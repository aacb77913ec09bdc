import { IconPalette } from '#web/kit/icons/icon-palette.ts'
import { lazyModule, useLazyModule } from '#web/kit/later.ts'
import { ToolPanel } from '#web/kit/popup/tool-panel.tsx'
import { usePopup } from '#web/kit/popup/use-popup.ts'
import { t } from '#web/language/t.ts'
import type { ListSettingsProps } from '../look-props.ts'

const rules = lazyModule(() => import('./colour-rules.tsx'))

/** Which records stand out in which colour, behind one button that tells how many rules there are. */
export function ColorsPanel(props: ListSettingsProps) {
  const popup = usePopup('dialog')
  const { ColorRules } = useLazyModule(rules, popup.isOpen) ?? {}
  const count = props.look.colors.length
  return (
    <ToolPanel
      popup={popup}
      position="bottom-end"
      label={t('Colours')}
      state={count === 0 ? undefined : String(count)}
      icon={IconPalette}
      className="colours-panel"
    >
      {ColorRules && <ColorRules {...props} />}
    </ToolPanel>
  )
}
