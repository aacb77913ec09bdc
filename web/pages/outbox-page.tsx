import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconMail } from '@tabler/icons-react'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { OutboxList } from '#web/features/users/outbox-list.tsx'
import { outboxQuery } from '#web/features/users/users-queries.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { PageFrame } from './page-frame.tsx'
import { SettingsNav } from './section-nav.tsx'

const LEADS = {
  withServer: 'Letters this workspace has written: invitations, links for new passwords, notices.',
  without: (
    <>
      No mail server is set, so letters wait here: open one, copy its link and pass it on yourself. To have them sent,
      set <code>SMTP_URL</code> and restart.
    </>
  ),
}

/** The letters the workspace has written, for those who have to pass them on. */
export function OutboxPage() {
  const { data: outbox, error, refetch } = useQuery(outboxQuery)
  return (
    <PageFrame title="Outbox" width="middle" lead={outbox?.hasServer === false ? LEADS.without : LEADS.withServer}>
      <SettingsNav />
      {error && !outbox && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!outbox && !error && <Skeleton height={180} radius="md" />}
      {outbox?.items.length === 0 && (
        <EmptyState
          icon={<IconMail size={32} stroke={1.25} />}
          text="No letter was written yet. Invitations and links for new passwords appear here."
        />
      )}
      {outbox && outbox.items.length > 0 && <OutboxList mails={outbox.items} />}
    </PageFrame>
  )
}
