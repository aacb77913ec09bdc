import { Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { sessionConfig, sessionState } from '#web/data/session/session-state.ts'
import { useSession } from '#web/data/session/use-session.ts'
import { readStored, UNSENT_FLAG } from '#web/data/storage/browser-storage.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import { openedLinks } from '#web/features/auth/account-links/opened-link.ts'
import { t } from '#web/i18n/t.ts'
import type { ConfirmSignOutProps } from './confirm-sign-out.tsx'
import { GuestFrame } from './guest-frame.tsx'

/** Signs out even if the session status is unknown. */
async function signOutIfIn() {
  if (sessionState.get().status !== 'signed-out') await sessionActions.logOut()
}

const ConfirmSignOut = lazyComponent<'ConfirmSignOut', ConfirmSignOutProps>(
  () => import('./confirm-sign-out.tsx'),
  'ConfirmSignOut',
)

/** Asks for confirmation before unsent records are deleted along with the other local data. */
export function LogoutPage() {
  const { status } = useSession()
  const [mayHaveUnsent, setMayHaveUnsent] = useState(() => readStored(UNSENT_FLAG) !== null)
  const mustAsk = mayHaveUnsent && status === 'signed-in'
  return mustAsk ? <ConfirmSignOut onConfirm={() => setMayHaveUnsent(false)} /> : <SignOut />
}

function SignOut() {
  const { status } = useSession()
  const { history } = useRouter()
  const isOut = status === 'signed-out'
  useEffect(() => void signOutIfIn(), [])
  // After signing out, opens the email link for which sign-out was requested.
  useEffect(() => {
    const link = isOut ? openedLinks.takeWanted() : null
    if (link) history.replace(`${link.page}?${new URLSearchParams({ code: link.code })}`)
  }, [isOut, history])
  return (
    <GuestFrame
      title={isOut ? t('You’re signed out') : t('Signing out…')}
      lead={isOut ? t('Your work is saved on the server.') : t('Loading…')}
      isComing={!isOut}
    >
      {isOut && (
        <Button component={Link} to={sessionConfig.routes.login} variant="filled" size="md" fullWidth>
          {t('Sign in again')}
        </Button>
      )}
    </GuestFrame>
  )
}
