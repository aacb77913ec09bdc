import { Button, Checkbox, PasswordInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { changePassword } from '#api/account.ts'
import { checkPassword } from '#domain/sessions/password-rules.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call, reauthenticationGate } from '#web/data/api/call.ts'
import { FailureNotice, notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { isPasswordRejected, NewPasswordInput } from '#web/shared/credentials/new-password-input.tsx'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { useCountdown, formatWait } from '#web/shared/credentials/use-countdown.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { Panel } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { useReturnFocus } from '#web/ui/dialogs/dialog.tsx'
import { t } from '#web/i18n/t.ts'
import { factorsQuery, tokensQuery } from '#web/features/account/account-queries.ts'
import './account-form.css'
import { type Factors, hasSecondFactor } from '#web/features/account/security-summary.tsx'

/** `long`: the form for a longer password, as required without a second factor. */
export type PasswordFormState = 'closed' | 'open' | 'long'

type PasswordPanelProps = {
  readonly factors: Factors
  readonly form: PasswordFormState
  readonly onForm: (next: PasswordFormState) => void
  readonly onChanged: () => void
}

/**
 * Minimum remaining validity of a re-authentication in seconds, so that it doesn't expire while the user fills in the
 * form.
 */
const MIN_REAUTHENTICATION_SECONDS = 5 * 60

export function PasswordPanel({ factors, form, onForm, onChanged }: PasswordPanelProps) {
  const { hasPassword } = factors
  const queryClient = useQueryClient()
  const button = useReturnFocus(form !== 'closed')

  /** Uses the server's clock, because this device's clock may be wrong. */
  const isProvenLongEnough = async () => {
    const { provenForSeconds } = await queryClient.fetchQuery({ ...factorsQuery, staleTime: 0 })
    return provenForSeconds >= MIN_REAUTHENTICATION_SECONDS
  }

  /** Users without a password must re-authenticate to set one, possibly on another page. */
  async function begin() {
    if (hasPassword || (await isProvenLongEnough()) || (await reauthenticationGate.ask())) onForm('open')
  }

  return (
    <Panel
      mark="password"
      title={t('Password')}
      lead={
        hasPassword
          ? t('Several random words are easy to remember and hard to guess.')
          : t('You don’t have a password because you sign in another way. Add one in case that method is unavailable.')
      }
    >
      {form === 'closed' ? (
        <Button ref={button} onClick={() => begin().then(undefined, notifyFailure())}>
          {hasPassword ? t('Change password') : t('Create a password')}
        </Button>
      ) : (
        <PasswordForm
          hasPassword={hasPassword}
          actionLabel={hasPassword ? t('Change password') : t('Save password')}
          isBesideFactor={form === 'open' && hasSecondFactor(factors)}
          onClose={() => onForm('closed')}
          onDone={() => {
            onForm('closed')
            onChanged()
          }}
        />
      )}
    </Panel>
  )
}

type PasswordFormProps = {
  readonly hasPassword: boolean
  /** A shorter password is allowed with a second factor. */
  readonly isBesideFactor: boolean
  readonly actionLabel: string
  readonly onClose: () => void
  readonly onDone: () => void
}

function usePasswordChange(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { readonly current: string; readonly next: string; readonly keepApiTokens: boolean }) =>
      call(changePassword, { body }),
    onSuccess() {
      for (const queryKey of [queryKeys.factors, queryKeys.sessions, queryKeys.tokens])
        void queryClient.invalidateQueries({ queryKey })
      notify.success(t('Password changed.'), { detail: t('All other devices are signed out.') })
      onDone()
    },
  })
}

function PasswordForm({ hasPassword, isBesideFactor, actionLabel, onClose, onDone }: PasswordFormProps) {
  const user = useUser()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [keepApiTokens, setKeepApiTokens] = useState(false)
  const [wasTried, setWasTried] = useState(false)
  const nextInput = useRef<HTMLInputElement>(null)
  const { mutate, error, isPending } = usePasswordChange(onDone)
  const secondsLeft = useCountdown(error)
  const owner = { email: user?.email ?? '', name: user?.name ?? '', hasSecondFactor: isBesideFactor }
  const isWrong = toCallError(error)?.code === 'login-refused'
  const isAtField = isWrong || isPasswordRejected(error)

  function submit(event: FormEvent) {
    event.preventDefault()
    setWasTried(true)
    if (checkPassword(next, owner) !== 'good') nextInput.current?.focus()
    else if (!isPending && secondsLeft === 0) mutate({ current, next, keepApiTokens })
  }

  return (
    <form onSubmit={submit} className="account-form">
      {!isAtField && <FailureNotice error={error} />}
      <input type="hidden" name="email" autoComplete="username" value={owner.email} />
      {hasPassword && <CurrentPasswordInput value={current} isWrong={isWrong} onChange={setCurrent} />}
      <NewPasswordInput
        ref={nextInput}
        label={t('New password')}
        owner={owner}
        value={next}
        wasTried={wasTried}
        failure={error}
        part="next"
        autoFocus={!hasPassword}
        onChange={setNext}
      />
      <KeepTokens isOn={keepApiTokens} onChange={setKeepApiTokens} />
      <PasswordFormActions label={actionLabel} {...{ isPending, secondsLeft, onClose }} />
    </form>
  )
}

type KeepTokensProps = { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void }

function KeepTokens({ isOn, onChange }: KeepTokensProps) {
  const { data: tokens = [] } = useQuery(tokensQuery)
  if (tokens.length === 0) return null
  return (
    <Checkbox
      label={t('Keep my API tokens')}
      description={t('Otherwise your tokens are revoked, and programs that use them need new ones.')}
      checked={isOn}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}

type PasswordFormActionsProps = {
  readonly label: string
  readonly isPending: boolean
  readonly secondsLeft: number
  readonly onClose: () => void
}

const PasswordFormActions = ({ label, isPending, secondsLeft, onClose }: PasswordFormActionsProps) => (
  <div className="account-form-actions">
    <Button type="submit" variant="filled" loading={isPending} disabled={secondsLeft > 0}>
      {secondsLeft > 0 ? t('Try again in {waitInWords}', { waitInWords: formatWait(secondsLeft) }) : label}
    </Button>
    <Button onClick={onClose}>{t('Cancel')}</Button>
  </div>
)

type CurrentPasswordInputProps = {
  readonly value: string
  readonly isWrong: boolean
  readonly onChange: (password: string) => void
}

function CurrentPasswordInput({ value, isWrong, onChange }: CurrentPasswordInputProps) {
  return (
    <PasswordInput
      label={t('Current password')}
      name="current-password"
      size="md"
      required
      withAsterisk={false}
      autoFocus
      autoComplete="current-password"
      value={value}
      error={isWrong && t('Your current password is incorrect.')}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
