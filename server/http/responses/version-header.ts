import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { SessionSettings } from '#server/platform/config/session-settings.ts'
import { VERSION } from '#server/version.ts'
import { isData } from './security-headers.ts'

type Interface = { readonly webFolder: string; readonly session: SessionSettings }

/** The version, and which build of the interface stands beside it: an operator may build the same version again, or set it up otherwise. */
function versionTag({ webFolder, session }: Interface): string {
  const page = join(webFolder, 'index.html')
  if (!existsSync(page)) return VERSION
  return `${VERSION}+${createHash('sha256').update(readFileSync(page)).update(JSON.stringify(session)).digest('hex').slice(0, 8)}`
}

/** Tells with every answer which version gives it, so that a page that is older than its server finds out. */
export function addVersionHeader(app: FastifyInstance, needs: Interface): void {
  const mark = versionTag(needs)
  app.addHook('onRequest', async ({ url }, reply) => {
    if (isData(url)) reply.header('dossier-version', mark)
  })
}
