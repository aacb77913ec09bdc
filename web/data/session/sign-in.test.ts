import { expect, test } from 'vitest'
import type { SessionUser } from '#api/sessions.ts'
import { CallError } from '#web/data/api/call-error.ts'
import type { RequestResult, HttpRequest } from '#web/data/api/send-request.ts'
import { createReadUser } from './sign-in.ts'
import { signedInUserId } from './session-state.ts'

const ADA = { id: 'ada', name: 'Ada' }
const ANA = { id: 'ana', name: 'Ana' }
const asAda = { ...ADA, view_as: { user: ANA, by: ADA, is_on: false, held: [] } } as unknown as SessionUser
const asAna = { ...ANA, view_as: { user: ANA, by: ADA, is_on: true, held: [] } } as unknown as SessionUser

const reported = (user: SessionUser): RequestResult => ({ ok: true, body: { user } })
const failed = (code: 'forbidden' | 'unreachable', status: number): RequestResult => ({
  ok: false,
  failure: new CallError(code, '', { status }),
})

async function readFrom(...answers: readonly RequestResult[]) {
  const requested: HttpRequest[] = []
  const readUser = createReadUser({
    exchange: async (wire) => {
      requested.push(wire)
      return answers[requested.length - 1] ?? failed('unreachable', 503)
    },
    wait: async () => undefined,
  })
  const found = await readUser('token', 3)
  return { found, requested: requested.map(({ headers }) => headers?.['view-as']) }
}

test('impersonation applies from the first page load', async () => {
  const { found, requested } = await readFrom(reported(asAda), reported(asAna))
  expect(found).toEqual({ ok: true, user: asAna })
  expect(requested).toEqual([undefined, 'ana'])
})

test('impersonation ends when the permission is revoked', async () => {
  const { found } = await readFrom(reported(asAda), failed('forbidden', 403))
  expect(found).toEqual({ ok: true, user: asAda })
})

test('if the server is unreachable, sign-in is retried and no data of the real user is shown', async () => {
  const { found, requested } = await readFrom(
    reported(asAda),
    failed('unreachable', 503),
    reported(asAda),
    reported(asAna),
  )
  expect(found).toEqual({ ok: true, user: asAna })
  expect(requested).toEqual([undefined, 'ana', undefined, 'ana'])
})

test('impersonation does not change the user of the session', () => {
  expect(signedInUserId(asAna)).toBe('ada')
  expect(signedInUserId(asAda)).toBe('ada')
  expect(signedInUserId({ ...asAda, view_as: null })).toBe('ada')
})
