import { Button } from '@mantine/core'
import { IconPalette } from '#web/kit/icons/icon-palette.ts'
import { later, useLater } from '#web/kit/later.ts'
import { PanelButton } from '#web/kit/popup/panel-button.tsx'
import { usePopup } from '#web/kit/popup/use-popup.ts'
import type { LookProps } from '../look-props.ts'

const choices = later(() => import('./colour-rules.tsx'))

/** Which records stand out in which colour, behind one button that tells how many rules there are. */
export function ColoursPanel(props: LookProps) {
  const popup = usePopup('dialog')
  const { ColourRules } = useLater(choices, popup.isOpen) ?? {}
  const count = props.look.colors.length
  return (
    <PanelButton
      popup={popup}
      position="bottom-end"
      label="Colours"
      className="colours-panel"
      button={(button) => (
        <Button
          {...button}
          size="sm"
          variant={count > 0 ? 'light' : 'subtle'}
          color={count > 0 ? 'primary' : 'gray'}
          leftSection={<IconPalette size={16} stroke={1.5} />}
        >
          {count > 0 ? `Colours · ${count}` : 'Colours'}
        </Button>
      )}
    >
      {ColourRules && <ColourRules {...props} />}
    </PanelButton>
  )
}
