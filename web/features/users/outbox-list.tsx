import { Badge } from '@mantine/core'
import type { z } from 'zod'
import type { listOutbox } from '#api/users.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { t } from '#web/i18n/t.ts'
import { linkInEmail } from './user-access.ts'
import './users.css'

type OutboxEmail = z.output<typeof listOutbox.response>['items'][number]

type EmailStatus = { readonly words: string; readonly color: 'warning' | 'success' | 'danger'; readonly why?: string }

const NO_SERVER_COPY_LINK = t('no mail server; copy the link and share it')
const NO_SERVER_NOTICE = t('no mail server; no action needed')

function emailStatusOf({ state, failure, text }: OutboxEmail, hasServer: boolean): EmailStatus {
  if (state === 'sent') return { words: t('Sent'), color: 'success' }
  if (state === 'given-up') {
    return { words: t('Not sent'), color: 'danger', why: t('failed after 48 hours; the link has expired') }
  }
  if (!hasServer) {
    return {
      words: t('Not sent'),
      color: 'warning',
      why: linkInEmail(text) === undefined ? NO_SERVER_NOTICE : NO_SERVER_COPY_LINK,
    }
  }
  if (state === 'waiting') return { words: t('Pending'), color: 'warning' }
  return {
    words: t('Not sent yet'),
    color: 'danger',
    ...(failure !== null && { why: `${failure} ${t('Retrying.')}` }),
  }
}

type OutboxListProps = { readonly mails: readonly OutboxEmail[]; readonly hasServer: boolean }

export function OutboxList({ mails, hasServer }: OutboxListProps) {
  return (
    <div className="outbox">
      {mails.map((mail) => (
        <OutboxRow key={mail.id} mail={mail} standing={emailStatusOf(mail, hasServer)} />
      ))}
    </div>
  )
}

function OutboxRow({ mail, standing }: { readonly mail: OutboxEmail; readonly standing: EmailStatus }) {
  return (
    <details className="outbox-mail">
      <summary data-focus-inside>
        <strong>{mail.subject}</strong>
        <Badge color={standing.color}>{standing.words}</Badge>
        <span className="outbox-about">
          {t('To {address}', { address: mail.to })} · <RelativeTime at={mail.at} />
          {standing.why !== undefined && ` · ${standing.why}`}
        </span>
      </summary>
      <pre className="outbox-text">{mail.text}</pre>
      {mail.state !== 'given-up' && <CopyLink link={linkInEmail(mail.text)} />}
    </details>
  )
}

function CopyLink({ link }: { readonly link: string | undefined }) {
  if (link === undefined) return null
  return (
    <CopyButton text={link} size="xs">
      {t('Copy link')}
    </CopyButton>
  )
}
