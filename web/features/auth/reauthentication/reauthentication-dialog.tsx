import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { stepUp, stepUpOptions } from '#api/second-factors.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { reauthenticationGate } from '#web/data/authorization/reauthentication-gate.ts'
import { t } from '#web/i18n/t.ts'
import { PasswordByEmail } from '#web/features/auth/sign-in/password-by-email.tsx'
import { type ReauthenticationCredentials, ReauthenticationForm } from './reauthentication-form.tsx'
import { ProviderReauthentication } from './provider-reauthentication.tsx'
import './reauthentication-dialog.css'

/** Above the dialog whose button asked for the proof. */
const ABOVE_DIALOGS = 300

/** Asks once more who one is, because a sensitive setting was about to be changed; then that goes on by itself. */
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
    // What was offered once is not offered again: its passkey question serves one time.
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
