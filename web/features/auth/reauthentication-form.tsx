import { Button, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { z } from 'zod'
import type { stepUp } from '#api/second-factors.ts'
import { readStored, setStored } from '#web/data/storage/browser-storage.ts'
import { CodeInput } from '#web/shared/credentials/code-input.tsx'
import { canUsePasskeys, getPasskey, type PasskeyOptions } from '#web/data/authorization/passkeys.ts'
import { formatWait, useCountdown } from '#web/shared/credentials/use-countdown.ts'
import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { IconFingerprint } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import './reauthentication-form.css'
import type { FactorMethod } from '#api/sessions.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { describeError } from '#web/data/api/error-messages.ts'

type ReauthenticationMethod = 'password' | FactorMethod

const OTHER_METHOD_LABELS: { readonly [Method in ReauthenticationMethod]: string } = {
  totp: t('Use a code from your app'),
  passkey: t('Use a passkey'),
  'recovery-code': t('Use a recovery code'),
  password: t('Use your password'),
}

const METHOD_PROMPTS: { readonly [Method in ReauthenticationMethod]: string } = {
  totp: t('Enter the code from your authenticator app.'),
  passkey: t('Your browser will ask for your fingerprint, face, PIN or security key.'),
  'recovery-code': t('Enter one of the recovery codes you saved when you set up your second factor. Each works once.'),
  password: t('Enter your account password.'),
}

const WRONG: { readonly [Method in ReauthenticationMethod]: string } = {
  totp: t('Wrong code. Codes change every 30 seconds and work once. Enter the current one from your app.'),
  passkey: t('This passkey belongs to another account. Use another passkey or method.'),
  'recovery-code': t('This code is wrong or was already used. Try another one.'),
  password: t('Wrong password.'),
}

function reauthenticationErrorText(method: ReauthenticationMethod, error: unknown): string {
  if (toCallError(error)?.code === 'login-refused') return WRONG[method]
  const { title, detail } = describeError(error)
  return `${title}. ${detail}`
}

export type ReauthenticationCredentials = z.input<typeof stepUp.body>['proof']

type ReauthenticationFormProps = {
  readonly methods: readonly ReauthenticationMethod[]
  readonly passkeyOptions: () => Promise<PasskeyOptions>
  readonly prove: (proof: ReauthenticationCredentials) => Promise<unknown>
  readonly actionLabel: string
}

/** The method used last, which is offered first the next time; it isn't secret. */
const LAST_METHOD_KEY = 'proof-method'

/** Default order of methods, the most likely one first. */
const METHOD_ORDER: readonly ReauthenticationMethod[] = ['totp', 'passkey', 'password', 'recovery-code']

function firstMethod(methods: readonly ReauthenticationMethod[]): ReauthenticationMethod {
  const kept = readStored(LAST_METHOD_KEY)
  const first = methods.find((method) => method === kept) ?? METHOD_ORDER.find((method) => methods.includes(method))
  return first ?? 'password'
}

export function ReauthenticationForm({ methods, passkeyOptions, prove, actionLabel }: ReauthenticationFormProps) {
  const usable = methods.filter((method) => method !== 'passkey' || canUsePasskeys())
  const [method, setMethod] = useState(() => firstMethod(usable))
  const [typed, setTyped] = useState('')
  const proving = useMutation({
    mutationFn: async (text: string) => {
      if (method === 'passkey') await prove({ method, response: await getPasskey(await passkeyOptions()) })
      else if (method === 'password') await prove({ method, password: text })
      else await prove({ method, code: text })
    },
    onSuccess: () => method !== 'recovery-code' && setStored(LAST_METHOD_KEY, method),
    onError: () => setTyped(''),
  })
  const secondsLeft = useCountdown(proving.error)

  function go(text: string) {
    if (!proving.isPending && secondsLeft === 0 && (method === 'passkey' || text !== '')) proving.mutate(text)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    go(typed)
  }
  function choose(next: ReauthenticationMethod) {
    proving.reset()
    setTyped('')
    setMethod(next)
  }

  return (
    <form onSubmit={submit} className="proof-form">
      <p className="proof-form-lead">{METHOD_PROMPTS[method]}</p>
      {proving.error && <ErrorNotice title={reauthenticationErrorText(method, proving.error)} />}
      <ReauthenticationInput key={method} method={method} value={typed} onChange={setTyped} onComplete={go} />
      <Button
        type="submit"
        variant="filled"
        size="md"
        fullWidth
        loading={proving.isPending}
        disabled={secondsLeft > 0}
        {...(method === 'passkey' && {
          leftSection: <IconFingerprint size={18} stroke={1.5} />,
          autoFocus: true,
          'data-autofocus': true,
        })}
      >
        {secondsLeft > 0
          ? t('Try again in {waitInWords}', { waitInWords: formatWait(secondsLeft) })
          : buttonText(method, actionLabel)}
      </Button>
      <OtherMethods methods={usable.filter((one) => one !== method)} onChoose={choose} />
    </form>
  )
}

const buttonText = (method: ReauthenticationMethod, label: string) =>
  method === 'passkey' ? t('Use a passkey') : label

type ReauthenticationInputProps = {
  readonly method: ReauthenticationMethod
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onComplete: (text: string) => void
}

function ReauthenticationInput({ method, value, onChange, onComplete }: ReauthenticationInputProps) {
  if (method === 'passkey') return null
  if (method === 'password') {
    return (
      <PasswordInput
        label={t('Password')}
        size="md"
        autoComplete="current-password"
        autoFocus
        data-autofocus
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  return <CodeInput kind={method} value={value} onChange={onChange} onComplete={onComplete} />
}

type OtherMethodsProps = {
  readonly methods: readonly ReauthenticationMethod[]
  readonly onChoose: (method: ReauthenticationMethod) => void
}

function OtherMethods({ methods, onChoose }: OtherMethodsProps) {
  if (methods.length === 0) return null
  return (
    <ul className="proof-form-others" aria-label={t('Other methods')}>
      {methods.map((method) => (
        <li key={method}>
          <button type="button" onClick={() => onChoose(method)}>
            {OTHER_METHOD_LABELS[method]}
          </button>
        </li>
      ))}
    </ul>
  )
}
