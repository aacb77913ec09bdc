import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { toCallError } from '#web/data/api/call-error.ts'
import { problemTitle } from '#web/data/api/error-messages.ts'
import { type EarlySignIn, takeEarlySignIn } from '#web/data/session/early-sign-in.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { t } from '#web/i18n/t.ts'
import { formatWait, useCountdown } from '#web/shared/credentials/use-countdown.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { holdPrefetching } from '#web/ui/loading/lazy-module.tsx'
import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import type { Challenge } from './challenge-form.tsx'
import './keep-signed-in.css'
import './early-sign-in.css'

type KeepSignedInProps = { readonly isKept: boolean; readonly onChange: (isKept: boolean) => void }

/** A native checkbox, because Mantine's would make up a fortieth of the bundle loaded before sign-in. */
export function KeepSignedIn({ isKept, onChange }: KeepSignedInProps) {
  const id = useId()
  return (
    <div className="keep-signed-in">
      <input
        id={id}
        type="checkbox"
        checked={isKept}
        aria-describedby={isKept ? undefined : `${id}-otherwise`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label htmlFor={id}>{t('Keep me signed in on this device')}</label>
      {!isKept && <p id={`${id}-otherwise`}>{t('You’ll be signed out when the browser closes, or after one day.')}</p>}
    </div>
  )
}

type LoginFormProps = {
  readonly email: string
  readonly onEmail: (email: string) => void
  readonly isKept: boolean
  readonly onKept: (isKept: boolean) => void
  /** Called if the email and password are correct but a second factor is required. */
  readonly onChallenge: (challenge: Challenge) => void
}

/** Doesn't reveal whether the email or the password is wrong. */
function LoginFailure({ error }: { readonly error: Error }) {
  if (toCallError(error)?.code !== 'login-refused') return <FailureNotice error={error} />
  return <ErrorNotice title={problemTitle('login-refused')} detail={t('Check both and try again.')} />
}

export function LoginForm({ email, onEmail, isKept, onKept, onChallenge }: LoginFormProps) {
  const [password, setPassword] = useState('')
  const emailInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const signIn = useMutation({
    mutationFn: (typed: Pick<EarlySignIn, 'email' | 'password' | 'isKept'>) => {
      holdPrefetching()
      return sessionActions.logIn(typed.email.trim(), typed.password, typed.isKept)
    },
    onSuccess: (answer) => 'challenge' in answer && onChallenge(answer.challenge),
    onError: () => passwordInput.current?.select(),
  })
  const secondsLeft = useCountdown(signIn.error)

  const takeOver = useEffectEvent(() => {
    const early = takeEarlySignIn()
    const input = early?.isPasswordFocused === true ? passwordInput : emailInput
    input.current?.focus()
    if (!early) return
    onEmail(early.email)
    setPassword(early.password)
    onKept(early.isKept)
    if (early.isSubmitted) signIn.mutate(early)
  })
  // Runs before the next key press, which would otherwise be lost.
  useLayoutEffect(() => takeOver(), [])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!signIn.isPending && secondsLeft === 0) signIn.mutate({ email, password, isKept })
  }

  return (
    <form onSubmit={submit}>
      {signIn.error && <LoginFailure error={signIn.error} />}
      <TextInput
        ref={emailInput}
        label={t('Email')}
        type="email"
        name="email"
        size="md"
        // With `webauthn`, browsers list passkeys among the autofill suggestions.
        autoComplete="username webauthn"
        required
        withAsterisk={false}
        value={email}
        onChange={(event) => onEmail(event.currentTarget.value)}
      />
      <PasswordInput
        ref={passwordInput}
        label={t('Password')}
        name="password"
        size="md"
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <KeepSignedIn isKept={isKept} onChange={onKept} />
      <Button type="submit" variant="filled" size="md" fullWidth loading={signIn.isPending} disabled={secondsLeft > 0}>
        {secondsLeft > 0 ? t('Try again in {waitInWords}', { waitInWords: formatWait(secondsLeft) }) : t('Sign in')}
      </Button>
    </form>
  )
}
