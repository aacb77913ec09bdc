import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { SESSION_ERRORS } from '#domain/specification.ts'
import type { SessionEnding } from '#web/data/session/session-state.ts'
import { useSession } from '#web/data/session/use-session.ts'
import { type Challenge, ChallengeForm } from '#web/features/auth/sign-in/challenge-form.tsx'
import { LoginForm } from '#web/features/auth/sign-in/login-form.tsx'
import { OtherSignInMethods } from '#web/features/auth/sign-in/other-sign-in-methods.tsx'
import { setupQuery } from '#web/features/auth/setup-query.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { GuestFrame } from './guest-frame.tsx'

const ENDING_MESSAGES: { readonly [Ending in SessionEnding]: ReactNode } = {
  'signed-out': t('You signed out.'),
  'signed-out-elsewhere': t('You signed out in another tab.'),
  'ended-for-safety': t(
    'You were signed out because your session token was reused. Sign in again and review your sessions.',
  ),
  expired: <RawProviderError text={SESSION_ERRORS.bothExpired} />,
  'user-missing': <RawProviderError text={SESSION_ERRORS.noUserField} />,
}

/** An error text defined by the specification, with an explanation. */
function RawProviderError({ text }: { readonly text: string }) {
  return (
    <>
      <span lang="en">{text}</span> {t('Sign in again to continue where you left off.')}
    </>
  )
}

export function LoginPage() {
  const { ending } = useSession()
  const [email, setEmail] = useState('')
  const [isKept, setIsKept] = useState(true)
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const { return: returnTo } = useSearch({ strict: false })

  if (challenge) {
    return (
      <GuestFrame title={t('Confirm it’s you')} foot={<StartAgain onClick={() => setChallenge(null)} email={email} />}>
        <ChallengeForm challenge={challenge} onStartAgain={() => setChallenge(null)} />
      </GuestFrame>
    )
  }
  return (
    <GuestFrame title={t('Sign in')} lead={ending ? ENDING_MESSAGES[ending] : undefined} foot={<LoginFoot />}>
      <LoginForm email={email} onEmail={setEmail} isKept={isKept} onKept={setIsKept} onChallenge={setChallenge} />
      <OtherSignInMethods returnTo={returnTo} isKept={isKept} />
    </GuestFrame>
  )
}

function LoginFoot() {
  const { data: setup } = useQuery(setupQuery)
  if (setup?.needed !== true) return <Link to="/forgot-password">{t('Forgot your password?')}</Link>
  return (
    <>
      {t(
        'This workspace has no owner yet. Open the setup link printed when the server starts. Each restart prints a new one.',
      )}
    </>
  )
}

function StartAgain({ email, onClick }: { readonly email: string; readonly onClick: () => void }) {
  return (
    <Say
      text="Signing in as {email}. <button>Sign in as someone else</button>"
      parts={{
        button: (inner) => (
          <button type="button" className="guest-frame-link" onClick={onClick}>
            {inner}
          </button>
        ),
      }}
      values={{ email }}
    />
  )
}
