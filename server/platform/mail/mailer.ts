import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { Database, Transaction } from '#server/platform/database/database.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Email } from './email-templates.ts'
import { deleteMailsBefore, insertMail, sealCodes } from './outbox-store.ts'
import { createSender, type SenderDeps } from './send-due-emails.ts'
import type { SmtpTransport } from './smtp-transport.ts'

export type Mailer = {
  /** Adds an email to the outbox as part of a write; the email is sent after the commit. */
  readonly post: (transaction: Transaction, email: Email) => Promise<void>
  /** Whether emails are sent; otherwise, they stay in the outbox for an owner to forward. */
  readonly hasServer: boolean
  readonly start: () => void
  /**
   * Waits for the email that is being sent, unless the mail server hangs; the email is then retried after a restart.
   */
  readonly stop: () => Promise<void>
}

export type MailerDeps = {
  readonly database: Database
  readonly clock: Clock
  readonly newId: IdGenerator
  readonly log: Logger
  readonly keys: KeyRing
  readonly way: SmtpTransport | undefined
  readonly lookEveryMs?: number
}

const MINUTE_MS = 60 * 1000

const RETENTION_MS = 30 * 24 * 60 * MINUTE_MS

const STOP_TIMEOUT_MS = 2000

export function openMailer(deps: MailerDeps): Mailer {
  const { database, clock, log, keys, way, lookEveryMs = MINUTE_MS } = deps
  let stand: ReturnType<SenderDeps['stand']> = 'open'
  let underWay: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  /** Allows one run at a time, so that no email is sent twice. */
  function next(work: () => Promise<void>): void {
    if (stand !== 'open') return
    underWay = underWay.then(work).then(undefined, (error: unknown) => {
      log.error({ err: error }, 'email sender failed')
    })
  }
  const sendDue = way && createSender({ database, clock, log, keys, way, stand: () => stand })
  const look = (): void => {
    if (sendDue !== undefined) next(sendDue)
  }

  return {
    hasServer: way !== undefined,
    post: async (transaction, email) => {
      const id = deps.newId()
      const text = sealCodes(keys, id, email.text)
      await insertMail(transaction.db, { id, ...email, text, at: clock().toISOString() })
      transaction.afterCommit(() => {
        if (way === undefined) log.info({ mail: id }, 'email written to the outbox')
        look()
      })
    },
    start: () => {
      next(() => database.write(({ db }) => deleteMailsBefore(db, new Date(clock().getTime() - RETENTION_MS))))
      look()
      timer = setInterval(look, lookEveryMs)
      timer.unref()
    },
    stop: async () => {
      stand = 'over'
      clearInterval(timer)
      await Promise.race([underWay, wait(STOP_TIMEOUT_MS, undefined, { ref: false })])
      stand = 'abandoned'
      way?.close()
    },
  }
}
