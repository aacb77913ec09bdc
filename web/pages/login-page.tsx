import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SessionEnding } from '#web/client/session-state.ts'
import { useSession } from '#web/client/use-session.ts'
import { LoginForm } from '#web/features/session/login-form.tsx'
import { setupQuery } from '#web/features/session/setup-query.ts'
import { GuestFrame } from './guest-frame.tsx'

const WHY: { readonly [Ending in SessionEnding]: string } = {
  'signed-out': 'You have signed out.',
  'signed-out-elsewhere': 'You have signed out in another tab.',
  expired: 'Your session has expired. Sign in again and you are back where you were.',
}

/** The way in. */
export function LoginPage() {
  const { ending } = useSession()
  const { data: setup } = useQuery(setupQuery)
  return (
    <GuestFrame
      title="Sign in"
      lead={ending ? WHY[ending] : undefined}
      foot={
        setup?.needed === true ? (
          <>
            This workspace has no owner yet. Open the set-up link that the server printed when it started; a new one is
            printed at every start.
          </>
        ) : (
          <Link to="/forgot-password">Forgot your password?</Link>
        )
      }
    >
      <LoginForm />
    </GuestFrame>
  )
}
