import { describe, expect, test } from 'vitest'
import { CallError, type FailureCode } from './call-error.ts'
import { abortableDelay, type HttpRequest, type RequestResult, sendWithRetries } from './send-request.ts'

const WRITE: HttpRequest = { method: 'POST', path: '/api/collections', answer: 'json' }

const refused = (code: FailureCode, retryAfterSeconds?: number): RequestResult => ({
  ok: false,
  failure: new CallError(code, '', { status: 429, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }),
})
const done: RequestResult = { ok: true, body: 'done' }

async function sendTo(...answers: readonly RequestResult[]) {
  const left = [...answers]
  const waits: number[] = []
  const send = sendWithRetries(
    async () => left.shift() ?? done,
    async (ms) => void waits.push(ms),
  )
  return { exchanged: await send(WRITE), waits, left }
}

describe('a request to an overloaded server', () => {
  test('is retried after the delay requested by the server', async () => {
    const { exchanged, waits } = await sendTo(refused('too-many-at-once', 2), refused('overloaded', 5), done)
    expect(exchanged).toEqual(done)
    expect(waits.map((ms) => Math.floor(ms / 1000))).toEqual([2, 5])
  })

  test('fails after three attempts', async () => {
    const { exchanged, waits } = await sendTo(...Array.from({ length: 9 }, () => refused('overloaded', 1)))
    expect(exchanged).toMatchObject({ ok: false, failure: { code: 'overloaded' } })
    expect(waits).toHaveLength(3)
  })

  test('is not retried after other errors, or if the server requests no delay', async () => {
    expect((await sendTo(refused('too-many-requests', 900))).waits).toEqual([])
    expect((await sendTo(refused('not-ready', 2))).waits).toEqual([])
    expect((await sendTo(refused('overloaded'))).waits).toEqual([])
  })

  test('is no longer retried after it is aborted', async () => {
    const asking = new AbortController()
    const waiting = abortableDelay(60_000, asking.signal)
    asking.abort()
    await expect(waiting).resolves.toBeUndefined()
    await expect(abortableDelay(60_000, asking.signal)).resolves.toBeUndefined()
    await expect(abortableDelay(0, undefined)).resolves.toBeUndefined()
  })
})
