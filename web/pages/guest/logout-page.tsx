import { Button } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { sessionConfig, sessionState } from '#web/data/session/session-state.ts'
import { useSession } from '#web/data/session/use-session.ts'
import { unsentState } from '#web/data/unsent/unsent-state.ts'
import { useStore } from '#web/ui/store.ts'
import { openedLinks } from '#web/features/auth/account-links/opened-link.ts'
import { plural, t } from '#web/i18n/t.ts'
import { GuestFrame } from './guest-frame.tsx'

/** Signs out even if the session status is unknown. */
async function signOutIfIn() {
  if (sessionState.get().status !== 'signed-out') await sessionActions.logOut()
}

/** Asks before records that were never sent are deleted with the rest of this browser's data. */
export function LogoutPage() {
  const { status } = useSession()
  const [isConfirmed, setConfirmed] = useState(false)
  const unsent = useStore(unsentState).records.length
  return unsent > 0 && status === 'signed-in' && !isConfirmed ? (
    <GuestFrame
      title={t('Sign out?')}
      lead={plural(
        unsent,
        '{n} new record isn’t sent yet. Signing out deletes it.',
        '{n} new records aren’t sent yet. Signing out deletes them.',
      )}
    >
      <Button component={Link} to={sessionConfig.routes.home} variant="filled" size="md" fullWidth>
        {t('Stay signed in')}
      </Button>
      <Button size="md" fullWidth color="danger" onClick={() => setConfirmed(true)}>
        {t('Sign out and delete')}
      </Button>
    </GuestFrame>
  ) : (
    <SignOut />
  )
}

function SignOut() {
  const { status } = useSession()
  const { history } = useRouter()
  const isOut = status === 'signed-out'
  useEffect(() => void signOutIfIn(), [])
  // Continues with an email link after signing out for it.
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
