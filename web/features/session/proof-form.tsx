import { Button, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { z } from 'zod'
import type { stepUp } from '#api/second-factors.ts'
import { keep, readKept } from '#web/client/browser-storage.ts'
import { CodeInput } from '#web/client/code-input.tsx'
import { askPasskey, canUsePasskeys, type PasskeyOptions } from '#web/client/passkeys.ts'
import { useSecondsLeft, waitInWords } from '#web/client/use-seconds-left.ts'
import { ErrorNotice } from '#web/kit/error-notice.tsx'
import { IconFingerprint } from '#web/kit/icons/icon-fingerprint.ts'

import { t } from '#web/language/t.ts'
import './proof-form.css'
import { OTHER_WAYS, PROOF_LEADS, type ProofMethod, proofFailureText } from './proof-texts.ts'

/** A proof as the server takes it. */
export type Proof = z.input<typeof stepUp.body>['proof']

type ProofFormProps = {
  readonly methods: readonly ProofMethod[]
  readonly passkeyOptions: () => Promise<PasskeyOptions>
  readonly prove: (proof: Proof) => Promise<unknown>
  readonly actionLabel: string
}

/** Which way was used last on this device comes first the next time; it says nothing secret. */
const KEPT_METHOD = 'proof-method'

/** Where nothing was used yet: what is at hand most likely comes first. */
const BY_LIKELIHOOD: readonly ProofMethod[] = ['totp', 'passkey', 'password', 'recovery-code']

function firstMethod(methods: readonly ProofMethod[]): ProofMethod {
  const kept = readKept(KEPT_METHOD)
  const first = methods.find((method) => method === kept) ?? BY_LIKELIHOOD.find((method) => methods.includes(method))
  return first ?? 'password'
}

/** Asks for a proof of who one is, in one of several ways; the others are one press away. */
export function ProofForm({ methods, passkeyOptions, prove, actionLabel }: ProofFormProps) {
  const usable = methods.filter((method) => method !== 'passkey' || canUsePasskeys())
  const [method, setMethod] = useState(() => firstMethod(usable))
  const [typed, setTyped] = useState('')
  const proving = useMutation({
    mutationFn: async (text: string) => {
      if (method === 'passkey') await prove({ method, response: await askPasskey(await passkeyOptions()) })
      else if (method === 'password') await prove({ method, password: text })
      else await prove({ method, code: text })
    },
    onSuccess: () => method !== 'recovery-code' && keep(KEPT_METHOD, method),
    onError: () => setTyped(''),
  })
  const secondsLeft = useSecondsLeft(proving.error)

  function go(text: string) {
    if (!proving.isPending && secondsLeft === 0 && (method === 'passkey' || text !== '')) proving.mutate(text)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    go(typed)
  }
  function choose(next: ProofMethod) {
    proving.reset()
    setTyped('')
    setMethod(next)
  }

  return (
    <form onSubmit={submit} className="proof-form">
      <p className="proof-form-lead">{PROOF_LEADS[method]}</p>
      {proving.error && <ErrorNotice title={proofFailureText(method, proving.error)} />}
      <ProofInput key={method} method={method} value={typed} onChange={setTyped} onComplete={go} />
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
          ? t('Try again in {waitInWords}', { waitInWords: waitInWords(secondsLeft) })
          : buttonText(method, actionLabel)}
      </Button>
      <OtherWays methods={usable.filter((one) => one !== method)} onChoose={choose} />
    </form>
  )
}

const buttonText = (method: ProofMethod, label: string) => (method === 'passkey' ? t('Use a passkey') : label)

type ProofInputProps = {
  readonly method: ProofMethod
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onComplete: (text: string) => void
}

function ProofInput({ method, value, onChange, onComplete }: ProofInputProps) {
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

type OtherWaysProps = {
  readonly methods: readonly ProofMethod[]
  readonly onChoose: (method: ProofMethod) => void
}

function OtherWays({ methods, onChoose }: OtherWaysProps) {
  if (methods.length === 0) return null
  return (
    <ul className="proof-form-others" aria-label={t('Other ways')}>
      {methods.map((method) => (
        <li key={method}>
          <button type="button" onClick={() => onChoose(method)}>
            {OTHER_WAYS[method]}
          </button>
        </li>
      ))}
    </ul>
  )
}
