import type { Logger } from 'pino'
import type { Clock } from '#domain/shared/clock.ts'
import type { IdMaker } from '#domain/shared/ids.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import { type Letter, withoutCodes } from './mail-texts.ts'
import type { MailWay } from './send-mail.ts'
import { deleteMailsBefore, insertMail, listUnsentMails, markFailed, markSent, type StoredMail } from './store.ts'

/** Where letters are handed in. */
export type Mailer = {
  /** Puts a letter into the outbox with the write it tells of; it goes out once that is stored. */
  readonly post: (transaction: Transaction, letter: Letter) => Promise<void>
  /** Whether letters go anywhere, or wait in the outbox for an owner to pass them on. */
  readonly hasServer: boolean
  readonly start: () => void
  /** Waits for the letter under way. */
  readonly stop: () => Promise<void>
}

/** What the mailer is made from; without a way every letter stays in the outbox. */
export type MailerNeeds = {
  readonly database: Database
  readonly clock: Clock
  readonly newId: IdMaker
  readonly log: Logger
  readonly way: MailWay | undefined
  /** How often it looks for letters to try again. */
  readonly lookEveryMs?: number
}

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * MINUTE_MS

/** A letter is given up when the longest-living link in one has ended. */
const GIVEN_UP_AFTER_MS = 2 * DAY_MS

/** Letters are forgotten after so long. */
const KEPT_MS = 30 * DAY_MS

const LONGEST_GAP_MS = 6 * 60 * MINUTE_MS

/** The wait after so many failures: 1, 2, 4, … minutes. */
const gapMs = (failures: number): number => Math.min(LONGEST_GAP_MS, MINUTE_MS * 2 ** (failures - 1))

/** How often a letter failed and when it may be tried again; kept in memory, so a restart tries at once. */
type Trouble = { readonly failures: number; readonly nextAtMs: number }

/** Opens the outbox and, where there is a way to a mail server, sends what stands in it. */
export function openMailer(needs: MailerNeeds): Mailer {
  const { database, clock, log, way, lookEveryMs = MINUTE_MS } = needs
  const troubles = new Map<string, Trouble>()
  let underWay: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isStopping = false

  async function trySending(mail: StoredMail, by: MailWay): Promise<void> {
    const sending = await by.send(mail)
    if (sending.isSent) {
      troubles.delete(mail.id)
      await database.write(({ db }) => markSent(db, mail.id, withoutCodes(mail.text)))
      log.info({ mail: mail.id }, 'a mail was sent')
      return
    }
    const failures = (troubles.get(mail.id)?.failures ?? 0) + 1
    troubles.set(mail.id, { failures, nextAtMs: clock().getTime() + gapMs(failures) })
    await database.write(({ db }) => markFailed(db, mail.id, sending.failure))
    log.warn({ mail: mail.id, failures, reason: sending.failure }, 'a mail could not be sent')
  }

  async function sendDue(by: MailWay): Promise<void> {
    const nowMs = clock().getTime()
    const unsent = await listUnsentMails(database.read, new Date(nowMs - GIVEN_UP_AFTER_MS))
    const due = unsent.filter(({ id }) => (troubles.get(id)?.nextAtMs ?? 0) <= nowMs)
    for (const mail of due) if (!isStopping) await trySending(mail, by)
  }

  const forgetOld = (): Promise<void> =>
    database.write(({ db }) => deleteMailsBefore(db, new Date(clock().getTime() - KEPT_MS)))

  /** One look after the other, so that no letter goes out twice. */
  function next(work: () => Promise<void>): void {
    if (isStopping) return
    underWay = underWay.then(work).then(undefined, (error: unknown) => {
      log.error({ err: error }, 'looking after the mails failed')
    })
  }
  const look = (): void => {
    if (way !== undefined) next(() => sendDue(way))
  }

  return {
    hasServer: way !== undefined,
    post: async (transaction, letter) => {
      const id = needs.newId()
      await insertMail(transaction.db, { id, ...letter, at: clock().toISOString() })
      transaction.afterCommit(() => {
        if (way === undefined) log.info({ mail: id }, 'a mail was written to the outbox')
        look()
      })
    },
    start: () => {
      next(forgetOld)
      look()
      timer = setInterval(look, lookEveryMs)
      timer.unref()
    },
    stop: async () => {
      isStopping = true
      clearInterval(timer)
      await underWay
      way?.close()
    },
  }
}
