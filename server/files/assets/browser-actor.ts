import type { FastifyRequest } from 'fastify'
import type { Actor } from '#domain/access/actor.ts'
import { urlHolderOf } from '#domain/assets/signed-url-claims.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { findTimeZone } from '#domain/shared/time.ts'
import type { AssetDeps } from './find-file.ts'
import { isArchiveSigned } from './signed-urls.ts'

type AddressParameters = { readonly as?: string | undefined; readonly zone?: string | undefined }

/** The actor of a browser request that uses a signed URL. */
export async function browserActor(
  { cookieActor }: Pick<AssetDeps, 'cookieActor'>,
  request: FastifyRequest,
  { as, zone }: AddressParameters,
): Promise<Result<Actor, Problem>> {
  const found = await cookieActor(request, as)
  if (!found.ok || found.value.type !== 'user') return found
  const timeZone = zone === undefined ? undefined : findTimeZone(zone)
  return timeZone === undefined ? found : ok({ ...found.value, timeZone })
}

const textIn = (query: unknown, name: string): string | undefined => {
  const value = typeof query === 'object' && query !== null ? new Map(Object.entries(query)).get(name) : undefined
  return typeof value === 'string' ? value : undefined
}

/** Authenticates an archive request by cookie and signed URL; without a signature, the actor is a guest. */
export const authenticateArchiveRequest =
  (deps: Pick<AssetDeps, 'cookieActor' | 'keys' | 'clock'>) =>
  async (request: FastifyRequest): Promise<Result<Actor, Problem> | undefined> => {
    const signature = textIn(request.query, 'signature')
    if (signature === undefined) return undefined
    const reported = { as: textIn(request.query, 'as'), zone: textIn(request.query, 'zone') }
    const found = await browserActor(deps, request, reported)
    const holder = found.ok ? urlHolderOf(found.value) : undefined
    if (holder === undefined) return found
    const [path = ''] = request.url.split('?')
    const claim = { holder, path, endsAtSeconds: Number(textIn(request.query, 'expires')) }
    return isArchiveSigned(deps.keys, claim, signature, deps.clock()) ? found : fail(linkNotForUser())
  }

const linkNotForUser = (): Problem =>
  new Problem(
    'forbidden',
    'This archive link has expired or was created for another session. Request the archive again.',
  )
