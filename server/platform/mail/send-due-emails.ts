import type { Logger } from 'pino'
import type { Clock } from '#domain/shared/time.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import {
  claimMail,
  listUnsentMails,
  markFailed,
  markSent,
  openCodes,
  type StoredMail,
  withoutCodes,
} from './outbox-store.ts'
import type { SmtpTransport } from './smtp-transport.ts'

const MINUTE_MS = 60 * 1000

/** An email is no longer retried once its longest-lived link has expired. */
export const EXPIRE_AFTER_MS = 48 * 60 * MINUTE_MS

const MAX_RETRY_DELAY_MS = 6 * 60 * MINUTE_MS

/** Retry delays of 1, 2, 4, … minutes. */
const retryDelayMs = (failures: number): number => Math.min(MAX_RETRY_DELAY_MS, MINUTE_MS * 2 ** (failures - 1))

/** Claim duration of the sending process; longer than the mail server timeout. */
const CLAIM_MS = 2 * MINUTE_MS

/** Failure count and time of the next attempt. Kept in memory, so a restart retries immediately. */
type SendFailure = { readonly failures: number; readonly nextAtMs: number }

export type SenderDeps = {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  readonly keys: KeyRing
  readonly way: SmtpTransport
  /**
   * `over`: no further emails are sent. `abandoned`: no further database writes, because the database may be closed.
   */
  readonly stand: () => 'open' | 'over' | 'abandoned'
}

export function createSender({ database, clock, log, keys, way, stand }: SenderDeps): () => Promise<void> {
  const troubles = new Map<string, SendFailure>()

  async function trySending(mail: StoredMail): Promise<void> {
    const now = clock()
    const until = new Date(now.getTime() + CLAIM_MS)
    if (!(await database.write(({ db }) => claimMail(db, mail.id, { now, until })))) return
    const sending = await way.send({ ...mail, text: openCodes(keys, mail.id, mail.text) })
    if (stand() === 'abandoned') return
    if (sending.isSent) {
      troubles.delete(mail.id)
      await database.write(({ db }) => markSent(db, mail.id, withoutCodes(mail.text)))
      log.info({ mail: mail.id }, 'email sent')
      return
    }
    const failures = (troubles.get(mail.id)?.failures ?? 0) + 1
    troubles.set(mail.id, { failures, nextAtMs: clock().getTime() + retryDelayMs(failures) })
    await database.write(({ db }) => markFailed(db, mail.id, sending.failure))
    log.warn({ mail: mail.id, failures, reason: sending.failure }, 'sending email failed')
  }

  return async () => {
    const nowMs = clock().getTime()
    const unsent = await listUnsentMails(database.read, new Date(nowMs - EXPIRE_AFTER_MS))
    const known = new Set(unsent.map(({ id }) => id))
    for (const id of troubles.keys()) if (!known.has(id)) troubles.delete(id)
    const due = unsent.filter(({ id }) => (troubles.get(id)?.nextAtMs ?? 0) <= nowMs)
    for (const mail of due) if (stand() === 'open') await trySending(mail)
  }
}
