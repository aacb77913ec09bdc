import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { readInvitation } from '#api/users.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { callOpenly } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { InvitationForm } from '#web/features/auth/account-links/invitation-form.tsx'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { BackToSignIn } from './back-to-sign-in.tsx'
import { GuestFrame } from './guest-frame.tsx'

/** For those who come with an invitation. */
export function InvitationPage() {
  const { code = '' } = useSearch({ strict: false })
  const {
    data: invited,
    error,
    refetch,
  } = useQuery({
    queryKey: ['invitation', code],
    queryFn: ({ signal }) => callOpenly(readInvitation, { body: { code }, signal }),
    enabled: code !== '',
    // A form that is being filled in does not change under somebody's fingers.
    staleTime: Number.POSITIVE_INFINITY,
  })

  if (code === '' || toCallError(error)?.code === 'gone') {
    return (
      <GuestFrame
        title={t('This invitation does not work')}
        lead={t(
          'It is incomplete, was used before, is older than 48 hours, or a newer one was sent. Ask whoever invited you to send it anew.',
        )}
      >
        <BackToSignIn />
      </GuestFrame>
    )
  }
  if (error) {
    return (
      <GuestFrame title={t('You are invited')}>
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </GuestFrame>
    )
  }
  if (!invited) {
    return (
      <GuestFrame title={t('You are invited')} lead={t('One moment.')} isComing>
        <Skeleton height={220} radius="sm" />
      </GuestFrame>
    )
  }
  return (
    <GuestFrame
      title={t('You are invited')}
      lead={
        <>
          <Say
            text="Choose a password for {email}, and you are in."
            values={{ email: <strong>{invited.email}</strong> }}
          />
        </>
      }
    >
      <InvitationForm code={code} invited={invited} />
    </GuestFrame>
  )
}
