import { useState } from 'react'
import { useCan } from '#web/client/use-can.ts'
import { useCommand } from '#web/kit/commands.ts'
import { IconUserPlus } from '#web/kit/icons/icon-user-plus.ts'
import { lazyModule, useLazyModule } from '#web/kit/later.ts'
import { t } from '#web/language/t.ts'

const inviteDialog = lazyModule(() => import('#web/features/users/invite-dialog.tsx'))

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
          alsoCalled: t('Add a user, colleague, member'),
          icon: IconUserPlus,
          run: () => setIsOpen(true),
        }
      : undefined,
  )
  return InviteDialog ? <InviteDialog isOpen={isOpen} onClose={() => setIsOpen(false)} /> : null
}
