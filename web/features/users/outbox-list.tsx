import { Badge } from '@mantine/core'
import type { z } from 'zod'
import type { listOutbox } from '#api/users.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { RelativeTime } from '#web/kit/relative-time.tsx'
import './users.css'

type Mail = z.output<typeof listOutbox.answer>['items'][number]

const STATES: {
  readonly [State in Mail['state']]: { readonly words: string; readonly color: 'warning' | 'success' | 'danger' }
} = {
  waiting: { words: 'Waiting', color: 'warning' },
  sent: { words: 'Sent', color: 'success' },
  failed: { words: 'Not sent', color: 'danger' },
}

/** The links of our letters stand on lines of their own. */
const linkIn = (text: string): string | undefined => /^\s*(https?:\/\/\S+)\s*$/m.exec(text)?.[1]

/** Letters, newest first; each opens to its text, with its link at hand. */
export function OutboxList({ mails }: { readonly mails: readonly Mail[] }) {
  return (
    <div className="outbox">
      {mails.map((mail) => (
        <details key={mail.id} className="outbox-mail">
          <summary data-focus-inside>
            <strong>{mail.subject}</strong>
            <Badge color={STATES[mail.state].color}>{STATES[mail.state].words}</Badge>
            <span className="outbox-about">
              To {mail.to} · <RelativeTime at={mail.at} />
              {mail.failure !== null && ` · ${mail.failure}`}
            </span>
          </summary>
          <pre className="outbox-text">{mail.text}</pre>
          <CopyLink link={linkIn(mail.text)} />
        </details>
      ))}
    </div>
  )
}

function CopyLink({ link }: { readonly link: string | undefined }) {
  if (link === undefined) return null
  return (
    <CopyButton text={link} size="xs">
      Copy link
    </CopyButton>
  )
}
