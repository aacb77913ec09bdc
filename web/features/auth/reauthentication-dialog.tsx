import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Button, Skeleton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { stepUp, stepUpOptions } from '#api/second-factors.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { call, callOpenly, reauthenticationGate } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { t } from '#web/i18n/t.ts'
import { type ReauthenticationCredentials, ReauthenticationForm } from './reauthentication-form.tsx'
import './reauthentication-dialog.css'
import { requestReset } from '#api/users.ts'
import { useUser } from '#web/data/session/use-session.ts'
import './reauthentication-form.css'
import { startProviderLogin } from '#api/providers.ts'
import { IconLogin2 } from '#web/ui/icons/start.ts'
import { rememberReturn } from '#web/features/auth/sign-in/return-path.ts'

type ProviderReauthenticationProps = {
  readonly providers: readonly { readonly name: string; readonly label: string }[]
  readonly isOnlyWay: boolean
}

const here = () => window.location.pathname + window.location.search + window.location.hash

function ProviderReauthentication({ providers, isOnlyWay }: ProviderReauthenticationProps) {
  const begin = useMutation({
    mutationFn: (provider: string) =>
      call(startProviderLogin, {
        params: { provider },
        body: { purpose: 'prove', returnTo: here() },
      }),
    onSuccess({ url }) {
      // Stores the current page, to return to it if the provider denies access.
      rememberReturn(here())
      window.location.assign(url)
    },
  })
  return (
    <div className="proof-providers" data-alone={isOnlyWay || undefined}>
      {!isOnlyWay && <p className="proof-providers-or">{t('or')}</p>}
      <FailureNotice error={begin.error} />
      {providers.map(({ name, label }, at) => (
        <Button
          key={name}
          size="md"
          fullWidth
          leftSection={<IconLogin2 size={18} stroke={1.5} />}
          {...(isOnlyWay && at === 0 && { variant: 'filled', autoFocus: true, 'data-autofocus': true })}
          // The button remains in the loading state while the browser navigates to the provider.
          loading={(begin.isPending || begin.isSuccess) && begin.variables === name}
          onClick={() => begin.mutate(name)}
        >
          {t('Sign in again with {label}', { label })}
        </Button>
      ))}
      <p className="proof-form-lead">
        {t('You’ll sign in with your provider and return to this page. Unsaved input on this page will be lost.')}
      </p>
    </div>
  )
}

/** For users without a password: emails them a link to set one. */
function PasswordByEmail({ hasProviders }: { readonly hasProviders: boolean }) {
  const email = useUser()?.email ?? ''
  const ask = useMutation({ mutationFn: () => callOpenly(requestReset, { body: { email } }) })
  if (ask.isSuccess) {
    return (
      <p className="proof-form-lead" role="status">
        {t(
          'We sent a password reset link to {email}. It works once and expires in one hour. Using it signs you out everywhere. You can then sign in with the new password.',
          { email },
        )}
      </p>
    )
  }
  return (
    <div className="proof-letter">
      <FailureNotice error={ask.error} />
      <p className="proof-form-lead">
        {hasProviders
          ? t('Can’t confirm? Reset your password by email.')
          : t('You have no way to confirm your identity yet. First, create a password with a link sent by email.')}
      </p>
      <Button size="xs" loading={ask.isPending} onClick={() => ask.mutate()}>
        {t('Send link')}
      </Button>
    </div>
  )
}

/** z-index above the dialog that requires re-authentication. */
const ABOVE_DIALOGS = 300

/** Prompts the user to authenticate again before a sensitive change, which then continues. */
export function ReauthenticationDialog() {
  return (
    <Dialog
      opened
      onClose={() => reauthenticationGate.settle(false)}
      title={t('Confirm it’s you')}
      size={420}
      zIndex={ABOVE_DIALOGS}
    >
      <p className="proof-dialog-why">
        {t('You’re about to change a security setting. You won’t be asked to confirm again for 15 minutes.')}
      </p>
      <ReauthenticationFields />
    </Dialog>
  )
}

async function freshPasskeyOptions() {
  const { passkey } = await call(stepUpOptions)
  if (passkey === null) throw new CallError('passkey-unused', t('Your account has no passkey. Use another method.'))
  return passkey
}

async function reauthenticate(proof: ReauthenticationCredentials) {
  await call(stepUp, { body: { proof } })
  reauthenticationGate.settle(true)
}

function ReauthenticationFields() {
  const { data, error, refetch } = useQuery({
    queryKey: ['proof-options'],
    queryFn: ({ signal }) => call(stepUpOptions, { signal }),
    // Not cached, because the passkey challenge can be used only once.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} radius="sm" />
  const { methods, providers } = data
  return (
    <>
      {methods.length > 0 && (
        <ReauthenticationForm
          methods={methods}
          passkeyOptions={freshPasskeyOptions}
          prove={reauthenticate}
          actionLabel={t('Confirm')}
        />
      )}
      {providers.length > 0 && <ProviderReauthentication providers={providers} isOnlyWay={methods.length === 0} />}
      {methods.length === 0 && <PasswordByEmail hasProviders={providers.length > 0} />}
    </>
  )
}
