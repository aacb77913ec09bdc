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
import { BackToSignIn, GuestFrame } from './guest-frame.tsx'

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
    // A refetch would reset the form while the user fills it in.
    staleTime: Number.POSITIVE_INFINITY,
  })

  if (code === '' || toCallError(error)?.code === 'gone') {
    return (
      <GuestFrame
        title={t('This invitation is no longer valid')}
        lead={t(
          'The link is incomplete, was already used, is older than 48 hours, or was replaced by a newer one. Ask the person who invited you to send a new invitation.',
        )}
      >
        <BackToSignIn />
      </GuestFrame>
    )
  }
  if (error) {
    return (
      <GuestFrame title={t('You’re invited')}>
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </GuestFrame>
    )
  }
  if (!invited) {
    return (
      <GuestFrame title={t('You’re invited')} lead={t('Loading…')} isComing>
        <Skeleton height={220} radius="sm" />
      </GuestFrame>
    )
  }
  return (
    <GuestFrame
      title={t('You’re invited')}
      lead={<Say text="Create a password for {email} to join." values={{ email: <strong>{invited.email}</strong> }} />}
    >
      <InvitationForm code={code} invited={invited} />
    </GuestFrame>
  )
}
