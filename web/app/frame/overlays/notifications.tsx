import { useState } from 'react'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { IconBell } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.ts'
import { t } from '#web/i18n/t.ts'

const pastToasts = lazyModule(() => import('#web/ui/toast/past-toasts.tsx'))

/** What was said lately, read again from the account menu and from the palette. */
export function Notifications() {
  const [isOpen, setIsOpen] = useState(false)
  const { ToastHistoryList } = useLazyModule(pastToasts, isOpen) ?? {}
  useCommand({
    id: 'notifications',
    label: t('Recent notifications'),
    about: 'app',
    alsoCalled: t('Notifications, messages, history'),
    icon: IconBell,
    run: () => setIsOpen(true),
  })
  return ToastHistoryList ? <ToastHistoryList isOpen={isOpen} onClose={() => setIsOpen(false)} /> : null
}
