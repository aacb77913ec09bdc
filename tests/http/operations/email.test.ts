import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { secret } from '#server/platform/config/setting-readers.ts'
import { type Caller, openTestApp, type TestApp, type TestAppOptions } from '#tests/support/server/test-app.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'

type Received = { readonly from: string; readonly to: string[]; readonly source: string }

/** A local SMTP server; while `refuse` is set, it rejects recipients. */
type MailServer = {
  readonly url: string
  readonly received: Received[]
  readonly logins: string[]
  refuse: boolean
  readonly close: () => Promise<void>
}

async function openMailServer(port = 0): Promise<MailServer> {
  const received: Received[] = []
  const logins: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username = '', password = '' }, _session, callback) => {
      logins.push(`${username}:${password}`)
      if (password === 'right') callback(null, { user: username })
      else callback(new Error('These are not the credentials'))
    },
    onRcptTo: (_address, _session, callback) => {
      callback(opened.refuse ? Object.assign(new Error('No such mailbox here'), { responseCode: 550 }) : null)
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
        })
        callback()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  // The address of a TCP server is an object with a port.
  const address = server.server.address() as AddressInfo
  const opened: MailServer = {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    logins,
    refuse: false,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return opened
}

const opened: { readonly close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close()
})

async function openWith(options: TestAppOptions): Promise<{ readonly app: TestApp; readonly owner: Caller }> {
  const app = await openTestApp(options)
  opened.push(app)
  return { app, owner: await app.asOwner() }
}

const sendingTo = (url: string): TestAppOptions => ({
  config: { mail: { smtpUrl: secret(url), from: 'Dossier <dossier@example.org>' } },
})

const invite = (owner: Caller, email = 'grace@example.org', name = 'Grace') =>
  owner.post('/api/users', { email, name, roles: ['viewer'] })

const newestMail = async (owner: Caller) => (await owner.get('/api/outbox')).body.items[0]

const untilState = (owner: Caller, state: string) =>
  vi.waitFor(async () => {
    const mail = await newestMail(owner)
    expect(mail.state).toBe(state)
    return mail
  }, EVENTUALLY)

describe('an email when a mail server is configured', () => {
  test('is sent as plain text, and its stored copy contains no link', async () => {
    const server = await openMailServer()
    opened.push(server)
    const { app, owner } = await openWith(sendingTo(server.url))
    await invite(owner)
    const mail = await untilState(owner, 'sent')

    expect(server.received).toHaveLength(1)
    const [message] = server.received
    expect([message?.from, message?.to]).toEqual(['dossier@example.org', ['grace@example.org']])
    const source = message?.source.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
    expect(source).toContain('Subject: Your invitation to Dossier')
    expect(source).toContain('Content-Type: text/plain')
    const code = /\/invitation\?code=([\w-]{43})/.exec(source)?.[1] ?? ''
    expect(code).not.toBe('')

    expect(mail.text).toContain('/invitation?code=…')
    expect(mail.failure).toBeNull()
    expect((await owner.get('/api/outbox')).body.hasServer).toBe(true)
    expect(app.logged()).not.toContain(code)
    const accepted = await app.guest.post('/api/invitations/accept', {
      code,
      name: 'Grace',
      password: 'eleven herons count the tide',
    })
    expect(accepted.status).toBe(201)
  })

  test('is retried after the mail server rejects it, and the reason is stored', async () => {
    const server = await openMailServer()
    opened.push(server)
    server.refuse = true
    const { app, owner } = await openWith(sendingTo(server.url))
    await invite(owner)
    const failed = await untilState(owner, 'failed')
    expect(failed.failure).toContain('No such mailbox here')

    server.refuse = false
    app.clock.move(60_000)
    await invite(owner, 'second@example.org')
    await vi.waitFor(async () => {
      const { items } = (await owner.get('/api/outbox')).body
      expect(items.map((one: { state: string }) => one.state)).toEqual(['sent', 'sent'])
    }, EVENTUALLY)
    expect(new Set(server.received.map(({ to }) => to[0]))).toEqual(
      new Set(['grace@example.org', 'second@example.org']),
    )
  })

  test('fails immediately with a reason if the server is unavailable, and is sent after the next start', async () => {
    const away = await openMailServer()
    const port = Number(new URL(away.url).port)
    await away.close()
    const { app, owner } = await openWith(sendingTo(away.url))
    expect((await invite(owner)).status).toBe(201)
    expect((await untilState(owner, 'failed')).failure).toContain('ECONNREFUSED')

    const back = await openMailServer(port)
    opened.push(back)
    const another = await app.startAnother()
    await untilState(owner, 'sent')
    await another.stop()
    expect(back.received).toHaveLength(1)
  })

  test('is sent with credentials that never appear in logs or errors', async () => {
    const server = await openMailServer()
    opened.push(server)
    const { app, owner } = await openWith(sendingTo(server.url.replace('//', '//ada:pass-4711@')))
    await invite(owner)
    const failed = await untilState(owner, 'failed')
    expect(server.logins).toContain('ada:pass-4711')
    expect(failed.failure).toContain('EAUTH')
    expect(failed.failure).not.toContain('pass-4711')
    expect(app.logged()).not.toContain('pass-4711')
  })

  test("can't be given extra headers or recipients through a user name", async () => {
    const server = await openMailServer()
    opened.push(server)
    const { owner } = await openWith(sendingTo(server.url))
    const forged = await invite(owner, 'grace@example.org', 'Grace\r\nBcc: evil@example.org\r\n\r\nhttp://evil.example')
    expect([forged.status, forged.body.errors[0].path]).toEqual([400, 'name'])
    expect((await owner.get('/api/outbox')).body.items).toEqual([])
  })
})

type Mail = { readonly to: string; readonly state: string }

describe('an email when no mail server is configured', () => {
  let app: TestApp
  let owner: Caller
  beforeAll(async () => {
    app = await openTestApp()
    owner = await app.asOwner()
  })
  afterAll(() => app.close())

  test('remains in the outbox for an owner, and its link is not logged', async () => {
    await invite(owner)
    const { body } = await owner.get('/api/outbox')
    expect(body).toEqual({
      hasServer: false,
      items: [
        {
          id: expect.any(String),
          to: 'grace@example.org',
          subject: 'Your invitation to Dossier',
          text: expect.stringContaining('http://localhost:4100/invitation?code='),
          at: app.clock.now().toISOString(),
          state: 'waiting',
          failure: null,
        },
      ],
    })
    const lines = app.logged().split('\n')
    expect(lines.filter((line) => line.includes('email written to the outbox'))).toHaveLength(1)
    for (const secretWord of ['code=', 'grace@example.org']) expect(app.logged()).not.toContain(secretWord)
  })

  test('is visible only to owners with a session and recent re-authentication', async () => {
    expect((await (await app.asEditor()).get('/api/outbox')).status).toBe(403)
    const { body } = await owner.post('/api/tokens', { name: 'Script', scopes: ['workspace:manage'] })
    expect((await app.withToken(body.token).get('/api/outbox')).body.code).toBe('forbidden')
    app.clock.move(15 * 60 * 1000 + 1)
    expect((await owner.get('/api/outbox')).body.code).toBe('step-up-needed')
  })

  test('is no longer sent after its links expire', async () => {
    const standOf = async () =>
      (await (await app.asOwner()).get('/api/outbox')).body.items
        .filter((one: Mail) => one.to === 'grace@example.org')
        .map((one: Mail) => one.state)
    app.clock.move(48 * 60 * 60 * 1000 - 15 * 60 * 1000 - 1)
    expect(await standOf()).toEqual(['waiting'])
    app.clock.move(1)
    expect(await standOf()).toEqual(['given-up'])
  })

  test('is deleted after 30 days', async () => {
    app.clock.move(30 * 24 * 60 * 60 * 1000)
    const another = await app.startAnother()
    await another.stop()
    expect(await app.database.read.selectFrom('mails').selectAll().execute()).toEqual([])
  })
})
