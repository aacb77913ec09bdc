import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openLog } from '#server/platform/http/logging.ts'
import { openKeyRing } from '#server/platform/crypto/key-ring.ts'
import { fixedClock } from '#tests/support/clock/fixed-clock.ts'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'
import { openMailer } from './mailer.ts'
import type { SmtpTransport, SendResult } from './smtp-transport.ts'

const MINUTE_MS = 60_000

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function aMailer(answers: { now: SendResult | Promise<SendResult> }) {
  const test = await openTestDatabase()
  closing.push(test.close)
  const { database } = test
  const clock = fixedClock()
  const sent: string[] = []
  const way: SmtpTransport = {
    send: async ({ to }) => {
      sent.push(to)
      return answers.now
    },
    close: () => undefined,
  }
  const folder = await mkdtemp(join(tmpdir(), 'dossier-mailer-'))
  closing.push(() => rm(folder, { recursive: true }))
  const keys = openKeyRing(folder, { clock: clock.now })
  let made = 0
  const newId = () => `mail-${(made += 1)}`
  const log = openLog('silent')
  const mailer = openMailer({ database, clock: clock.now, newId, log, keys, way, lookEveryMs: 5 })
  closing.push(mailer.stop)
  mailer.start()
  const post = (to: string) =>
    database.write((transaction) => mailer.post(transaction, { to, subject: 'S', text: 'See http://x/?code=abc' }))
  const rows = () => database.read.selectFrom('mails').selectAll().orderBy('id').execute()
  const untilState = (state: string) => vi.waitFor(async () => expect((await rows())[0]?.state).toBe(state), EVENTUALLY)
  const startAnother = () => {
    const another = openMailer({ database, clock: clock.now, newId, log, keys, way, lookEveryMs: 5 })
    closing.push(another.stop)
    another.start()
  }
  return { clock, sent, post, rows, untilState, database, mailer, startAnother }
}

test('an email is sent by only one server, unless that server crashes', async () => {
  const answer = Promise.withResolvers<SendResult>()
  const answers: { now: SendResult | Promise<SendResult> } = { now: answer.promise }
  const { clock, sent, post, untilState, database, startAnother } = await aMailer(answers)
  await post('ada@example.org')
  await vi.waitFor(() => expect(sent).toEqual(['ada@example.org']), EVENTUALLY)
  startAnother()
  answers.now = { isSent: true }
  await database.write(({ db }) => db.insertInto('mails').values(secondMail(clock.now())).execute())
  await vi.waitFor(() => expect(sent).toContain('bob@example.org'), EVENTUALLY)
  expect(sent).toEqual(['ada@example.org', 'bob@example.org'])

  clock.move(2 * MINUTE_MS)
  await vi.waitFor(() => expect(sent).toEqual(['ada@example.org', 'bob@example.org', 'ada@example.org']), EVENTUALLY)
  answer.resolve({ isSent: true })
  await untilState('sent')
})

const secondMail = (at: Date) => ({
  id: 'mail-second',
  recipient: 'bob@example.org',
  subject: 'S',
  body: 'T',
  created_at: at.toISOString(),
  state: 'waiting',
  failure: null,
})

test('a failed email is retried after one, two and four minutes', async () => {
  const answers: { now: SendResult } = { now: { isSent: false, failure: 'away' } }
  const { clock, sent, post, rows, untilState } = await aMailer(answers)
  await post('ada@example.org')
  await untilState('failed')
  expect((await rows())[0]?.failure).toBe('away')
  expect(sent).toHaveLength(1)

  for (const [minutes, tries] of [
    [1, 2],
    [2, 3],
    [4, 4],
  ] as const) {
    clock.move(minutes * MINUTE_MS - 1)
    await post('other@example.org')
    await vi.waitFor(() => expect(sent.at(-1)).toBe('other@example.org'), EVENTUALLY)
    expect(sent.filter((to) => to === 'ada@example.org')).toHaveLength(tries - 1)
    clock.move(1)
    await vi.waitFor(() => expect(sent.filter((to) => to === 'ada@example.org')).toHaveLength(tries), EVENTUALLY)
  }
  answers.now = { isSent: true }
  clock.move(8 * MINUTE_MS)
  await untilState('sent')
  expect((await rows())[0]).toMatchObject({ failure: null, body: 'See http://x/?code=…' })
})

test('sending an email is abandoned after two days', async () => {
  const { clock, sent, post, untilState, mailer } = await aMailer({ now: { isSent: false, failure: 'away' } })
  await post('ada@example.org')
  await untilState('failed')
  clock.move(2 * 24 * 60 * MINUTE_MS + 1)
  await post('other@example.org')
  await vi.waitFor(() => expect(sent).toContain('other@example.org'), EVENTUALLY)
  await mailer.stop()
  expect(sent.filter((to) => to === 'ada@example.org')).toHaveLength(1)
})

test('an unresponsive mail server does not delay shutdown', async () => {
  const { sent, post, rows, mailer } = await aMailer({ now: new Promise<SendResult>(() => undefined) })
  await post('ada@example.org')
  await vi.waitFor(() => expect(sent).toHaveLength(1), EVENTUALLY)
  const startedAtMs = performance.now()
  await mailer.stop()
  expect(performance.now() - startedAtMs).toBeLessThan(5000)
  expect((await rows())[0]?.state).toBe('waiting')
})

test('an email in a rolled-back write is never sent', async () => {
  const { sent, rows, database, mailer } = await aMailer({ now: { isSent: true } })
  const undone = database.write(async (transaction) => {
    await mailer.post(transaction, { to: 'ada@example.org', subject: 'S', text: 'T' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await mailer.stop()
  expect([await rows(), sent]).toEqual([[], []])
})
