import { Button, Loader } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { describeError } from '#web/data/api/error-messages.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { useSession } from '#web/data/session/use-session.ts'
import { ChallengeForm } from '#web/features/auth/sign-in/challenge-form.tsx'
import { finishProviderSignIn } from '#web/features/auth/sign-in/finish-provider-sign-in.ts'
import { takeReturn } from '#web/features/auth/sign-in/return-path.ts'
import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { GuestFrame } from './guest-frame.tsx'

const RETRY_HINT = t('Repeat your last action. You won’t be asked to confirm again for 15 minutes.')

/** Sends the identity provider's response to the server and continues. */
export function CallbackPage() {
  const { history } = useRouter()
  const { status } = useSession()
  const finish = useMutation({
    mutationFn: finishProviderSignIn,
    onSuccess(end) {
      if (end.outcome === 'challenge') return
      if (end.outcome === 'linked') notify.success(t('Account linked.'))
      if (end.outcome === 'proven') notify.success(t('Identity confirmed.'), { detail: RETRY_HINT, stays: true })
      history.replace(takeReturn(end.returnTo))
    },
  })
  const { mutate } = finish
  // The response can be used only once, but React may run effects twice.
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    mutate(window.location.href)
  }, [mutate])

  if (finish.data?.outcome === 'challenge') {
    const { challenge, returnTo } = finish.data
    return (
      <GuestFrame title={t('Confirm it’s you')}>
        <ChallengeForm
          challenge={challenge}
          onSignedIn={() => history.replace(takeReturn(returnTo))}
          onStartAgain={() => history.replace(sessionConfig.routes.login)}
        />
      </GuestFrame>
    )
  }
  if (finish.error) {
    return (
      <GuestFrame title={t('Sign-in failed')}>
        <ErrorNotice title={describeError(finish.error).detail} />
        {status === 'signed-in' ? (
          <Button variant="filled" size="md" fullWidth onClick={() => history.replace(takeReturn(undefined))}>
            {t('Go back')}
          </Button>
        ) : (
          <Button component={Link} to={sessionConfig.routes.login} variant="filled" size="md" fullWidth>
            {t('Back to sign-in')}
          </Button>
        )}
      </GuestFrame>
    )
  }
  return (
    <GuestFrame title={t('Signing you in…')} lead={t('Completing sign-in with your provider…')} isComing>
      <Loader size="sm" type="dots" color="gray" aria-label={t('Signing in…')} />
    </GuestFrame>
  )
}
