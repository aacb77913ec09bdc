import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { listOutbox } from '#api/users.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { OutboxList } from '#web/features/users/outbox-list.tsx'
import { isReauthenticationMissing, outboxQuery, useRefetchOutbox } from '#web/features/users/users-queries.ts'
import { commands } from '#web/ui/shortcuts/commands.ts'
import { IconMail } from '#web/ui/icons/start.ts'
import { EmptyState, Notice } from '#web/ui/feedback/notice.tsx'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { PageFrame, SettingsNav } from '#web/pages/frame/page-frame.tsx'

export function OutboxPage() {
  const { data: outbox, error, refetch } = useQuery(outboxQuery)
  return (
    <PageFrame
      title={t('Outbox')}
      width="middle"
      lead={t('Emails from this workspace: invitations, password resets and notices.')}
    >
      <SettingsNav />
      {error && !outbox && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {outbox && isReauthenticationMissing(error) && <SendingPaused />}
      {!outbox && !error && <Skeleton height={180} radius="md" />}
      {outbox?.hasServer === false && <NoMailServer />}
      {outbox && (
        <section data-tour="letters" aria-label={t('Outgoing emails')}>
          <EmailList outbox={outbox} />
        </section>
      )}
    </PageFrame>
  )
}

function NoMailServer() {
  return (
    <Notice
      title={t('No mail server configured, so emails aren’t sent')}
      detail={
        <Say
          text="Open an email, copy its link and share it yourself. To send emails, set <code>SMTP_URL</code> and restart."
          parts={{ code: (inner) => <code>{inner}</code> }}
        />
      }
    />
  )
}

type Outbox = z.output<typeof listOutbox.response>

function EmailList({ outbox: { items, hasServer } }: { readonly outbox: Outbox }) {
  if (items.length > 0) return <OutboxList mails={items} hasServer={hasServer} />
  return (
    <EmptyState
      icon={IconMail}
      text={t('No emails yet. Invitations and password reset links appear here.')}
      action={{ label: t('Invite people'), onClick: () => commands.run('invite') }}
    />
  )
}

/** Emails contain links that grant access to accounts, so reading new ones requires recent authentication. */
function SendingPaused() {
  const again = useRefetchOutbox()
  return (
    <Notice
      title={t('New emails can’t be loaded right now')}
      detail={t('You last confirmed your identity more than 15 minutes ago.')}
      actions={
        <Button size="xs" loading={again.isPending} onClick={() => again.mutate()}>
          {t('Show new emails')}
        </Button>
      }
    />
  )
}
