import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { sessionActions } from '#web/client/session-actions.ts'
import { sessionConfig } from '#web/client/session-config.ts'
import { sessionState, whenSettled } from '#web/client/session-state.ts'
import { useSession } from '#web/client/use-session.ts'
import { GuestFrame } from './guest-frame.tsx'

async function signOutIfIn() {
  const { status } = await whenSettled(sessionState)
  if (status === 'signed-in') await sessionActions.logOut()
}

/** The way out: opening this page signs out. */
export function LogoutPage() {
  const { status } = useSession()
  useEffect(() => void signOutIfIn(), [])
  const isOut = status === 'signed-out'
  return (
    <GuestFrame
      title={isOut ? 'You have signed out' : 'Signing out'}
      lead={isOut ? 'Your work is saved on the server.' : 'One moment.'}
    >
      {isOut && (
        <Button component={Link} to={sessionConfig.routes.login} variant="filled" size="md" fullWidth>
          Sign in again
        </Button>
      )}
    </GuestFrame>
  )
}
