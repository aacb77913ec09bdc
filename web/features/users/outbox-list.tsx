import { Badge } from '@mantine/core'
import type { z } from 'zod'
import type { listOutbox } from '#api/users.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { RelativeTime } from '#web/kit/relative-time.tsx'
import { t } from '#web/language/t.ts'
import { linkIn } from './link-in-letter.ts'
import './users.css'

type Mail = z.output<typeof listOutbox.answer>['items'][number]

type Standing = { readonly words: string; readonly color: 'warning' | 'success' | 'danger'; readonly why?: string }

const TO_PASS_ON = t('no mail server; copy its link and pass it on')
const ONLY_NEWS = t('no mail server; it only tells them something')

/** How a letter stands, and why it did not go out. */
function standingOf({ state, failure, text }: Mail, hasServer: boolean): Standing {
  if (state === 'sent') return { words: t('Sent'), color: 'success' }
  if (state === 'given-up') {
    return { words: t('Not sent'), color: 'danger', why: t('given up after 48 hours; its link has ended') }
  }
  if (!hasServer) {
    return { words: t('Not sent'), color: 'warning', why: linkIn(text) === undefined ? ONLY_NEWS : TO_PASS_ON }
  }
  if (state === 'waiting') return { words: t('Waiting'), color: 'warning' }
  return {
    words: t('Not sent yet'),
    color: 'danger',
    ...(failure !== null && { why: `${failure} ${t('It is tried again')}` }),
  }
}

type OutboxListProps = { readonly mails: readonly Mail[]; readonly hasServer: boolean }

/** Letters, newest first; each opens to its text, with its link at hand. */
export function OutboxList({ mails, hasServer }: OutboxListProps) {
  return (
    <div className="outbox">
      {mails.map((mail) => (
        <OutboxMail key={mail.id} mail={mail} standing={standingOf(mail, hasServer)} />
      ))}
    </div>
  )
}

function OutboxMail({ mail, standing }: { readonly mail: Mail; readonly standing: Standing }) {
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
      {mail.state !== 'given-up' && <CopyLink link={linkIn(mail.text)} />}
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
