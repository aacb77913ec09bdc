import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endSessions } from '#api/account.ts'
import { call } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { sessionsQuery, useAccountChange } from '#web/features/account/account-queries.ts'
import { SessionList } from '#web/features/account/session-list.tsx'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { AccountNav, PageFrame } from '#web/pages/frame/page-frame.tsx'

export function SessionsPage() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const hasOthers = sessions?.some(({ isCurrent }) => !isCurrent) === true
  return (
    <PageFrame
      title={t('Sessions')}
      lead={t(
        'Devices and programs signed in to your account. If you don’t recognize one, sign it out and change your password.',
      )}
      width="middle"
      actions={(sessions || !error) && <SessionActions hasOthers={hasOthers} isKnown={sessions !== undefined} />}
    >
      <AccountNav />
      {error && !sessions && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!sessions && !error && <Skeleton height={180} radius="md" />}
      {sessions && <SessionList sessions={sessions} />}
    </PageFrame>
  )
}

type SessionActionsProps = {
  readonly hasOthers: boolean
  /** Buttons are hidden until sessions are loaded, but their space is reserved. */
  readonly isKnown: boolean
}

function SessionActions({ hasOthers, isKnown }: SessionActionsProps) {
  const [isAsking, setIsAsking] = useState(false)
  const endOthers = useAccountChange({
    run: () => call(endSessions, { query: { scope: 'others' } }),
    touches: [queryKeys.sessions],
    onDone: () => notify.success(t('All other devices are signed out.')),
  })
  const endAll = useAccountChange({
    run: () => call(endSessions, { query: { scope: 'all' } }),
    touches: [],
    // The server has also ended the current session.
    onDone: () => void sessionActions.logOut(),
  })
  const hidden = isKnown ? undefined : ({ style: { visibility: 'hidden' } } as const)
  return (
    <>
      {(hasOthers || !isKnown) && (
        <Button {...hidden} loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {t('Sign out other devices')}
        </Button>
      )}
      <Button {...hidden} onClick={() => setIsAsking(true)}>
        {t('Sign out everywhere')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('Sign out everywhere')}
        actionLabel={t('Sign out everywhere')}
        isBusy={endAll.isPending}
        onConfirm={() => endAll.mutate()}
      >
        {t('Signs you out on every device, including this one. API tokens are not affected.')}
      </ConfirmDialog>
    </>
  )
}
