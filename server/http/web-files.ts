import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  toLanguage,
  BOUND_LANGUAGE_COOKIE,
  LANGUAGE_COOKIE,
  LANGUAGES,
  type Language,
  preferredLanguage,
} from '#domain/languages/language.ts'
import { type SessionSettings, withSessionSettings } from '#server/platform/config/session-settings.ts'
import { pagePolicy } from './responses/security-headers.ts'

/** The tag in which the page finds the nonce of its own answer. */
const NONCE_TAG = /<meta\s+name="csp-nonce"[^>]*>/

const NOT_BUILT = `<!doctype html><html lang="en"><title>Dossier</title><p>The interface is not built yet. Run
<code>npm start</code>, which builds it, or <code>npm run dev</code>.</p></html>`

/** The page in each language it was built in; English is the one there is whenever there is any. */
function readPages(folder: string, session: SessionSettings): ReadonlyMap<Language, string> {
  const pages = LANGUAGES.flatMap((language) => {
    const file = join(folder, language === 'en' ? 'index.html' : `index.${language}.html`)
    return existsSync(file) ? [[language, withSessionSettings(readFileSync(file, 'utf8'), session)] as const] : []
  })
  return new Map(pages)
}

/** The language somebody chose in this browser, else the one their browser asks for. */
const languageFor = ({ cookies, headers }: FastifyRequest): Language =>
  toLanguage(cookies[BOUND_LANGUAGE_COOKIE] ?? cookies[LANGUAGE_COOKIE]) ??
  preferredLanguage(headers['accept-language']) ??
  'en'

type ServedInterface = { readonly webFolder: string; readonly session: SessionSettings }

/** Writes the page of the interface, the same for every address; undefined when the address cannot be a page. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/** Whether an address names a file (`/favicon.ico`), for which the page would be a wrong answer. */
const namesFile = (path: string): boolean => /\.[a-z0-9]{2,5}$/i.test(path)

function asksForPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = request.url.split('?', 1)[0] ?? ''
  return !path.startsWith('/assets/') && (!namesFile(path) || (request.headers.accept ?? '').includes('text/html'))
}

/**
 * Serves the built interface. Files below `assets/` carry their content in their name and are kept for a year; the page
 * itself is asked for every time and has neither ETag nor date, because its nonce belongs to one answer alone.
 */
export function serveWebFiles(app: FastifyInstance, { webFolder: folder, session }: ServedInterface): SendPage {
  const pages = readPages(folder, session)
  const english = pages.get('en') ?? NOT_BUILT
  if (pages.size > 0) {
    app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const isHashed = path.startsWith(join(folder, 'assets'))
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  return (request, reply) => {
    if (!asksForPage(request)) return undefined
    const nonce = randomBytes(16).toString('base64url')
    const page = pages.get(languageFor(request)) ?? english
    return reply
      .code(200)
      .headers({
        'content-security-policy': pagePolicy(nonce),
        'cache-control': 'no-cache',
        vary: 'Accept-Language, Cookie',
      })
      .type('text/html; charset=utf-8')
      .send(page.replace(NONCE_TAG, `<meta name="csp-nonce" content="${nonce}">`))
  }
}
