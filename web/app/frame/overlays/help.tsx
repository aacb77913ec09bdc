import { ActionIcon } from '@mantine/core'
import { useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { IconQuestionMark } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.ts'
import { t } from '#web/i18n/t.ts'

const panel = lazyModule(() => import('#web/features/help/help-panel.tsx'))
const keys = lazyModule(() => import('#web/features/shortcuts/shortcut-groups.ts'))

type HelpProps = {
  readonly isNarrow: boolean
  /** Where the panel is drawn: beside the page. */
  readonly place: HTMLElement | null
}

/** The way to help, in the header of every page; what it opens is fetched when the page rests. */
export function Help({ isNarrow, place }: HelpProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  /** The keyboard goes back to where help is opened, and a tour that begins gives it back to there. */
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const { HelpPanel } = useLazyModule(panel, isOpen) ?? {}
  const { shortcutGroups } = useLazyModule(keys, isOpen) ?? {}
  useCommand({ id: 'help', label: t('Help'), about: 'app', icon: IconQuestionMark, run: () => setOpen(true) })
  return (
    <>
      <ActionIcon
        ref={button}
        data-tour="help"
        aria-label={t('Help')}
        aria-expanded={isOpen}
        aria-controls="help-panel"
        onClick={() => setOpen(!isOpen)}
      >
        <IconQuestionMark size={20} stroke={1.5} aria-hidden />
      </ActionIcon>
      {isOpen &&
        place &&
        HelpPanel &&
        shortcutGroups &&
        createPortal(<HelpPanel isWhole={isNarrow} keys={shortcutGroups()} onClose={close} />, place)}
    </>
  )
}
