import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import * as api from '#api/files.ts'
import type { Actor } from '#domain/access/actor.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import { urlHolderOf } from '#domain/assets/signed-url-claims.ts'
import { Problem } from '#domain/shared/problem.ts'
import { open, signedIn } from '#server/platform/http/access.ts'
import { tokenProblemOf } from '#server/platform/http/guard.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { type AssetDeps, getFile, getFilePlace } from './find-file.ts'
import { browserActor } from './browser-actor.ts'
import { sendFile } from './send-file.ts'
import { isSigned } from './signed-urls.ts'

/** Clients that use a token must revalidate, because permissions can change at any time. */
const REVALIDATE = 'private, no-cache'

/** Responses to an impersonated session must not be reused after it ends. */
const NO_STORE = 'no-store'

type Query = z.output<(typeof api.readFile)['query']>
type FileRequest = { readonly file: string; readonly width: number | null; readonly query: Query }

export const assetRoutes = (deps: AssetDeps): readonly Route[] => [
  route(
    api.readFile,
    open('access is checked per file: by token, or by cookie with a signed URL'),
    async ({ actor: bearer, params, query, request, reply }) => {
      const width = query.w === undefined ? null : Number(query.w)
      const actor = bearer.type === 'guest' ? await authenticateByCookie(deps, request, query) : bearer
      const cacheControl =
        query.signature === undefined ? REVALIDATE : cacheControlFor(deps, actor, { file: params.file, width, query })
      // Checked on every request, so that revoking the permission also invalidates the URL.
      const asset = await getFile(deps, actor, params.file)
      const isDownload = query.download !== undefined
      await sendFile(deps, asset, { width, isDownload, cacheControl }, { request, reply })
    },
  ),
  route(api.locateFile, signedIn, async ({ actor, params }) => getFilePlace(deps, actor, params.file)),
]

/** Cookie authentication is only accepted with a URL signed for the same session. */
async function authenticateByCookie(deps: AssetDeps, request: FastifyRequest, query: Query): Promise<Actor> {
  const fault = tokenProblemOf(request)
  if (fault !== undefined) throw fault
  if (query.signature === undefined) throw signIn()
  const found = await browserActor(deps, request, query)
  if (!found.ok) throw found.fault
  if (found.value.type === 'guest') throw signIn()
  return found.value
}

const signIn = (): Problem => new Problem('token-missing', 'Sign in to open this file.')

/** Returns how long a browser may cache the response to a signed URL; rejects a URL signed for another user. */
function cacheControlFor(deps: AssetDeps, actor: Actor, { file, width, query }: FileRequest): string {
  const now = deps.clock()
  const endsAtSeconds = Number(query.expires)
  const holder = urlHolderOf(actor)
  const isOurs = holder && isSigned(deps.keys, { holder, file, width, endsAtSeconds }, query.signature ?? '', now)
  if (isOurs !== true) {
    throw new Problem(
      'forbidden',
      'This file link has expired or was created for another session. Open the record again to get a new one.',
    )
  }
  if (isImpersonated(actor)) return NO_STORE
  return `private, max-age=${Math.floor(endsAtSeconds - now.getTime() / 1000)}, immutable`
}
