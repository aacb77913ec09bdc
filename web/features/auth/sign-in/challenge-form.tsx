import { Button } from '@mantine/core'
import { useState } from 'react'
import { completeChallenge, passkeyChallengeOptions } from '#api/second-factors.ts'
import type { ChallengeResponse } from '#api/sessions.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { t } from '#web/i18n/t.ts'
import { type ReauthenticationCredentials, ReauthenticationForm } from '#web/features/auth/reauthentication-form.tsx'

export type Challenge = ChallengeResponse['challenge']

type ChallengeFormProps = {
  readonly challenge: Challenge
  /** Can be omitted on guest pages, which redirect after sign-in. */
  readonly onSignedIn?: () => void
  readonly onStartAgain: () => void
}

export function ChallengeForm({ challenge, onSignedIn, onStartAgain }: ChallengeFormProps) {
  const { id, methods } = challenge
  // Only the server knows whether the challenge has expired, because this device's clock may be wrong.
  const [isOver, setIsOver] = useState(false)

  function noticeEnd(error: unknown): never {
    if (toCallError(error)?.code === 'gone') setIsOver(true)
    throw error
  }

  async function prove(proof: ReauthenticationCredentials) {
    // A password isn't a second factor.
    if (proof.method === 'password') return
    const answer = () => callOpenly(completeChallenge, { body: { id, proof } })
    await sessionActions.signInWith(answer).then(undefined, noticeEnd)
    onSignedIn?.()
  }

  if (isOver) {
    return (
      <>
        <ErrorNotice
          title={t('This sign-in attempt has ended')}
          detail={t(
            'The sign-in timed out, or there were too many failed attempts. Your account is safe. Start again.',
          )}
        />
        <Button variant="filled" size="md" fullWidth onClick={onStartAgain}>
          {t('Start over')}
        </Button>
      </>
    )
  }
  return (
    <ReauthenticationForm
      methods={methods}
      passkeyOptions={() => callOpenly(passkeyChallengeOptions, { body: { id } }).then(undefined, noticeEnd)}
      prove={prove}
      actionLabel={t('Sign in')}
    />
  )
}
