import type { FastifyRequest } from 'fastify'
import type { UserId } from '#domain/shared/ids.ts'
import type { RefreshCookie } from '#server/sessions/refresh-cookie.ts'
import { addressKey } from '#server/sessions/try-counter.ts'
import type { FactorNeeds } from './factor-needs.ts'

/** Where a try comes from; `deviceId` when it is a browser this user has signed in with before. */
export type TryPlace = { readonly address: string; readonly deviceId: string | undefined }

/** Where the tries of a request to prove something of this account come from. */
export function placeOf(
  { cookie }: { readonly cookie: RefreshCookie },
  request: FastifyRequest,
  userId: UserId,
): TryPlace {
  const known = cookie.knownDevices.read(request)
  return { address: request.ip, deviceId: known?.userId === userId ? known.id : undefined }
}

/** Begins a try to prove something of this account: every factor and the step-up password count together. */
export function beginFactorTry(
  { factorTries }: Pick<FactorNeeds, 'factorTries'>,
  userId: UserId,
  { address, deviceId }: TryPlace,
): { readonly succeeded: () => void } {
  if (deviceId !== undefined) return factorTries.begin({ device: `${userId} ${deviceId}` })
  return factorTries.begin({ pair: `${userId} ${addressKey(address)}`, account: userId })
}
