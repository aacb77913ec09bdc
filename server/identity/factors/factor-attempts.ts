import type { FastifyRequest } from 'fastify'
import type { UserId } from '#domain/shared/ids.ts'
import type { RefreshCookie } from '#server/identity/session-tokens/refresh-cookie.ts'
import { clientAddressKey } from '#server/platform/http/client-address.ts'
import type { AttemptOptions, AttemptSubjects } from '#server/identity/attempts/attempt-counter.ts'
import type { FactorAttemptCounter, FactorDeps } from './factor-deps.ts'

/** Where a try comes from; `deviceId` when it is a browser this user has signed in with before. */
export type AttemptOrigin = { readonly address: string; readonly deviceId: string | undefined }

/** Where the tries of a request to prove something of this account come from. */
export function attemptOriginOf(
  { cookie }: { readonly cookie: RefreshCookie },
  request: FastifyRequest,
  userId: UserId,
): AttemptOrigin {
  const known = cookie.knownDevices.read(request)
  return { address: request.ip, deviceId: known?.userId === userId ? known.id : undefined }
}

/** A try to prove something of this account: every factor and the step-up password count together. */
export function attemptFactor<Answer>(
  { factorTries }: Pick<FactorDeps, 'factorTries'>,
  userId: UserId,
  { address, deviceId, endsRow = true }: AttemptOrigin & AttemptOptions,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const keys: AttemptSubjects<FactorAttemptCounter> =
    deviceId === undefined
      ? { pair: [userId, clientAddressKey(address)], account: userId }
      : { device: [userId, deviceId] }
  return factorTries.attempt(keys, work, { endsRow })
}
