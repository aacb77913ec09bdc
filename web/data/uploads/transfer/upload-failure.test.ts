import { describe, expect, test } from 'vitest'
import { classifyFailure, type SendFailure } from './tus-request.ts'

type Refusal = Extract<SendFailure, { is: 'refused' }>

const refused = (status: number, part: Partial<Refusal> = {}): SendFailure => ({
  is: 'refused',
  requested: 'chunk',
  status,
  detail: null,
  retryAfterMs: null,
  ...part,
})

const outcomes = (failure: SendFailure) => [0, 1, 2, 3].map((tries) => classifyFailure(failure, tries))
const waits = (...all: number[]) => all.map((ms) => ({ do: 'wait', ms }))

describe('a failed chunk', () => {
  test('is retried after 500, 1000 and 3000 ms, and then when the server is reachable', () => {
    expect(outcomes({ is: 'cut' })).toEqual([...waits(500, 1000, 3000), { do: 'await-server' }])
    expect(outcomes(refused(502))).toEqual([...waits(500, 1000, 3000), { do: 'await-server' }])
  })

  test.each([408, 409, 423, 425, 429, 460, 500])('is retried three times after the temporary status %i', (status) => {
    const all = outcomes(refused(status))
    expect(all.slice(0, 3)).toEqual(waits(500, 1000, 3000))
    expect(all[3]).toMatchObject({ do: 'fail' })
  })

  test.each([400, 402, 403, 404, 405, 410, 411, 412, 413, 415, 422, 451, 501, 507])(
    'is not retried after the permanent status %i',
    (status) => {
      expect(classifyFailure(refused(status, { detail: 'This field takes pictures.' }), 0)).toEqual({
        do: 'fail',
        why: 'This field takes pictures.',
      })
    },
  )

  test('is retried after the delay requested by the server, within a limit', () => {
    expect(classifyFailure(refused(429, { retryAfterMs: 7000 }), 0)).toEqual({ do: 'wait', ms: 7000 })
    expect(classifyFailure(refused(503, { retryAfterMs: 200 }), 1)).toEqual({ do: 'wait', ms: 1000 })
    expect(classifyFailure(refused(429, { retryAfterMs: 3_600_000 }), 0)).toMatchObject({ do: 'fail' })
  })

  test('requires a new token if its token is invalid', () => {
    expect(classifyFailure(refused(401), 3)).toEqual({ do: 'renew-token' })
    expect(classifyFailure({ is: 'session-over' }, 0)).toEqual({ do: 'hold' })
  })

  test('requires selecting the file again if it is unreadable', () => {
    expect(classifyFailure({ is: 'unreadable' }, 0)).toEqual({ do: 'ask-for-file' })
  })
})

describe('an upload whose offset is temporarily unavailable', () => {
  test('is retried, and then continues when the service is available', () => {
    expect(outcomes(refused(423, { requested: 'offset' }))).toEqual([...waits(500, 1000, 3000), { do: 'await-server' }])
  })
})

describe('an upload unknown to the server', () => {
  test('is restarted only after a request for its offset', () => {
    expect(classifyFailure(refused(404, { requested: 'offset' }), 0)).toEqual({ do: 'restart' })
    expect(classifyFailure(refused(410, { requested: 'offset' }), 0)).toEqual({ do: 'restart' })
    expect(classifyFailure(refused(404, { requested: 'create' }), 0)).toMatchObject({ do: 'fail' })
  })
})
