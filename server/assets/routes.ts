import * as api from '#api/files.ts'
import { Problem } from '#domain/shared/problem.ts'
import { open } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import type { AssetNeeds } from './asset-needs.ts'
import { getFile, getSignedFile } from './find-file.ts'
import { sendFile } from './send-file.ts'
import { isSigned } from './signed-address.ts'

/** Rights may change at any time: whoever comes with a session asks again, and is answered in a few bytes. */
const ASK_AGAIN = 'private, no-cache'

/** The HTTP door of finished files. */
export const assetRoutes = (needs: AssetNeeds): readonly Route[] => [
  route(
    api.readFile,
    open('a signed address needs no session; without a signature the file is judged for the actor'),
    async ({ actor, params, query, request, reply }) => {
      const width = query.w === undefined ? null : Number(query.w)
      const isDownload = query.download !== undefined
      if (query.signature === undefined) {
        if (actor.type === 'guest') throw new Problem('token-missing', 'Sign in to read this file.')
        const asset = await getFile(needs, actor, params.file)
        return sendFile(needs, asset, { width, isDownload, cacheControl: ASK_AGAIN }, { request, reply })
      }

      const now = needs.clock()
      const claim = { file: params.file, width, endsAtSeconds: Number(query.expires) }
      if (!isSigned(needs.keys, claim, query.signature, now)) {
        throw new Problem('forbidden', 'This address of a file works no more. Reload the page for a new one.')
      }
      const asset = await getSignedFile(needs, params.file)
      const secondsLeft = Math.floor(claim.endsAtSeconds - now.getTime() / 1000)
      const cacheControl = `private, max-age=${secondsLeft}, immutable`
      return sendFile(needs, asset, { width, isDownload, cacheControl }, { request, reply })
    },
  ),
]
