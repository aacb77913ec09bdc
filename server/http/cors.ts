import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSignInPath } from '#server/platform/http/guard.ts'
import { isData } from './responses/security-headers.ts'

const OPTIONS: FastifyCorsOptions = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: [
    'Content-Disposition',
    'Dossier-Version',
    'ETag',
    'Location',
    'Retry-After',
    'Tus-Resumable',
    'Upload-Length',
    'Upload-Offset',
  ],
  // Ten minutes.
  maxAge: 600,
}

/** Lets scripts of these origins call the API with a token. They can't send cookies or sign in. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  const allowed = { ...OPTIONS, origin: [...origins] }
  await app.register(fastifyCors, {
    delegator: (request, done) => done(null, isOpen(request) ? allowed : { origin: false }),
  })
}

const isOpen = ({ url, method, headers }: FastifyRequest): boolean =>
  isData(url) && !isSignInPath(url) && (method !== 'OPTIONS' || isPreflight(headers))

/** Other OPTIONS requests are answered by routes, such as tus'. */
const isPreflight = (headers: FastifyRequest['headers']): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined
