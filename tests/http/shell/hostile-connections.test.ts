import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let port: number

beforeAll(async () => {
  app = await openTestApp()
  port = Number(new URL(await app.listen()).port)
})
afterAll(() => app.close())

/** Sends raw text and collects the response until the server closes the connection. */
const said = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.setEncoding('latin1').on('data', (part: string) => (heard += part))
    socket.on('error', reject).on('close', () => resolve(heard))
  })

test.each([
  ['is none', 'nonsense\r\n\r\n', 400, 'invalid-request'],
  [
    'has two lengths',
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    400,
    'invalid-request',
  ],
  [
    'has headers without end',
    `GET /api/health HTTP/1.1\r\nHost: x\r\n${'X-Long: x\r\n'.repeat(5000)}\r\n`,
    413,
    'too-large',
  ],
])('a request that %s is rejected as a problem and the connection closes', async (_, text, status, code) => {
  const [head = '', body = ''] = (await said(text)).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(head).toContain('application/problem+json')
  expect(JSON.parse(body)).toMatchObject({ code, status })
})
