import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { Database, Transaction } from '#server/platform/database/database.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Email } from './email-templates.ts'
import { sealCodes } from './sealed-codes.ts'
import { createSender, type SenderDeps } from './send-due-emails.ts'
import type { SmtpTransport } from './smtp-transport.ts'
import { deleteMailsBefore, insertMail } from './outbox-store.ts'

/** Where letters are handed in. */
export type Mailer = {
  /** Puts a letter into the outbox with the write it tells of; it goes out once that is stored. */
  readonly post: (transaction: Transaction, email: Email) => Promise<void>
  /** Whether letters go anywhere, or wait in the outbox for an owner to pass them on. */
  readonly hasServer: boolean
  readonly start: () => void
  /** Waits for the letter under way, but not for a mail server that hangs: that letter goes out a little later. */
  readonly stop: () => Promise<void>
}

/** What the mailer is made from; without a way every letter stays in the outbox. */
export type MailerDeps = {
  readonly database: Database
  readonly clock: Clock
  readonly newId: IdGenerator
  readonly log: Logger
  /** They seal the codes in what is stored. */
  readonly keys: KeyRing
  readonly way: SmtpTransport | undefined
  /** How often it looks for letters to try again. */
  readonly lookEveryMs?: number
}

const MINUTE_MS = 60 * 1000

/** Letters are forgotten after so long. */
const RETENTION_MS = 30 * 24 * 60 * MINUTE_MS

/** How long stopping waits for a letter. */
const STOP_TIMEOUT_MS = 2000

/** Opens the outbox and, where there is a way to a mail server, sends what stands in it. */
export function openMailer(deps: MailerDeps): Mailer {
  const { database, clock, log, keys, way, lookEveryMs = MINUTE_MS } = deps
  let stand: ReturnType<SenderDeps['stand']> = 'open'
  let underWay: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  /** One look after the other, so that no letter goes out twice. */
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
