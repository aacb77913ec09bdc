import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconQuestionMark } from '#web/ui/icons/frame.ts'
import { PanelButton } from '#web/ui/popup/panel-button.tsx'
import { usePopup } from '#web/ui/popup/use-popup.ts'
import { t } from '#web/i18n/t.ts'
import { SETTINGS, type SettingName } from './settings.ts'
import './with-help.css'

type WithHelpProps = {
  readonly setting: SettingName
  /**
   * Whether the label and description suffice, so that the help text appears only in the help panel, without a help
   * button.
   */
  readonly isDescribed?: boolean
  readonly children: ReactNode
}

export function WithHelp({ setting, isDescribed = false, children }: WithHelpProps) {
  return isDescribed ? (
    <div data-setting={setting}>{children}</div>
  ) : (
    <HelpButton setting={setting}>{children}</HelpButton>
  )
}

function HelpButton({ setting, children }: Omit<WithHelpProps, 'isDescribed'>) {
  const popup = usePopup('dialog')
  const { label, text } = SETTINGS[setting]
  return (
    <div className="with-help" data-setting={setting}>
      {children}
      <PanelButton
        popup={popup}
        label={label}
        className="with-help-words"
        position="bottom-end"
        button={(props) => (
          <ActionIcon
            {...props}
            className="with-help-button"
            size={24}
            variant="subtle"
            color="gray"
            // All help buttons have the same accessible name, so that each label refers only to its input.
            aria-label={t('What is this?')}
            aria-description={label}
            // Escape closes only the help popup.
            data-mantine-stop-propagation={popup.isOpen || undefined}
          >
            <IconQuestionMark size={14} stroke={1.75} aria-hidden />
          </ActionIcon>
        )}
      >
        <div tabIndex={-1} data-autofocus data-mantine-stop-propagation>
          <strong>{label}</strong>
          <p>{text}</p>
        </div>
      </PanelButton>
    </div>
  )
}
