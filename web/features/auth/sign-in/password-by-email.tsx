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
          'A letter with a link to choose a password is on its way to {email}. The link works once and for one hour, and signs you out everywhere; then sign in with the new password.',
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
          ? t('Does that not work? Choose a password by letter, and confirm with it.')
          : t('Your account has nothing to confirm with yet. Choose a password by letter first.')}
      </p>
      <Button size="xs" loading={ask.isPending} onClick={() => ask.mutate()}>
        {t('Send me a link')}
      </Button>
    </div>
  )
}
