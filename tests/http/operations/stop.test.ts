import { once } from 'node:events'
import { Agent, get as httpGet } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { endpoint } from '#api/endpoint.ts'
import { ok } from '#domain/shared/result.ts'
import { open } from '#server/platform/http/access.ts'
import { DEFAULT_SESSION_SETTINGS } from '#server/platform/config/session-settings.ts'
import { buildApp } from '#server/http/app.ts'
import { listen, stopListening } from '#server/http/listen.ts'
import { openLog } from '#server/platform/http/logging.ts'
import { type Route, route } from '#server/platform/http/route.ts'

const agents: Agent[] = []
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy()
})

const anApp = (routes: readonly Route[] = []) =>
  buildApp({
    routes,
    authenticate: async () => ok({ type: 'guest' }),
    forgetDefinitions: () => {},
    log: openLog('silent'),
    publicUrl: new URL('http://localhost'),
    trustedProxies: [],
    corsOrigins: [],
    webFolder: '/nowhere',
    session: DEFAULT_SESSION_SETTINGS,
  })

/** A server with one endpoint that responds immediately and one that responds on demand. */
async function aServer() {
  const entered = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const app = await anApp([
    route(
      endpoint({ method: 'GET', path: '/api/quick', summary: '', response: 'empty' }),
      open('a test'),
      async () => undefined,
    ),
    route(endpoint({ method: 'GET', path: '/api/slow', summary: '', response: 'empty' }), open('a test'), async () => {
      entered.resolve()
      await answered.promise
    }),
  ])
  const started = await listen(app, { host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { app, started, port, hasEntered: entered.promise, letAnswer: answered.resolve }
}

/** Sends requests over a keep-alive connection, as browsers do. */
function ask(port: number, path: string): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  agents.push(agent)
  return new Promise((resolve, reject) => {
    httpGet({ port, path, agent, host: '127.0.0.1' }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    }).on('error', reject)
  })
}

describe('a server shutting down', () => {
  test("finishes pending requests and doesn't wait for idle connections", async () => {
    const { app, port, hasEntered, letAnswer } = await aServer()
    expect(await ask(port, '/api/quick')).toBe(204)
    const slow = ask(port, '/api/slow')
    await hasEntered
    const stopped = stopListening(app)
    letAnswer()
    expect(await slow).toBe(204)
    const startedAt = performance.now()
    await stopped
    expect(performance.now() - startedAt).toBeLessThan(2000)
    await expect(ask(port, '/api/quick')).rejects.toThrow()
  })

  test('responds to further requests on open connections and then closes them', async () => {
    const { app, port, hasEntered, letAnswer } = await aServer()
    const socket = connect(port, '127.0.0.1')
    let said = ''
    socket.setEncoding('utf8').on('data', (text: string) => (said += text))
    const isOver = once(socket, 'close')
    socket.write('GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await hasEntered
    const stopped = stopListening(app)
    const hasCome = once(app.server, 'request')
    socket.write('GET /api/quick HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await hasCome
    letAnswer()
    await isOver
    await stopped
    expect(said.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 204', 'HTTP/1.1 204'])
    expect(
      said
        .match(/^connection: .*$/gim)
        ?.at(-1)
        ?.toLowerCase(),
    ).toBe('connection: close')
  })

  test('aborts unfinished requests after the grace period', async () => {
    const { app, port, hasEntered, letAnswer } = await aServer()
    const slow = ask(port, '/api/slow')
    await hasEntered
    const isCutOff = expect(slow).rejects.toThrow()
    await stopListening(app, 50)
    await isCutOff
    letAnswer()
  })
})

describe('a configured listen address', () => {
  test('is rejected with its port if it is in use', async () => {
    const first = await aServer()
    const refused = await listen(await anApp(), { host: '127.0.0.1', port: first.port })
    expect(refused).toEqual({ ok: false, fault: expect.stringMatching(new RegExp(`^Port ${first.port} is in use`)) })
    await stopListening(first.app)
  })

  test('is rejected by name if it belongs to another machine', async () => {
    const app = await anApp()
    const refused = await listen(app, { host: '192.0.2.1', port: 0 })
    expect(refused).toEqual({ ok: false, fault: expect.stringContaining('HOST is 192.0.2.1') })
  })
})
