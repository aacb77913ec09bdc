import { IconAdjustmentsHorizontal } from '#web/kit/icons/icon-adjustments-horizontal.ts'
import { later, useLater } from '#web/kit/later.ts'
import { ToolPanel } from '#web/kit/popup/tool-panel.tsx'
import { usePopup } from '#web/kit/popup/use-popup.ts'
import { t } from '#web/language/t.ts'
import { ColoursPanel } from './colours/colours-panel.tsx'
import type { LookProps } from './look-props.ts'
import './records.css'

const choices = later(() => import('./columns-choices.tsx'))

/** How the list is shown: its columns and their order, the height of its rows, what stands below, colours. */
export function ColumnsPanel(props: LookProps) {
  const popup = usePopup('dialog')
  const { ColumnsChoices } = useLater(choices, popup.isOpen) ?? {}
  return (
    <>
      <ColoursPanel {...props} />
      <ToolPanel
        popup={popup}
        position="bottom-end"
        command="columns"
        label={t('Columns')}
        state={undefined}
        icon={IconAdjustmentsHorizontal}
        className="columns-panel"
      >
        {ColumnsChoices && <ColumnsChoices {...props} />}
      </ToolPanel>
    </>
  )
}
