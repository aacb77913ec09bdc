import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { requestReset } from '#api/users.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { useUser } from '#web/data/session/use-session.ts'
import { t } from '#web/i18n/t.ts'
import '../reauthentication/reauthentication-form.css'

/** The way out for whoever has no password: a letter with a link to choose one, as for one that was forgotten. */
export function PasswordByEmail({ hasProviders }: { readonly hasProviders: boolean }) {
  const email = useUser()?.email ?? ''
  const ask = useMutation({ mutationFn: () => callOpenly(requestReset, { body: { email } }) })
  if (ask.isSuccess) {
    return (
      <p className="proof-form-lead" role="status">
        {t(
          'We sent a link to reset your password to {email}. It works once and expires in one hour. Using it signs you out everywhere; then sign in with the new password.',
          { email },
        )}
      </p>
    )
  }
  return (
    <div className="proof-letter">
      {ask.error && <FailureNotice error={ask.error} />}
      <p className="proof-form-lead">
        {hasProviders
          ? t('Can’t confirm? Reset your password by email.')
          : t('Your account has no way to confirm your identity yet. Set a password by email first.')}
      </p>
      <Button size="xs" loading={ask.isPending} onClick={() => ask.mutate()}>
        {t('Send link')}
      </Button>
    </div>
  )
}
