import { useState } from 'react'
import { useCan } from '#web/data/authorization/use-can.ts'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { IconUserPlus } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.ts'
import { t } from '#web/i18n/t.ts'

const inviteDialog = lazyModule(() => import('#web/features/users/invite/invite-dialog.tsx'))

/** Invites people from wherever one is: the sidebar and the palette lead here. */
export function Invite() {
  const mayInvite = useCan('users:manage')
  const [isOpen, setIsOpen] = useState(false)
  const { InviteDialog } = useLazyModule(inviteDialog, isOpen) ?? {}
  useCommand(
    mayInvite
      ? {
          id: 'invite',
          label: t('Invite people'),
          about: 'create',
          alsoCalled: t('Invite a user or member, add a colleague'),
          icon: IconUserPlus,
          run: () => setIsOpen(true),
        }
      : undefined,
  )
  return InviteDialog ? <InviteDialog isOpen={isOpen} onClose={() => setIsOpen(false)} /> : null
}
